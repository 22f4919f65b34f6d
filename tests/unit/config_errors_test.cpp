#include <map>

#include <catch2/catch.hpp>

#include "config_text.h"
#include "subcore/platforms/memory/simple.h"

namespace config_errors_test {

using namespace subcore;
using Catch::Contains;
using Catch::StartsWith;
using subcore::test::load_error;
using subcore::test::TemporaryFolder;

namespace {

std::string error(const std::string& text) {
  TemporaryFolder folder;
  return load_error(folder, folder.write("p.yaml", text));
}

std::string set_error(const std::string& override_text) {
  TemporaryFolder folder;
  return load_error(folder, folder.write("p.yaml", "seed: 1\n"), {override_text});
}

// The error of a value for one key, given on line 3 of a file.
std::string count_error(const std::string& value) {
  return error("sub_core:\n  collector:\n    count: " + value + "\n");
}

}  // namespace

TEST_CASE("an unknown key names its neighbours and the likely one") {
  CHECK(error("name: x\nsub_core:\n  collector:\n    cuont: 4\n") ==
        "p.yaml:4: sub_core.collector.cuont: unknown key; did you mean 'count'? expected one of kind, "
        "replacement, cache_results, near_filter, result_ports, write_back, stale_invalidate, write_policy, "
        "window, "
        "in_flight, read_window, tensor_window, result_queue, unit_queue, memory_pipe, read_ports, "
        "write_ports, reuse, reuse_slots, reuse_banks, memory_evicts, reuse_entries, "
        "count, slots, allocation, waits_by, branch, entries, partial_write, dup_source_is_hit");
  CHECK_THAT(error("seede: 1\n"), StartsWith("p.yaml:1: seede: unknown key; did you mean 'seed'?") &&
                                      Contains("extends, name, description"));
  CHECK_THAT(error("zebra: 1\n"), StartsWith("p.yaml:1: zebra: unknown key; expected one of extends, name"));
  // The right word in the wrong place.
  CHECK_THAT(error("warp_slots: 4\n"), Contains("did you mean 'sm.warp_slots'?"));
  // A group below a group, and a map where nothing is known.
  CHECK_THAT(error("sub_core:\n  schedular: {priority: gto}\n"),
             StartsWith("p.yaml:2: sub_core.schedular: unknown key; did you mean 'scheduler'?"));
}

TEST_CASE("a value of the wrong type says what was expected") {
  for (const char* value : {"-1", "2.5", "0x10", "+2", "1e1", "010", "four", "1_0", "'4'", "\"4\"", "true"}) {
    CAPTURE(value);
    CHECK_THAT(count_error(value),
               StartsWith("p.yaml:3: sub_core.collector.count: ") && Contains("expected 1 to 64 collectors"));
  }
  CHECK(count_error("2.5") ==
        "p.yaml:3: sub_core.collector.count: '2.5' is not a plain whole number; expected 1 to 64 collectors, "
        "or per_warp");
  CHECK_THAT(count_error("[1]"), Contains("is a list; expected 1 to 64"));
  CHECK_THAT(count_error("{a: 1}"), Contains("is a map; expected 1 to 64"));
  CHECK_THAT(count_error(""), Contains("is empty; expected 1 to 64"));
  CHECK_THAT(count_error("~"), Contains("is empty; expected 1 to 64"));
  for (const char* value : {"yes", "on", "1", "True", "'true'", "[]"}) {
    CAPTURE(value);
    CHECK_THAT(error("seed: 2\nchecks:\n  operand_versions: " + std::string(value)),
               StartsWith("p.yaml:3: checks.operand_versions: ") && Contains("expected true or false"));
  }
  for (const char* value : {"fast", ".nan", ".inf", "inf", "nan", "0x1p3", "1,5", "''", "1.5ns"}) {
    CAPTURE(value);
    CHECK_THAT(error("clock_period_ns: " + std::string(value)),
               StartsWith("p.yaml:1: clock_period_ns: ") && Contains("expected 0.001 to 1000000 ns"));
  }
  CHECK_THAT(error("name: [a]\n"), Contains("p.yaml:1: name: is a list; expected text"));
  CHECK_THAT(error("sub_core: 4\n"),
             StartsWith("p.yaml:1: sub_core: is '4'; expected a map of warp_slots, scheduler"));
  CHECK_THAT(error("sub_core:\n"), StartsWith("p.yaml:1: sub_core: is empty; expected a map"));
}

TEST_CASE("a value out of range says the range and unit") {
  CHECK(count_error("65") ==
        "p.yaml:3: sub_core.collector.count: 65 is out of range; expected 1 to 64 collectors, or per_warp");
  CHECK_THAT(count_error("0"), Contains("0 is out of range; expected 1 to 64 collectors"));
  CHECK_THAT(count_error("4294967298"), Contains("out of range"));  // 2 in 32 bits
  CHECK_THAT(count_error("18446744073709551618"), Contains("out of range"));
  CHECK_THAT(error("sub_core: {register_file: {banks: 0}}"),
             Contains("0 is out of range; expected 1 to 64 banks"));
  CHECK_THAT(error("sub_core: {register_file: {bank_kilobytes: 0}}"),
             Contains("0 is out of range; expected 1 to 4096 KB"));
  CHECK_THAT(error("sub_core: {register_file: {result_latches: 0}}"),
             Contains("0 is out of range; expected 1 to 16 results"));
  CHECK_THAT(error("sub_core: {operand_cache: {lrf_entries: 9}}\n"),
             Contains("9 is out of range; expected 0 to 8 entries"));
  CHECK_THAT(error("seed: 9007199254740992\n"), Contains("expected 0 to 9007199254740991"));
  CHECK_THAT(error("passes: {profile_fraction: 1.5}\n"), Contains("1.5 is out of range; expected 0 to 1"));
  CHECK_THAT(error("passes: {profile_fraction: -0.1}\n"), Contains("-0.1 is out of range"));
  CHECK_THAT(error("clock_period_ns: 1e999\n"), Contains("out of range"));
}

TEST_CASE("an unknown choice lists the words") {
  CHECK(
      error("sub_core:\n  scheduler:\n\n    priority: mallekeh\n") ==
      "p.yaml:4: sub_core.scheduler.priority: 'mallekeh' is unknown; did you mean 'malekeh'? expected one of "
      "gto, lrr, malekeh, cggty");
  CHECK_THAT(error("tick_order: GTO"),
             Contains("'GTO' is unknown; expected one of pipeline, reverse, shuffled"));
}

TEST_CASE("a duplicate key names both lines") {
  CHECK(error("seed: 1\nname: x\nseed: 2\n") ==
        "p.yaml:3: seed: duplicate key (first in line 1); expected it once");
  CHECK_THAT(error("sm: {cta_slots: 1}\nsub_core:\n  warp_slots: 2\nsm:\n  registers: 64\n"),
             StartsWith("p.yaml:4: sm: duplicate key (first in line 1)"));
  CHECK_THAT(error("extends: a\nextends: b\n"), StartsWith("p.yaml:2: extends: duplicate key"));
}

TEST_CASE("a file that is no YAML map is an error with its line") {
  CHECK_THAT(error("name: x\nsub_core: {a: [1\n"), StartsWith("p.yaml:") && Contains("YAML syntax error"));
  CHECK_THAT(error("name: x\n\tseed: 1\n"), StartsWith("p.yaml:2: YAML syntax error"));
  CHECK_THAT(error("seed: *nowhere\n"), StartsWith("p.yaml:1: YAML syntax error"));
  CHECK_THAT(error(""), StartsWith("p.yaml:1: the top level is empty; expected a map"));
  CHECK_THAT(error("- a\n- b\n"), StartsWith("p.yaml:1: the top level is a list; expected a map"));
  CHECK_THAT(error("hello"), StartsWith("p.yaml:1: the top level is 'hello'; expected a map"));
  CHECK_THAT(error("seed: 1\n---\nseed: 2\n"),
             StartsWith("p.yaml:2: ") && Contains("a second document begins"));
  CHECK_THAT(error("[a]: 1\n"), StartsWith("p.yaml:1: a key is a list; expected a word"));
  TemporaryFolder folder;
  CHECK_THAT(load_error(folder, folder.path() / "none.yaml"), StartsWith("none.yaml: no such file"));
  std::filesystem::create_directory(folder.path() / "dir");
  CHECK_THAT(load_error(folder, folder.path() / "dir"), StartsWith("dir: is a directory"));
}

TEST_CASE("extends that leads nowhere or round in a circle is an error at its line") {
  TemporaryFolder folder;
  folder.write("a.yaml", "name: a\nextends: b.yaml\n");
  folder.write("b.yaml", "extends:\n  - c.yaml\n  - sub/../a.yaml\n");
  folder.write("c.yaml", "seed: 1\n");
  CHECK_THAT(load_error(folder, folder.path() / "a.yaml"),
             StartsWith("b.yaml:3: extends: a.yaml extends itself; expected no cycle"));
  CHECK_THAT(load_error(folder, folder.write("d.yaml", "extends: d.yaml\n")),
             StartsWith("d.yaml:1: extends: d.yaml extends itself"));
  CHECK_THAT(load_error(folder, folder.write("d.yaml", "seed: 2\nextends: nowhere.yaml\n")),
             StartsWith("d.yaml:2: extends: nowhere.yaml: no such file"));
  for (const char* value : {"{a: b}", "[[a]]", "''", ""}) {
    CAPTURE(value);
    CHECK_THAT(load_error(folder, folder.write("d.yaml", "extends: " + std::string(value))),
               StartsWith("d.yaml:1: extends: ") && Contains("expected a file name or a list of file names"));
  }
  // An error in an extended file is reported there.
  folder.write("e.yaml", "name: e\nseed: x\n");
  CHECK_THAT(load_error(folder, folder.write("d.yaml", "extends: e.yaml\n")),
             StartsWith("e.yaml:2: seed: 'x'"));
}

TEST_CASE("errors of --set quote it") {
  CHECK(set_error("sub_core.collector.count=65") ==
        "--set sub_core.collector.count=65: 65 is out of range; expected 1 to 64 collectors, or per_warp");
  CHECK_THAT(
      set_error("sub_core.collector.cuont=4"),
      StartsWith(
          "--set sub_core.collector.cuont=4: unknown key; did you mean 'count'? expected one of kind"));
  CHECK_THAT(set_error("collector.count=4"), Contains("did you mean 'sub_core.collector.count'?"));
  CHECK_THAT(set_error("sub_core.collector.count.x=4"), Contains("unknown key"));
  CHECK_THAT(set_error("sub_core.collector=ocu"),
             StartsWith("--set sub_core.collector=ocu: is a group of keys; expected one key in it: kind, "));
  CHECK_THAT(set_error("seed"), StartsWith("--set seed: is not an assignment; expected key=value"));
  CHECK_THAT(set_error("=4"), Contains("is not an assignment"));
  CHECK_THAT(set_error("seed="), Contains("'' is not a plain whole number"));
  CHECK(set_error("seed= 4") == "(no error)");
  CHECK_THAT(set_error("seed= 4 5"), Contains("'4 5' is not a plain whole number"));
  CHECK_THAT(set_error("sthld.table={1: {}}"),
             StartsWith("--set sthld.table={1: {}}: sthld.table.1.small: is missing"));
  CHECK_THAT(set_error("sthld.table={"), StartsWith("--set sthld.table={: YAML syntax error"));
  CHECK_THAT(set_error("sthld.table=4"), Contains("sthld.table: is '4'; expected a map"));
  CHECK_THAT(set_error("extends=a.yaml"), Contains("unknown key"));
}

TEST_CASE("a malformed STHLD table is an error at its line") {
  const auto table = [](const std::string& line) {
    std::string text = "sthld:\n  table:\n";
    for (int state = 1; state <= 5; ++state)
      text += "    " + std::to_string(state) + ": {small: {next: 1, step: 0}, large: {next: 1, step: 0}}\n";
    return error(text + line);
  };
  CHECK(table("") == "p.yaml:2: sthld.table: has no state 6; expected all of 1 to 6");
  CHECK_THAT(table("    7: {}\n"), StartsWith("p.yaml:8: sthld.table.7: unknown state; expected 1 to 6"));
  CHECK_THAT(table("    0: {}\n"), StartsWith("p.yaml:8: sthld.table.0: unknown state; expected 1 to 6"));
  CHECK_THAT(table("    1: {}\n"), StartsWith("p.yaml:8: sthld.table.1: duplicate key"));
  CHECK_THAT(table("    01: {}\n"), Contains("sthld.table.01: duplicate state"));
  CHECK_THAT(table("    6: {small: {next: 1, step: 0}}\n"),
             StartsWith("p.yaml:8: sthld.table.6.large: is missing"));
  const auto small = [&](const std::string& edge) {
    return table("    6: {large: {next: 1, step: 0}, small: " + edge + "}\n");
  };
  CHECK_THAT(small("{next: 0, step: 1}"),
             Contains("sthld.table.6.small.next: '0' is not a state; expected 1 to 6"));
  CHECK_THAT(small("{next: 7, step: 1}"), Contains("'7' is not a state"));
  CHECK_THAT(small("{next: 1, step: 128}"),
             Contains("small.step: '128' is not a step; expected a whole number "
                      "from -128 to 127, or undo"));
  CHECK_THAT(small("{next: 1, step: 0.5}"), Contains("is not a step"));
  CHECK_THAT(small("{next: 1, step: undone}"), Contains("is not a step"));
  CHECK_THAT(small("{next: 1}"), Contains("small.step: is missing"));
  CHECK_THAT(small("{step: 1}"), Contains("small.next: is missing"));
  CHECK_THAT(small("{next: 1, step: 1, stop: 2}"),
             Contains("small.stop: unknown key; did you mean 'step'? expected one of next, step"));
  CHECK_THAT(small("4"), Contains("sthld.table.6.small: is '4'; expected a map"));
  CHECK_THAT(error("sthld: {table: {1: {expired: {next: 1, step: 0}}}}\n"),
             Contains("sthld.table.1.expired: unknown key; expected one of small, large"));
}

TEST_CASE("contradictions are errors that name both keys") {
  for (const std::string pass : {"write_back", "dead", "liveness", "strands"}) {
    const std::string text = error("operands: {count_predicated_off: true}\npasses: {" + pass + ": true}\n");
    CHECK_THAT(text, Contains("operands.count_predicated_off"));
    CHECK_THAT(text, Contains("passes." + pass));
  }
  CHECK_THAT(error("gpu: {die_mm2: 800}\n"), Contains("gpu.die_mm2") && Contains("gpu.sram_cell_um2"));
  CHECK(error("gpu: {die_mm2: 800, sram_cell_um2: 0.03}\n") == "(no error)");
  const std::string ccu = "sub_core:\n  collector:\n    kind: ccu\n";
  CHECK_THAT(error("sub_core:\n  collector:\n    allocation: malekeh\n"),
             StartsWith("p.yaml:3: sub_core.collector.allocation: ") &&
                 Contains("sub_core.collector.kind is ocu") && Contains("expected kind ccu"));
  for (const char* scheme : {"private", "own_or_lru"})
    CHECK_THAT(error("sub_core: {collector: {allocation: " + std::string(scheme) + ", count: 8}}"),
               Contains("expected kind ccu"));
  CHECK_THAT(error(ccu), StartsWith("p.yaml:3: sub_core.collector.kind: ") && Contains("any_free") &&
                             Contains("expected sub_core.collector.kind ocu"));
  CHECK_THAT(error(ccu + "    allocation: private\n    count: 7\n"),
             StartsWith("p.yaml:5: sub_core.collector.count: ") && Contains("at least 8"));
  CHECK(error(ccu + "    allocation: private\n    count: 8\n") == "(no error)");
  CHECK_THAT(error(ccu + "    allocation: malekeh\n    entries: 6\n"),
             StartsWith("p.yaml:5: sub_core.collector.entries: ") && Contains("at least 7"));
  CHECK(error(ccu + "    allocation: malekeh\n    entries: 7\n") == "(no error)");
  const std::string boc = "sub_core:\n  collector:\n    kind: boc\n";
  CHECK_THAT(error(boc), StartsWith("p.yaml:3: sub_core.collector.kind: ") && Contains("any_free") &&
                             Contains("expected private"));
  CHECK_THAT(error(boc + "    allocation: malekeh\n"),
             StartsWith("p.yaml:4: sub_core.collector.allocation: ") && Contains("expected private"));
  CHECK_THAT(error(boc + "    allocation: private\n    count: 7\n"),
             StartsWith("p.yaml:5: sub_core.collector.count: ") && Contains("at least 8"));
  CHECK_THAT(error(boc + "    allocation: private\n    count: 8\n    entries: 2\n"),
             StartsWith("p.yaml:6: sub_core.collector.entries: ") && Contains("at least 3"));
  CHECK(error(boc + "    allocation: private\n    count: 8\n    entries: 3\n    in_flight: 1\n") ==
        "(no error)");
  CHECK_THAT(
      error("sub_core:\n  collector:\n    branch: flush_on_taken\n"),
      StartsWith("p.yaml:3: sub_core.collector.branch: ") && Contains("expected sub_core.collector.kind "
                                                                      "boc, or branch ignore or wait"));

  const std::string waits = "extends: malekeh.yaml\n";
  CHECK_THAT(error(waits + "sthld:\n  mode: adaptive\n  value: 9\n  maximum: 8\n"),
             StartsWith("p.yaml:5: sthld.maximum: ") && Contains("expected 0 to 8"));
  CHECK_THAT(error(waits + "sthld: {mode: adaptive, minimum: 9, maximum: 8}\n"),
             Contains("sthld.minimum of at most 8"));
  CHECK_THAT(error(waits + "sthld: {mode: adaptive, minimum: 3}\n"), Contains("expected 3 to 255"));

  CHECK_THAT(error("memory:\n  line_bytes: 96\n"),
             StartsWith("p.yaml:2: memory.line_bytes: 96") && Contains("power of two"));
  CHECK_THAT(error("memory: {ways: 3}\n"),
             StartsWith("p.yaml:1: memory.ways: 64 KB") && Contains("384 bytes"));
  CHECK_THAT(error("memory: {cache_kilobytes: 1, line_bytes: 1024}\n"), Contains("whole number of sets"));
  CHECK(error("memory: {cache_kilobytes: 0, ways: 3}\n") == "(no error)");
  CHECK_THAT(error("sub_core: {warp_slots: 64}\nsm: {sub_cores: 17}\n"),
             StartsWith("p.yaml:2: sm.sub_cores: ") && Contains("1088 warps") && Contains("at most 1024"));
  CHECK(error("sub_core: {warp_slots: 64}\nsm: {sub_cores: 16}\n") == "(no error)");
  CHECK_THAT(error("operands: {tensor: exact}\n"), Contains("sub_core.collector.slots of at least 7"));
}

TEST_CASE("a shape may take as long as the slowest instruction of the unit table, and some more") {
  const auto of = [](unsigned latency, unsigned interval) {
    return error("sub_core:\n  execution:\n    architecture: sm_86\n    shapes:\n      DMMA.884: {latency: " +
                 std::to_string(latency) + ", initiation_interval: " + std::to_string(interval) + "}\n");
  };
  CHECK(of(520, 512) == "(no error)");
  CHECK(of(768, 768) == "(no error)");
  for (const std::string& refused : {of(769, 1), of(1, 769)})
    CHECK_THAT(refused,
               StartsWith("p.yaml:5: ") && Contains("expected a whole number of cycles from 1 to 768"));
}

TEST_CASE("a shape is named by an opcode, and by nothing that YAML reads as more than a word") {
  const auto of = [](const std::string& opcode) {
    return error("sub_core:\n  execution:\n    architecture: sm_90\n    shapes:\n      " + opcode +
                 ": {latency: 15, initiation_interval: 4}\n");
  };
  CHECK(of("DMMA.16x8x4") == "(no error)");
  for (const std::string opcode : {"HMMA.1688.[F16", "HMMA.{F16", "'HMMA, DMMA'", "XYZ"}) {
    CAPTURE(opcode);
    CHECK_THAT(of(opcode), StartsWith("p.yaml:5: ") && Contains("is not an opcode"));
  }
}

TEST_CASE("caches, slices and channels have to fit together, if there is a hierarchy") {
  const auto hierarchy = [](const std::string& keys) { return error("memory:\n  kind: hierarchy\n" + keys); };
  CHECK(hierarchy("  l1: {kilobytes: 32, ways: 8}\n") == "(no error)");
  CHECK_THAT(hierarchy("  l1: {kilobytes: 48}\n"), StartsWith("p.yaml:3: memory.l1.kilobytes: ") &&
                                                       Contains("expected a power of two times 16384 bytes"));
  CHECK_THAT(hierarchy("  l1: {ways: 3}\n"), Contains("memory.l1.ways"));
  CHECK_THAT(hierarchy("  l1: {carve_outs: 64 32}\n"),
             StartsWith("p.yaml:3: memory.l1.carve_outs: '64 32'") && Contains("ascending"));
  CHECK_THAT(hierarchy("  l1: {carve_outs: 8 64}\n"), Contains("leave no cache"));
  CHECK_THAT(hierarchy("  l1: {carve_outs: 8, ways: 2}\n"), Contains("not a whole number of ways"));
  CHECK(hierarchy("  l1: {kilobytes: 96, ways: 192, carve_outs: 32 64}\n") == "(no error)");
  CHECK_THAT(hierarchy("  l1: {mshrs: 3}\n"),
             StartsWith("p.yaml:3: memory.l1.mshrs: ") && Contains("at least 4"));
  CHECK_THAT(hierarchy("  l2: {mshrs: 3}\n"), StartsWith("p.yaml:3: memory.l2.mshrs: "));
  CHECK_THAT(hierarchy("  l1: {queue: 3, requests: single_sectors}\n"),
             StartsWith("p.yaml:3: memory.l1.requests: ") && Contains("at least 4"));
  CHECK_THAT(hierarchy("  l2: {slices: 6}\n"),
             StartsWith("p.yaml:3: memory.l2.slices: ") && Contains("power of two"));
  CHECK_THAT(hierarchy("  l2: {kilobytes: 768}\n"), StartsWith("p.yaml:3: memory.l2.kilobytes: "));
  CHECK_THAT(hierarchy("  dram: {channels: 3}\n"),
             StartsWith("p.yaml:3: memory.dram.channels: ") && Contains("divisor"));
  CHECK_THAT(error("load_store: {shared_banks: 24}\n"),
             StartsWith("p.yaml:1: load_store.shared_banks: ") && Contains("power of two, or 0"));
  CHECK_THAT(error("load_store: {sector_banks: 2}\n"),
             StartsWith("p.yaml:1: load_store.sector_banks: ") && Contains("power of two of at least 4"));
}

TEST_CASE("a contradiction is blamed on the latest change") {
  TemporaryFolder folder;
  folder.write("base.yaml",
               "sub_core:\n  collector:\n    kind: ccu\n    allocation: private\n    count: 8\n");
  const auto top = folder.write("p.yaml", "extends: base.yaml\nsub_core:\n  warp_slots: 9\n");
  CHECK_THAT(load_error(folder, top), StartsWith("p.yaml:3: sub_core.warp_slots: 8 collectors"));
  CHECK_THAT(load_error(folder, top, {"sub_core.collector.count=4"}),
             StartsWith("--set sub_core.collector.count=4: sub_core.collector.count: 4 collectors"));
  CHECK(load_error(folder, top, {"sub_core.collector.count=9"}) == "(no error)");
  PlatformParameters p;
  p.name = "mine";
  p.memory.kind.as<SimpleMemoryChoice>().parameters.ways = 3;
  CHECK_THAT(test::error_of([&] { validate(p); }), StartsWith("platform mine: memory.cache_kilobytes: "));
}

TEST_CASE("out-of-order issue asks for a buffer and replaces the scoreboard") {
  const std::string start = "sub_core:\n  scheduler:\n    issue: socgpu\n    ";
  CHECK(error(start + "instruction_buffer: 1\n") ==
        "p.yaml:4: sub_core.scheduler.instruction_buffer: nothing can be issued out of order from an "
        "instruction buffer of 1 (sub_core.scheduler.issue socgpu); expected at least 2");
  CHECK(error(start + "socgpu: {control_release: opc}\n") ==
        "p.yaml:4: sub_core.scheduler.socgpu.control_release: 'opc' is unknown; expected one of write_back, "
        "issue");
}

TEST_CASE("the watchdog's patience is longer than an instruction") {
  TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& overrides) {
    return load_error(folder, folder.write("p.yaml", "extends: baseline.yaml\n"), overrides);
  };
  const std::string slow = "sub_core.execution.tensor_f32.latency=3511";
  CHECK_THAT(refused({slow, "checks.watchdog_cycles=7029"}),
             Catch::Contains("checks.watchdog_cycles: 7029 cycles may pass") &&
                 Catch::Contains("takes 3515 (latency and initiation interval); expected at least 7030"));
  CHECK(refused({slow, "checks.watchdog_cycles=7030"}) == "(no error)");
  CHECK_THAT(refused({"load_store.constant_latency=700", "checks.watchdog_cycles=1000"}),
             Catch::Contains("takes 701"));
}

