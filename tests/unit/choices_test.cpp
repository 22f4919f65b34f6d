// Choices: the words that a platform file may have, the choices that read each key, and choices of a user's
// own.
#include <algorithm>

#include "subcore/model/parameters/checker.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/policy/replacement/cache_table.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/collector/ocu.h"
#include "subcore/modules/operand_path/collector_parameters.h"
#include "tests/unit/config_text.h"
#include "tests/unit/mru.h"

namespace choices_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

std::string set_on(const std::string& platform, const std::vector<std::string>& overrides) {
  TemporaryFolder folder;
  return load_error(folder, folder.write("p.yaml", "extends: " + platform + ".yaml\n"), overrides);
}

// A collector that takes the same time for each instruction, so that a compiler may count on it.
class CountedChoice final : public CollectorChoice {
 public:
  const char* module_name() const override { return "counted"; }
  OperandPath* make(const char* name, const CollectorParameters& p,
                    const CollectorSite& site) const override {
    return new Ocu(name, site.index, p.slots);
  }
  bool keeps_values() const override { return false; }
  bool reads_in_window() const override { return true; }
};

void add_mru() {
  auto& table = ReplacementChoice::choices();
  if (table.find("mru") == nullptr) table.add<MruChoice>("mru", "the most recently used entry");
}

}  // namespace

TEST_CASE("control bits ask a collector kind whether the compiler can count on it, not for its name") {
  CollectorChoice::choices().add<CountedChoice>("counted", "collectors that a compiler counts on");
  const std::string kind = "sub_core.collector.kind=";
  CHECK(set_on("baseline", {kind + "counted", "sub_core.scheduler.issue=control_bits"}) == "(no error)");
  CHECK_THAT(set_on("baseline", {kind + "ocu", "sub_core.scheduler.issue=control_bits"}),
             Contains("sub_core.collector.kind 'ocu' takes a different time for each instruction"));
}

TEST_CASE("a key that the chosen kinds do not read is an error that names its owner") {
  const struct {
    const char *platform, *key, *value, *owner;
  } cases[] = {
      {"malekeh", "sub_core.collector.write_policy", "write_back", "sub_core.collector.kind boc"},
      {"malekeh", "sub_core.collector.window", "7", "sub_core.collector.kind boc"},
      {"malekeh", "sub_core.collector.in_flight", "1", "sub_core.collector.kind boc"},
      {"bow", "sub_core.collector.near_filter", "false", "sub_core.collector.kind ccu"},
      {"bow", "sub_core.collector.replacement", "lru", "sub_core.collector.kind ccu"},
      {"baseline", "sub_core.collector.entries", "8", "sub_core.collector.kind that keeps values"},
      {"baseline", "sub_core.collector.partial_write", "ignore", "sub_core.collector.kind that keeps values"},
      {"baseline", "sub_core.collector.read_ports", "2", "sub_core.collector.kind fixed_window"},
      {"nvidia_turing", "sub_core.dispatch.order", "oldest", "whose instructions wait to be chosen"},
      {"traditional", "sub_core.collector.result_ports", "2", "sub_core.collector.cache_results true"},
      {"malekeh", "passes.orf_entries", "5", "passes.strands true"},
      {"rfc", "passes.interval_registers", "8", "passes.intervals true"},
      {"bow_wr", "passes.write_back_window", "3", "passes.write_back true"},
      {"baseline", "passes.rthld", "3", "passes.near_bits threshold or precise"},
      {"malekeh", "passes.near_entries", "4", "passes.near_bits static, trained, oracle or shared_oracle"},
      {"reuse_ocu", "sub_core.operand_cache.partial_write", "ignore",
       "sub_core.operand_cache.kind that writes back"},
      {"malekeh", "passes.near_loops", "4", "passes.near_bits static"},
      {"baseline", "passes.profile_warps", "4", "passes.near_bits threshold or trained"},
      {"malekeh", "sub_core.operand_cache.hit_latency", "9", "sub_core.operand_cache.kind other than none"},
      {"rfc", "sub_core.operand_cache.ways", "2", "sub_core.operand_cache.kind register_cache"},
      {"rfc", "sub_core.operand_cache.lrf_entries", "1", "sub_core.operand_cache.kind software_rfc"},
      {"rfc", "sub_core.operand_cache.prefetch_port", "1", "sub_core.operand_cache.kind ltrf"},
      {"ltrf", "sub_core.operand_cache.overwrite", "counts_as_new", "sub_core.operand_cache.kind rfc"},
      {"baseline", "sub_core.scheduler.two_level.promotion", "blind_fifo",
       "two_level.active_warps of at least 1"},
      {"malekeh", "sub_core.scheduler.socgpu.war_release", "write_back", "sub_core.scheduler.issue socgpu"},
      {"socgpu", "sub_core.scheduler.war_guard", "off", "sub_core.scheduler.issue in_order"},
      {"malekeh", "sub_core.scheduler.war_max_uses", "1", "sub_core.scheduler.war_guard other than off"},
      {"malekeh", "memory.l2.kilobytes", "2048", "memory.kind hierarchy"},
      {"baseline", "sthld.value", "3", "sub_core.collector.allocation malekeh"},
      {"malekeh_private", "sthld.mode", "fixed", "sub_core.collector.allocation malekeh"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.platform, c.key);
    const std::string text = std::string(c.key) + "=" + c.value;
    CHECK_THAT(set_on(c.platform, {text}),
               StartsWith("--set " + text + ": " + c.key + ": is read only with ") && Contains(c.owner) &&
                   Contains("; expected that setting, or no such key"));
  }
  CHECK_THAT(set_on("malekeh", {"memory.kind=hierarchy", "memory.miss_latency=99"}),
             StartsWith("--set memory.miss_latency=99: ") && Contains("memory.kind simple"));
  CHECK_THAT(set_on("malekeh", {"sthld.mode=fixed", "sthld.step=2"}),
             StartsWith("--set sthld.step=2: ") && Contains("sthld.mode adaptive"));
  CHECK_THAT(set_on("baseline", {"energy.monitors=false", "energy.issue_logic=true"}),
             Contains("energy.monitors true"));
  // A key may be set before the keys that make a platform read it.
  CHECK(set_on("bow", {"passes.write_back_window=3", "passes.write_back=true"}) == "(no error)");
}

