#include "subcore/model/statistics/result_notes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "subcore/model/statistics/cautions.h"

namespace subcore {
namespace {

// The smallest and the largest of the numbers at the same place of several notes, in the notes' own form.
struct NumberRange {
  std::string low, high;
  void add(const std::string& number) {
    if (std::stod(number) < std::stod(low)) low = number;
    if (std::stod(number) > std::stod(high)) high = number;
  }
  std::string text() const { return low == high ? low : low + " to " + high; }
};

constexpr char number_mark = '\1';

// Notes of all runs that differ only in their numbers. In `words` number_mark stands for each number.
struct SameWords {
  std::string words;
  std::vector<NumberRange> numbers;
  std::set<std::size_t> runs;
};

// Takes the numbers that stand alone out of a text. The numbers in 2x16, R5, 1,000 and kernel-3.traceg do not
// stand alone.
SameWords without_numbers(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto joins = [&](std::size_t at) {
    return at < text.size() && (is_digit(text[at]) || (text[at] >= 'a' && text[at] <= 'z') ||
                                (text[at] >= 'A' && text[at] <= 'Z') || text[at] == '_' || text[at] < 0);
  };
  SameWords same;
  for (std::size_t at = 0; at < text.size();) {
    if (!joins(at)) {
      same.words += text[at++];
      continue;
    }
    std::size_t end = at;  // end of the word that begins here, including inner dots, dashes and commas
    while (joins(end) || (end < text.size() &&
                          std::string_view("-.,/").find(text[end]) != std::string::npos && joins(end + 1)))
      ++end;
    const std::string word = text.substr(at, end - at);
    const bool is_plain = word.find_first_not_of("0123456789.") == std::string::npos &&
                          std::count(word.begin(), word.end(), '.') <= 1 && word.size() < 20 &&
                          (at == 0 || text[at - 1] != '-');
    if (is_plain) same.numbers.push_back({word, word});
    same.words += is_plain ? std::string(1, number_mark) : word;
    at = end;
  }
  return same;
}

std::string with_numbers(const SameWords& same) {
  std::string text;
  auto number = same.numbers.begin();
  for (const char c : same.words) text += c == number_mark ? (number++)->text() : std::string(1, c);
  return text;
}

void add(std::vector<SameWords>& notes, const std::string& note, std::size_t run) {
  const SameWords same = without_numbers(note);
  const auto other =
      std::find_if(notes.begin(), notes.end(), [&](const SameWords& s) { return s.words == same.words; });
  SameWords& into = other == notes.end() ? notes.emplace_back(same) : *other;
  into.runs.insert(run);
  for (std::size_t n = 0; n < same.numbers.size(); ++n) into.numbers[n].add(same.numbers[n].low);
}

// The first words, and the number of the others.
std::string some_of(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < words.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + words[i];
  return words.size() > most ? text + " and " + std::to_string(words.size() - most) + " more" : text;
}

// "all runs", "bow on all traces", "all platforms on sgemm", or the runs one by one.
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

// The unknown opcodes of all traces. A trace has the same ones on every platform.
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
  std::vector<SameWords> notes;
  for (std::size_t r = 0; r < results.size(); ++r)
    for (const std::string& note : results[r].notes) add(notes, note, r);
  for (const SameWords& n : notes) line(n.runs, with_numbers(n));
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
