#include "subcore/program/report/explanation.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "subcore/base/formatted.h"
#include "subcore/base/json_text.h"
#include "subcore/base/text_width.h"
#include "subcore/model/statistics/cautions.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// A table with the first column aligned to the left and all others to the right.
struct Table {
  std::vector<Row> rows;
  std::vector<std::string> above, below;  // whole lines above and below each row

  void add(Row row, std::string above_it = "", std::string below_it = "") {
    rows.push_back(std::move(row));
    above.push_back(std::move(above_it));
    below.push_back(std::move(below_it));
  }
  std::string text() const {
    std::vector<std::size_t> width;
    for (const Row& row : rows) {
      width.resize(std::max(width.size(), row.size()), 0);
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], text_width(row[c]));
    }
    std::string all;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::string line;
      for (std::size_t c = 0; c < rows[r].size(); ++c)
        line += c == 0 ? padded(rows[r][c], width[c]) : "  " + padded_left(rows[r][c], width[c]);
      line.erase(line.find_last_not_of(' ') + 1);
      all += above[r] + line + '\n' + below[r];
    }
    return all;
  }
};

// Widths of columns with names of runs: several of them have to stand side by side with their numbers.
constexpr std::size_t name_width = 11, kernel_width = 24;

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  return formatted("%.1f %%", percent(part, whole));
}

std::int64_t difference(std::uint64_t second, std::uint64_t first) {
  return static_cast<std::int64_t>(second - first);
}

std::string signed_text(std::int64_t value) {
  return (value > 0 ? "+" : "") + std::to_string(value);
}

std::uint64_t slots_of(const RunProfile& run) {
  return run.cycles * run.schedulers;
}

std::uint64_t cycles_in(const RunProfile& run, IssueState state) {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < scheduler_cause_count; ++c)
    if (stall_causes[c].state == state) sum += run.scheduler_cycles[c];
  return sum;
}

// A line of the tree: a state or a cause.
struct TreeLine {
  std::string name;
  std::vector<std::uint64_t> cycles;  // cycles of each run
};

// The tree of states and causes, without causes that no run has.
std::vector<TreeLine> tree(const std::vector<RunProfile>& runs) {
  std::vector<TreeLine> lines;
  for (std::size_t c = 0; c < scheduler_cause_count; ++c) {
    const StallCauseLine& cause = stall_causes[c];
    if (c == 0 || stall_causes[c - 1].state != cause.state) {
      TreeLine& line = lines.emplace_back();
      line.name = issue_states[static_cast<std::size_t>(cause.state)].name;
      for (const RunProfile& run : runs) line.cycles.push_back(cycles_in(run, cause.state));
    }
    if (is_only_leaf(cause.cause)) continue;
    TreeLine line{std::string("  ") + cause.name, {}};
    for (const RunProfile& run : runs) line.cycles.push_back(run.scheduler_cycles[c]);
    if (std::any_of(line.cycles.begin(), line.cycles.end(), [](std::uint64_t n) { return n != 0; }))
      lines.push_back(std::move(line));
  }
  TreeLine& all = lines.emplace_back();
  all.name = "all";
  for (const RunProfile& run : runs) all.cycles.push_back(slots_of(run));
  return lines;
}

// The tree of runs `first` to `last`. `differs`: also shows what the second run has more than the first.
std::string part_of_tree(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                         std::size_t first, std::size_t last, bool differs) {
  Table out;
  Row heading{"issue slots"};
  for (std::size_t r = first; r <= last; ++r) heading.insert(heading.end(), {names[r], ""});
  if (differs) heading.insert(heading.end(), {"difference", "points"});
  out.add(std::move(heading));
  for (const TreeLine& line : tree(runs)) {
    Row row{line.name};
    for (std::size_t r = first; r <= last; ++r)
      row.insert(row.end(),
                 {std::to_string(line.cycles[r]), percent_text(line.cycles[r], slots_of(runs[r]))});
    if (differs) {
      row.push_back(signed_text(difference(line.cycles[1], line.cycles[0])));
      row.push_back(formatted(
          "%+.1f", percent(line.cycles[1], slots_of(runs[1])) - percent(line.cycles[0], slots_of(runs[0]))));
    }
    out.add(std::move(row));
  }
  return out.text();
}