TEST_CASE("numbers at the ends of their ranges are taken, and their neighbours are not") {
  struct Range {
    const char *platform, *key;
    unsigned lowest, highest;
  };
  for (const Range& r : {Range{"nvidia_turing", "sub_core.scheduler.stall0_yield", 1, 64},
                         Range{"malekeh", "sthld.step", 1, 65535}}) {
    CAPTURE(r.key);
    const auto set = [&](unsigned value) {
      return set_on(r.platform, {r.key + ("=" + std::to_string(value))});
    };
    CHECK(set(r.lowest) == "(no error)");
    CHECK(set(r.highest) == "(no error)");
    const std::string expected =
        "expected " + std::to_string(r.lowest) + " to " + std::to_string(r.highest) + " cycles";
    CHECK_THAT(set(r.lowest - 1), Contains(expected));
    CHECK_THAT(set(r.highest + 1), Contains(expected));
  }
}

TEST_CASE("a platform file may inherit what it does not read, but not say it") {
  TemporaryFolder folder;
  folder.write("base.yaml", "extends: malekeh.yaml\nsub_core: {collector: {near_filter: false}}\n");
  const std::string plain =
      "extends: base.yaml\nsub_core:\n  scheduler: {priority: gto}\n  collector:\n    kind: ocu\n"
      "    allocation: any_free\n";
  CHECK(load_error(folder, folder.write("p.yaml", plain)) == "(no error)");
  CHECK_THAT(load_error(folder, folder.write("q.yaml", plain + "    near_filter: true\n")),
             StartsWith("q.yaml:7: sub_core.collector.near_filter: is read only with "
                        "sub_core.collector.kind ccu"));
  // A key of the file may become useless by an override, which is not the file's mistake.
  CHECK(load_error(folder, folder.write("r.yaml", "extends: base.yaml\nsthld: {value: 1}\n"),
                   {"sub_core.collector.kind=ocu", "sub_core.collector.allocation=any_free"}) ==
        "(no error)");
}

TEST_CASE("the resolved configuration names what is read and nothing else") {
  const std::string text = resolved_yaml(load_platform(find_platform("bow")));
  CHECK_THAT(text, Contains("window: 3") && Contains("in_flight: window"));
  for (const char* key : {"near_filter", "socgpu", "lrf_entries", "sthld", "dram", "orf_entries"})
    CHECK_THAT(text, !Contains(key));
}

