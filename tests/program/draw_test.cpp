// subcore draw: the picture has all modules of the platform, and no others.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace draw_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

struct Drawn {
  std::map<std::string, std::string> modules;  // by path: how many, "x 4" or nothing
  std::map<std::string, std::string> marks;    // the modules' marks
  std::set<std::string> arrows;                // "from > to", within the GPU
  std::map<std::string, std::string> tooltips;
  std::map<std::string, std::string> pages;
};

Drawn read(const std::string& svg) {
  Drawn all;
  static const std::regex module(
      "(?:<a href=\"([^\"]*)\">)?<g class=\"module\" data-module=\"gpu([^\"]*)\" data-mark=\"([a-z]+)\">"
      "<title>([^<]*)</title>");
  static const std::regex arrow("data-from=\"gpu[.]([^\"]*)\" data-to=\"gpu[.]([^\"]*)\"");
  const std::sregex_iterator end;
  for (std::sregex_iterator m(svg.begin(), svg.end(), module); m != end; ++m) {
    const std::string path = (*m)[2].length() == 0 ? "" : (*m)[2].str().substr(1), tip = (*m)[4];
    CHECK(all.modules.count(path) == 0);
    const std::string first = tip.substr(0, tip.find('\n')), whole = "gpu" + (*m)[2].str();
    REQUIRE(first.compare(0, whole.size(), whole) == 0);
    all.modules[path] = first.size() == whole.size() ? "" : first.substr(whole.size() + 1);
    all.marks[path] = (*m)[3];
    all.tooltips[path] = tip;
    all.pages[path] = (*m)[1];
  }
  for (std::sregex_iterator a(svg.begin(), svg.end(), arrow); a != end; ++a)
    all.arrows.insert((*a)[1].str() + " > " + (*a)[2].str());
  return all;
}

Drawn draw(const Desk& desk, Strings arguments) {
  arguments.insert(arguments.begin(), "draw");
  arguments.insert(arguments.end(), {"-o", "-"});
  return read(desk.succeed(arguments).out);
}

// Whether a file is XML, by xmllint or Python, where one of the two is installed.
bool is_xml(const std::filesystem::path& file) {
  const std::string command =
      "if command -v xmllint >/dev/null; then xmllint --noout '" + file.string() +
      "'; elif command -v python3 >/dev/null; then python3 -c 'import sys, xml.dom.minidom as m; "
      "m.parse(sys.argv[1])' '" +
      file.string() + "'; fi";
  return std::system(command.c_str()) == 0;
}

struct Area {
  double left, top, right, bottom;
  bool meets(const Area& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};

using Numbers = std::vector<double>;

Numbers numbers_in(const std::string& text) {
  Numbers all;
  static const std::regex number("-?[0-9.]+");
  for (std::sregex_iterator n(text.begin(), text.end(), number), end; n != end; ++n)
    all.push_back(std::stod(n->str()));
  return all;
}

struct Geometry {
  std::vector<Area> boxes;                // boxes without boxes in them
  std::vector<std::vector<Area>> arrows;  // the parts of each
  std::vector<std::vector<Area>> labels;  // each arrow's lines of words

