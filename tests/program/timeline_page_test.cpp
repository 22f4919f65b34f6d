// subcore timeline --html and --warp: the page has the cycles of the terminal's table, and a warp is found.
#include <map>
#include <numeric>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/stall/stall_cause.h"
#include "tests/program/program.h"

namespace timeline_page_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

std::string shipped(const char* trace) {
  return std::string(SUBCORE_SOURCE_DIR) + "/scenarios/traces/" + trace;
}

Json data_of(const std::string& page) {
  const std::string mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// Cycles of a slot by cause.
std::vector<std::uint64_t> cycles_of(const Json& slot) {
  std::vector<std::uint64_t> cycles(stall_causes.size());
  for (std::size_t n = 0; n < slot.at("runs").size(); n += 2)
    cycles.at(slot.at("runs")[n].get<std::size_t>()) += slot.at("runs")[n + 1].get<std::uint64_t>();
  return cycles;
}

// Data of an instruction: "w5 0x0010 IADD3", its first cycle, and the cycles of its issue and its end.
struct Life {
  std::string name;
  std::int64_t begin, issue, end;
};
bool operator<(const Life& a, const Life& b) {
  return std::tie(a.name, a.begin, a.issue, a.end) < std::tie(b.name, b.begin, b.issue, b.end);
}
bool operator==(const Life& a, const Life& b) {
  return !(a < b) && !(b < a);
}
std::ostream& operator<<(std::ostream& out, const Life& l) {
  return out << l.name << " begins in " << l.begin << ", issues in " << l.issue << ", ends in " << l.end;
}

std::vector<Life> lives_of_page(const Json& data) {
  std::vector<Life> lives;
  for (const Json& slot : data.at("slots")) {
    std::int64_t begin = 0;
    for (const Json& l : slot.at("lives")) {
      begin += l[1].get<std::int64_t>();
      const Json& code = data.at("code")[l[0].get<std::size_t>()];
      std::uint64_t number = 0;
      for (const Json& w : slot.at("warps"))
        if (w[3] <= begin && begin < w[4]) number = w[0];
      char pc[32];
      std::snprintf(pc, sizeof pc, " 0x%04x ", code[0].get<unsigned>());
      lives.push_back({'w' + std::to_string(number) + pc + code[1].get<std::string>(), begin,
                       l[3] == -1 ? -1 : begin + l[3].get<std::int64_t>(),
                       l[8] == -1 ? -1 : begin + l[8].get<std::int64_t>()});
    }
  }
  std::sort(lives.begin(), lives.end());
  return lives;
}

// The same data from the terminal's table, whose columns begin with cycle `first`. `end`: the table's last
// cycle.
std::vector<Life> lives_of_table(const std::string& text, std::int64_t first, std::int64_t last) {
  std::vector<Life> lives;
  std::istringstream in(text);
  std::size_t width = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, 6, "cycle ") == 0) width = line.find_first_not_of(' ', 6);
    if (line[0] != 'w' || width == 0) continue;
    std::istringstream words(line);
    std::string warp, pc, opcode;
    words >> warp >> pc >> opcode;
    const auto column = [&](std::size_t at) { return first + static_cast<std::int64_t>(at - width); };
    const std::size_t issue = line.find('I', width);
    const bool retired = column(line.size()) <= last;
    lives.push_back({warp + ' ' + pc + ' ' + opcode, column(line.find_first_not_of(' ', width)),
                     issue == std::string::npos ? -1 : column(issue), retired ? column(line.size()) : -1});
  }
  std::sort(lives.begin(), lives.end());
  return lives;
}

}  // namespace

