#include "subcore/model/statistics/results.h"

#include <cmath>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "config_text.h"
#include "subcore/base/text_width.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/model/statistics/result_notes.h"

namespace results_test {

using namespace subcore;
using Catch::Contains;
using subcore::test::error_of;

namespace {

RunResult result(const std::string& platform, const std::string& trace, double ipc, double hits,
                 double energy) {
  RunResult r;
  r.platform = platform;
  r.trace = trace;
  r.cycles = 1000;
  r.ipc = ipc;
  r.read_hit_ratio = hits;
  r.bank_reads = 11;
  r.bank_writes = 22;
  r.cache_writes = 33;
  r.energy_total_pj = energy;
  return r;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Words of a line, single spaces.
std::string words_of(const std::string& line) {
  std::istringstream in(line);
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

TEST_CASE("a result that does not add up says what does not") {
  RunResult r = result("ltrf", "bfs", 1, 0.5, 1);
  r.energy_pj = {{"bank_rd", 0.75}, {"xbar_rd", 0.25}};
  r.instructions_retired = r.instructions_traced = 7;
  r.source_operands = 10;
  r.prefetches = 3;
  r.cache_read_hits = 2;
  r.schedulers = 4;
  r.scheduler_cycles = {{"hazard", 3000}, {"issue", 1000}};
  r.stall_cycles = {{"raw_short", 2000}, {"issue", 1000}, {"barrier", 1000}};
  r.kernels = 2;
  KernelResult first, second;
  first.name = "scale";
  first.cycles = 400;
  first.instructions_retired = first.instructions_traced = 4;
  first.source_operands = 10;
  first.cache_read_hits = 2;
  first.bank_reads = 11;
  first.prefetches = 3;
  second.name = "add";
  second.cycles = 600;
  second.instructions_retired = second.instructions_traced = 3;
  second.bank_writes = 22;
  second.cache_writes = 33;
  r.per_kernel = {first, second};
  CHECK(imbalance(r) == "");
  r.own = {{"collection_memory_cycles", 0}, {"execution_memory_cycles", 0}};
  for (KernelResult& k : r.per_kernel) k.own = r.own;
  CHECK(imbalance(r) == "");
  r.own[0].second = r.per_kernel[0].own[0].second = 3;
  CHECK(imbalance(r) == "3 collection_memory_cycles; expected 0 from issue to retirement, at most");
  r.own[1].second = r.per_kernel[1].own[1].second = 3;
  CHECK(imbalance(r) == "");
  r.per_kernel[1].cycles = 599;
  CHECK(imbalance(r) == "999 cycles of all kernels; expected 1000, as of the run");
  r.per_kernel[1].cycles = 600;
  // A count that one kernel has too much is missing from the next.
  r.per_kernel[0].bank_writes = 23;
  r.per_kernel[1].bank_writes = 22u - 23u;
  CHECK(imbalance(r) == "23 bank_writes of kernel scale; expected 22 of the run, at most");
  r.per_kernel[0].bank_writes = 0;
  r.per_kernel[1].bank_writes = 22;
  r.per_kernel[1].instructions_retired = 2;
  CHECK(imbalance(r) == "2 instructions retired of kernel add; expected 3, as traced");
  r.per_kernel[1].instructions_retired = 3;
  r.energy_pj[1].second += 2e-9;
  CHECK_THAT(imbalance(r), Contains(" pJ are the sum of all events' energies; expected 1, the total"));
  r.energy_pj[1].second = 0.25 - 0.5e-9;  // rounding
  CHECK(imbalance(r) == "");
  r.energy_total_pj = std::nan("");
  CHECK_THAT(imbalance(r), Contains(" pJ are the sum of all events' energies; expected nan, the total"));
  r.energy_total_pj = 1;
  r.kernels = 3;
  CHECK(imbalance(r) == "2 kernels have ended; expected 3, as started");
  r.kernels = 2;
  for (std::optional<double>* share : {&r.l1_stall_ratio, &r.l2_stall_ratio, &r.dram_stall_ratio}) {
    *share = 1.5;
    CHECK_THAT(imbalance(r), Contains("1.5 of the cycles of a level"));
    *share = 1;
    CHECK(imbalance(r).empty());
  }
  --r.stall_cycles[2].second;
  CHECK(imbalance(r) == "2999 hazard cycles have a cause; expected 3000, as many as there are");
  r.stall_cycles[2] = {"drained", 1000};
  CHECK(imbalance(r) == "2000 hazard cycles have a cause; expected 3000, as many as there are");
  r.stall_cycles[2] = {"barrier", 1000};
  --r.scheduler_cycles[0].second;
  CHECK(imbalance(r) == "3999 scheduler cycles have a state; expected 4000, cycles times schedulers");
  r.bank_reads = 12;
  CHECK(imbalance(r) == "14 operands came from caches and banks; expected 13, as collected and prefetched");
  r.instructions_retired = 6;
  CHECK(imbalance(r) == "6 instructions retired; expected 7, as traced");
}

TEST_CASE("a result goes through JSON unchanged, under its stable keys") {
  RunResult r = result("malekeh", "bfs", 1.0 / 3, 0.464, 12.5);
  r.system = "malekeh,part";
  r.swept = {{"sub_core.collector.entries", "7"}, {"a", "b"}};  // not alphabetical either
  r.instructions_retired = 18446744073709551615u;
  r.source_operands = 5;
  r.cache_read_hits = 6;
  r.bank_read_wait_cycles = 7;
  r.operand_storage_bytes = 6144;
  r.prefetches = 3;
  r.schedulers = 4;
  r.scheduler_cycles = {{"waiting", 1}, {"issue", 2}};
  r.stall_cycles = {{"war", 7}, {"barrier", 4}};
  r.energy_pj = {{"xbar_rd", 10.25}, {"bank_rd", 2.25}};  // not alphabetical: the order is kept
  r.energy_by_preset_pj = {{"z", 4}, {"a", 12.5}};
  r.operands_checked = 8;
  r.stale_operands = 9;
  r.instructions_traced = 10;
  r.kernels = 11;
  r.ctas = 12;
  r.per_kernel.resize(2);
  r.per_kernel[0].name = "scale";
  r.per_kernel[1].name = "add";
  std::uint64_t n = 100;
  for (const ResultColumn& c : result_columns().all())
    if (const auto* m = std::get_if<std::uint64_t KernelResult::*>(&c.of_kernel)) r.per_kernel[1].** m = ++n;
  REQUIRE(n == 111);
  r.per_kernel[1].energy_total_pj = 0.25;
  r.sthld_mean = 3.5;
  r.l2_hit_ratio = 0.125;
  r.unknown_opcodes = {{"FOO", 3}};
  r.notes = {"a \"note\"", "two\nlines"};
  r.seed = 13;
  r.wall_seconds = 0.1;

  const std::string text = to_json(r);
  const RunResult back = run_result_from_json(text);
  CHECK(to_json(back) == text);
  CHECK(back.platform == "malekeh");
  CHECK(back.trace == "bfs");
  CHECK(back.ipc == 1.0 / 3);
  CHECK(back.instructions_retired == 18446744073709551615u);
  CHECK(back.energy_pj == r.energy_pj);
  CHECK(back.energy_by_preset_pj == r.energy_by_preset_pj);
  CHECK(back.system == r.system);
  CHECK(back.swept == r.swept);
  CHECK(back.schedulers == 4);
  CHECK(back.scheduler_cycles == r.scheduler_cycles);
  CHECK(back.stall_cycles == r.stall_cycles);
  CHECK(back.energy_total_pj == 12.5);
  REQUIRE(back.per_kernel.size() == 2);
  CHECK(back.per_kernel[1].name == "add");
  for (const ResultColumn& c : result_columns().all())
    CHECK(c.count(back.per_kernel[1]) == c.count(r.per_kernel[1]));
  CHECK(back.per_kernel[1].energy_total_pj == 0.25);
  CHECK(back.sthld_mean == 3.5);
  CHECK_FALSE(back.l1_hit_ratio);
  CHECK(back.l2_hit_ratio == 0.125);
  CHECK(back.unknown_opcodes == r.unknown_opcodes);
  CHECK(back.notes == r.notes);
  CHECK_FALSE(back.energy_normalised);
  CHECK(to_json(r, true).find('\n') == to_json(r, true).size() - 1);
  CHECK(to_json(run_result_from_json(to_json(r, true))) == text);

  const auto json = nlohmann::json::parse(text);
  for (const char* key : {"platform",
                          "trace",
                          "cycles",
                          "instructions_retired",
                          "ipc",
                          "source_operands",
                          "cache_read_hits",
                          "read_hit_ratio",
                          "bank_reads",
                          "bank_writes",
                          "cache_writes",
                          "bank_read_wait_cycles",
                          "energy_pj",
                          "energy_by_preset_pj",
                          "schedulers",
                          "scheduler_cycles",
                          "stall_cycles",
                          "operands_checked",
                          "stale_operands",
                          "seed",
                          "wall_seconds",
                          "instructions_traced",
                          "kernels",
                          "ctas",
                          "per_kernel",
                          "sthld_mean",
                          "l2_hit_ratio",
                          "unknown_opcodes",
                          "notes"})
    CHECK(json.contains(key));
  CHECK_FALSE(json.contains("energy_normalised"));
  CHECK_FALSE(json.contains("l1_hit_ratio"));
  CHECK(json["per_kernel"][1]["instructions_retired"] == r.per_kernel[1].instructions_retired);
  CHECK(json["energy_pj"]["total"] == 12.5);
  CHECK(json["energy_pj"]["xbar_rd"] == 10.25);

  r.energy_normalised = 0.7;
  r.ipc_normalised = 1.1;
  const auto both = run_results_from_json(to_json(std::vector<RunResult>{r, back}));
  REQUIRE(both.size() == 2);
  CHECK(both[0].energy_normalised == 0.7);
  CHECK(both[0].ipc_normalised == 1.1);
  CHECK(to_json(both[1]) == text);
}

TEST_CASE("text that is no result is an error of one line") {
  for (const char* text : {"", "{", "[]", "{\"platform\": 3}", "{\"platform\": \"x\"}"}) {
    const std::string message = error_of([&] { run_result_from_json(text); });
    CHECK_THAT(message, Contains("not a run result: "));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("results are normalised to the first platform on the same trace") {
  std::vector<RunResult> results{result("base", "a", 2, 0, 100), result("new", "a", 3, 0, 60),
                                 result("new", "b", 4, 0, 50),   result("base", "b", 2, 0, 200),
                                 result("new", "c", 4, 0, 50),   result("base", "d", 0, 0, 0),
                                 result("new", "d", 1, 0, 1),    result("uncounted", "a", 3, 0, 0)};
  normalise(results);
  CHECK(results[0].energy_normalised == 1.0);
  CHECK(results[1].energy_normalised == 0.6);
  CHECK(results[1].ipc_normalised == 1.5);
  CHECK(results[2].energy_normalised == 0.25);  // the base may come later
  CHECK(results[2].ipc_normalised == 2.0);
  CHECK_FALSE(results[4].energy_normalised);  // the base did not run c
  CHECK_FALSE(results[6].energy_normalised);  // nothing to divide by
  CHECK_FALSE(results[6].ipc_normalised);
  CHECK_FALSE(results[7].energy_normalised);  // nothing to divide
  CHECK(results[7].ipc_normalised == 1.5);
  std::vector<RunResult> none;
  normalise(none);
}

TEST_CASE("energy presets that disagree about a scheme are noted") {
  std::vector<RunResult> results{result("base", "a", 2, 0, 100), result("new", "a", 3, 0, 60),
                                 result("even", "a", 3, 0, 60), result("new", "b", 3, 0, 60)};
  results[0].energy_by_preset_pj = {{"p", 100}, {"q", 200}, {"r", 300}, {"s", 0}};
  results[1].energy_by_preset_pj = {{"p", 60}, {"q", 250}, {"r", 270}, {"s", 9}};
  results[2].energy_by_preset_pj = {
      {"p", 60}, {"q", 200.9}, {"r", 300}, {"s", 9}};               // q within half a per cent
  results[3].energy_by_preset_pj = results[1].energy_by_preset_pj;  // the base did not run this trace
  note_disagreeing_presets(results);
  CHECK(results[1].notes ==
        std::vector<std::string>{
            "energy presets disagree: less than base by p (0.600), r (0.900); more by q (1.250)"});
  for (const std::size_t i : {0u, 2u, 3u}) CHECK(results[i].notes.empty());
}

TEST_CASE("the table has a block per trace and one of averages") {
  const std::vector<RunResult> results{result("base", "a", 2, 0, 100), result("new", "a", 4, 0.5, 25),
                                       result("base", "b", 2, 0, 100), result("new", "b", 2, 0.3, 100)};
  const auto lines = lines_of(comparison_table(results));
  REQUIRE(lines.size() == 14);
  CHECK(lines[0] == "a");
  CHECK(words_of(lines[1]) ==
        "platform machine cycles IPC vs first read hits bank reads bank writes cache writes energy vs first");
  CHECK(words_of(lines[2]) == "base 1000 2.000 1.000 0.0 % 11 22 33 1.000");
  CHECK(words_of(lines[3]) == "new 1000 4.000 2.000 50.0 % 11 22 33 0.250");
  CHECK(lines[5] == "b");
  CHECK(lines[10] == "average over 2 traces");
  CHECK(words_of(lines[12]) == "base - 2.000 1.000 0.0 % - - - 1.000");
  // Geometric for ratios (2 and 1, 1/4 and 1), arithmetic for hit ratios.
  CHECK(words_of(lines[13]) == "new - 2.828 1.414 40.0 % - - - 0.500");
  for (std::size_t i : {1u, 2u, 3u, 13u}) CHECK(lines[i].size() == lines[1].size());
}

TEST_CASE("the table keeps to 80 columns, and long names stay distinct") {
  std::vector<RunResult> results;
  for (const char* platform : {"rtx2060_software_rfc_monolithic", "rtx2060_software_rfd_monolithic", "bow"})
    for (const std::string& trace : {std::string(100, 't'), std::string("caf\xc3\xa9")}) {
      results.push_back(result(platform, trace, 2, 0.5, 100));
      results.back().cycles = 123456789012;
    }
  const std::string table = comparison_table(results, usual_width);
  const auto lines = lines_of(table);
  REQUIRE(lines.size() == 17);
  for (const std::string& line : lines) CHECK(text_width(line) <= 80);
  CHECK(words_of(lines[1]) == "platform cycles IPC vs first read hits energy vs first");
  CHECK(words_of(lines[2]) == "rtx2060_s~onolithic 123456789012 2.000 1.000 50.0 % 1.000");
  CHECK(words_of(lines[3]) == "rtx2060_software_~2 123456789012 2.000 1.000 50.0 % 1.000");
  CHECK(words_of(lines[4]) == "bow 123456789012 2.000 1.000 50.0 % 1.000");
  CHECK(lines[6] == "caf\xc3\xa9");
  for (const std::size_t i : {2u, 3u, 4u, 14u, 15u, 16u}) CHECK(lines[i].size() == lines[1].size());
  const std::string wide = comparison_table(results);
  CHECK_THAT(wide, Contains("rtx2060_software_rfc_monolithic") && Contains(std::string(100, 't')) &&
                       Contains("bank writes"));
}

TEST_CASE("the first column that there is no room for ends the table") {
  const std::vector<RunResult> results{result("base", "a", 2, 0, 100)};
  const auto heading = [&](std::size_t limit) {
    return words_of(lines_of(comparison_table(results, limit))[1]);
  };
  CHECK(heading(63) == "platform cycles IPC vs first read hits energy vs first");
  CHECK(heading(62) == "platform cycles IPC vs first read hits");
  CHECK(heading(40) == "platform cycles IPC vs first");
}

TEST_CASE("the hit ratio of the L1s stands in the table if there are any, and names need not be shortened") {
  std::vector<RunResult> results{result("base", "a", 2, 0, 100), result("gpu", "a", 2, 0, 100)};
  CHECK(comparison_table(results).find("L1") == std::string::npos);
  results[1].l1_hit_ratio = 0.25;
  const auto lines = lines_of(comparison_table(results, usual_width));
  CHECK(words_of(lines[1]) == "platform cycles IPC vs first read hits energy vs first L1 hits");
  CHECK(words_of(lines[2]) == "base 1000 2.000 1.000 0.0 % 1.000 -");
  CHECK(words_of(lines[3]) == "gpu 1000 2.000 1.000 0.0 % 1.000 25.0 %");
  const auto heading = [&](std::size_t limit) { return lines_of(comparison_table(results, limit))[1]; };
  CHECK_THAT(heading(72), Contains("L1 hits"));
  CHECK_THAT(heading(71), Contains("energy vs first") && !Contains("L1 hits"));
  results[0].platform = std::string(40, 'x');
  CHECK_THAT(heading(80), Contains("energy vs first") && !Contains("L1 hits"));
  CHECK_THAT(heading(0), Contains("cache writes  energy vs first  L1 hits"));
  results.push_back(results[1]);
  results.push_back(results[0]);
  results[2].trace = results[3].trace = "b";
  results[2].l1_hit_ratio = 0.75;
  const auto averages = lines_of(comparison_table(results));
  CHECK_THAT(averages.back(), Contains("50.0 %"));
}

TEST_CASE("notes are a line a kind with the runs it holds for") {
  std::vector<RunResult> results{result("base", "a", 2, 0, 1), result("bow", "a", 2, 0, 1),
                                 result("base", "b", 2, 0, 1), result("bow", "b", 2, 0, 1)};
  CHECK(notes_text(results).empty());
  results[0].unknown_opcodes = results[1].unknown_opcodes = {{"QUUX", 2}};
  CHECK(notes_text(results) ==
        "note: all platforms on a: unknown opcode QUUX (2 static instructions) ran as its family\n");
  results[2].unknown_opcodes = results[3].unknown_opcodes = {{"QUUX", 1}, {"IADD9", 5}};
  CHECK(notes_text(results) ==
        "note: all runs: unknown opcodes IADD9 (5 static instructions), QUUX (3) ran as their families\n");
  for (RunResult& r : results) r.unknown_opcodes.clear();
  results[1].notes = {"energy presets disagree: less than base by p (0.9); more by q (1.1)"};
  CHECK(notes_text(results) ==
        "note: bow on a: energy presets disagree: less than base by p (0.9); more by q (1.1)\n");
  results[3].notes = {"energy presets disagree: less than base by p (0.8); more by q (1.2)",
                      "only kernel 1 of 2"};
  CHECK(
      notes_text(results) ==
      "note: bow on all traces: energy presets disagree: less than base by p (0.8 to 0.9); more by q (1.1 to "
      "1.2)\n"
      "note: bow on b: only kernel 1 of 2\n");
  results[0].notes = {"only kernel 1 of 2"};
  CHECK_THAT(notes_text(results), Contains("note: base on a, bow on b: only kernel 1 of 2\n"));
}

TEST_CASE("a note of several runs states the range of their numbers, and no number of one of them for all") {
  const auto note_of = [](const std::vector<std::string>& notes) {
    std::vector<RunResult> results;
    for (std::size_t n = 0; n < notes.size(); ++n) {
      results.push_back(result("p" + std::to_string(n), "a", 2, 0, 1));
      results.back().notes = {notes[n]};
    }
    return notes_text(results);
  };
  CHECK(note_of({"few: 7 of 90 decisions", "few: 12 of 9 decisions", "few: 10 of 90 decisions"}) ==
        "note: all runs: few: 7 to 12 of 9 to 90 decisions\n");
  CHECK(note_of({"only kernel 1 of 2", "only kernel 1 of 10"}) ==
        "note: all runs: only kernel 1 of 2 to 10\n");
  CHECK(note_of({"x 1.50 %, y", "x 1.5 %, y"}) ==
        "note: all runs: x 1.50 %, y\n");  // the number has the form of a note
  // Names with digits are no numbers. Notes with other words are not merged: less for one is more for
  // another.
  CHECK(note_of({"e: 2x16 by formula", "e: 2x8 by formula", "e: 2x16 by formula"}) ==
        "note: p0 on a, p2 on a: e: 2x16 by formula\nnote: p1 on a: e: 2x8 by formula\n");
  CHECK(
      note_of({"presets disagree: less by p (0.9)", "presets disagree: more by p (1.1)"}) ==
      "note: p0 on a: presets disagree: less by p (0.9)\nnote: p1 on a: presets disagree: more by p (1.1)\n");
  for (const char* name : {"R5", "sm_75", "0x1450", "kernel-3.traceg", "1,000", "-4", "1.2.3", "a/b-2"}) {
    const std::string one = "n: " + std::string(name), other = "n: 1" + std::string(name);
    CHECK(note_of({one, other}) == "note: p0 on a: " + one + "\nnote: p1 on a: " + other + '\n');
  }
}

TEST_CASE("averages cover only traces that every platform ran") {
  std::vector<RunResult> results{result("base", "a", 2, 0, 1), result("new", "a", 4, 0, 1),
                                 result("base", "b", 2, 0, 1), result("new", "b", 4, 0, 1),
                                 result("base", "c", 9, 0, 1)};
  CHECK_THAT(comparison_table(results), Contains("average over 2 traces that every platform ran\n"));
  results.erase(results.begin() + 3);
  CHECK(comparison_table(results).find("average") == std::string::npos);
  CHECK(comparison_table({results[0]}).find("average") == std::string::npos);
  CHECK(comparison_table({}).empty());
}

TEST_CASE("interval rows as CSV") {
  IntervalRow row;
  row.cycle = 10000;
  row.instructions = 5000;
  row.ipc = 0.5;
  row.source_operands = 9;
  row.cache_read_hits = 3;
  row.read_hit_ratio = 1.0 / 3;
  row.sthld = 4;
  row.state = 6;
  row.energy_pj = 1e6;
  CHECK(intervals_csv({row}) ==
        "cycle,instructions,ipc,source_operands,cache_read_hits,read_hit_ratio,sthld,state,energy_pj\n"
        "10000,5000,0.5,9,3,0.3333333333333333,4,6,1000000\n");
}

}  // namespace results_test