  explicit Geometry(const std::string& svg) {
    static const std::regex box(
        "<rect class=\"box[^>]* x=\"([0-9]+)\" y=\"([0-9]+)\" width=\"([0-9]+)\" "
        "height=\"([0-9]+)\"/>\n<text");
    static const std::regex label("x=\"([0-9.]+)\" y=\"([0-9.]+)\" text-anchor=\"middle\">([^<]*)<");
    const std::sregex_iterator end;
    for (std::sregex_iterator b(svg.begin(), svg.end(), box); b != end; ++b) {
      const double x = std::stod((*b)[1]), y = std::stod((*b)[2]);
      if (y > 20) boxes.push_back({x, y, x + std::stod((*b)[3]), y + std::stod((*b)[4])});
    }
    for (std::size_t at = svg.find("<g class=\"arrow\""); at != std::string::npos;) {
      const std::size_t next = svg.find("<g class=\"arrow\"", at + 1);
      const std::string arrow = svg.substr(at, next - at);
      at = next;
      const std::size_t d = arrow.find(" d=\"");
      const Numbers p =
          d == std::string::npos ? Numbers{} : numbers_in(arrow.substr(d, arrow.find('"', d + 4) - d));
      arrows.emplace_back();
      for (std::size_t i = 0; i + 3 < p.size(); i += 2)
        arrows.back().push_back({std::min(p[i], p[i + 2]), std::min(p[i + 1], p[i + 3]),
                                 std::max(p[i], p[i + 2]), std::max(p[i + 1], p[i + 3])});
      labels.emplace_back();
      for (std::sregex_iterator l(arrow.begin(), arrow.end(), label); l != end; ++l) {
        const double x = std::stod((*l)[1]), y = std::stod((*l)[2]),
                     half = 3 * static_cast<double>((*l)[3].length());
        labels.back().push_back({x - half, y - 9, x + half, y + 2});
      }
    }
  }
};

void check_geometry(const std::string& svg) {
  const Geometry g(svg);
  REQUIRE(g.boxes.size() > 10);
  REQUIRE(g.arrows.size() > 15);
  const Numbers size = numbers_in(svg.substr(svg.find(" width="), 40));
  CHECK(size[0] <= 1750);
  CHECK(size[1] <= 1250);
  const auto within = [](const Area& a) { return Area{a.left + 1, a.top + 1, a.right - 1, a.bottom - 1}; };
  for (std::size_t b = 0; b < g.boxes.size(); ++b)
    for (std::size_t o = 0; o < b; ++o) CHECK_FALSE(g.boxes[b].meets(g.boxes[o]));
  for (std::size_t a = 0; a < g.arrows.size(); ++a) {
    CAPTURE(a);
    CHECK_FALSE(g.arrows[a].empty());
    CHECK_FALSE(g.labels[a].empty());
    for (const Area& box : g.boxes) {
      for (const Area& part : g.arrows[a]) CHECK_FALSE(part.meets(within(box)));
      for (const Area& label : g.labels[a]) CHECK_FALSE(label.meets(box));
    }
    for (std::size_t o = 0; o < g.arrows.size(); ++o)
      for (const Area& label : g.labels[a]) {
        for (const Area& part : g.arrows[o])
          CHECK_FALSE(label.meets({part.left - 0.5, part.top - 0.5, part.right + 0.5, part.bottom + 0.5}));
        if (o == a) continue;
        for (const Area& other : g.labels[o]) CHECK_FALSE(label.meets(other));
      }
  }
}

// The relative luminance of a colour (WCAG 2).
double light_of(const std::string& colour) {
  double light = 0;
  const double shares[] = {0.2126, 0.7152, 0.0722};
  const std::string all =
      colour.size() == 4 ? std::string{'#', colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]}
                         : colour;
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(all.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    light += shares[i] * (c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return light;
}

std::string fill_in(const std::string& style, const std::string& name) {
  const std::regex rule("[.]" + name + " \\{[^}]*fill: (#[0-9a-f]+)");
  std::smatch found;
  REQUIRE(std::regex_search(style, found, rule));
  return found[1];
}

using Modules = std::map<std::string, std::string>;

const Modules around{{"", ""},
                     {"driver", ""},
                     {"driver.conductor", ""},
                     {"driver.kernel_dispatcher", ""},
                     {"driver.launch_registers", ""},
                     {"driver.watchdog", ""},
                     {"memory", ""},
                     {"sm", ""},
                     {"sm.conductor", ""},
                     {"sm.control_registers", ""},
                     {"sm.cta_dispatcher", ""},
                     {"sm.load_store_unit", ""},
                     {"sm.sub_core", "x 4"}};

Modules with(Modules all, const Modules& more) {
  for (const auto& [path, count] : more) all[path] = count;
  return all;
}

Modules sub_core(const std::string& collector, const std::string& count, const std::string& banks = "x 2") {
  return with(around, {{"sm.sub_core.trace_player", ""},
                       {"sm.sub_core.issue_scheduler", ""},
                       {"sm.sub_core." + collector, count},
                       {"sm.sub_core.arbiter", ""},
                       {"sm.sub_core.bank", banks},
                       {"sm.sub_core.crossbar", ""},
                       {"sm.sub_core.dispatch_scheduler", ""},
                       {"sm.sub_core.unit", "x 9"}});
}

}  // namespace

TEST_CASE("draw: platforms have the modules that they are put together from") {
  const Desk desk;
  CHECK(draw(desk, {"baseline"}).modules == sub_core("operand_collector", "x 2"));
  CHECK(draw(desk, {"malekeh"}).modules ==
        with(sub_core("caching_collector", "x 2"), {{"sthld_controller", ""}}));
  CHECK(draw(desk, {"bow"}).modules == sub_core("bypassing_collector", "x 8"));
  CHECK(draw(desk, {"rfc"}).modules ==
        with(sub_core("operand_collector", "x 2"), {{"sm.sub_core.operand_cache", ""}}));
  CHECK(draw(desk, {"nvidia_turing"}).modules == sub_core("fixed_window", ""));
  Modules monolithic = sub_core("operand_collector", "x 8", "x 8");
  monolithic["sm.sub_core"] = "";
  CHECK(draw(desk, {"monolithic_baseline"}).modules == monolithic);
  Modules rtx = with(sub_core("caching_collector", "x 2"), {{"sm", "x 10"},
                                                            {"sthld_controller", ""},
                                                            {"memory_system", ""},
                                                            {"memory_system.conductor", ""},
                                                            {"memory_system.l1", "x 10"},
                                                            {"memory_system.interconnect", ""},
                                                            {"memory_system.l2", "x 8"},
                                                            {"memory_system.dram", "x 4"}});
  rtx.erase("memory");
  CHECK(draw(desk, {"rtx2060_third/malekeh"}).modules == rtx);
}

TEST_CASE("draw: arrows follow the sockets") {
  const Desk desk;
  const std::string s = "sm.sub_core.";
  const std::set<std::string> baseline{"driver.launch_registers > driver.kernel_dispatcher",
                                       "driver.kernel_dispatcher > sm.cta_dispatcher",
                                       "sm.cta_dispatcher > " + s + "trace_player",
                                       s + "trace_player > " + s + "issue_scheduler",
                                       s + "issue_scheduler > " + s + "operand_collector",
                                       s + "issue_scheduler > sm.cta_dispatcher",
                                       "sm.control_registers > " + s + "issue_scheduler",
                                       s + "operand_collector > " + s + "arbiter",
                                       s + "arbiter > " + s + "bank",
                                       s + "bank > " + s + "crossbar",
                                       s + "crossbar > " + s + "operand_collector",
                                       s + "arbiter > " + s + "crossbar",
                                       s + "operand_collector > " + s + "dispatch_scheduler",
                                       s + "dispatch_scheduler > " + s + "unit",
                                       s + "dispatch_scheduler > sm.load_store_unit",
                                       s + "dispatch_scheduler > " + s + "issue_scheduler",
                                       s + "unit > " + s + "arbiter",
                                       "sm.load_store_unit > " + s + "arbiter",
                                       s + "arbiter > " + s + "issue_scheduler",
                                       "sm.load_store_unit > sm.cta_dispatcher",
                                       "sm.load_store_unit > memory"};
  CHECK(draw(desk, {"baseline"}).arrows == baseline);
  const std::set<std::string> malekeh = draw(desk, {"malekeh"}).arrows;
  CHECK(malekeh.count("sthld_controller > sm.control_registers") == 1);
  const std::set<std::string> rtx = draw(desk, {"rtx2060_third/malekeh"}).arrows;
  for (const char* arrow : {"sm.load_store_unit > memory_system.l1", "memory_system.l2 > memory_system.dram",
                            "driver.kernel_dispatcher > memory_system.l1"})
    CHECK(rtx.count(arrow) == 1);
}

TEST_CASE("draw: boxes have their parameters and lead to the manual") {
  const Desk desk;
  const Drawn d = draw(desk, {"malekeh", "-s", "sub_core.collector.entries=12"});
  CHECK_THAT(d.tooltips.at("sm.sub_core.caching_collector"),
             Contains("\nkind: ccu\n") && Contains("\nentries: 12\n"));
  CHECK_THAT(d.tooltips.at("sthld_controller"), Contains("\nthreshold: 0.02\n"));
  CHECK_THAT(d.tooltips.at(""), Contains("\nsms: 1\n") && Contains("\nchecks.operand_versions: true"));
  CHECK(d.pages.at("sm.sub_core.caching_collector") == "concepts.html#collector");
  CHECK(d.pages.at("sm.load_store_unit") == "concepts.html#load-store-unit");
  CHECK(d.pages.at("sm.conductor") == "concepts.html#conductor");
  CHECK(draw(desk, {"baseline", "--manual", "../m.html"}).pages.at("sm.sub_core.arbiter") ==
        "../m.html#arbiter");
}

// Every parameter of the resolved configuration belongs to some box.
TEST_CASE("draw: no parameter is left out") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const std::string platform : {"malekeh", "rtx2060_third/rfc", "nvidia_turing"}) {
    desk.succeed({"run", "-p", platform, "-t", "t", "-r", platform});
    std::size_t values = 0, lines = 0;
    std::istringstream yaml(desk.file(platform + "/" + platform + "/t/platform.yaml"));
    for (std::string line; std::getline(yaml, line);) values += line.back() != ':';
    for (const auto& [path, tip] : draw(desk, {platform}).tooltips) lines += lines_of(tip);
    CHECK(lines == values - 2);  // name and description
  }
}

