#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "subcore/model/stall/stall_cause.h"
#include "tests/program/program.h"
#include "tests/program/vcd.h"

namespace waveform_test {

using namespace subcore::test;
using subcore::stall_causes;

namespace {

constexpr std::uint64_t period = 1000;  // ps, of the platforms' 1 ns clock

Vcd waveform(const Desk& desk, const std::string& platform, const Strings& more = {}) {
  Strings arguments{"run", "-p", platform, "-t", "t", "--vcd", "w.vcd"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  desk.succeed(arguments);
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
  return read_vcd(desk.file("w.vcd"));
}

// The count over a whole run, from values that last a cycle.
std::uint64_t sum(const Vcd& vcd, const std::string& path) {
  const Vcd::Variable& v = vcd.find(path);
  std::uint64_t all = 0;
  for (std::size_t n = 0; n < v.values.size(); ++n) {
    const std::uint64_t until = n + 1 < v.values.size() ? v.values[n + 1].first : vcd.times.back() + period;
    all += std::stoull(v.values[n].second, nullptr, 2) * ((until - v.values[n].first) / period);
  }
  return all;
}

// Every value of `part` in [from, to] is that of the whole.
void check_part(const Vcd& part, const Vcd& all, std::uint64_t from, std::uint64_t to) {
  for (const Vcd::Variable& p : part.variables) {
    if (p.name == "event") continue;
    const Vcd::Variable& a = all.find(p.path());
    std::size_t ahead = 0, before = 0;
    std::string expected, got;
    for (std::uint64_t cycle = 0; cycle <= to; ++cycle) {
      for (; ahead < a.values.size() && a.values[ahead].first <= cycle * period; ++ahead)
        expected = a.values[ahead].second;
      for (; before < p.values.size() && p.values[before].first <= cycle * period; ++before)
        got = p.values[before].second;
      if (cycle < from || expected == got) continue;
      FAIL(p.path() << " in cycle " << cycle << ": " << got << ", in the whole file " << expected);
    }
  }
}

}  // namespace

TEST_CASE("a waveform is a well-formed VCD") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* platform : {"baseline", "malekeh"}) {
    const Vcd v = waveform(desk, platform);
    CHECK(v.timescale == "1ps");
    CHECK(v.codes.size() > 50);
    CHECK(v.changes > 100);
    CHECK(v.scopes.size() > 10);
    for (const std::uint64_t t : v.times) CHECK(t % period == 0);
  }
}

TEST_CASE("a waveform keeps to its window of cycles") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Vcd all = waveform(desk, "baseline");
  const Vcd part = waveform(desk, "baseline", {"--vcd-from", "100", "--vcd-to", "600"});
  CHECK(part.codes == all.codes);
  CHECK(part.changes > 0);
  CHECK(part.changes < all.changes);
  CHECK(part.times.front() == 100 * period);
  CHECK(part.times.back() == 600 * period);
}

TEST_CASE("a window of a waveform begins with the state and goes on like the whole") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* platform : {"malekeh", "bow_wr", "rfc", "rtx2060_third/malekeh"}) {
    const Vcd all = waveform(desk, platform, {"-s", "clock_period_ns=1"});
    const std::uint64_t end = all.times.back() / period;
    for (const std::uint64_t from : {1u, 2u, 57u, 300u, 301u, 302u, 333u}) {
      const std::uint64_t to = std::min<std::uint64_t>(end, from + 150);
      INFO(platform << " from " << from);
      const Vcd part = waveform(
          desk, platform,
          {"-s", "clock_period_ns=1", "--vcd-from", std::to_string(from), "--vcd-to", std::to_string(to)});
      CHECK(part.variables.size() == all.variables.size());
      CHECK(part.times.front() == from * period);
      check_part(part, all, from, to);
    }
  }
}

TEST_CASE("a window of a waveform that never comes") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", "w.vcd", "--vcd-from", "123456"},
              {"123456, never came", "the run ended in cycle", "expected --vcd-from"});
}

