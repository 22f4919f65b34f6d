#include "subcore/program/analysis/study/trace_lines.h"

#include <unordered_map>

#include "subcore/base/text.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/trace/kernel_header.h"
#include "subcore/model/trace/line_source.h"
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

// `PC mask count` at the cursor.
bool starts_instruction(Cursor c) {
  std::uint64_t number = 0;
  if (!all_hex(c.word())) return false;
  const std::string_view mask = c.word();
  return mask.size() == 8 && all_hex(mask) && text::parse_unsigned(c.word(), number, most_destinations);
}

}  // namespace

struct StudyTraceLines::Impl {
  explicit Impl(const std::filesystem::path& file) : name(file.string()), source(file) { read_header(); }

  void read_header();
  void begin_block();
  bool begin_warp(std::string_view line);
  bool next(StudyLine& line);
  void parse(Cursor cursor, StudyLine& line);
  void parse_registers(Cursor& cursor, const char* role, unsigned most, std::vector<std::uint8_t>& out);
  unsigned words_before_pc(Cursor line) const;
  void check_pc(const StudyLine& line);
  bool next_content(std::string_view& line) {
    while (source.next(line)) {
      line = text::trimmed(line);
      if (!line.empty()) return true;
    }
    return false;
  }

  std::string name;
  LineSource source;
  std::string kernel;
  std::uint64_t blocks_expected = 0;  // 0 = the header does not say
  unsigned bytes = 16;
  bool announces_reuse = false, addresses = false;
  bool in_block = false, layout_known = false;
  unsigned skipped_words = 0;  // before the PC: block, warp, source line
  std::uint64_t blocks = 0, left = 0, counted = 0;
  std::uint32_t warp = 0;
  bool calls = false;                                        // the kernel has called a function
  std::unordered_map<std::uint64_t, std::string> static_at;  // by PC: the instruction that stood there first
};

void StudyTraceLines::Impl::read_header() {
  std::string_view line, value;
  for (;;) {
    if (!next_content(line)) source.fail("file ends inside the header", "#BEGIN_TB");
    if (line == "#BEGIN_TB") break;
    if (line.substr(0, 14) == "#traces format") {
      announces_reuse = line.find("reuse") != std::string_view::npos;
      continue;
    }
    if (line[0] != '-' || line.find('=') == std::string_view::npos)
      source.fail("bad header line " + quoted(line), "'-key = value' or #BEGIN_TB");
    if (text::value_of(line, "-kernel name", value)) {
      kernel = value.substr(0, value.find(' '));
    } else if (text::value_of(line, "-grid dim", value)) {
      Dim3 grid;
      const bool bracketed = value.size() > 2 && value.front() == '(' && value.back() == ')';
      if (!bracketed || !parse_triple(value.substr(1, value.size() - 2), grid) || grid.x == 0 ||
          grid.y == 0 || grid.y > 65535 || grid.z == 0 || grid.z > 65535)
        source.fail("bad value " + quoted(value) + " of 'grid dim'", "(x,y,z)");
      blocks_expected = grid.count();
    } else if (text::value_of(line, "-binary version", value)) {
      std::uint64_t version = 0;
      if (!text::parse_unsigned(value, version, 999))
        source.fail("bad value " + quoted(value) + " of 'binary version'", "60 to 90");
      if (version != 0 && version < 70) bytes = 8;
    }
  }
  if (kernel.empty()) source.fail("header without '-kernel name'", "the key before #BEGIN_TB");
  begin_block();
}

void StudyTraceLines::Impl::begin_block() {
  std::string_view line, value;
  Dim3 id;
  if (!next_content(line)) source.fail("file ends after #BEGIN_TB", "'thread block = x,y,z'");
  if (!text::value_of(line, "thread block", value) || !parse_triple(value, id))
    source.fail("unexpected " + quoted(line), "'thread block = x,y,z'");
  in_block = true;
}

// False when the line ends the block instead.
bool StudyTraceLines::Impl::begin_warp(std::string_view line) {
  if (line == "#END_TB") {
    in_block = false;
    ++blocks;
    return false;
  }
  std::string_view value;
  std::uint64_t number = 0;
  if (!text::value_of(line, "warp", value))
    source.fail("unexpected " + quoted(line) + (counted != 0 ? " after the counted instruction lines" : ""),
                "'warp = w' or #END_TB");
  if (!text::parse_unsigned(value, number, 0xffff)) source.fail("bad warp " + quoted(value), "0 to 65535");
  warp = static_cast<std::uint32_t>(number);
  if (!next_content(line)) source.fail("file ends after a warp's header", "'insts = n'");
  if (!text::value_of(line, "insts", value)) source.fail("unexpected " + quoted(line), "'insts = n'");
  if (!text::parse_unsigned(value, left, 0xffffffffu))
    source.fail("bad instruction count " + quoted(value), "a number from 0 to 4294967295");
  counted = left;
  return true;
}

bool StudyTraceLines::Impl::next(StudyLine& out) {
  std::string_view line;
  out.first_of_warp = false;
  while (left == 0) {
    if (!next_content(line)) {
      if (in_block) source.fail("file ends inside a thread block", "#END_TB");
      if (blocks_expected != 0 && blocks != blocks_expected)
        source.fail("file ends after " + std::to_string(blocks) + " thread blocks",
                    std::to_string(blocks_expected) + " of them, as the grid says");
      return false;
    }
    if (in_block) {
      if (begin_warp(line)) out.first_of_warp = true;
      continue;
    }
    if (line != "#BEGIN_TB") source.fail("unexpected " + quoted(line), "#BEGIN_TB");
    begin_block();
  }
  const bool more = next_content(line);
  if (!more || text::hex_value(line[0]) < 0)
    source.fail((more ? quoted(line) : std::string("file ends")) + " after " +
                    std::to_string(counted - left) + " instruction lines of warp " + std::to_string(warp),
                std::to_string(counted) + " lines");
  --left;
  out.warp = warp;
  out.number = source.line_number();
  parse({line.data(), line.data() + line.size()}, out);
  return true;
}