TEST_CASE("draw: a difference says what is new, gone and otherwise") {
  const Desk desk;
  const Drawn d = draw(desk, {"baseline", "malekeh"});
  CHECK(d.marks.at("sm.sub_core.caching_collector") == "changed");
  CHECK_THAT(d.tooltips.at("sm.sub_core.caching_collector"),
             Contains("kind: ocu \u2192 ccu\n") && Contains("entries: \u2013 \u2192 8"));
  CHECK(d.marks.at("sthld_controller") == "added");
  CHECK(d.marks.at("sm.sub_core.issue_scheduler") == "changed");
  CHECK(d.marks.at("driver.kernel_dispatcher") == "changed");  // hints
  for (const char* path : {"", "memory", "sm", "sm.sub_core", "sm.sub_core.bank", "sm.load_store_unit"})
    CHECK(d.marks.at(path) == "same");
  const Drawn back = draw(desk, {"-p", "malekeh", "-p", "baseline"});
  CHECK(back.marks.at("sthld_controller") == "gone");
  CHECK_THAT(back.tooltips.at("sm.sub_core.operand_collector"), Contains("kind: ccu \u2192 ocu\n"));
  CHECK(draw(desk, {"rfc", "baseline"}).marks.at("sm.sub_core.operand_cache") == "gone");
  for (const auto& [path, mark] : draw(desk, {"malekeh", "malekeh"}).marks) CHECK(mark == "same");
}