TEST_CASE("without a WAR guard a warp may not hold several collectors that cache") {
  TemporaryFolder folder;
  const auto refused = [&](const std::string& platform, std::vector<std::string> overrides = {}) {
    overrides.insert(overrides.begin(), "sub_core.scheduler.war_guard=off");
    return load_error(folder, folder.write("p.yaml", "extends: " + platform + ".yaml\n"), overrides);
  };
  for (const char* platform : {"bow", "bow_wr", "bow_wr_hints", "bow_wr_half", "bow_tensor"}) {
    CAPTURE(platform);
    CHECK(refused(platform) ==
          "--set sub_core.scheduler.war_guard=off: sub_core.scheduler.war_guard: 'off' lets a younger write "
          "overtake an older instruction that waits in the same window (sub_core.collector.kind boc); "
          "expected operand_collection or write_back, or sub_core.collector.in_flight 1");
    CHECK(refused(platform, {"sub_core.collector.in_flight=1"}) == "(no error)");
  }
  CHECK(refused("traditional") ==
        "--set sub_core.scheduler.war_guard=off: sub_core.scheduler.war_guard: 'off' lets a younger write "
        "overtake a read of the warp's other collector (sub_core.collector.allocation own_or_lru); expected "
        "operand_collection or write_back");
  CHECK(refused("traditional", {"sub_core.collector.count=1"}) == "(no error)");
  for (const char* platform : {"baseline", "malekeh", "malekeh_private"})
    CHECK(refused(platform) == "(no error)");
}