// One warp alone, with six instructions that each need the result of the instruction before. Timing is as in
// docs/design.md:
// * An instruction issues in t.
// * Banks grant from t+1 on. A collector gets one read a cycle, and a bank has one access a cycle.
// * Dispatch is in the cycle behind the last grant.
// * With dispatch in d, a unit of latency L writes back in d+1+L. A waiting instruction may issue in the next
//   cycle.
//
// R2, R4 and R6 are in bank 0, and R1, R5 and R7 in bank 1.
TEST_CASE("a waveform says cycle by cycle what an example worked out by hand says") {
  const Desk desk;
  desk.trace("t",
             "0000 ffffffff 1 R1 IADD3 2 R2 R4 0 \n"
             "0010 ffffffff 1 R5 FFMA 3 R1 R2 R4 0 \n"
             "0020 ffffffff 1 R6 MUFU.RCP 1 R5 0 \n"
             "0030 ffffffff 1 R7 LDG.E.SYS 1 R6 4 1 0x7f4000105000 4 \n"
             "0040 ffffffff 1 R8 FADD 2 R7 R1 0 \n"
             "0050 ffffffff 0 EXIT 0 0 \n");
  const Vcd v = waveform(desk, "baseline", {"-s", "sm.sub_cores=1", "--vcd-to", "60"});
  struct Span {
    unsigned first, last;
    const char* value;
  };
  // Rows from cycle 0 to 60; x where nothing is said.
  const std::map<std::string, std::vector<Span>> expected{
      {"state",
       {{0, 2, "empty"},
        {3, 3, "issue"},
        {4, 11, "hazard"},
        {12, 12, "issue"},
        {13, 21, "hazard"},
        {22, 22, "issue"},
        {23, 45, "hazard"},
        {46, 46, "issue"},
        {47, 60, "hazard"}}},
      {"issue_instruction",
       {{3, 3, "s0:0000"}, {12, 12, "s0:0010"}, {22, 22, "s0:0020"}, {46, 46, "s0:0030"}}},
      // Two reads of bank 0, two cycles; of banks 1, 0 and 0, three, as the collector takes one a cycle; one;
      // and the two registers of an address.
      {"c0_instruction", {{3, 4, "s0:0000"}, {22, 22, "s0:0020"}, {46, 47, "s0:0030"}}},
      {"c1_instruction", {{12, 14, "s0:0010"}}},
      {"c0_missing", {{3, 3, "10"}, {4, 4, "1"}, {22, 22, "1"}, {46, 46, "10"}, {47, 47, "1"}}},
      {"c1_missing", {{12, 12, "11"}, {13, 13, "10"}, {14, 14, "1"}}},
      {"bank_0_access",
       {{4, 4, "read:c0:s0:R2"},
        {5, 5, "read:c0:s0:R4"},
        {14, 14, "read:c1:s0:R2"},
        {15, 15, "read:c1:s0:R4"},
        {45, 45, "write:special:s0:R6"},
        {47, 47, "read:c0:s0:R6"}}},
      {"bank_1_access",
       {{11, 11, "write:integer:s0:R1"},
        {13, 13, "read:c1:s0:R1"},
        {21, 21, "write:single:s0:R5"},
        {23, 23, "read:c0:s0:R5"},
        {48, 48, "read:c0:s0:R7"}}},
      {"to_c0", {{4, 4, "R2"}, {5, 5, "R4"}, {23, 23, "R5"}, {47, 47, "R6"}, {48, 48, "R7"}}},
      {"dispatch", {{6, 6, "integer"}, {16, 16, "single"}, {24, 24, "special"}, {49, 49, "load_store"}}},
      // An instruction is in a unit of latency 4 for four cycles, from that of its dispatch on.
      {"integer_instruction", {{6, 9, "s0:0000"}}},
      {"single_instruction", {{16, 19, "s0:0010"}}},
      {"special_opcode", {{24, 43, "MUFU.RCP"}}},
      {"integer_busy_until", {{6, 9, "1010"}}},
  };
  for (const auto& [name, spans] : expected) {
    const Vcd::Variable& row = v.find(name);
    for (unsigned cycle = 0; cycle <= 60; ++cycle) {
      std::string value = "x";
      for (const Span& s : spans)
        if (cycle >= s.first && cycle <= s.last) value = s.value;
      INFO(name << " in cycle " << cycle);
      CHECK(row.at(cycle * period) == value);
      CHECK(v.find("cycle").number_at(cycle * period) == cycle);
    }
  }
  CHECK(v.find("s0").at(3 * period) == "w0:0000");
  CHECK(v.find("s0_opcode").at(5 * period) == "FFMA");
  CHECK(v.find("s0_cause_name").at(3 * period) == "issue");
  CHECK(v.find("s0_cause").at(3 * period) == "0");
  CHECK(v.find("s0").at(2 * period) == "x");
  CHECK(v.find("s0_cause").at(2 * period) == "x");
  CHECK(v.find("s1").values.size() == 1);  // the trace has no other warp
  CHECK(v.find("kernel").at(10 * period) == "k");
  CHECK(v.find("bank_0_queue").number_at(3 * period) == 2);
}

