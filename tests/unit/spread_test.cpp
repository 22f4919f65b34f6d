#include "subcore/model/statistics/spread.h"

#include <cmath>

#include <catch2/catch.hpp>

namespace spread_test {

using namespace subcore;
using Catch::Contains;

namespace {

RunResult member(const std::string& platform, const std::string& trace, std::uint64_t number, double ipc,
                 double energy) {
  RunResult r;
  r.platform = platform + (number == 0 ? "" : ",member=" + std::to_string(number));
  r.trace = trace;
  r.member = number;
  if (number != 0) r.member_of = platform;
  r.cycles = 1000 + number;
  r.ipc = ipc;
  r.energy_total_pj = energy;
  return r;
}

}  // namespace

TEST_CASE("a spread is a mean, its interval by Student's t, and the worst") {
  const auto s = spread_over({1, 2, 3}, WorstEnd::lowest);
  REQUIRE(s);
  CHECK(s->mean == Approx(2));
  CHECK(s->half_width == Approx(4.302653 / std::sqrt(3.0)));  // t of two degrees of freedom
  CHECK(s->worst == 1);
  CHECK(spread_over({1, 2, 3}, WorstEnd::highest)->worst == 3);
  CHECK(s->includes(4.4));
  CHECK_FALSE(s->includes(4.5));
  CHECK_FALSE(spread_over({1}, WorstEnd::lowest));
  CHECK_FALSE(spread_over({1, std::nan("")}, WorstEnd::lowest));
  const auto same = spread_over({0.1, 0.1, 0.1}, WorstEnd::lowest);
  CHECK(same->mean == 0.1);
  CHECK(same->half_width == 0);
}

TEST_CASE("ratios are of members with the same seed and start, and means of traces member by member") {
  std::vector<RunResult> results;
  const double base[] = {1, 2, 4}, other[] = {2, 4, 8};
  for (const char* trace : {"a", "b"})
    for (std::uint64_t m = 0; m < 3; ++m) {
      results.push_back(member("base", trace, m, base[m], 10));
      results.push_back(
          member("other", trace, m, other[m] * (trace[0] == 'b' ? 4 : 1), 10 + static_cast<double>(m)));
    }
  normalise(results);
  add_spreads(results);
  const RunResult& first = results[1];
  REQUIRE(first.platform == "other");
  CHECK(*value_of(first.spread, "members") == 3);
  CHECK(*value_of(first.spread, "confidence") == 0.95);
  const auto ratio = spread_of(first, "ipc_normalised");
  REQUIRE(ratio);
  CHECK(ratio->mean == Approx(2));
  CHECK(ratio->half_width == Approx(0).margin(1e-12));
  CHECK(spread_of(first, "ipc")->worst == 2);
  CHECK(spread_of(first, "cycles")->worst == 1002);
  CHECK(spread_of(first, "energy_normalised")->worst == Approx(1.2));
  for (const RunResult& r : results) CHECK(r.spread.empty() == (r.member != 0));
  CHECK(spread_of_means(results, {&results[1], &results[7]}, "ipc_normalised")->mean == Approx(4));
  CHECK_FALSE(value_of(first.spread, "energy_by_table_least"));  // the run has no table
  const RunResult back = run_result_from_json(to_json(results[1]));
  CHECK(back.spread == results[1].spread);
  CHECK_FALSE(back.member_of);
  CHECK(*run_result_from_json(to_json(results[3])).member_of == "other");
  const std::string table = spread_table(results);
  CHECK_THAT(table, Contains("over 3 seeds and starts") && Contains("\naverage over 2 traces\n") &&
                        Contains("  other      9.333") && !Contains("member="));
  CHECK(spread_table({member("alone", "a", 0, 1, 1)}).empty());
}

TEST_CASE("the spread of an energy stands beside its range over tables") {
  std::vector<RunResult> results;
  for (const char* trace : {"a", "b"})
    for (std::uint64_t m = 0; m < 2; ++m) {
      results.push_back(member("base", trace, m, 1, 10));
      results.back().energy_by_preset_pj = {{"p", 10}, {"q", 100}};
      results.push_back(member("new", trace, m, 1, 8));
      results.back().energy_by_preset_pj = {{"p", 8}, {"q", m == 0 ? 110.0 : 130.0}};
    }
  normalise(results);
  add_spreads(results);
  REQUIRE(results[1].platform == "new");
  CHECK(*value_of(results[1].spread, "energy_by_table_least") == Approx(0.8));
  CHECK(*value_of(results[1].spread, "energy_by_table_most") == Approx(1.2));  // the mean over members
  const std::string table = spread_table(results);
  CHECK_THAT(table, Contains("  0.800-1.200\n") && Contains("by tables\n"));
  CHECK_THAT(table.substr(table.find("average")), Contains("  0.800-1.200\n"));
}

TEST_CASE("energies beside the first platform's are a range over tables, of runs and of means") {
  std::vector<RunResult> results;
  for (const char* trace : {"a", "b"}) {
    results.push_back(member("base", trace, 0, 1, 10));
    results.back().energy_by_preset_pj = {{"p", 10}, {"q", 100}};
    results.push_back(member("new", trace, 0, 1, 8));
    results.back().energy_by_preset_pj = {{"p", 8}, {"q", trace[0] == 'a' ? 110.0 : 440.0}};
  }
  const std::string table = comparison_table(results);
  CHECK_THAT(table, Contains("0.800 0.800-1.100\n") && Contains("0.800 0.800-4.400\n"));
  CHECK_THAT(table.substr(table.find("average")), Contains("0.800 0.800-2.200\n") && Contains(" 1.000\n"));
  normalise(results);
  CHECK(results[1].energy_by_preset_normalised == ByName<double>{{"p", 0.8}, {"q", 1.1}});
}

}  // namespace spread_test