TEST_CASE("a replacement policy of one's own is two files and a line") {
  add_mru();
  TemporaryFolder folder;
  const std::string mine = "extends: malekeh.yaml\nsub_core: {collector: {replacement: mru}}\n";
  const auto p = load_platform(folder.write("p.yaml", mine), {"sub_core.collector.mru_keeps_near=true"});
  const CcuChoice& ccu = p.sub_core.collector.kind.as<CcuChoice>();
  CHECK(ccu.replacement == "mru");
  CHECK(ccu.replacement.as<MruChoice>().keep_near);
  CHECK_THAT(resolved_yaml(p), Contains("replacement: mru") && Contains("mru_keeps_near: true"));
  CHECK_THAT(parameters_text(), Contains("mru: the most recently used entry") &&
                                    Contains("read with sub_core.collector.kind ccu") &&
                                    Contains("sub_core.collector.mru_keeps_near"));
  CHECK_THAT(load_error(folder, folder.write("q.yaml", "extends: malekeh.yaml\n"),
                        {"sub_core.collector.mru_keeps_near=true"}),
             Contains("is read only with sub_core.collector.replacement mru"));
  CHECK_THAT(load_error(folder, folder.write("r.yaml", "extends: malekeh.yaml\n"),
                        {"sub_core.collector.replacement=mur"}),
             Contains("did you mean 'mru'?") && Contains("expected one of near_aware, lru, mru"));

  CacheTable table(3, ccu.replacement->make(1));
  for (const Register r : {Register{10}, Register{11}, Register{12}}) table.touch(table.allocate(r), r == 12);
  table.touch(table.allocate(13), false);  // 12 is near; of the others, 11 was used last
  CHECK(table.find(11) == -1);
  CHECK(table.find(12) >= 0);
}

TEST_CASE("platforms keep what was chosen before a choice was added, and copies are their own") {
  PlatformParameters p;
  p.sub_core.collector.kind.as<CcuChoice>().result_ports = 7;
  add_mru();
  PlatformParameters copy = p;
  copy.sub_core.collector.kind.as<CcuChoice>().result_ports = 3;
  copy.sub_core.collector.kind.as<CcuChoice>().replacement = "mru";
  CHECK(p.sub_core.collector.kind.as<CcuChoice>().result_ports == 7);
  CHECK(p.sub_core.collector.kind.as<CcuChoice>().replacement == "near_aware");
  CHECK(copy.sub_core.collector.kind == "ocu");
  p = copy;
  CHECK(p.sub_core.collector.kind.as<CcuChoice>().replacement == "mru");
  CHECK_THROWS_AS(p.sub_core.collector.kind.as<MruChoice>(), std::logic_error);
  CHECK_THAT(error_of([&] { p.sub_core.collector.kind = "cuu"; }), Contains("'cuu' is unknown"));
  CHECK_THROWS_AS(ReplacementChoice::choices().add<MruChoice>("lru", "taken"), std::logic_error);
}

namespace {

// Two implementations with a parameter of one key, but not of one range.
class Shape : public Choice {
 public:
  static Choices<Shape>& choices();
};
class Small final : public Shape {
 public:
  std::uint32_t size = 1;
  void describe(ParameterVisitor& v) override { v.field("size", size, {1, 4}, "", "of a small one"); }
  void check(Checker& c) const override {
    c.require(size != 3 || c.is("shape", "large"), "size", {}, "3 is no size; expected another");
  }
};
class Large final : public Shape {
 public:
  std::uint32_t size = 8;
  void describe(ParameterVisitor& v) override { v.field("size", size, {1, 64}, "", "of a large one"); }
};
Choices<Shape>& Shape::choices() {
  static Choices<Shape> table = Choices<Shape>().add<Small>("small", "").add<Large>("large", "");
  return table;
}
struct Described {
  Chosen<Shape> shape{"large"};
  void describe(ParameterVisitor& v) { v.choice("shape", shape, "which"); }
};

}  // namespace

TEST_CASE("implementations may share a key, and the checker sees the chosen one's value") {
  Described d;
  d.shape.as<Large>().size = 64;
  const auto list = parameter_list(d);
  REQUIRE(list.size() == 3);
  CHECK(std::count_if(list.begin(), list.end(),
                      [](const Parameter& p) { return p.key == "size" && p.read; }) == 1);
  CHECK(Checker(list).whole("size") == 64);
  CHECK(assign(list[1], "64") == "64 is out of range; expected 1 to 4");
  CHECK(assign(list[2], "64").empty());
  d.shape = "small";
  d.shape.as<Small>().size = 3;
  Checker c(parameter_list(d));
  CHECK(c.whole("size") == 3);
  d.shape->check(c);
  const auto found = c.take();
  REQUIRE(found.size() == 1);
  CHECK(found[0].key == "size");
  CHECK_THROWS_AS(c.whole("shape"), std::logic_error);
  CHECK_THROWS_AS(c.on("size"), std::logic_error);
  CHECK_THROWS_AS(c.word("nobody"), std::logic_error);
}

}  // namespace choices_test