TEST_CASE("what a waveform shows adds up to what was counted") {
  const Desk desk;
  std::string kernel = header("3", "(6,1,1)");  // several warps, which take collectors from each other
  for (char cta = '0'; cta < '6'; ++cta) {
    std::string warp = one_warp(sound_lines());
    warp[warp.find("= 0,0,0") + 2] = cta;
    kernel += warp;
  }
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", kernel);
  for (const std::string platform : {"malekeh", "bow_tensor", "rfc"}) {
    const Vcd v = waveform(desk, platform, {"-r", "r", "-s", "sm.sub_cores=1"});
    const auto stats = desk.json("r/" + platform + "/t/stats.json")["root"]["sm_0"]["sub_core_0"];
    const auto counted = [&](const std::string& module, const char* name) -> std::uint64_t {
      return stats[module].count(name) == 0 ? 0 : stats[module][name]["value"].get<std::uint64_t>();
    };
    // Every cycle has one cause. Whether a cycle was no_warp or drained becomes known only later.
    std::map<std::string, std::uint64_t> cycles;
    const std::uint64_t end = desk.json("r/results.json").back()["cycles"].get<std::uint64_t>();
    const Vcd::Variable& cause = v.find("issue_scheduler.cause");
    for (std::uint64_t c = 0; c < end; ++c) ++cycles[cause.at(c * period)];
    CHECK(cycles["raw_long"] > 0);
    std::uint64_t idle = 0, all = 0;
    for (const char* name : {"no_warp", "drained"})
      idle += counted("issue_scheduler", (std::string(name) + "_cycles").c_str());
    CHECK(cycles["no_warp"] == idle);
    for (const auto& [name, count] : cycles) {
      INFO(platform << ": " << name);
      all += count;
      if (name != "no_warp") CHECK(count == counted("issue_scheduler", (name + "_cycles").c_str()));
    }
    CHECK(all == end);
    std::uint64_t reads = 0, writes = 0;
    for (const char* bank : {"bank_0_access", "bank_1_access"}) {
      const Vcd::Variable& access = v.find(bank);
      for (std::uint64_t time : v.times) {
        reads += access.at(time).rfind("read:", 0) == 0;
        writes += access.at(time).rfind("write:", 0) == 0;
      }
    }
    CHECK(reads == counted("arbiter", "bank_reads"));
    CHECK(writes == counted("arbiter", "bank_writes") + counted("arbiter", "write_backs"));
    CHECK(reads > 0);
    CHECK(sum(v, "issue_scheduler.issued") == counted("issue_scheduler", "issued"));
    if (platform == "rfc") {
      CHECK(sum(v, "cache_hits") == counted("operand_cache", "cache_read_hits"));
      CHECK(sum(v, "cache_hits") > 0);
      continue;
    }
    std::uint64_t hits = 0, flushes = 0;
    for (const auto& [module, counters] : stats.items()) {
      if (counters.count("cache_read_hits") == 0) continue;
      const std::string c = "c" + module.substr(module.rfind('_') + 1);
      CHECK(sum(v, c + "_hits") == counted(module, "cache_read_hits"));
      CHECK(sum(v, c + "_misses") == counted(module, "source_operands") - counted(module, "cache_read_hits"));
      CHECK(sum(v, c + "_flush") == counted(module, "flushes"));
      CHECK(sum(v, c + "_results") == counted(module, "cache_writes"));
      hits += counted(module, "cache_read_hits");
      flushes += counted(module, "flushes");
    }
    CHECK(hits > 0);
    CHECK((flushes > 0) == (platform == "malekeh"));
  }
}