// The tree of all runs, with as many side by side as a terminal has room for.
std::string tree_text(const std::vector<RunProfile>& runs, const std::vector<std::string>& names) {
  constexpr std::size_t side_by_side = 3;
  const std::size_t first = std::min<std::size_t>(runs.size(), 2);
  std::string text = part_of_tree(runs, names, 0, first - 1, runs.size() > 1);
  for (std::size_t r = first; r < runs.size(); r += side_by_side)
    text += '\n' + part_of_tree(runs, names, r, std::min(r + side_by_side, runs.size()) - 1, false);
  return text;
}

std::string kernel_and_pc(const InstructionRow& row) {
  return shortened(row.kernel, kernel_width) + formatted(" %04llx", static_cast<unsigned long long>(row.pc));
}

// Causes in words, the most frequent first, on lines of their own: "raw_long 1234, operands 5".
std::string causes_text(const InstructionRow& row) {
  std::vector<std::size_t> causes;
  for (std::size_t c = 0; c < row.cycles.size(); ++c)
    if (row.cycles[c] != 0 && stall_causes[c].state != IssueState::issued) causes.push_back(c);
  std::stable_sort(causes.begin(), causes.end(),
                   [&](std::size_t a, std::size_t b) { return row.cycles[a] > row.cycles[b]; });
  std::vector<std::string> parts;
  for (const std::size_t c : causes)
    parts.push_back(std::string(stall_causes[c].name) + ' ' + std::to_string(row.cycles[c]));
  return folded(parts, ", ", 4, usual_width);
}

// Instructions by stall cycles, the most first.
std::vector<const InstructionRow*> worst(const RunProfile& run) {
  std::vector<const InstructionRow*> rows;
  for (const InstructionRow& row : run.instructions) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->stalls() > b->stalls(); });
  return rows;
}

// Sums in the lines below the listed instructions.
struct Sums {
  InstructionRow others, all;
};
Sums sums_of(const RunProfile& run, std::size_t top) {
  Sums s;
  const std::vector<const InstructionRow*> rows = worst(run);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (n >= top) s.others.add(*rows[n]);
    s.all.add(*rows[n]);
  }
  s.all.add(run.no_instruction);
  return s;
}

// Lists instructions. An instruction has its text, its numbers, and its stalls by cause on lines of their
// own.
std::string worst_text(const RunProfile& run, const std::string& name, std::size_t top) {
  Table out;
  out.add({"", "issues", "operands", "hits", "bank reads", "bank waits", "stalls"},
          shortened("instructions of " + name, usual_width) + '\n');
  const auto add_row = [&](const std::string& what, const InstructionRow& row, const std::string& hits) {
    out.add(
        {"", std::to_string(row.issues), std::to_string(row.source_operands), hits,
         std::to_string(row.bank_reads), std::to_string(row.bank_wait_cycles), std::to_string(row.stalls())},
        cut_at_word(what, usual_width) + '\n', causes_text(row));
  };
  const auto hits_of = [](const InstructionRow& row) {
    return std::to_string(row.source_operands - row.bank_reads);
  };
  const std::vector<const InstructionRow*> sorted = worst(run);
  for (std::size_t n = 0; n < std::min(top, sorted.size()); ++n)
    add_row(kernel_and_pc(*sorted[n]) + "  " + sorted[n]->opcode + "  " + sorted[n]->operands, *sorted[n],
            hits_of(*sorted[n]));
  const Sums s = sums_of(run, top);
  if (sorted.size() > top)
    add_row(std::to_string(sorted.size() - top) + " others", s.others, hits_of(s.others));
  add_row("no instruction", run.no_instruction, "");
  add_row("all, by cause in cycles of warps", s.all, std::to_string(run.cache_read_hits));
  return out.text();
}

using Key = std::tuple<std::string, std::uint64_t, std::string>;
Key key_of(const InstructionRow& row) {
  return {row.kernel, row.pc, row.opcode};
}

struct Change {
  const InstructionRow *first = nullptr, *second = nullptr;  // null: the run does not have the instruction
  std::uint64_t stalls(const InstructionRow* row) const { return row != nullptr ? row->stalls() : 0; }
  std::int64_t of_stalls() const { return difference(stalls(second), stalls(first)); }
  const InstructionRow& some() const { return first != nullptr ? *first : *second; }
};

