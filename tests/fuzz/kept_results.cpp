// Kept results as JSON: one result, a list, and a results.json to which others are added; and their tables.
#include "subcore/model/statistics/results.h"
#include "subcore/program/runs/results_record.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void kept_results(std::string_view input) {
  const std::string text(input);
  accepts([&] {
    const RunResult result = run_result_from_json(text);
    expect(to_json(run_result_from_json(to_json(result))) == to_json(result),
           "written and read, it is another result");
    imbalance(result);
  });
  accepts([&] {
    std::vector<RunResult> results = run_results_from_json(text);
    normalise(results);
    note_disagreeing_presets(results);
    comparison_table(results, 80);
    sample_table(results);
  });
  if (!accepts([&] { results_in(text, "results.json"); })) return;
  const std::string all = with_results(text, {});
  expect(runs_in(all, "results.json") == runs_in(text, "results.json"), "written again, it lists other runs");
}

}  // namespace subcore::fuzz
