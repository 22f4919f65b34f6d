#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "config_text.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/issue/in_order.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"

namespace config_test {

using namespace subcore;
using subcore::test::error_of;
using subcore::test::TemporaryFolder;

namespace {

std::map<std::string, std::string> values(PlatformParameters p) {
  std::map<std::string, std::string> all;
  for (const Parameter& parameter : parameter_list(p))
    if (parameter.read) all[parameter.key] = value_text(parameter);
  return all;
}

PlatformParameters shipped(const std::string& name) {
  return load_platform(find_platform(name));
}

}  // namespace

TEST_CASE("a platform file sets what it names and nothing else") {
  TemporaryFolder folder;
  const auto p = load_platform(folder.write("mine.yaml", R"(
description: "says: this"
seed: 7
clock_period_ns: 0.5
sub_core:
  warp_slots: 16
  scheduler: {war_guard: off, priority: lrr}
  collector: {kind: ccu, allocation: malekeh, near_filter: false}
  execution:
    int: {latency: 9}
)"));
  PlatformParameters expected;
  expected.machine = default_machine;
  expected.name = "mine";  // a file without a name is called after itself
  expected.description = "says: this";
  expected.seed = 7;
  expected.clock_period_ns = 0.5;
  expected.sub_core.warp_slots = 16;
  expected.multiprocessor.warp_slots = 64;  // slots of four sub-cores
  expected.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::off;
  expected.sub_core.scheduler.priority = "lrr";
  expected.sub_core.collector.kind = "ccu";
  expected.sub_core.collector.allocation = "malekeh";
  expected.sub_core.collector.kind.as<CcuChoice>().near_filter = false;
  expected.sub_core.execution.of(ExecutionClass::integer).latency = 9;
  CHECK(values(p) == values(expected));
}

TEST_CASE("extends applies other files first, in order, and overrides come last") {
  TemporaryFolder folder;
  folder.write("a.yaml", "name: a\nseed: 1\ninterval_cycles: 11\nsm: {cta_slots: 3}\n");
  folder.write("deep/b.yaml", "extends: ../a.yaml\nname: b\nseed: 2\nsm: {registers: 64}\n");
  folder.write("c.yaml", "seed: 3\n");
  SECTION("one") {
    const auto p = load_platform(folder.write("t.yaml", "extends: deep/b.yaml\nseed: 9\n"));
    CHECK(p.seed == 9);
    CHECK(p.interval_cycles == 11);
    CHECK(p.multiprocessor.cta_slots == 3);
    CHECK(p.multiprocessor.registers == 64);
    CHECK(p.name == "t");
  }
  SECTION("its place in the file does not matter") {
    CHECK(load_platform(folder.write("t.yaml", "seed: 9\nextends: c.yaml\n")).seed == 9);
  }
  SECTION("a list") {
    const auto p = load_platform(folder.write("t.yaml", "extends: [c.yaml, deep/b.yaml]\nname: t2\n"));
    CHECK(p.seed == 2);
    CHECK(p.name == "t2");
    CHECK(load_platform(folder.write("u.yaml", "extends: [deep/b.yaml, c.yaml]\n")).seed == 3);
  }
  SECTION("one file twice is no cycle") {
    CHECK(load_platform(folder.write("t.yaml", "extends: [a.yaml, deep/b.yaml]\n")).seed == 2);
  }
  SECTION("overrides") {
    const auto p = load_platform(folder.write("t.yaml", "extends: c.yaml\nseed: 9\n"),
                                 {"seed=12", "name=x=y", "sub_core.scheduler.priority=lrr", "seed=13"});
    CHECK(p.seed == 13);
    CHECK(p.name == "x=y");
    CHECK(p.sub_core.scheduler.priority == "lrr");
  }
  SECTION("a shipped platform can be extended from anywhere") {
    const auto p = load_platform(folder.write("t.yaml", "extends: [malekeh.yaml, units/turing.yaml]\n"));
    CHECK(p.sub_core.collector.kind == "ccu");
    CHECK(p.sub_core.execution.of(ExecutionClass::double_).initiation_interval == 64);
  }
}

TEST_CASE("the STHLD table is read from a file and from --set") {
  TemporaryFolder folder;
  const std::string waits = "extends: malekeh.yaml\n";
  const std::string rest =
      "2: {small: {next: 2, step: 1}, large: {next: 3, step: 1}}, "
      "3: {small: {next: 2, step: 1}, large: {next: 4, step: -2}}, "
      "4: {small: {next: 5, step: -1}, large: {next: 5, step: -128}}, "
      "5: {small: {next: 6, step: undo}, large: {next: 5, step: -1}}, "
      "6: {small: {next: 6, step: 0}, large: {next: 1, step: 127}, expired: {next: 2, step: 7}}}";
  const std::string table = "{1: {small: {next: 2, step: 1}, large: {step: 5, next: 3}}, " + rest;
  const auto from_file = load_platform(folder.write("t.yaml", waits + "sthld:\n  table: " + table + "\n"));
  const auto from_set = load_platform(folder.write("u.yaml", waits + "name: t\n"), {"sthld.table=" + table});
  CHECK(values(from_file) == values(from_set));
  CHECK(from_file.sthld.table[0].large.next == 3);
  CHECK(from_file.sthld.table[0].large.steps == 5);
  CHECK(from_file.sthld.table[2].large.steps == -2);
  CHECK(from_file.sthld.table[3].large.steps == -128);
  CHECK(from_file.sthld.table[4].small.undo);
  CHECK_FALSE(from_file.sthld.table[4].large.undo);
  CHECK(from_file.sthld.table[5].large.steps == 127);
  CHECK(from_file.sthld.table[5].expired.next == 2);
  CHECK(from_file.sthld.table[5].expired.steps == 7);
  // Without the edge a hold that expires stays where it is.
  std::string lasting = table;
  lasting.erase(lasting.find(", expired"), std::string(", expired: {next: 2, step: 7}").size());
  const auto stays = load_platform(folder.write("v.yaml", waits + "sthld:\n  table: " + lasting + "\n"));
  CHECK(stays.sthld.table[5].expired.next == 6);
  CHECK(stays.sthld.table[5].expired.steps == 0);
}

TEST_CASE("every class has its own timing, load/store none") {
  PlatformParameters p;
  ExecutionParameters& e = p.sub_core.execution;
  unsigned n = 100;  // no default latency is between this and the last one
  std::vector<std::string> expected;
  for (std::size_t c = 0; c < execution_class_count; ++c)
    if (static_cast<ExecutionClass>(c) != ExecutionClass::load_store) {
      e.of(static_cast<ExecutionClass>(c)).latency = ++n;
      expected.push_back(std::to_string(n));
    }
  std::vector<std::string> latencies;
  for (const Parameter& q : parameter_list(p))
    if (q.key.find("sub_core.execution.") == 0 && q.key.find(".latency") != std::string::npos)
      latencies.push_back(value_text(q));
  CHECK(latencies == expected);
  CHECK_THROWS_AS(e.of(ExecutionClass::load_store), std::logic_error);
}

TEST_CASE("every shipped platform loads and is itself") {
  for (const std::string& name : shipped_names("platforms")) {
    if (name.find('/') != std::string::npos) continue;  // a part of platforms
    CAPTURE(name);
    CHECK_NOTHROW(shipped(name));
  }
  const auto baseline = shipped("baseline");
  // The preset in the file equals the one in the declarations.
  auto defaults = values(PlatformParameters{});
  auto written = values(baseline);
  for (const char* own : {"name", "machine", "description", "passes.near_bits", "passes.rthld",
                          "passes.profile_warps", "passes.profile_fraction"})
    defaults.erase(own), written.erase(own);
  CHECK(written == defaults);
  CHECK(baseline.passes.near_bits.source == NearBitsSource::none);
  CHECK(baseline.name == "baseline");

  const auto malekeh = shipped("malekeh.yaml");
  CHECK(malekeh.sub_core.collector.allocation == "malekeh");
  CHECK(malekeh.sub_core.scheduler.priority == "malekeh");
  CHECK(malekeh.sub_core.scheduler.issue.as<InOrderChoice>().war_guard == WarGuard::off);
  CHECK(malekeh.sthld.mode == SthldMode::adaptive);
  CHECK(malekeh.passes.near_bits.source == NearBitsSource::threshold);
  // The STHLD machine that the file gives is the default of the declarations.
  PlatformParameters waits;
  waits.sub_core.collector.allocation = "malekeh";
  waits.sthld.mode = SthldMode::adaptive;
  for (const char* key : {"sthld.table", "sthld.reference", "sthld.large", "sthld.hold_expiry"})
    CHECK(values(malekeh)[key] == values(waits)[key]);

  const auto pr = shipped("malekeh_private");
  CHECK(pr.sub_core.collector.count == pr.sub_core.warp_slots);
  CHECK(pr.sub_core.collector.allocation == "private");
  CHECK(pr.sub_core.scheduler.priority == "gto");
  CHECK_FALSE(pr.sthld_is_adaptive());  // no warp waits

  const auto traditional = shipped("traditional");
  CHECK(traditional.sub_core.collector.kind.as<CcuChoice>().replacement == "lru");
  CHECK_FALSE(traditional.sub_core.collector.kind.as<CcuChoice>().cache_results);
  const auto results = shipped("traditional_results");
  CHECK(results.sub_core.collector.kind.as<CcuChoice>().cache_results);
  CHECK_FALSE(results.sub_core.collector.kind.as<CcuChoice>().near_filter);
  CHECK(traditional.passes.near_bits.source == NearBitsSource::none);
}

TEST_CASE("every system stands on each machine under its own name") {
  for (const std::string& scheme : shipped_names("platforms")) {
    if (scheme.find('/') != std::string::npos) continue;
    const auto own = shipped(scheme);
    for (const std::string& gpu : shipped_names("platforms/gpus")) {
      CAPTURE(gpu, scheme);
      const auto p = shipped(gpu + "/" + scheme);
      CHECK(p.name == gpu + "/" + scheme);
      CHECK(p.machine == gpu);
      struct Machine {
        unsigned sms, warps;
        const char *memory, *hit_latency;
      };
      const std::map<std::string, Machine> machines{
          {"rtx2060_sm", {1, 32, "simple", "20"}},   {"rtx2060_third", {10, 32, "hierarchy", "20"}},
          {"rtx2060", {30, 32, "hierarchy", "32"}},  {"rtx2060_accelsim", {10, 32, "hierarchy", "32"}},
          {"v100", {80, 64, "hierarchy", "20"}},     {"t4", {40, 32, "hierarchy", "32"}},
          {"rtx3070", {46, 48, "hierarchy", "32"}},  {"a100", {108, 64, "hierarchy", "38"}},
          {"rtx4090", {128, 48, "hierarchy", "43"}}, {"h100", {132, 64, "hierarchy", "34"}},
          {"h200", {132, 64, "hierarchy", "34"}},    {"rtx3070_sm", {1, 48, "simple", "20"}},
          {"a100_sm", {1, 64, "simple", "20"}},      {"rtx4090_sm", {1, 48, "simple", "20"}},
          {"h100_sm", {1, 64, "simple", "20"}},      {"rtx5090", {170, 48, "hierarchy", "43"}},
          {"rtx5090_sm", {1, 48, "simple", "20"}}};
      const Machine& machine = machines.at(gpu);
      CHECK(p.gpu.sms == machine.sms);
      CHECK(p.memory.kind == machine.memory);
      if (scheme == "baseline") CHECK(values(p)["memory.hit_latency"] == machine.hit_latency);
      CHECK(p.multiprocessor.warp_slots == machine.warps);
      CHECK(p.sub_core.warp_slots * 32 == machine.warps * own.sub_core.warp_slots);
      // The scheme is the same, but each collector belongs to a warp.
      const CollectorParameters &c = p.sub_core.collector, &c_own = own.sub_core.collector;
      CHECK(c.kind == c_own.kind);
      CHECK(c.entries == c_own.entries);
      if (c_own.allocation == "private")
        CHECK(c.count == p.sub_core.warp_slots);
      else if (gpu != "rtx2060_accelsim")  // this machine has four where a system does not say
        CHECK(c.count == c_own.count);
      CHECK(p.sub_core.operand_cache.kind == own.sub_core.operand_cache.kind);
      CHECK(p.sub_core.scheduler.issue == own.sub_core.scheduler.issue);
      CHECK(p.passes.near_bits.source == own.passes.near_bits.source);
    }
  }
}

TEST_CASE("the unit presets hold what the others do not leave behind") {
  TemporaryFolder folder;
  const auto with = [&](const std::string& units) {
    return load_platform(folder.write("t.yaml", "extends: [baseline.yaml, " + units + "]\n"));
  };
  const auto turing = with("units/turing.yaml");
  CHECK(turing.sub_core.execution.of(ExecutionClass::tensor_f32).latency == 18);
  CHECK(turing.memory.kind.as<SimpleMemoryChoice>().parameters.hit_latency == 32);
  CHECK(turing.load_store.shared_latency == 22);
  const auto accelsim = with("units/accelsim_sm75.yaml");
  CHECK(accelsim.sub_core.execution.of(ExecutionClass::integer).latency == 2);
  CHECK(accelsim.load_store.shared_latency == 30);
  // `papers` after another preset is the baseline again.
  auto back = values(with("units/turing.yaml, units/accelsim_sm75.yaml, units/papers.yaml"));
  auto baseline = values(shipped("baseline"));
  for (const char* own : {"name", "description"}) back.erase(own), baseline.erase(own);
  CHECK(back == baseline);
}

TEST_CASE("the resolved configuration loads back to identical parameters") {
  TemporaryFolder folder;
  const auto round_trip = [&](const PlatformParameters& p) {
    return load_platform(folder.write("resolved.yaml", resolved_yaml(p)));
  };
  for (const std::string& name : shipped_names("platforms"))
    if (name.find('/') == std::string::npos)
      CHECK(values(round_trip(shipped(name))) == values(shipped(name)));

  // Random parameters: every value that can be set comes back.
  std::mt19937 random(20240607);
  int tried = 0;
  for (int i = 0; i < 400; ++i) {
    PlatformParameters p;
    for (const Parameter& q : parameter_list(p)) {
      const double share = std::uniform_real_distribution<double>(0, 1)(random);
      const double number = q.range.low + share * share * share * (q.range.high - q.range.low);
      if (auto* b = std::get_if<bool*>(&q.value)) **b = random() & 1u;
      if (auto* u = std::get_if<std::uint32_t*>(&q.value)) **u = static_cast<std::uint32_t>(number);
      if (auto* u = std::get_if<std::uint64_t*>(&q.value)) **u = static_cast<std::uint64_t>(number);
      if (auto* d = std::get_if<double*>(&q.value)) **d = number;
      if (auto* c = std::get_if<Words>(&q.value)) c->set(random() % c->words.size());
      if (auto* s = std::get_if<std::string*>(&q.value)) {
        (*s)->clear();
        static const std::vector<std::string> pieces{"a", "\"", "\\", "#", ": ", "'",   "\n", "\t", "\x01",
                                                     "{", "-",  "~",  "%", "é",  "off", "1",  " "};
        for (auto n = random() % 12; n > 0; --n) **s += pieces[random() % pieces.size()];
      }
    }
    for (SthldState& state : p.sthld.table)
      for (SthldTransition* edge : {&state.small, &state.large, &p.sthld.table[sthld_hold - 1].expired}) {
        edge->next = static_cast<std::uint8_t>(1 + random() % 6);
        edge->undo = random() & 1u;
        edge->steps = static_cast<std::int8_t>(edge->undo ? 0 : static_cast<int>(random() % 256) - 128);
      }
    if (!contradictions(p).empty()) {  // make most of the rest possible
      p.sub_core.collector.kind = "ocu";
      p.sub_core.collector.allocation = "any_free";
      p.sub_core.collector.branch = BranchHandling::wait;
      if (p.sub_core.scheduler.issue->needs_control_bits()) p.sub_core.scheduler.issue = "in_order";
      p.sub_core.dispatch.order = DispatchOrder::oldest;
      p.sub_core.operand_cache.kind = "none";
      p.sub_core.scheduler.two_level.active_warps = 0;
      p.sub_core.scheduler.two_level.demotion = Demotion::long_latency;
      p.sub_core.collector.slots = 7;
      p.sub_core.warp_slots = 8;
      p.multiprocessor.warp_slots = 8 * p.multiprocessor.sub_cores;
      p.operands.options.count_predicated_off = false;
      p.sub_core.scheduler.instruction_buffer = 8;
      p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::off;
      auto& simple = p.memory.kind.as<SimpleMemoryChoice>().parameters;
      simple.line_bytes = 64;
      simple.ways = 2;
      p.load_store.shared_banks = 16;
      p.load_store.sector_banks = 8;
      auto& hierarchy = p.memory.kind.as<HierarchyChoice>().parameters;
      hierarchy.l1.kilobytes = 32;
      hierarchy.l1.ways = 8;
      hierarchy.l1.carve_outs = i % 2 == 0 ? "" : "4 16";
      hierarchy.l1.mshrs = hierarchy.l2.mshrs = 64;
      hierarchy.l1.queue = 8;
      hierarchy.l2.kilobytes = 512;
      hierarchy.l2.slices = 8;
      hierarchy.l2.ways = 4;
      hierarchy.dram.channels = 8;
      p.sthld.mode = SthldMode::fixed;
    }
    if (!contradictions(p).empty()) continue;
    ++tried;
    const std::string text = resolved_yaml(p);
    CAPTURE(text);
    REQUIRE(values(round_trip(p)) == values(p));
  }
  CHECK(tried > 250);
}

TEST_CASE("the parameter listing names every key once, with range, unit and help") {
  PlatformParameters defaults;
  const std::string text = parameters_text();
  std::map<std::string, int> first_words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) ++first_words[line.substr(0, line.find(' '))];
  const auto list = parameter_list(defaults);
  CHECK(list.size() > 80);
  std::set<std::string> known;  // memory.hit_latency is a parameter of two implementations
  for (const Parameter& p : list) {
    CAPTURE(p.key);
    CHECK(first_words[p.key] == 1);
    CHECK_FALSE(std::string(p.help).empty());
    known.insert(p.key);
  }
  CHECK_THAT(text, Catch::Contains("sub_core.collector.count = 2") && Catch::Contains("1 to 64 collectors") &&
                       Catch::Contains("collectors per sub-core") && Catch::Contains("one of ocu, ccu") &&
                       Catch::Contains("1000 to 1000000000000 cycles"));

  const auto json = nlohmann::json::parse(parameters_json());
  CHECK(json.size() == known.size());
  std::set<std::string> keys;
  for (const auto& entry : json) {
    keys.insert(entry.at("key").get<std::string>());
    if (entry.at("key") == "sub_core.collector.count") {
      CHECK(entry.at("default") == 2);
      CHECK(entry.at("type") == "integer");
      CHECK(entry.at("unit") == "collectors");
      CHECK(entry.at("minimum") == 1);
      CHECK(entry.at("maximum") == 64);
    }
    if (entry.at("key") == "sub_core.collector.kind") CHECK(entry.at("choices").size() == 4);
  }
  CHECK(keys == known);
}

TEST_CASE("every default is within its own range") {
  PlatformParameters p;
  for (const Parameter& q : parameter_list(p)) {
    CAPTURE(q.key);
    if (std::holds_alternative<Structure>(q.value))
      CHECK_THAT(assign(q, "4"), Catch::StartsWith("'4' is not a table; expected "));
    else
      CHECK(assign(q, value_text(q)).empty());
  }
  CHECK_NOTHROW(validate(p));
}

TEST_CASE("a platform file is named by a path or by a text") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.write("mine.yaml", "seed: 7\n");
  CHECK(load_platform(file).seed == 7);
  CHECK(load_platform(file.string()).seed == 7);
  CHECK(load_platform(file.c_str()).seed == 7);
}

