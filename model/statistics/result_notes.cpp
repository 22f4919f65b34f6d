#include "model/statistics/result_notes.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/statistics/cautions.h"

namespace subcore {
namespace {

// Of a kind, from all runs.
struct NoteKind {
  std::string name;
  std::vector<std::string> details;  // distinct
  std::set<std::size_t> runs;
};

void add(std::vector<NoteKind>& kinds, const std::string& name, const std::string& detail, std::size_t run) {
  auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const NoteKind& k) { return k.name == name; });
  if (kind == kinds.end()) kind = kinds.insert(kinds.end(), NoteKind{name, {}, {}});
  if (std::find(kind->details.begin(), kind->details.end(), detail) == kind->details.end())
    kind->details.push_back(detail);
  kind->runs.insert(run);
}

// The first few, and how many more.
std::string some_of(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > most ? text + " and " + std::to_string(words.size() - most) + " more" : text;
}

// "all runs", "bow on all traces", "all platforms on sgemm", or one by one.
std::string words_of(const std::set<std::size_t>& runs, const std::vector<RunResult>& results) {
  if (runs.size() == results.size() && runs.size() > 1) return "all runs";
  const auto whole_of = [&](std::string RunResult::*member) {
    std::set<std::string> values;
    for (const std::size_t r : runs) values.insert(results[r].*member);
    const auto of_value = [&](const RunResult& r) { return r.*member == *values.begin(); };
    return values.size() == 1 && runs.size() > 1 &&
           runs.size() == static_cast<std::size_t>(std::count_if(results.begin(), results.end(), of_value));
  };
  const RunResult& first = results[*runs.begin()];
  if (whole_of(&RunResult::platform)) return first.platform + " on all traces";
  if (whole_of(&RunResult::trace)) return "all platforms on " + first.trace;
  std::vector<std::string> words;
  for (const std::size_t r : runs) words.push_back(results[r].platform + " on " + results[r].trace);
  return some_of(words, 3);
}

// Whatever the platform, a trace has what it has.
std::string unknown_opcodes(const std::vector<RunResult>& results, std::set<std::size_t>& runs) {
  std::map<std::string, std::uint64_t> all;
  std::set<std::string> traces;
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (results[r].unknown_opcodes.empty()) continue;
    runs.insert(r);
    if (!traces.insert(results[r].trace).second) continue;
    for (const auto& [opcode, count] : results[r].unknown_opcodes) all[opcode] += count;
  }
  std::vector<std::string> words;
  for (const auto& [opcode, count] : all)
    words.push_back(opcode + " (" + std::to_string(count) +
                    (words.empty() ? count == 1 ? " static instruction)" : " static instructions)" : ")"));
  if (words.size() == 1) return "unknown opcode " + words[0] + " ran as its family";
  return "unknown opcodes " + some_of(words, 5) + " ran as their families";
}

}  // namespace

std::string notes_text(const std::vector<RunResult>& results) {
  std::string text;
  const auto line = [&](const std::set<std::size_t>& runs, const std::string& what,
                        const std::string& kind = "note") {
    if (!runs.empty()) text += kind + ": " + words_of(runs, results) + ": " + what + '\n';
  };
  std::set<std::size_t> runs_with_unknown;
  const std::string unknown = unknown_opcodes(results, runs_with_unknown);
  line(runs_with_unknown, unknown);
  std::vector<NoteKind> kinds;
  for (std::size_t r = 0; r < results.size(); ++r)
    for (const std::string& note : results[r].notes) {
      const std::size_t colon = std::min(note.find(": "), note.size());
      add(kinds, note.substr(0, colon), note.substr(colon), r);
    }
  for (const NoteKind& k : kinds)
    line(k.runs, k.details.size() == 1
                     ? k.name + k.details[0]
                     : k.name + k.details[0] + "; and " + std::to_string(k.details.size() - 1) +
                           " more like it (notes in --json)");
  for (const CautionLine& c : caution_lines) {
    std::set<std::size_t> runs;
    for (std::size_t r = 0; r < results.size(); ++r)
      for (const std::string& name : results[r].cautions)
        if (name == c.name) runs.insert(r);
    line(runs, std::string(c.words), std::string("caution ") + c.mark);
  }
  return text;
}

}  // namespace subcore
