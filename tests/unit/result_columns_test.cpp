// The table of columns: the effects of a line in it.
#include "subcore/model/statistics/result_columns.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "config_text.h"
#include "tests/own_column.h"

namespace result_columns_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

using Keys = std::vector<std::string>;

Keys keys_of(const nlohmann::ordered_json& object) {
  Keys keys;
  for (const auto& entry : object.items()) keys.push_back(entry.key());
  return keys;
}

ResultColumn victim_hits() {
  return {"victim_hits", "victim hits", "operands", "victim_hits"};
}

// Two collectors that count something of their own, and an arbiter.
struct Counts {
  CounterList of_first, of_second, of_arbiter, of_cache;
  Counter first{of_first, "victim_hits", "operands", "found"};
  Counter second{of_second, "victim_hits", "operands", "found"};
  Counter writes{of_arbiter, "bank_writes", "operands", "written"};
  Counter back{of_arbiter, "write_backs", "operands", "written back"};
  Counter elsewhere{of_cache, "write_backs", "operands", "not the arbiter's"};
  StatisticsGroup root{"root"};
  Counts() {
    StatisticsGroup& sub_core = root.group("sm_0").group("sub_core_0");
    sub_core.group("collector_0").counters(of_first);
    sub_core.group("collector_1").counters(of_second);
    sub_core.group("arbiter").counters(of_arbiter);
    sub_core.group("operand_cache").counters(of_cache);
  }
};

}  // namespace

TEST_CASE("the keys of a result and of its kernels keep their order") {
  RunResult r;
  r.energy_normalised = r.ipc_normalised = r.sthld_mean = r.l1_hit_ratio = r.l2_hit_ratio = 1;
  r.per_kernel.resize(1);
  const auto json = nlohmann::ordered_json::parse(to_json(r));
  CHECK(keys_of(json) == Keys{"platform",
                              "machine",
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
                              "prefetches",
                              "schedulers",
                              "scheduler_cycles",
                              "stall_cycles",
                              "operand_storage_bytes",
                              "storage_bits",
                              "area_mm2",
                              "leakage_mw",
                              "energy_pj",
                              "energy_by_preset_pj",
                              "energy_normalised",
                              "ipc_normalised",
                              "operands_checked",
                              "stale_operands",
                              "instructions_traced",
                              "kernels",
                              "ctas",
                              "per_kernel",
                              "sthld_mean",
                              "l1_hit_ratio",
                              "l2_hit_ratio",
                              "unknown_opcodes",
                              "notes",
                              "cautions",
                              "seed",
                              "start_cycle",
                              "member",
                              "wall_seconds"});
  CHECK(keys_of(json["per_kernel"][0]) ==
        Keys{"name", "cycles", "ctas", "ctas_at_once", "instructions_traced", "instructions_retired",
             "source_operands", "cache_read_hits", "bank_reads", "bank_writes", "cache_writes", "prefetches",
             "energy_total_pj"});
}

