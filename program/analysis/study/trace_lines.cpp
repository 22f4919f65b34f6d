#include "subcore/program/analysis/study/trace_lines.h"

#include "subcore/model/isa/opcodes.h"
#include "subcore/model/trace/kernel_header.h"
#include "subcore/model/trace/trace_position.h"

namespace subcore {
namespace {

using text::Cursor;

constexpr unsigned most_destinations = 8, most_sources = 16;

bool all_hex(std::string_view s) {
  for (const char c : s)
    if (text::hex_value(c) < 0) return false;
  return !s.empty();
}

// Whether `PC mask count` is at the cursor.
bool starts_instruction(Cursor c) {
  std::uint64_t number = 0;
  if (!all_hex(c.word())) return false;
  const std::string_view mask = c.word();
  return mask.size() == 8 && all_hex(mask) && text::parse_unsigned(c.word(), number, most_destinations);
}

}  // namespace

StudyTraceLines::StudyTraceLines(const std::filesystem::path& file) : name_(file.string()), source_(file) {
  read_header();
}

bool StudyTraceLines::next_content(std::string_view& line) {
  while (source_.next(line)) {
    line = text::trimmed(line);
    if (!line.empty()) return true;
  }
  return false;
}

void StudyTraceLines::read_header() {
  std::string_view line, value;
  for (;;) {
    if (!next_content(line)) source_.fail("file ends inside the header", "#BEGIN_TB");
    if (line == "#BEGIN_TB") break;
    if (line.substr(0, 14) == "#traces format") {
      announces_reuse_ = line.find("reuse") != std::string_view::npos;
      continue;
    }
    if (line[0] != '-' || line.find('=') == std::string_view::npos)
      source_.fail("bad header line " + quoted(line), "'-key = value' or #BEGIN_TB");
    if (text::value_of(line, "-kernel name", value)) {
      kernel_ = value.substr(0, value.find(' '));
    } else if (text::value_of(line, "-grid dim", value)) {
      Dim3 grid;
      const bool bracketed = value.size() > 2 && value.front() == '(' && value.back() == ')';
      if (!bracketed || !parse_triple(value.substr(1, value.size() - 2), grid) || grid.x == 0 ||
          grid.y == 0 || grid.y > 65535 || grid.z == 0 || grid.z > 65535)
        source_.fail("bad value " + quoted(value) + " of 'grid dim'", "(x,y,z)");
      blocks_expected_ = grid.count();
    } else if (text::value_of(line, "-binary version", value)) {
      std::uint64_t version = 0;
      if (!text::parse_unsigned(value, version, 999))
        source_.fail("bad value " + quoted(value) + " of 'binary version'", "60 to 90");
      if (version != 0 && version < 70) bytes_ = 8;
    } else if (text::value_of(line, "-accelsim tracer version", value)) {
      std::uint64_t version = 0;
      if (text::parse_unsigned(value.substr(0, value.find('.')), version, 999))
        form_ = line_form(static_cast<std::uint32_t>(version));
    }
  }
  if (kernel_.empty()) source_.fail("header without '-kernel name'", "the key before #BEGIN_TB");
  begin_block();
}

void StudyTraceLines::begin_block() {
  std::string_view line, value;
  Dim3 id;
  if (!next_content(line)) source_.fail("file ends after #BEGIN_TB", "'thread block = x,y,z'");
  if (!text::value_of(line, "thread block", value) || !parse_triple(value, id))
    source_.fail("unexpected " + quoted(line), "'thread block = x,y,z'");
  in_block_ = true;
  counted_ = 0;
}

// Begins a warp. False: the line ends the block instead.
bool StudyTraceLines::begin_warp(std::string_view line) {
  if (line == "#END_TB") {
    in_block_ = false;
    ++blocks_;
    return false;
  }
  std::string_view value;
  std::uint64_t number = 0;
  if (!text::value_of(line, "warp", value))
    source_.fail("unexpected " + quoted(line) + (counted_ != 0 ? " after the counted instruction lines" : ""),
                 "'warp = w' or #END_TB");
  if (!text::parse_unsigned(value, number, 0xffff)) source_.fail("bad warp " + quoted(value), "0 to 65535");
  warp_ = static_cast<std::uint32_t>(number);
  if (!next_content(line)) source_.fail("file ends after a warp's header", "'insts = n'");
  if (!text::value_of(line, "insts", value)) source_.fail("unexpected " + quoted(line), "'insts = n'");
  if (!text::parse_unsigned(value, left_, 0xffffffffu))
    source_.fail("bad instruction count " + quoted(value), "a number from 0 to 4294967295");
  counted_ = left_;
  return true;
}

bool StudyTraceLines::is_mark(Cursor line) const {
  for (unsigned i = 0; i < skipped_words_ + 2; ++i) line.word();
  return is_replay_mark(line);
}

bool StudyTraceLines::next(StudyLine& out) {
  out.first_of_warp = false;
  for (Cursor words{nullptr, nullptr}; next_line(words, out);) {
    if (form_ == LineForm::all_kinds && is_mark(words)) continue;
    out.warp = warp_;
    out.number = source_.line_number();
    parse(words, out);
    return true;
  }
  return false;
}

// Reads the next line of an instruction; false at the end.
bool StudyTraceLines::next_line(Cursor& words, StudyLine& out) {
  std::string_view line;
  while (left_ == 0) {
    if (!next_content(line)) {
      if (in_block_) source_.fail("file ends inside a thread block", "#END_TB");
      if (blocks_expected_ != 0 && blocks_ != blocks_expected_)
        source_.fail("file ends after " + std::to_string(blocks_) + " thread blocks",
                     std::to_string(blocks_expected_) + " of them, as the grid says");
      return false;
    }
    if (in_block_) {
      if (form_ == LineForm::all_kinds && counted_ == 0 && line.substr(0, 8) == "cluster ") continue;
      if (begin_warp(line)) out.first_of_warp = true;
      continue;
    }
    if (line != "#BEGIN_TB") source_.fail("unexpected " + quoted(line), "#BEGIN_TB");
    begin_block();
  }
  const bool more = next_content(line);
  if (!more || text::hex_value(line[0]) < 0)
    source_.fail((more ? quoted(line) : std::string("file ends")) + " after " +
                     std::to_string(counted_ - left_) + " instruction lines of warp " + std::to_string(warp_),
                 std::to_string(counted_) + " lines");
  --left_;
  words = {line.data(), line.data() + line.size()};
  return true;
}

// How many words stand before the PC. Block and warp (tracer versions 1 and 2) and a source line may do so.
// The mask's eight digits and the count behind the mask show where the PC is.
unsigned StudyTraceLines::words_before_pc(Cursor line) const {
  for (const unsigned words : {0u, 1u, 4u, 5u}) {
    Cursor c = line;
    for (unsigned i = 0; i < words; ++i) c.word();
    if (starts_instruction(c)) return words;
  }
  return 0;
}

void StudyTraceLines::parse_registers(Cursor& cursor, const char* role, unsigned most,
                                      std::vector<std::uint8_t>& out) {
  std::string_view word = cursor.word();
  std::uint64_t count = 0, number = 0;
  if (!text::parse_unsigned(word, count, most))
    source_.fail("bad " + std::string(role) + " count " + quoted(word),
                 "a number from 0 to " + std::to_string(most));
  out.clear();
  for (; count > 0; --count) {
    word = cursor.word();
    if (form_ == LineForm::all_kinds && word.find_first_of("UP") == 0) continue;
    if (word.size() < 2 || word[0] != 'R' || !text::parse_unsigned(word.substr(1), number, 255))
      source_.fail("bad " + std::string(role) + " register " + quoted(word), "R0 to R255");
    out.push_back(static_cast<std::uint8_t>(number));
  }
}

void StudyTraceLines::parse(Cursor c, StudyLine& out) {
  if (!layout_known_) {
    skipped_words_ = words_before_pc(c);
    layout_known_ = true;
  }
  for (unsigned i = 0; i < skipped_words_; ++i) c.word();
  std::string_view word = c.word();
  std::uint64_t number = 0;
  if (!all_hex(word) || !text::parse_hex(word, out.pc))
    source_.fail("bad program counter " + quoted(word), "up to 16 hexadecimal digits");
  out.pc_digits = static_cast<unsigned>(word.size());
  word = c.word();
  if (word.size() != 8 || !all_hex(word) || !text::parse_hex(word, number))
    source_.fail("bad mask " + quoted(word), "8 hexadecimal digits");
  out.mask = static_cast<std::uint32_t>(number);
  parse_registers(c, "destination", most_destinations, out.destinations);
  word = c.word();
  if (word.empty() || word[0] < 'A' || word[0] > 'Z')
    source_.fail("bad opcode " + quoted(word), "a name in capitals");
  out.opcode.assign(word);
  parse_registers(c, "source", most_sources, out.sources);
  check_pc(out);
  word = c.word();
  const bool all_kinds = form_ == LineForm::all_kinds;
  if (all_kinds && out.opcode.find("GMMA") != std::string::npos)
    word = c.word();  // the type stands behind a commit flag
  if (!text::parse_unsigned(word, number, all_kinds ? 0xffffffffu : 16))
    source_.fail("bad access width " + quoted(word), "0, 1, 2, 4, 8 or 16");

  out.reuse = -1;
  out.address_words = 0;
  if (addresses_)
    for (Cursor tail = c; !(word = tail.word()).empty();)
      if (word.size() > 3 && word[0] == '0' && word[1] == 'x') ++out.address_words;
  const std::string_view rest = text::trimmed({c.at, static_cast<std::size_t>(c.end - c.at)});
  const std::size_t blank = rest.find_last_of(" \t");
  word = blank == std::string_view::npos ? rest : rest.substr(blank + 1);
  if (word.substr(0, 6) != "reuse=") return;
  if (!text::parse_unsigned(word.substr(6), number, 15))
    source_.fail("bad reuse mask " + quoted(word), "reuse=0 to reuse=15");
  out.reuse = static_cast<int>(number);
}

// Checks that a program counter has one instruction. In a kernel that calls functions it may have several:
// NVBit counts from 0 again in each function.
void StudyTraceLines::check_pc(const StudyLine& line) {
  if (calls_ || (calls_ = is_call(line.opcode))) return;
  std::string text = line.opcode + ' ';
  text.append(line.destinations.begin(), line.destinations.end());
  text.append(1, ' ').append(line.sources.begin(), line.sources.end());
  const auto [first, is_new] = static_at_.try_emplace(line.pc, text);
  if (is_new || first->second == text) return;
  const std::string before = first->second.substr(0, first->second.find(' '));
  source_.fail(subcore::quoted(line.opcode) + " at pc " + pc_text(line.pc) + ", which had " +
                   (before != line.opcode ? subcore::quoted(before) : "other operands") + " before",
               "one instruction at each program counter");
}

void StudyTraceLines::fail(std::uint64_t line, const std::string& problem,
                           const std::string& expected) const {
  throw TraceError(name_ + ":" + std::to_string(line) + ": " + problem + "; expected " + expected);
}
}  // namespace subcore