TEST_CASE("a waveform has names, words, and x where nothing is") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Vcd v = waveform(desk, "rtx2060_third/malekeh");
  std::set<std::string> leaves;
  for (const Vcd::Variable& row : v.variables)
    if (row.scope.find("sm_") == std::string::npos || row.scope.find("sm_0.sub_core_0") != std::string::npos)
      CHECK(leaves.insert(row.name).second);  // a sub-core's and the memory's are told apart without scopes
  const std::set<std::string> states{"empty", "hazard", "no_collector", "waiting", "pending_ready", "issue"};
  for (const auto& [time, state] : v.find("sm_0.sub_core_0.issue_scheduler.state").values)
    CHECK(states.count(state) == 1);
  bool idle = false, busy = false;
  for (const auto& [time, pc] : v.find("sm_0.sub_core_0.caching_collector_0.c0_instruction").values)
    (pc == "x" ? idle : busy) = true;
  CHECK((idle && busy));
  for (const char* path :
       {"gpu.sm_0.load_store_unit.lsu_outstanding", "gpu.memory_system.l1_0.l1_0_mshrs",
        "gpu.memory_system.interconnect.interconnect_under_way", "gpu.memory_system.l2_0.l2_0_to_dram",
        "gpu.memory_system.dram_0.dram_0_under_way"}) {
    bool moved = false;
    for (const auto& [time, value] : v.find(path).values) moved |= value != "0" && value != "x";
    INFO(path);
    CHECK((moved || std::string(path).find("_0.l2") != std::string::npos ||
           std::string(path).find("dram") != std::string::npos));
  }
  CHECK(v.find("gpu.interval_ipc").type == "real");
  CHECK(v.find("gpu.interval_power").type == "real");
  CHECK(v.find("gpu.sthld_state").at(period) == "1");
}

TEST_CASE("a save file beside a waveform names its rows") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* file : {"w.vcd", "w.vcd.gz", "w.vcd.xz"}) {
    desk.succeed({"run", "-p", "malekeh", "-t", "t", "--vcd", "w.vcd"});
    const Vcd v = read_vcd(desk.file("w.vcd"));
    desk.succeed({"run", "-p", "malekeh", "-t", "t", "--vcd", file});
    std::set<std::string> paths;
    for (const Vcd::Variable& row : v.variables)
      paths.insert(row.path() +
                   (row.type == "wire" && row.bits > 1 ? "[" + std::to_string(row.bits - 1) + ":0]" : ""));
    std::istringstream in(desk.file("w.gtkw"));
    std::size_t rows = 0, opened = 0, closed = 0;
    std::string flags, groups;
    for (std::string line; std::getline(in, line);) {
      if (line[0] == '@') flags = line;
      if (line[0] == '-') {
        (flags == "@800200" || flags == "@c00200" ? opened : closed) += 1;
        groups += line;
      }
      if (line.rfind("gpu.", 0) != 0) continue;
      ++rows;
      INFO(line);
      CHECK(paths.count(line) == 1);
      const bool is_cause = line.find("_cause") != std::string::npos;
      CHECK(is_cause == (flags == "@2024"));
      CHECK((is_cause || flags == "@20" || flags == "@22" || flags == "@24" || flags == "@28"));
    }
    CHECK(rows > 100);
    CHECK(opened == closed);
    for (const char* group :
         {"warps", "issue", "banks", "units", "crossbar", "caching_collector_1", "interval"})
      CHECK_THAT(groups, Catch::Contains(group));
    CHECK_THAT(desk.file("w.gtkw"), Catch::Contains("[dumpfile] \"" + std::string(file) + '"'));
  }
}

TEST_CASE("stall causes have rows of their own, with names and colours") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "--vcd", "w.vcd"});
  const Vcd v = read_vcd(desk.file("w.vcd"));
  std::map<std::string, std::string> names;  // by number
  for (const std::string& line : lines_in(desk.file("w.causes"))) {
    const std::size_t colour = line.find(" ?"), name = line.find('?', colour + 2);
    if (colour != std::string::npos) names[line.substr(0, colour)] = line.substr(name + 1);
  }
  CHECK(names.size() == stall_causes.size() - 2);  // no_warp and drained are x
  const auto& numbers = v.find("sub_core_0.issue_scheduler.s0_cause");
  std::set<std::string> seen;
  for (const auto& [time, name] : v.find("sub_core_0.issue_scheduler.s0_cause_name").values) {
    seen.insert(name);
    const std::string number = numbers.at(time);
    CHECK((name == "x" ? number == "x" : names.at(std::to_string(std::stoull(number, nullptr, 2))) == name));
  }
  CHECK(seen.count("raw_long") == 1);
  CHECK(seen.size() > 4);
  const std::string save = desk.file("w.gtkw");
  CHECK_THAT(save,
             Catch::Contains("@2024\n^1 w.causes\ngpu.sm_0.sub_core_0.issue_scheduler.s0_cause[7:0]\n"));
  std::filesystem::create_directory(desk.path() / "sub");
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "--vcd", "sub/w.vcd.gz"});
  CHECK_THAT(desk.file("sub/w.gtkw"), Catch::Contains("^1 sub/w.causes\n"));
  CHECK(desk.file("sub/w.causes") == desk.file("w.causes"));
}