TEST_CASE("a column of one's own is summed, written, read back and stands in the table") {
  const OwnColumn column(victim_hits());
  Counts counts;
  const ColumnSums sums(counts.root);
  counts.first += 3;  // counted after the counters were looked for
  counts.second += 4;
  RunResult with, without;
  sums.read(with);
  ColumnSums(StatisticsGroup("another platform")).read(without);
  CHECK(with.own == ByName<std::uint64_t>{{"victim_hits", 7}});
  CHECK(without.own.empty());
  KernelResult kernel;
  sums.read(kernel);
  with.per_kernel = {kernel};

  const std::string text = to_json(with, true);
  const auto json = nlohmann::ordered_json::parse(text);
  CHECK(json["victim_hits"] == 7);
  CHECK(json["per_kernel"][0]["victim_hits"] == 7);
  CHECK(keys_of(json).back() == "victim_hits");
  CHECK_FALSE(nlohmann::json::parse(to_json(without)).contains("victim_hits"));
  const RunResult back = run_result_from_json(text);
  CHECK(back.own == with.own);
  CHECK(back.per_kernel[0].own == with.own);
  CHECK(to_json(back, true) == text);
  CHECK(run_result_from_json(to_json(without)).own.empty());
  CHECK_THAT(error_of([&] {
               auto wrong = json;
               wrong["victim_hits"] = "many";
               run_result_from_json(wrong.dump());
             }),
             Contains("not a run result: "));

  with.platform = "victim";
  without.platform = "malekeh";
  with.trace = without.trace = "a";
  std::vector<RunResult> results{with, without};
  with.trace = without.trace = "b";
  results.insert(results.end(), {with, without});
  const std::string table = comparison_table(results);
  CHECK_THAT(table, Contains("energy vs first  victim hits\n"));
  CHECK_THAT(table, Contains("-            7\n") && Contains("-            -\n"));
  CHECK_THAT(comparison_table(results, 80), Contains("energy vs first  victim hits\n"));
  CHECK(comparison_table(results, 60).find("victim hits") == std::string::npos);
  // Once with the number and once without for each trace, and no average of counts.
  const auto rows_with = [&](const std::string& end) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = table.find(end, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  CHECK(rows_with(" 7\n") == 2);
  CHECK(rows_with(" -\n") == 2 + 2);
}

TEST_CASE(
    "a column that is always there stands in the table at the cost of others, however long its name is") {
  ResultColumn long_name = victim_hits();
  long_name.heading = "operands found in victim buffers of all collectors";  // 50 letters
  RunResult r;
  r.platform = "victim";
  r.trace = "a";
  r.own = {{"victim_hits", 7}};
  const auto heading = [&](std::size_t limit) {
    const std::string table = comparison_table({r}, limit);
    const std::size_t begin = table.find('\n') + 1;
    return table.substr(begin, table.find('\n', begin) - begin);
  };
  {
    const OwnColumn column(long_name);
    CHECK_THAT(heading(80), !Contains("victim buffers"));
  }
  long_name.always = true;
  const OwnColumn column(long_name);
  CHECK(heading(80) == "  platform  cycles    IPC  " + long_name.heading);
  CHECK(heading(20) == "  platform  " + long_name.heading);
  // Names keep some room. Other columns come back if there is more room.
  r.platform = std::string(30, 'x');
  CHECK(heading(20).size() == 2 + 16 + 2 + long_name.heading.size());
  CHECK_THAT(heading(0), Contains("bank reads") && Contains(long_name.heading));
}

TEST_CASE("a column without a heading is not in the table") {
  const OwnColumn column({"victim_hits", "", "operands", "victim_hits"});
  RunResult r;
  r.own = {{"victim_hits", 7}};
  CHECK(comparison_table({r}).find("victim") == std::string::npos);
  CHECK_THAT(to_json(r), Contains("\"victim_hits\": 7"));
}

TEST_CASE("the kernels of a column of one's own make up the run") {
  const OwnColumn column(victim_hits());
  RunResult r;
  r.kernels = 2;
  r.per_kernel.resize(2);
  r.own = {{"victim_hits", 7}};
  r.per_kernel[0].own = {{"victim_hits", 3}};
  r.per_kernel[1].own = {{"victim_hits", 4}};
  CHECK(imbalance(r) == "");
  r.per_kernel[1].own[0].second = 3;
  CHECK(imbalance(r) == "6 victim_hits of all kernels; expected 7, as of the run");
}

TEST_CASE("columns sum the counters of the modules that they name") {
  Counts counts;
  counts.writes += 1;
  counts.back += 20;
  counts.elsewhere += 300;
  RunResult r;
  ColumnSums(counts.root).read(r);
  CHECK(r.bank_writes == 21);
}

TEST_CASE("a column that cannot be is refused") {
  CHECK_THROWS_WITH(result_columns().add({"cycles", "", "cycles", "sm_cycles"}),
                    "'cycles' is a column of the results already");
  const OwnColumn column({"victim_hits", "", "requests", "victim_hits"});
  const Counts counts;
  CHECK_THROWS_WITH(
      ColumnSums(counts.root),
      "results column 'victim_hits' sums requests, but a counter 'victim_hits' counts operands; "
      "expected one unit, or the name of its module before that of the counter "
      "(arbiter.bank_reads)");
}

}  // namespace result_columns_test