TEST_CASE("draw: every platform that is shipped, whole and the same each time") {
  const Desk desk;
  desk.succeed({"platforms", "--json", "all.json"});
  Strings names{"rtx2060_third/baseline", "v100/bow"};
  const auto shipped = desk.json("all.json");
  for (const auto& p : shipped["systems"]) names.push_back(p["name"]);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(desk.succeed({"draw", name, "-o", "a.svg"}).out == "draw: a.svg, for any browser\n");
    const std::string svg = desk.file("a.svg");
    CHECK(desk.succeed({"draw", name, "-o", "-"}).out == svg);
    CHECK(is_xml(desk.path() / "a.svg"));
    check_geometry(svg);
  }
}

TEST_CASE("draw: a difference can be read as well") {
  const Desk desk;
  for (const Strings& two :
       {Strings{"baseline", "malekeh"}, Strings{"malekeh", "rfc"}, Strings{"rtx2060_third/ltrf", "baseline"}})
    check_geometry(desk.succeed({"draw", two[0], two[1], "-o", "-"}).out);
}

TEST_CASE("draw: words can be read in light and in dark") {
  const Desk desk;
  const std::string svg = desk.succeed({"draw", "baseline", "-o", "-"}).out;
  const std::size_t dark = svg.find("@media (prefers-color-scheme: dark)");
  REQUIRE(dark != std::string::npos);
  const std::string light_style = svg.substr(0, dark),
                    dark_style = svg.substr(dark, svg.find("</style>") - dark);
  for (const std::string& style : {light_style, dark_style})
    for (const std::string ink : {"ink", "soft", "added_ink", "changed_ink", "gone_ink"})
      for (const std::string paper :
           {"paper", "issue", "operands", "execution", "memory", "control", "driver", "own"}) {
        CAPTURE(ink, paper);
        const double a = light_of(fill_in(style, ink)), b = light_of(fill_in(style, paper));
        CHECK((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05) >= 4.5);
      }
  static const std::regex small("font-size=\"([0-9]+)\"");
  for (std::sregex_iterator f(svg.begin(), svg.end(), small), end; f != end; ++f)
    CHECK(std::stoi((*f)[1]) >= 11);
}