TEST_CASE("two-level scheduling asks for program order, and strands for the compiler's") {
  CHECK(error("sub_core:\n  scheduler:\n    issue: socgpu\n    two_level:\n      "
              "active_warps: 2\n") ==
        "p.yaml:5: sub_core.scheduler.two_level.active_warps: two-level scheduling demotes a warp by the "
        "wait of its next instruction, but sub_core.scheduler.issue 'socgpu' has no next instruction; "
        "expected 0, or issue in_order");
  CHECK(error("sub_core:\n  scheduler:\n    two_level: {active_warps: 2, demotion: strand_end}\n") ==
        "p.yaml:3: sub_core.scheduler.two_level.demotion: no strand ends without the compiler's strands "
        "(sub_core.scheduler.two_level.demotion strand_end); expected passes.strands true, or demotion "
        "long_latency");
  CHECK(error("sub_core: {scheduler: {two_level: {active_warps: 2}}}") == "(no error)");
  CHECK_THAT(error("sub_core: {scheduler: {two_level: {active_warps: 65}}}"),
             Contains("65 is out of range; expected 0 to 64 warps"));
}

TEST_CASE("an operand cache asks for plain collectors, program order, a WAR guard and active warps") {
  const std::string start =
      "passes: {strands: true, intervals: true}\nsub_core:\n  operand_cache:\n    kind: ";
  const std::string active = "\n  scheduler: {two_level: {active_warps: 2}}";
  for (const char* kind : {"rfc", "ltrf"}) {
    CAPTURE(kind);
    const std::string cache = start + kind + "\n    entries: 16";
    CHECK(error(cache + active) == "(no error)");
    CHECK(error(cache) ==
          "p.yaml:4: sub_core.operand_cache.kind: sub_core.operand_cache.kind '" + std::string(kind) +
              "' belongs to active warps, but 0 means one-level scheduling; expected 1 to 64");
    CHECK(error(cache + active + "\n  collector: {kind: ccu, allocation: malekeh}") ==
          "p.yaml:7: sub_core.collector.kind: sub_core.operand_cache.kind '" + std::string(kind) +
              "' is behind collectors that are caches themselves, sub_core.collector.kind 'ccu'; expected "
              "collector kind ocu, or operand_cache.kind none");
    CHECK(error(cache + "\n  scheduler:\n    war_guard: \"off\"\n    two_level: {active_warps: 2}") ==
          "p.yaml:7: sub_core.scheduler.war_guard: 'off' lets a younger write overtake a read of the banks "
          "(sub_core.operand_cache.kind '" +
              std::string(kind) + "'); expected operand_collection or write_back");
  }
  PlatformParameters p;
  p.name = "mine";
  p.sub_core.operand_cache.kind = "rfc";
  p.sub_core.scheduler.two_level.active_warps = 2;
  p.sub_core.scheduler.issue = "socgpu";
  bool found = false;
  for (const Contradiction& c : contradictions(p))
    found |= c.key == "sub_core.operand_cache.kind" &&
             c.problem ==
                 "sub_core.operand_cache.kind 'rfc' relies on program order; expected "
                 "sub_core.scheduler.issue in_order, or kind none";
  CHECK(found);
}