TEST_CASE("a waveform has no rows for what its platform lacks") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto has = [&](const char* platform, const std::string& name) {
    const Vcd v = waveform(desk, platform);
    return std::any_of(v.variables.begin(), v.variables.end(), [&](const Vcd::Variable& x) {
      return x.path().size() >= name.size() &&
             x.path().compare(x.path().size() - name.size(), name.size(), name) == 0;
    });
  };
  for (const char* row : {".sthld", ".waiting_counter", ".interval_hits"}) {
    CAPTURE(row);
    CHECK(has("malekeh", row));
    CHECK(!has("baseline", row));
  }
  CHECK(has("rfc", ".interval_hits"));
  CHECK(has("rfc", ".cache_s0"));
  CHECK(has("nvidia_turing", ".c0_reuse_hits"));
  CHECK(!has("nvidia_turing_no_rfc", ".c0_reuse_hits"));
  CHECK(!has("nvidia_turing", ".sthld"));
}

TEST_CASE("a waveform of the cycles around events") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Vcd all = waveform(desk, "malekeh");
  const std::uint64_t end = all.times.back() / period;
  // Each instruction of this trace but the first waits for a load now and then.
  struct Request {
    const char *on, *event;
  };
  for (const Request& r :
       {Request{"stall>100", "stall:"}, Request{"flush", "flush:"}, Request{"stall>100,flush", ""}}) {
    INFO(r.on);
    if (std::string(r.on) == "flush") desk.trace("t", sound_lines());
    const Outcome o = desk.run(
        {"run", "-p", "malekeh", "-t", "t", "--vcd", "e.vcd", "--vcd-on", r.on, "--vcd-around", "7"});
    if (std::string(r.on) == "flush") {  // a single warp never takes a collector from another
      CHECK(o.code == 1);
      CHECK_THAT(o.err, Catch::Contains("never came: flush") && Catch::Contains("expected another --vcd-on"));
      CHECK(lines_of(o.err) == 1);
      CHECK(desk.files().count("e.vcd") + desk.files().count("e.gtkw") ==
            (desk.files().count("e.gtkw") ? 2 : 0));
      continue;
    }
    REQUIRE(o.code == 0);
    const Vcd part = read_vcd(desk.file("e.vcd"));
    REQUIRE(part.dumps.size() > 1);
    CHECK(part.dumps.front() == part.times.front());
    std::size_t events = 0;
    for (const auto& [time, text] : part.find("gpu.event").values) events += text != "x";
    CHECK(events > 0);
    // Within a piece, values are those of the whole waveform. A piece reaches 7 cycles to both sides of its
    // events.
    for (std::size_t n = 0; n < part.dumps.size(); ++n) {
      const std::uint64_t from = part.dumps[n] / period;
      const std::uint64_t to = n < part.ends.size() ? part.ends[n] / period - 1 : end;
      check_part(part, all, from, std::min(to, end));
      bool here = false;
      for (const auto& [time, text] : part.find("gpu.event").values) {
        if (text == "x" || time < part.dumps[n] || time > to * period) continue;
        here = true;
        CHECK_THAT(text, Catch::Contains(r.event));
        CHECK(time / period >= std::min<std::uint64_t>(from + 0, time / period));
        CHECK((time / period + 7 <= to || to == end));
      }
      CHECK(here);
    }
    const auto first =
        std::find_if(part.find("gpu.event").values.begin(), part.find("gpu.event").values.end(),
                     [](const auto& v) { return v.second != "x"; });
    CHECK(part.dumps.front() == first->first - 7 * period);
  }
}

TEST_CASE("a stall that lasts longer than was asked for is found in its very cycle") {
  const Desk desk;
  desk.trace("t",
             "0000 ffffffff 1 R7 LDG.E.SYS 1 R6 4 1 0x7f4000105000 4 \n"
             "0010 ffffffff 1 R8 FADD 2 R7 R1 0 \n"
             "0020 ffffffff 0 EXIT 0 0 \n");
  const Vcd all = waveform(desk, "baseline");
  // The cycle from which on the second instruction is held up.
  std::uint64_t since = 0;
  const auto& pcs = all.find("sm_0.sub_core_0.issue_scheduler.s0");
  for (const auto& [time, text] : all.find("sm_0.sub_core_0.issue_scheduler.s0_cause_name").values)
    if (pcs.at(time) == "w0:0010" && text != "issue") since = since == 0 ? time / period : since;
  REQUIRE(since != 0);
  const Vcd part = waveform(desk, "baseline", {"--vcd-on", "stall>50", "--vcd-around", "3"});
  CHECK(part.dumps.front() == (since + 50 - 3) * period);
  CHECK(part.find("event").at((since + 50) * period) == "stall:gpu.sm_0.sub_core_0.s0");
  CHECK(part.find("event").at((since + 51) * period) == "x");
}

