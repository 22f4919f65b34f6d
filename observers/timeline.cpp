#include "subcore/observers/timeline.h"

#include <algorithm>

#include "subcore/base/text_width.h"
#include "subcore/modules/protocol/cycle.h"

namespace subcore {
namespace {

constexpr char wait = '.', none_missing = 'c';

using Kind = TimelineKind;

struct Letter {
  char letter;
  std::string_view meaning;
  const char* colour;  // the terminal's codes for the colour
  Kind kind = Kind::wait;
};
// Letters of waits, by the beginnings of their causes (sb0 to sb5 share one letter). The other letters
// follow.
constexpr Letter causes[] = {
    {'s', "raw_short", "31"},    {'l', "raw_long", "35"},     {'w', "waw", "31"},
    {'a', "war", "31"},          {'m', "memory_order", "31"}, {'k', "control", "31"},
    {'g', "copy_groups", "35"},  {'G', "products", "35"},     {'M', "mbarrier", "34"},
    {'|', "barrier", "34"},      {'o', "operands", "33"},     {'d', "dispatch", "33"},
    {'t', "turn_around", "33"},  {'H', "waiting", "33"},      {'i', "not_active", "90"},
    {',', "not_selected", "32"}, {'n', "stall_count", "31"},  {'b', "sb", "35"},
    {'u', "unit_busy", "33"},    {'P', "port_hold", "33"},    {'q', "unit_queue", "33"},
};
constexpr Letter letters[] = {
    {'F', "fetch", "44", Kind::fetch},
    {wait, "wait", "90"},
    {'I', "issue", "46;30", Kind::operands},
    {none_missing, "collect", "46;30", Kind::operands},
    {'p', "port S", "43;30"},
    {'r', "bank read", "46;30", Kind::operands},
    {'h', "operand cache", "46;30", Kind::operands},
    {'R', "ready", "45", Kind::ready},
    {'X', "execute", "42;30", Kind::execute},
    {'B', "write back", "41", Kind::write_back},
};
constexpr const char* bank_colour = "43;30";

std::vector<Letter> all_letters() {
  std::vector<Letter> all(std::begin(letters), std::end(letters));
  all.insert(all.begin() + 2, std::begin(causes), std::end(causes));  // behind `wait`
  return all;
}

// The letter for a record at present. While operands are missing, the letter says where the first of them is.
char letter_of(const InstructionRecord& record) {
  switch (record.stage) {
    case PipelineStage::fetch:
      return 'F';
    case PipelineStage::wait:
      for (const Letter& l : causes)
        if (record.cause.substr(0, l.meaning.size()) == l.meaning) return l.letter;
      return wait;
    case PipelineStage::issue:
      return 'I';
    case PipelineStage::ready:
      return 'R';
    case PipelineStage::execute:
      return 'X';
    case PipelineStage::write_back:
      return 'B';
    case PipelineStage::collect:
      break;
  }
  for (unsigned s = 0; s < record.sources.size(); ++s) {
    switch (record.whereabouts[s]) {
      case Whereabouts::bank:
        return record.bank[s] < 10 ? static_cast<char>('0' + record.bank[s]) : '#';
      case Whereabouts::port:
        return 'p';
      case Whereabouts::read:
        return 'r';
      case Whereabouts::cache:
        return 'h';
      case Whereabouts::here:
        break;
    }
  }
  return none_missing;
}

}  // namespace

TimelineKind kind_of(char letter) {
  for (const Letter& l : letters)
    if (l.letter == letter) return l.kind;
  return Kind::wait;
}

void Timeline::begins(const InstructionRecord& record, Cycle at) {
  if (options_.warp && record.warp != *options_.warp) return;
  ++instructions_;
  if (rows_.size() == options_.rows) return;
  row_of_[record.id] = rows_.size();
  rows_.push_back({name_of(record), at, {}, letter_of(record)});
}

Timeline::Row* Timeline::change(const InstructionRecord& record, Cycle at) {
  const auto found = row_of_.find(record.id);
  if (found == row_of_.end()) return nullptr;
  Row& row = rows_[found->second];
  row.cells.resize(at - row.begin, row.now);
  row.now = letter_of(record);
  return &row;
}

void Timeline::retires(const InstructionRecord& record, Cycle at) {
  Row* const row = change(record, at);
  if (row == nullptr) return;
  row->retired = true;
  ++retired_;
}

// The cells, in which each run of one letter has its colour.
std::string Timeline::painted(const std::string& cells) const {
  if (!options_.colours) return cells;
  std::string text;
  for (std::size_t n = 0; n < cells.size();) {
    const std::size_t end = std::min(cells.find_first_not_of(cells[n], n), cells.size());
    const char* colour = cells[n] == ' ' || cells[n] == '>' ? "0" : bank_colour;
    for (const Letter& l : all_letters())
      if (l.letter == cells[n]) colour = l.colour;
    text.append("\033[").append(colour).append("m").append(cells, n, end - n).append("\033[0m");
    n = end;
  }
  return text;
}

TimelineTable Timeline::table(Cycle end) const {
  TimelineTable table;
  table.begin = rows_.empty() ? 0 : never;
  std::string used;
  for (const Row& r : rows_) {
    used += r.cells + r.now;
    std::string cells = r.cells;
    if (!r.retired) cells.resize(end + 1 - r.begin, r.now);
    table.begin = std::min(table.begin, r.begin);
    table.end = std::max(table.end, r.begin + cells.size());
    table.rows.push_back({r.name, r.begin, std::move(cells)});
  }
  for (const Letter& l : all_letters())
    if (used.find(l.letter) != std::string::npos)
      table.legend.push_back({std::string(1, l.letter) + ' ' + std::string(l.meaning), l.kind});
  if (used.find_first_of("0123456789#") != std::string::npos)
    table.legend.push_back({"0 to 9 wait for that bank", Kind::wait});
  return table;
}

std::string Timeline::text(Cycle end) const {
  if (rows_.empty()) return "no instruction is under way\n";
  const TimelineTable table = this->table(end);
  const Cycle first = table.begin;
  std::size_t width = 0;
  for (const TimelineTable::Row& r : table.rows) width = std::max(width, r.name.size());
  const std::size_t columns = options_.columns == 0 ? std::string::npos : options_.columns;
  width = std::min(width, columns / 2);
  std::vector<std::string> legend;
  for (const TimelineTable::Meaning& m : table.legend) legend.push_back(m.text);
  std::string text = folded(legend, "  ", 0, columns);
  const auto cut = [&](std::string cells) {
    const std::size_t room = columns - width - 1;
    if (cells.size() <= room) return cells;
    cells.resize(room - 1);
    return cells += '>';
  };
  const auto add = [&](const std::string& name, const std::string& cells) {
    text += padded(shortened(name, width), width) + ' ' + cells + '\n';
  };
  // A number over every tenth column, where there is room for it.
  std::string ruler;
  for (Cycle c = first; c < table.end; ++c) {
    if (c % 10 != 0 && c != first) continue;
    const std::string number = std::to_string(c);
    if (!ruler.empty() && ruler.size() >= c - first) continue;
    ruler.resize(c - first, ' ');
    ruler += number;
  }
  add("cycle", cut(ruler));
  for (const TimelineTable::Row& r : table.rows)
    add(r.name, painted(cut(std::string(r.begin - first, ' ') + r.cells)));
  return text;
}

}  // namespace subcore