TEST_CASE("the ways of a register cache divide its entries") {
  const auto ways = [](unsigned count) {
    return error("extends: register_cache.yaml\nsub_core: {operand_cache: {ways: " + std::to_string(count) +
                 "}}\n");
  };
  for (const unsigned divisor : {0u, 1u, 4u, 8u}) CHECK(ways(divisor) == "(no error)");
  CHECK(ways(3) ==
        "p.yaml:2: sub_core.operand_cache.ways: ways 3; expected a divisor of the 8 entries, or 0 for all");
  CHECK_THAT(ways(16), Contains("ways 16; expected a divisor of the 8 entries"));
}

TEST_CASE("software RFC and LTRF ask for what the compiler plans, in the size of the cache") {
  const auto software = [](const std::string& demotion, const std::string& passes) {
    return error(
        "sub_core:\n  scheduler:\n    two_level: {active_warps: 2, demotion: " + demotion +
        "}\n  operand_cache: {kind: software_rfc, entries: 4, lrf_entries: 2}\npasses:\n  strands: true" +
        passes);
  };
  CHECK(software("strand_end", "\n  orf_entries: 4\n  lrf_entries: 2") == "(no error)");
  CHECK(software("strand_end", "\n  orf_entries: 3\n  lrf_entries: 2") ==
        "p.yaml:8: passes.lrf_entries: the compiler plans with 3 ORF and 2 LRF entries (passes.orf_entries, "
        "passes.lrf_entries), the cache has 4 and 2; expected the same numbers");
  CHECK_THAT(software("strand_end", "\n  orf_entries: 4\n  lrf_entries: 1"),
             StartsWith("p.yaml:8: passes.lrf_entries: the compiler plans with 4 ORF and 1 LRF"));
  CHECK(software("long_latency", "\n  orf_entries: 4\n  lrf_entries: 2") ==
        "p.yaml:4: sub_core.operand_cache.kind: a warp that leaves inside a strand loses what "
        "sub_core.operand_cache.kind 'software_rfc' holds; expected strand_end");
  CHECK(error("sub_core:\n  scheduler: {two_level: {active_warps: 2}}\n  operand_cache:\n    kind: "
              "software_rfc\n    entries: 3\n") ==
        "p.yaml:4: sub_core.operand_cache.kind: sub_core.operand_cache.kind 'software_rfc' keeps what the "
        "compiler has planned; expected passes.strands true");

  const auto written_back = [](const std::string& collector, const std::string& rest) {
    return error("sub_core:\n  collector:\n    kind: ccu\n    write_back: true\n" + collector + rest);
  };
  const std::string dead = "passes:\n  dead: true\n";
  CHECK(written_back("    allocation: private\n    count: 8\n", dead) == "(no error)");
  CHECK(written_back("", "") ==
        "p.yaml:4: sub_core.collector.write_back: sub_core.collector.write_back needs to know which results "
        "are "
        "dead (passes.dead); expected passes.dead true");
  CHECK_THAT(
      written_back("    allocation: own_or_lru\n", dead),
      StartsWith("p.yaml:5: sub_core.collector.allocation: 'own_or_lru' lets a warp have two collectors"));
  CHECK_THAT(
      written_back("    stale_invalidate: false\n", dead),
      StartsWith("p.yaml:5: sub_core.collector.stale_invalidate: sub_core.collector.write_back needs"));
  CHECK_THAT(written_back("    partial_write: ignore\n", dead),
             StartsWith("p.yaml:5: sub_core.collector.partial_write: 'ignore' takes results of some lanes"));
  CHECK_THAT(written_back("    allocation: private\n    count: 8\n", "  scheduler: {issue: socgpu}\n" + dead),
             StartsWith("p.yaml:7: sub_core.scheduler.issue: 'socgpu' lets a younger instruction"));

  const auto ltrf = [](const std::string& cache, const std::string& passes) {
    return error(
        "sub_core:\n  scheduler: {two_level: {active_warps: 2}}\n  operand_cache:\n    kind: ltrf\n" + cache +
        "passes:\n" + passes);
  };
  CHECK(ltrf("    entries: 16\n", "  intervals: true\n") == "(no error)");
  CHECK_THAT(ltrf("    entries: 16\n", "  intervals: false\n"),
             StartsWith("p.yaml:7: passes.intervals: ") && Contains("expected passes.intervals true"));
  CHECK(ltrf("    entries: 15\n", "  intervals: true\n") ==
        "p.yaml:5: sub_core.operand_cache.entries: 15 entries do not hold an interval of 16 registers "
        "(passes.interval_registers); expected at least as many entries as registers");
  CHECK(ltrf("    entries: 16\n    live_only: true\n", "  intervals: true\n  liveness: false\n") ==
        "p.yaml:9: passes.liveness: sub_core.operand_cache.live_only asks for the compiler's liveness; "
        "expected "
        "passes.liveness true");
  CHECK(ltrf("    entries: 16\n    live_only: true\n", "  intervals: true\n  liveness: true\n") ==
        "(no error)");
}