TEST_CASE("draw: what it cannot draw ends in one line") {
  const Desk desk;
  desk.refuse({"draw"}, {"no platform; expected one or two"});
  desk.refuse({"draw", "baseline", "bow", "-p", "rfc"}, {"3 platforms; expected one or two"});
  desk.refuse({"draw", "baselin"}, {"baselin", "did you mean"});
  desk.refuse({"draw", "baseline", "-o", "no/such/a.svg"}, {"no/such/a.svg"});
  desk.refuse({"draw", "baseline", "-s", "memory.kind=external"}, {"bound in C++", "expected"});
  desk.refuse({"draw", "baseline", "-s", "sub_core.collector.entries=4"},
              {"entries", "keeps values", "expected"});
  desk.write("own.yaml", "extends: baseline.yaml\nname: a<b>&\n");
  desk.refuse({"draw", "own.yaml", "-o", "own.yaml"}, {"own.yaml", "--output"});
  CHECK_THAT(desk.succeed({"draw", "own.yaml", "-o", "-"}).out, Contains(">a&lt;b&gt;&amp;<"));
}

TEST_CASE("a picture shows what is inside a collector, and the stages and the cache of the core that ships") {
  const Desk desk;
  // Words in the box of a module, in their order.
  const auto words_in = [&](const Strings& platforms, const std::string& title) {
    const std::string svg = desk.succeed(test::with(test::with(Strings{"draw"}, platforms), {"-o", "-"})).out;
    const std::size_t begin = svg.find(">" + title + "<"), end = svg.find("</g>", begin);
    REQUIRE(begin != std::string::npos);
    static const std::regex text("<text[^>]*>([^<]*)</text>");
    const std::string box = svg.substr(svg.rfind("<text", begin), end - begin);
    Strings words;
    for (std::sregex_iterator m(box.begin(), box.end(), text), last; m != last; ++m) words.push_back((*m)[1]);
    return words;
  };
  const auto has = [](const Strings& words, const Strings& part) {
    return std::search(words.begin(), words.end(), part.begin(), part.end()) != words.end();
  };
  const Strings malekeh = words_in({"malekeh"}, "caching collector x 2");
  CHECK(has(malekeh, {"cache table", "8 x 1024 bits, 3 ports", "cache table tags", "8 x 8 bits"}));
  CHECK(has(malekeh, {"owner", "1 x 7 bits", "kind", "ccu"}));
  CHECK(has(words_in({"baseline"}, "operand collector x 2"), {"operands", "6 x 1024 bits, 2 ports"}));
  CHECK(has(words_in({"rfc"}, "operand cache"), {"values", "12 x 1024 bits, 4 ports"}));
  const Strings turing = words_in({"nvidia_turing"}, "fixed window");
  CHECK(has(turing,
            {"Control", "Allocate", "Read 1", "Read 2", "Read 3", "reuse values", "6 x 1024 bits, 2 ports"}));
  CHECK(has(turing, {"result queue", "8 x 1024 bits, 2 ports"}));
  const Strings without = words_in({"nvidia_turing_no_rfc"}, "fixed window");
  CHECK(has(without, {"Control", "Allocate"}));
  CHECK(!has(without, {"reuse values"}));
  // With two platforms, the parts are those of the second one.
  CHECK(has(words_in({"baseline", "malekeh"}, "caching collector x 2"),
            {"cache table", "8 x 1024 bits, 3 ports"}));
}

}  // namespace draw_test