TEST_CASE("a waveform around a stale operand is kept although the run fails") {
  const Desk desk;
  desk.trace("t", stale_lines());
  const Strings wrong = with({"run", "-p", "malekeh", "-t", "t", "--vcd", "w.vcd"}, stale_settings);
  Outcome o = desk.run(wrong);
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Catch::Contains("program order demands"));
  CHECK(desk.files().count("w.vcd") == 0);
  o = desk.run(with(wrong, {"--vcd-on", "stale", "--vcd-around", "20"}));
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Catch::Contains("program order demands") && Catch::Contains("; waveform: w.vcd"));
  const Vcd v = read_vcd(desk.file("w.vcd"));
  CHECK_THAT(v.find("event").values.back().second, Catch::StartsWith("stale:"));
  CHECK(v.times.back() - v.times.front() <= 20 * period);
  CHECK(desk.files().count("w.gtkw") == 1);
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
}

TEST_CASE("events for a waveform that are none") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* on :
       {"stal", "stall", "stall>", "stall>x", "stale,", "flush;sthld", "stall>99999999999999999999"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", "w.vcd", "--vcd-on", on},
                {"--vcd-on '", "expected"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", "w.vcd", "--vcd-around", "5"},
              {"--vcd-around without an event; expected --vcd-on"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd-on", "flush"},
              {"--vcd-on without a waveform; expected --vcd"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", "w.vcd", "--vcd-on", "sthld"},
              {"never came: sthld, up to cycle", "expected another --vcd-on"});
}

TEST_CASE("a waveform keeps to its scope") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Vcd v = waveform(desk, "malekeh", {"--vcd-scope", "sm_0.sub_core_0"});
  CHECK(v.changes > 0);
  CHECK_FALSE(v.scopes.empty());
  // Cycle, kernel and intervals are of no module and always there.
  std::set<std::string> scopes = v.scopes;
  CHECK(scopes.erase("gpu") == 1);
  for (const std::string& s : scopes) CHECK(s.rfind("gpu.sm_0.sub_core_0.", 0) == 0);
  for (const std::string& scope : {*scopes.begin(), scopes.begin()->substr(4)}) {
    const Vcd one = waveform(desk, "malekeh", {"--vcd-scope", scope});
    CHECK(one.scopes == std::set<std::string>{"gpu", *scopes.begin()});
  }
}

TEST_CASE("a waveform changes no result") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "with", "--vcd", "w.vcd"});
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "without"});
  CHECK(desk.file("with/malekeh/t/stats.json") == desk.file("without/malekeh/t/stats.json"));
}

TEST_CASE("the same waveform twice") {
  const Desk desk;
  desk.trace("t", sound_lines());
  waveform(desk, "malekeh");
  const std::string first = desk.file("w.vcd");
  waveform(desk, "malekeh");
  CHECK(desk.file("w.vcd") == first);
}

TEST_CASE("a waveform is packed as its name says") {
  const Desk desk;
  desk.trace("t", sound_lines());
  waveform(desk, "malekeh");
  const std::string plain = desk.file("w.vcd");
  for (const std::string packing : {".gz", ".xz"}) {
    desk.succeed({"run", "-p", "malekeh", "-t", "t", "--vcd", "w.vcd" + packing});
    const std::string packed = desk.file("w.vcd" + packing);
    CHECK(packed.size() < plain.size() / 2);
    std::istringstream in(packed);
    boost::iostreams::filtering_istream unpacked;
    if (packing == ".gz")
      unpacked.push(boost::iostreams::gzip_decompressor());
    else
      unpacked.push(boost::iostreams::lzma_decompressor());
    unpacked.push(in);
    std::ostringstream text;
    text << unpacked.rdbuf();
    CHECK(text.str() == plain);
  }
}

TEST_CASE("a waveform in a format that is not written") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* name : {"w.fst", "w.ghw", "w.vcd.bz2", "w.vcd.zst", "w.txt", "w.gz"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", name},
                {name, "expected .vcd, .vcd.gz or .vcd.xz", "vcd2fst"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nvcd: {file: w.fst}\n");
  desk.refuse({"run", "s.yaml"}, {"w.fst", "expected .vcd"});
}

}  // namespace waveform_test