TEST_CASE("a fixed read window goes with all that the compiler counts on, and nothing of it without") {
  CHECK(error("sub_core:\n  scheduler:\n    issue: control_bits\n") ==
        "p.yaml:3: sub_core.scheduler.issue: 'control_bits' counts cycles up to execution, but "
        "sub_core.collector.kind 'ocu' takes a different time for each instruction; expected issue in_order "
        "or socgpu, or collector kind fixed_window");
  const auto window = [](const std::string& more) {
    return error("extends: nvidia_turing.yaml\nsub_core:\n" + more);
  };
  CHECK(window("  collector: {reuse_slots: 4}\n") == "(no error)");
  CHECK(window("  collector: {count: 2}\n") ==
        "p.yaml:3: sub_core.collector.count: does not go with sub_core.collector.kind 'fixed_window'; "
        "expected 1");
  CHECK(window("  register_file: {banks: 1}\n") ==
        "p.yaml:3: sub_core.register_file.banks: does not go with sub_core.collector.kind 'fixed_window'; "
        "expected 2 to 64");
  CHECK(window("  scheduler: {two_level: {active_warps: 2}}\n") ==
        "p.yaml:3: sub_core.scheduler.two_level.active_warps: does not go with sub_core.collector.kind "
        "'fixed_window'; expected 0");
  CHECK_THAT(window("  collector: {unit_queue: 17}\n"),
             Contains("17 is out of range; expected 1 to 16 instructions"));
  CHECK_THAT(window("  collector: {read_ports: 9}\n"), Contains("9 is out of range; expected 0 to 8 ports"));
  // The integer unit also runs barriers, and gives one result a cycle. A barrier may begin 3 cycles behind an
  // instruction that takes 10. To be done later than the instruction, the barrier must take 8.
  CHECK(window("  execution: {int: {latency: 10, initiation_interval: 3}, barrier: {latency: 7}}\n") ==
        "p.yaml:3: sub_core.execution.barrier.latency: does not go with sub_core.collector.kind "
        "'fixed_window'; expected 8 to 256");
  CHECK(window("  scheduler: {issue: in_order, war_guard: queued_reads}\n") == "(no error)");
  CHECK(window("  scheduler: {issue: in_order, war_guard: off}\n") ==
        "p.yaml:3: sub_core.scheduler.war_guard: 'off' lets a younger write overtake a read at the head of a "
        "queue (sub_core.collector.kind 'fixed_window'); expected queued_reads, operand_collection or "
        "write_back");
  CHECK(error("sub_core:\n  scheduler:\n    war_guard: queued_reads\n") ==
        "p.yaml:3: sub_core.scheduler.war_guard: sub_core.collector.kind 'ocu' reads operands in no fixed "
        "order; expected "
        "operand_collection, write_back or off, or collector kind fixed_window");
  CHECK(window("  scheduler: {issue: socgpu}\n") ==
        "p.yaml:3: sub_core.scheduler.issue: sub_core.collector.kind 'fixed_window' keeps the order in which "
        "instructions come; expected issue control_bits or in_order");
  for (const auto& [setting, key] : std::map<std::string, std::string>{
           {"  operand_cache: {kind: reuse}\n", "operand_cache.kind: "},
           {"  register_file: {read_latency: 1}\n", "register_file.read_latency: "},
           {"  execution: {sp: {latency: 257, initiation_interval: 2}}\n", "execution.sp.latency: "}}) {
    CAPTURE(setting);
    CHECK_THAT(window(setting),
               StartsWith("p.yaml:3: sub_core." + key) && Contains("'fixed_window'; expected "));
  }
}