// Changes of instructions, the largest change of stalls first.
std::vector<Change> changes(const RunProfile& first, const RunProfile& second) {
  std::map<Key, Change> by_key;
  for (const InstructionRow& row : first.instructions) by_key[key_of(row)].first = &row;
  for (const InstructionRow& row : second.instructions) by_key[key_of(row)].second = &row;
  std::vector<Change> all;
  for (const auto& [key, change] : by_key) all.push_back(change);
  std::stable_sort(all.begin(), all.end(), [](const Change& a, const Change& b) {
    return std::abs(a.of_stalls()) > std::abs(b.of_stalls());
  });
  return all;
}

std::string changes_text(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                         std::size_t top) {
  Table out;
  out.add({"stalls of instructions", names[0], names[1], "difference"});
  const auto line = [&](const std::string& what, std::uint64_t first, std::uint64_t second) {
    out.add({shortened(what, usual_width / 2), std::to_string(first), std::to_string(second),
             signed_text(difference(second, first))});
  };
  const std::vector<Change> all = changes(runs[0], runs[1]);
  std::uint64_t others[2] = {0, 0},
                sum[2] = {runs[0].no_instruction.stalls(), runs[1].no_instruction.stalls()};
  for (std::size_t n = 0; n < all.size(); ++n) {
    const std::uint64_t stalls[2] = {all[n].stalls(all[n].first), all[n].stalls(all[n].second)};
    for (int r = 0; r < 2; ++r) {
      sum[r] += stalls[r];
      if (n >= top) others[r] += stalls[r];
    }
    if (n < top) line(kernel_and_pc(all[n].some()) + "  " + all[n].some().opcode, stalls[0], stalls[1]);
  }
  if (all.size() > top) line(std::to_string(all.size() - top) + " others", others[0], others[1]);
  line("no instruction", runs[0].no_instruction.stalls(), runs[1].no_instruction.stalls());
  line("all", sum[0], sum[1]);
  return out.text();
}

// Banks of all sub-cores, by number. The last row is the sum of all banks.
std::vector<BankRow> banks_of(const RunProfile& run, std::size_t count) {
  std::vector<BankRow> banks(count + 1);
  for (const RunProfile::Bank& b : run.banks) {
    banks[b.number].add(b.row);
    banks[count].add(b.row);
  }
  return banks;
}

std::size_t bank_count(const RunProfile& run) {
  unsigned highest = 0;
  for (const RunProfile::Bank& b : run.banks) highest = std::max(highest, b.number);
  return run.banks.empty() ? 0 : highest + std::size_t{1};
}

std::string banks_text(const RunProfile& run, const std::string& name) {
  Table out;
  out.add({"bank", "reads", "waits", "a read", "writes", "waits", "a write"},
          shortened("banks of " + name, usual_width) + '\n');
  const std::size_t count = bank_count(run);
  const std::vector<BankRow> banks = banks_of(run, count);
  const auto mean = [](std::uint64_t waits, std::uint64_t n) {
    return n == 0 ? "-" : formatted("%.2f", static_cast<double>(waits) / static_cast<double>(n));
  };
  for (std::size_t b = 0; b <= count; ++b)
    out.add({b < count ? std::to_string(b) : "all", std::to_string(banks[b].reads),
             std::to_string(banks[b].read_wait_cycles), mean(banks[b].read_wait_cycles, banks[b].reads),
             std::to_string(banks[b].writes), std::to_string(banks[b].write_wait_cycles),
             mean(banks[b].write_wait_cycles, banks[b].writes)});
  return out.text();
}

Json cycles_json(const CauseCycles& cycles) {
  Json out = Json::object();
  for (std::size_t c = 0; c < cycles.size(); ++c)
    if (cycles[c] != 0) out[stall_causes[c].name] = cycles[c];
  return out;
}

Json row_json(const InstructionRow& row) {
  return {{"issues", row.issues},         {"source_operands", row.source_operands},
          {"bank_reads", row.bank_reads}, {"bank_wait_cycles", row.bank_wait_cycles},
          {"stalls", row.stalls()},       {"warp_cycles", cycles_json(row.cycles)}};
}

Json named_json(const InstructionRow& row) {
  return {{"kernel", row.kernel}, {"pc", row.pc}, {"opcode", row.opcode}, {"operands", row.operands}};
}