// Block and warp (tracer versions 1 and 2) and a source line may stand before the PC: the mask's eight digits
// and the count behind it tell.
unsigned StudyTraceLines::Impl::words_before_pc(Cursor line) const {
  for (const unsigned words : {0u, 1u, 4u, 5u}) {
    Cursor c = line;
    for (unsigned i = 0; i < words; ++i) c.word();
    if (starts_instruction(c)) return words;
  }
  return 0;
}

void StudyTraceLines::Impl::parse_registers(Cursor& cursor, const char* role, unsigned most,
                                            std::vector<std::uint8_t>& out) {
  std::string_view word = cursor.word();
  std::uint64_t count = 0, number = 0;
  if (!text::parse_unsigned(word, count, most))
    source.fail("bad " + std::string(role) + " count " + quoted(word),
                "a number from 0 to " + std::to_string(most));
  out.clear();
  for (; count > 0; --count) {
    word = cursor.word();
    if (word.size() < 2 || word[0] != 'R' || !text::parse_unsigned(word.substr(1), number, 255))
      source.fail("bad " + std::string(role) + " register " + quoted(word), "R0 to R255");
    out.push_back(static_cast<std::uint8_t>(number));
  }
}

void StudyTraceLines::Impl::parse(Cursor c, StudyLine& out) {
  if (!layout_known) {
    skipped_words = words_before_pc(c);
    layout_known = true;
  }
  for (unsigned i = 0; i < skipped_words; ++i) c.word();
  std::string_view word = c.word();
  std::uint64_t number = 0;
  if (!all_hex(word) || !text::parse_hex(word, out.pc))
    source.fail("bad program counter " + quoted(word), "up to 16 hexadecimal digits");
  out.pc_digits = static_cast<unsigned>(word.size());
  word = c.word();
  if (word.size() != 8 || !all_hex(word) || !text::parse_hex(word, number))
    source.fail("bad mask " + quoted(word), "8 hexadecimal digits");
  out.mask = static_cast<std::uint32_t>(number);
  parse_registers(c, "destination", most_destinations, out.destinations);
  word = c.word();
  if (word.empty() || word[0] < 'A' || word[0] > 'Z')
    source.fail("bad opcode " + quoted(word), "a name in capitals");
  out.opcode.assign(word);
  parse_registers(c, "source", most_sources, out.sources);
  check_pc(out);
  word = c.word();
  if (!text::parse_unsigned(word, number, 16))
    source.fail("bad access width " + quoted(word), "0, 1, 2, 4, 8 or 16");

  out.reuse = -1;
  out.address_words = 0;
  if (addresses)
    for (Cursor tail = c; !(word = tail.word()).empty();)
      if (word.size() > 3 && word[0] == '0' && word[1] == 'x') ++out.address_words;
  const std::string_view rest = text::trimmed({c.at, static_cast<std::size_t>(c.end - c.at)});
  const std::size_t blank = rest.find_last_of(" \t");
  word = blank == std::string_view::npos ? rest : rest.substr(blank + 1);
  if (word.substr(0, 6) != "reuse=") return;
  if (!text::parse_unsigned(word.substr(6), number, 15))
    source.fail("bad reuse mask " + quoted(word), "reuse=0 to reuse=15");
  out.reuse = static_cast<int>(number);
}

// A program counter has one instruction, unless the kernel calls functions: NVBit counts from 0 again in
// each.
void StudyTraceLines::Impl::check_pc(const StudyLine& line) {
  if (calls || (calls = is_call(line.opcode))) return;
  std::string text = line.opcode + ' ';
  text.append(line.destinations.begin(), line.destinations.end());
  text.append(1, ' ').append(line.sources.begin(), line.sources.end());
  const auto [first, is_new] = static_at.try_emplace(line.pc, text);
  if (is_new || first->second == text) return;
  const std::string before = first->second.substr(0, first->second.find(' '));
  source.fail(subcore::quoted(line.opcode) + " at pc " + pc_text(line.pc) + ", which had " +
                  (before != line.opcode ? subcore::quoted(before) : "other operands") + " before",
              "one instruction at each program counter");
}

StudyTraceLines::StudyTraceLines(const std::filesystem::path& file) : impl_(std::make_unique<Impl>(file)) {}
StudyTraceLines::~StudyTraceLines() = default;

const std::string& StudyTraceLines::kernel_name() const {
  return impl_->kernel;
}
unsigned StudyTraceLines::instruction_bytes() const {
  return impl_->bytes;
}
bool StudyTraceLines::announces_reuse() const {
  return impl_->announces_reuse;
}
void StudyTraceLines::count_addresses(bool yes) {
  impl_->addresses = yes;
}
bool StudyTraceLines::next(StudyLine& line) {
  return impl_->next(line);
}
void StudyTraceLines::fail(std::uint64_t line, const std::string& problem,
                           const std::string& expected) const {
  throw TraceError(impl_->name + ":" + std::to_string(line) + ": " + problem + "; expected " + expected);
}
std::uint64_t StudyTraceLines::bytes_read() const {
  return impl_->source.bytes_read();
}
std::uint64_t StudyTraceLines::bytes_total() const {
  return impl_->source.bytes_total();
}

}  // namespace subcore