TEST_CASE("what a fixed read window keeps is one of three words, and near bits have to be made") {
  const auto window = [](const std::string& collector, const std::string& more = "") {
    return error("extends: nvidia_turing.yaml\nsub_core:\n  collector: {" + collector + "}\n" + more);
  };
  CHECK(window("reuse: none") == "(no error)");
  CHECK(window("reuse: near_bits", "passes: {near_bits: threshold}\n") == "(no error)");
  CHECK(window("reuse: near_bits", "passes: {near_bits: precise}\n") == "(no error)");
  CHECK(window("reuse: near_bits") ==
        "p.yaml:3: sub_core.collector.reuse: 'near_bits' keeps nothing where every operand is far "
        "(passes.near_bits none); expected passes.near_bits threshold, static, trained or precise, or reuse "
        "none "
        "or flags");
  CHECK(window("reuse: near_bits", "passes: {near_bits: static}\n") == "(no error)");
  CHECK_THAT(
      error("passes: {mode: profile}\n"),
      Contains("passes.mode is called 'passes.near_bits' now; expected passes.near_bits, with 'threshold'"));
  CHECK_THAT(window("reuse: yes"), StartsWith("p.yaml:3: sub_core.collector.reuse: ") &&
                                       Contains("expected one of none, flags, near_bits"));
  CHECK_THAT(window("reuse_entries: 8"),
             StartsWith("p.yaml:3: sub_core.collector.reuse_entries: is read only with ") &&
                 Contains("sub_core.collector.reuse near_bits"));
  CHECK_THAT(window("reuse: near_bits, reuse_slots: 4", "passes: {near_bits: threshold}\n"),
             StartsWith("p.yaml:3: sub_core.collector.reuse_slots: is read only with ") &&
                 Contains("sub_core.collector.reuse flags"));
}

TEST_CASE("write-back hints are made for the collector's own window") {
  const std::string boc =
      "sub_core:\n  scheduler: {instruction_buffer: 2}\n  collector: {kind: boc, count: 8, allocation: "
      "private, "
      "window: 3, entries: 12, branch: ";
  CHECK(error(boc + "wait}\npasses:\n  write_back: true\n  write_back_window: 3\n") == "(no error)");
  CHECK(error(boc + "wait}\npasses:\n  write_back: true\n  write_back_window: 4\n") ==
        "p.yaml:6: passes.write_back_window: 4 instructions are more than the collector keeps, 3 "
        "(sub_core.collector.window); expected at most 3");
  CHECK_THAT(error(boc + "flush_on_taken}\npasses:\n  write_back: true\n"),
             Contains("the compiler does not know that windows end at taken branches"));
  CHECK(error(boc + "flush_on_taken}\npasses:\n  write_back: true\n  window_ends_at_taken_branch: true\n") ==
        "(no error)");
}

}  // namespace config_errors_test