Json run_json(const RunProfile& run, const std::string& name, std::size_t top) {
  Json out{{"name", name},
           {"platform", run.platform},
           {"machine", run.machine},
           {"cycles", run.cycles},
           {"issue_slots", slots_of(run)},
           {"cache_read_hits", run.cache_read_hits},
           {"cautions", run.cautions}};
  Json states = Json::object();
  for (std::size_t c = 0; c < scheduler_cause_count; ++c) {
    Json& state = states[issue_states[static_cast<std::size_t>(stall_causes[c].state)].name];
    if (state.is_null())
      state = {{"cycles", cycles_in(run, stall_causes[c].state)},
               {"percent", percent(cycles_in(run, stall_causes[c].state), slots_of(run))},
               {"causes", Json::object()}};
    state["causes"][stall_causes[c].name] = run.scheduler_cycles[c];
  }
  out["tree"] = std::move(states);
  out["worst"] = Json::array();
  const std::vector<const InstructionRow*> rows = worst(run);
  for (std::size_t n = 0; n < std::min(top, rows.size()); ++n) {
    Json row = named_json(*rows[n]);
    row["hits"] = rows[n]->source_operands - rows[n]->bank_reads;
    row.update(row_json(*rows[n]));
    out["worst"].push_back(std::move(row));
  }
  const Sums s = sums_of(run, top);
  out["others"] = row_json(s.others);
  out["no_instruction"] = row_json(run.no_instruction);
  out["all"] = row_json(s.all);
  out["banks"] = Json::array();
  const std::size_t count = bank_count(run);
  const std::vector<BankRow> banks = banks_of(run, count);
  for (std::size_t b = 0; b < count; ++b)
    out["banks"].push_back({{"bank", b},
                            {"reads", banks[b].reads},
                            {"read_wait_cycles", banks[b].read_wait_cycles},
                            {"writes", banks[b].writes},
                            {"write_wait_cycles", banks[b].write_wait_cycles}});
  return out;
}

Json difference_json(const std::vector<RunProfile>& runs, std::size_t top) {
  Json out = Json::object();
  out["issue_slots"] = difference(slots_of(runs[1]), slots_of(runs[0]));
  for (std::size_t c = 0; c < scheduler_cause_count; ++c)
    object_in(out, "causes")[stall_causes[c].name] =
        difference(runs[1].scheduler_cycles[c], runs[0].scheduler_cycles[c]);
  out["instructions"] = Json::array();
  const std::vector<Change> all = changes(runs[0], runs[1]);
  for (std::size_t n = 0; n < std::min(top, all.size()); ++n) {
    Json row = named_json(all[n].some());
    row["stalls"] = all[n].of_stalls();
    out["instructions"].push_back(std::move(row));
  }
  return out;
}

// A paragraph for each caution, with the runs that have it.
std::string cautions_text(const std::vector<RunProfile>& runs, const std::vector<std::string>& names) {
  std::string text;
  for (const CautionLine& c : caution_lines) {
    std::string of;
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (const std::string& name : runs[r].cautions)
        if (name == c.name) of += (of.empty() ? "" : ", ") + names[r];
    if (!of.empty()) text += '\n' + folded("caution: " + of + ": " + std::string(c.words), 0, usual_width);
  }
  return text;
}

}  // namespace

std::string explanation_text(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                             std::size_t top) {
  const std::vector<std::string> short_names = shortened(names, name_width);
  std::string text = shortened(runs.front().trace, usual_width) + "\n\n" + tree_text(runs, short_names);
  for (std::size_t r = 0; r < runs.size(); ++r) text += '\n' + worst_text(runs[r], names[r], top);
  if (runs.size() > 1) text += '\n' + changes_text(runs, short_names, top);
  for (std::size_t r = 0; r < runs.size(); ++r) text += '\n' + banks_text(runs[r], names[r]);
  return text + cautions_text(runs, names);
}

std::string explanation_json(const std::vector<RunProfile>& runs, const std::vector<std::string>& names,
                             std::size_t top) {
  Json out{{"trace", runs.front().trace}, {"runs", Json::array()}};
  for (std::size_t r = 0; r < runs.size(); ++r) out["runs"].push_back(run_json(runs[r], names[r], top));
  if (runs.size() > 1) out["difference"] = difference_json(runs, top);
  return json_text(out);
}

}  // namespace subcore