TEST_CASE("shipped files are found by path, SUBCORE_DATA and name") {
  TemporaryFolder folder;
  const auto mine = folder.write("platforms/mine.yaml", "name: x\n");
  CHECK(find_platform(mine.string()).file == mine);
  CHECK_THAT(error_of([] { find_platform("mine"); }),
             Catch::Contains("'mine'") && Catch::Contains("platforms") && Catch::Contains("baseline") &&
                 !Catch::Contains("units/turing"));  // a part of platforms
  CHECK_THAT(error_of([] { find_platform("malekh"); }), Catch::Contains("did you mean 'malekeh'?"));
  setenv("SUBCORE_DATA", folder.path().c_str(), 1);
  CHECK(find_platform("mine").file == mine);
  CHECK(find_platform("mine.yaml").file == mine);
  CHECK(find_platform("baseline").file.filename() == "baseline.yaml");  // the rest is still there
  unsetenv("SUBCORE_DATA");
}

// Sizes, as far as a public source gives them: Accel-Sim's SM75_RTX2060 and SM7_QV100 (gpgpu_cache:dl1 and
// dl2, gpgpu_n_mem), and Table I of the Malekeh paper for capacities.
TEST_CASE("memory has the sizes of the machine that a platform names") {
  struct Case {
    const char *platform, *key, *value;
  };
  const Case cases[] = {
      {"rtx2060_third/baseline", "gpu.sms", "10"},
      {"rtx2060_third/baseline", "memory.hit_latency", "20"},  // the Malekeh authors' simulator
      {"rtx2060_third/baseline", "memory.l1.kilobytes", "64"},
      {"rtx2060_third/baseline", "memory.l1.ways", "128"},
      {"rtx2060_third/baseline", "memory.l1.mshrs", "256"},
      {"rtx2060_third/baseline", "memory.l1.mshr_unit", "sector"},
      {"rtx2060_third/baseline", "memory.l1.merges", "32"},
      {"rtx2060_third/baseline", "memory.l1.queue", "16"},
      {"rtx2060_third/baseline", "memory.l1.allocation", "on_miss"},
      {"rtx2060_third/baseline", "memory.l1.write_allocate", "true"},
      {"rtx2060_third/baseline", "memory.l2.kilobytes", "1024"},
      {"rtx2060_third/baseline", "memory.l2.slices", "8"},
      {"rtx2060_third/baseline", "memory.l2.ways", "16"},
      {"rtx2060_third/baseline", "memory.l2.mshrs", "192"},
      {"rtx2060_third/baseline", "memory.l2.merges", "4"},
      {"rtx2060_third/baseline", "memory.l2.queue", "32"},
      {"rtx2060_third/baseline", "memory.dram.channels", "4"},
      {"rtx2060_third/baseline", "memory.dram.bytes_per_cycle", "20.5"},
      {"rtx2060_third/baseline", "memory.l1.carve_outs", ""},
      {"rtx2060_third/baseline", "memory.l1.written_percent", "0"},
      {"rtx2060_third/baseline", "memory.interconnect.latency", "45"},
      {"rtx2060_third/baseline", "memory.interconnect.bytes_per_cycle", "40"},
      {"rtx2060_third/baseline", "memory.interconnect.header_bytes", "8"},
      {"rtx2060_third/baseline", "memory.interconnect.queue", "512"},
      {"rtx2060_third/baseline", "memory.l2.slice_index", "hashed"},
      {"rtx2060_third/baseline", "memory.dram.latency", "131"},
      {"rtx2060_third/baseline", "memory.dram.queue", "32"},
      {"rtx2060_accelsim/baseline", "memory.l1.carve_outs", "32 64"},
      {"rtx2060_accelsim/baseline", "memory.l1.written_percent", "25"},
      {"rtx2060_accelsim/baseline", "memory.interconnect.latency", "99"},
      {"rtx2060_accelsim/baseline", "memory.l2.slice_index", "linear"},
      {"rtx2060_accelsim/baseline", "memory.dram.latency", "120"},
      {"rtx2060_accelsim/baseline", "memory.dram.queue", "64"},
      {"v100/baseline", "memory.l1.carve_outs", "0 8 16 32 64 96"},
      {"v100/baseline", "memory.l1.kilobytes", "128"},
      {"v100/baseline", "memory.l1.ways", "256"},
      {"v100/baseline", "memory.l1.mshrs", "512"},
      {"v100/baseline", "memory.l1.merges", "8"},
      {"v100/baseline", "memory.l2.kilobytes", "6144"},
      {"v100/baseline", "memory.l2.slices", "64"},
      {"v100/baseline", "memory.l2.ways", "24"},
      {"v100/baseline", "memory.dram.channels", "32"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.platform, c.key);
    CHECK(values(shipped(c.platform))[c.key] == c.value);
  }
}

TEST_CASE("both readings of when SOCGPU's dependences end are shipped, and differ in nothing else") {
  const std::string of = "sub_core.scheduler.socgpu.";
  for (const std::string& machine : {std::string(), std::string("rtx2060_third/"), std::string("v100/")}) {
    CAPTURE(machine);
    auto text = values(shipped(machine + "socgpu")), literal = values(shipped(machine + "socgpu_literal"));
    CHECK(text[of + "control_release"] == "issue");
    CHECK(text[of + "older_release"] == "issue");
    std::set<std::string> differ;
    for (const auto& [key, value] : text)
      if (literal[key] != value) differ.insert(key);
    CHECK(differ ==
          std::set<std::string>{"name", "description", of + "control_release", of + "older_release"});
    CHECK(literal[of + "control_release"] == "write_back");
    CHECK(literal[of + "older_release"] == "write_back");
  }
}

}  // namespace config_test