TEST_CASE("the page of a timeline has the instructions and cycles of the table") {
  const Desk desk;
  for (const char* platform : {"baseline", "malekeh", "bow_wr", "rfc", "nvidia_turing", "malekeh_socgpu"}) {
    CAPTURE(platform);
    const Strings window{"timeline", "-p", platform, "-t", shipped("hotspot"), "--to", "400"};
    const std::string page = desk.succeed(with(window, {"--html", "-"})).out;
    const Json data = data_of(page);
    const std::vector<Life> lives = lives_of_page(data);
    CHECK(lives.size() > 100);
    CHECK(lives == lives_of_table(desk.succeed(with(window, {"--rows", "10000"})).out, 2, 400));
    CHECK(data.at("title") == std::string(platform) + " on hotspot");
    CHECK(data.at("begin") == 0);
    CHECK(data.at("end") == 401);
    CHECK(data.at("kernels") == Json::array({"k_hotspot"}));
    std::uint64_t issued = 0;
    for (const Json& slot : data.at("slots")) {
      const std::vector<std::uint64_t> cycles = cycles_of(slot);
      CHECK(std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}) == 401);
      issued += cycles[static_cast<std::size_t>(StallCause::issued)];
    }
    CHECK(issued == static_cast<std::uint64_t>(std::count_if(lives.begin(), lives.end(),
                                                             [](const Life& l) { return l.issue >= 0; })));
    CHECK(desk.succeed(with(window, {"--html", "t.html"})).out.empty());
    CHECK(desk.file("t.html") == page);
  }
}

// The page spends a slot's cycles on the same causes as the run's profile.
TEST_CASE("the page of a whole run has the stalls of its profile") {
  const Desk desk;
  desk.succeed({"run", "-p", "malekeh", "-t", shipped("vectoradd"), "--profile", "-r", "r"});
  const Json profile = desk.json("r/malekeh/vectoradd/profile.json");
  const Json data = data_of(desk.succeed({"timeline", "-p", "malekeh", "-t", shipped("vectoradd"), "--scope",
                                          "gpu", "--to", "99999", "--html", "-"})
                                .out);
  std::map<std::string, std::uint64_t> in_profile, on_page;
  for (const Json& w : profile.at("warps"))
    for (const auto& [cause, cycles] : w.at("warp_cycles").items())
      in_profile[cause] += cycles.get<std::uint64_t>();
  for (const Json& slot : data.at("slots")) {
    const std::vector<std::uint64_t> cycles = cycles_of(slot);
    for (std::size_t c = 0; c < cycles.size(); ++c)
      if (cycles[c] != 0) on_page[stall_causes[c].name] += cycles[c];
  }
  for (const char* cause : {"no_warp", "drained"}) in_profile.erase(cause), on_page.erase(cause);
  CHECK(on_page == in_profile);
  CHECK(on_page.size() > 5);
}

TEST_CASE("a page's names cannot end its data, and several kernels are told apart") {
  const Desk desk;
  desk.trace("t", sound_lines());
  std::string text = desk.file("t/kernel-1.traceg");
  const std::size_t name = text.find("-kernel name = ") + 15;
  text.replace(name, text.find('\n', name) - name, "</script><b>&{{data}}");
  desk.write("t/kernel-1.traceg", text);
  desk.write("t/kernel-2.traceg", text);
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  const std::string page = desk.succeed({"timeline", "-p", "baseline", "-t", "<i>=t", "--html", "-"}).out;
  const Json data = data_of(page);
  CHECK(data.at("kernels") == Json::array({"</script><b>&{{data}}", "</script><b>&{{data}}"}));
  CHECK(data.at("slots")[0].at("warps").size() == 2);
  CHECK(data.at("slots")[0].at("warps")[1][1] == 1);
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find("<i>") == std::string::npos);
  CHECK_THAT(page, Contains("&lt;i&gt;: timeline</title>"));
}

TEST_CASE("a page has 20,000 cycles unless more are asked for") {
  const Desk desk;
  const Strings asked{"timeline", "-p", "malekeh", "-t", shipped("hotspot"), "--html", "t.html"};
  const Outcome o = desk.run(asked);
  CHECK(o.code == 0);
  CHECK(o.err == "subcore: note: the page ends with cycle 19999; --to N shows more\n");
  CHECK(data_of(desk.file("t.html")).at("end") == 20000);
  CHECK(desk.file("t.html").size() < 5'000'000);
  desk.succeed(with(asked, {"--from", "5000", "--to", "25999"}));
  const Json later = data_of(desk.file("t.html"));
  CHECK(later.at("begin") == 5000);
  CHECK(later.at("end") == 26000);
  for (const Json& slot : later.at("slots")) {
    const std::vector<std::uint64_t> cycles = cycles_of(slot);
    CHECK(std::accumulate(cycles.begin(), cycles.end(), std::uint64_t{0}) == 21000);
  }
}

TEST_CASE("a warp is found by its number in the kernel, and its whole life told") {
  const Desk desk;
  const Strings asked{"timeline", "-p", "malekeh", "-t", shipped("hotspot")};
  const std::string text = desk.succeed(with(asked, {"--warp", "37", "--rows", "20"})).out;
  const Strings lines = lines_in(text);
  CHECK_THAT(lines[0],
             Contains("w37: s") && Contains(" of sm_0.sub_core_1, cycles ") && Contains(" instructions"));
  CHECK_THAT(lines.back(), Contains(" more instructions: --rows ") && Contains("--html FILE"));
  std::size_t rows = 0;
  for (const std::string& line : lines)
    if (line.compare(0, 6, "w37 0x") == 0) ++rows;
  CHECK(rows == 20);
  // The table has the page's instructions, with the cycles of the first and the last one.
  const Json data = data_of(desk.succeed(with(asked, {"--warp", "w37", "--html", "-"})).out);
  CHECK(data.at("warp") == 37);
  CHECK(data.at("scope") == "sm_0.sub_core_1");
  const Json& slot = data.at("slots")[data.at("slot").get<std::size_t>()];
  CHECK(slot.at("warps")[0][0] == 37);
  CHECK_THAT(lines[0], Contains("s" + std::to_string(slot.at("slot").get<unsigned>()) + " of") &&
                           Contains("cycles " + std::to_string(data.at("begin").get<unsigned>()) + " to " +
                                    std::to_string(data.at("end").get<unsigned>() - 1)) &&
                           Contains(", " + std::to_string(slot.at("lives").size()) + " instructions"));
  CHECK(lines_in(desk.succeed(with(asked, {"--warp", "37", "--rows", "1000"})).out).size() ==
        slot.at("lives").size() + 3);
  // A warp of another kernel, and a picture.
  CHECK_THAT(desk.succeed(with(asked, {"--warp", "37", "--kernel", "2"})).out, Contains("w37: s"));
  CHECK_THAT(desk.succeed(with(asked, {"--warp", "37", "-o", "-"})).out,
             Contains("w37: s") && Contains("<svg"));
  desk.trace("one", sound_lines());
  CHECK_THAT(desk.succeed({"timeline", "-p", "baseline", "-t", "one", "--warp", "0"}).out,
             Contains("w0: s0 of sm_0.sub_core_0, cycles 2 to "));
}

TEST_CASE("a page or a warp that cannot be") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings asked{"timeline", "-p", "baseline", "-t", "t"};
  desk.refuse(with(asked, {"--html", "t.html", "-o", "t.svg"}),
              {"--html with --output; expected one of them"});
  desk.refuse(with(asked, {"--html", "t.html", "--rows", "3"}), {"--rows with --html", "expected"});
  desk.refuse(with(asked, {"--html", "t.svg"}), {"t.svg", "expected"});
  desk.refuse(with(asked, {"--html", "no/such/t.html"}), {"no/such/t.html"});
  desk.refuse(with(asked, {"--html", "t.html", "--scope", "sm_7"}),
              {"'sm_7': no sub-core has that path; expected"});
  desk.refuse(with(asked, {"--html", "t.html", "--from", "100000"}),
              {"begins with cycle 100000", "expected"});
  desk.refuse(with(asked, {"--warp", "1"}), {"no warp w1 in kernel", "expected w0 to w0"});
  desk.refuse(with(asked, {"--warp", "s1"}), {"'s1' for --warp; expected"});
  desk.refuse(with(asked, {"--warp", "w"}), {"'w' for --warp; expected"});
  desk.refuse(with(asked, {"--warp", "4294967296"}), {"--warp; expected"});
  desk.refuse(with(asked, {"--warp", "0", "--scope", "sm_0"}),
              {"--scope with --warp", "expected one of them"});
  desk.refuse(with(asked, {"--warp", "0", "--from", "5000"}),
              {"w0 is there in cycles 2 to ", "expected --from of at most"});
  desk.refuse(with(asked, {"--warp", "0", "--to", "1"}),
              {"w0 begins in cycle 2; expected --to of at least 2"});
}

}  // namespace timeline_page_test
