#include <algorithm>
#include <optional>
#include <string>

#include "model/bits.h"
#include "model/trace/instruction_table.h"
#include "model/trace/kernel_header.h"
#include "model/trace/line_source.h"
#include "model/trace/sidecar.h"
#include "model/trace/text.h"
#include "model/trace/trace.h"

namespace subcore {
namespace {

// What stands before the PC on every instruction line of a file.
struct LineLayout {
  bool prefix = false;     // thread block and warp
  bool line_info = false;  // source line number
};

// Whether the words from here on have the shape `PC mask count [R...] OPCODE`. The mask's eight digits and
// the count tell the layouts apart.
bool looks_like_instruction(text::Cursor c, LineLayout layout) {
  std::uint64_t number = 0;
  for (int skip = (layout.prefix ? 4 : 0) + (layout.line_info ? 1 : 0); skip > 0; --skip)
    if (!text::parse_unsigned(c.word(), number)) return false;
  const std::string_view pc = c.word(), mask = c.word();
  if (!text::parse_hex(pc, number) || mask.size() != 8 || !text::parse_hex(mask, number)) return false;
  if (!text::parse_unsigned(c.word(), number, max_destinations)) return false;
  for (; number > 0; --number)
    if (c.word().substr(0, 1) != "R") return false;
  const std::string_view opcode = c.word();
  return !opcode.empty() && opcode[0] >= 'A' && opcode[0] <= 'Z';
}

constexpr std::uint64_t tracked_ctas = std::uint64_t{1} << 26;  // 8 MiB of bits at most

}  // namespace

struct KernelReader::Impl {
  Impl(const std::filesystem::path& file, const OperandOptions& options)
      : path(file),
        source(file),
        header(read_kernel_header(source)),
        sidecar(load_sidecar(file, options)),
        table(code, options, sidecar ? &*sidecar : nullptr) {
    table.allow_immediate(allow_immediate);
    table.limit_registers(header.registers_per_thread);
    if (header.grid.count() <= tracked_ctas) seen_ctas.resize(header.grid.count());
  }

  static std::optional<Sidecar> load_sidecar(const std::filesystem::path& file,
                                             const OperandOptions& options) {
    const std::filesystem::path path = options.use_sidecar ? find_sidecar(file) : std::filesystem::path{};
    if (path.empty()) return std::nullopt;
    return read_sidecar(path);
  }

  bool next(CtaTrace& cta);
  void rewind();
  void read_block_id(CtaTrace& cta);
  void read_warp(CtaTrace& cta, WarpTrace& warp, std::string_view id);
  void read_instruction(const CtaTrace& cta, WarpTrace& warp, const char* begin, const char* end);
  void skip_prefix(const CtaTrace& cta, const WarpTrace& warp, text::Cursor& cursor);
  void choose_layout(text::Cursor line);
  bool next_content(std::string_view& line);

  const std::filesystem::path path;
  LineSource source;
  KernelHeader header;
  CodeTable code;
  std::optional<Sidecar> sidecar;
  InstructionTable table;
  LineLayout layout;
  bool layout_known = false;
  // Only version 5 appends one; a file that does not tell its version gets the benefit of the doubt.
  const bool allow_immediate = header.tracer_version == 5 || header.tracer_version == 0;
  bool ended = false;
  std::uint64_t ctas = 0;
  std::vector<bool> seen_ctas;
  std::uint64_t seen_warps = 0;  // of the current CTA; a CTA has 32 at most
};

bool KernelReader::Impl::next_content(std::string_view& line) {
  while (source.next(line)) {
    line = text::trimmed(line);
    if (!line.empty()) return true;
  }
  return false;
}

void KernelReader::Impl::choose_layout(text::Cursor line) {
  layout = {header.tracer_version == 1 || header.tracer_version == 2, header.line_info};
  layout_known = true;
  const LineLayout declared = layout;
  for (const LineLayout candidate :
       {declared, LineLayout{!declared.prefix, declared.line_info},
        LineLayout{declared.prefix, !declared.line_info}, LineLayout{!declared.prefix, !declared.line_info}})
    if (looks_like_instruction(line, candidate)) {
      layout = candidate;
      return;
    }
}

void KernelReader::Impl::skip_prefix(const CtaTrace& cta, const WarpTrace& warp, text::Cursor& cursor) {
  if (layout.prefix)
    for (const std::uint32_t wanted : {cta.id.x, cta.id.y, cta.id.z, warp.warp}) {
      const std::string_view word = cursor.word();
      std::uint64_t got = 0;
      if (!text::parse_unsigned(word, got) || got != wanted)
        source.fail(
            "line prefix has " + quoted(word) + " where its block and warp have " + std::to_string(wanted),
            "thread block " + std::to_string(cta.id.x) + " " + std::to_string(cta.id.y) + " " +
                std::to_string(cta.id.z) + " and warp " + std::to_string(warp.warp));
    }
  if (layout.line_info) {
    const std::string_view word = cursor.word();
    std::uint64_t number = 0;
    if (!text::parse_unsigned(word, number))
      source.fail("bad source line " + quoted(word), "a decimal number");
  }
}

inline void KernelReader::Impl::read_instruction(const CtaTrace& cta, WarpTrace& warp, const char* begin,
                                                 const char* end) {
  text::Cursor c{begin, end};
  if (layout.prefix || layout.line_info) skip_prefix(cta, warp, c);
  const char* p = c.at;
  while (p != end && text::is_blank(*p)) ++p;
  const char* pc_begin = p;
  std::uint64_t pc = 0;
  for (int digit; p != end && (digit = text::hex_value(*p)) >= 0; ++p)
    pc = pc << 4 | static_cast<unsigned>(digit);
  if (p == pc_begin || p - pc_begin > 16 || (p != end && !text::is_blank(*p)))
    source.fail("bad program counter " + quoted(text::Cursor{pc_begin, end}.word()),
                "up to 16 hexadecimal digits");
  while (p != end && text::is_blank(*p)) ++p;
  const char* mask_begin = p;
  std::uint32_t mask = 0;
  for (int digit; p != end && (digit = text::hex_value(*p)) >= 0; ++p)
    mask = mask << 4 | static_cast<unsigned>(digit);
  if (p - mask_begin != 8 || (p != end && !text::is_blank(*p)))
    source.fail("bad mask " + quoted(text::Cursor{mask_begin, end}.word()), "8 hexadecimal digits");
  while (p != end && text::is_blank(*p)) ++p;

  const InstructionTable::Variant* v = table.find(pc, p, end);
  if (v == nullptr) v = table.add(source, pc, p, end);
  if (v->access) {
    const std::uint8_t reuse = parse_access(source, p + v->length, end, mask, allow_immediate,
                                            v->stored && mask != 0 ? &warp.addresses : nullptr);
    if (reuse != v->reuse) {
      v = table.find(pc, p, end, reuse);
      if (v == nullptr) v = table.add(source, pc, p, end);
    }
  }
  warp.records.push_back({v->code, mask});
}

void KernelReader::Impl::read_warp(CtaTrace& cta, WarpTrace& warp, std::string_view id) {
  const std::uint32_t limit = header.warps_per_cta();
  std::uint64_t number = 0;
  if (!text::parse_unsigned(id, number, limit - 1))
    source.fail("bad warp " + quoted(id), "0 to " + std::to_string(limit - 1));
  if (bits::has(seen_warps, number))
    source.fail("warp " + std::to_string(number) + " given twice in one thread block", "each warp once");
  bits::add(seen_warps, number);
  warp.warp = static_cast<std::uint32_t>(number);
  warp.lanes = header.lanes_of(warp.warp);
  warp.records.clear();
  warp.addresses.clear();
  warp.near.clear();

  std::string_view line, value;
  const std::string of_warp = " of warp " + std::to_string(number);
  if (!next_content(line)) source.fail("file ends after the header" + of_warp, "'insts = n'");
  if (!text::value_of(line, "insts", value))
    source.fail("unexpected " + quoted(line), "'insts = n'" + of_warp);
  std::uint64_t count = 0;
  if (!text::parse_unsigned(value, count, 0xffffffffu))
    source.fail("bad instruction count " + quoted(value), "a number from 0 to 4294967295");
  warp.records.reserve(std::min<std::uint64_t>(count, 1u << 20));  // a wild count must not exhaust memory

  const char *begin, *end;
  for (std::uint64_t i = 0; i < count;) {
    const bool more = source.next(begin, end);
    if (!more || begin == end || text::hex_value(*begin) < 0) {
      const std::string_view content =
          more ? text::trimmed({begin, static_cast<std::size_t>(end - begin)}) : std::string_view{};
      if (more && content.empty()) continue;
      if (!more || text::hex_value(content[0]) < 0)
        source.fail((more ? quoted(content) : std::string("file ends")) + " after " + std::to_string(i) +
                        " instruction lines" + of_warp,
                    std::to_string(count) + " lines");
    }
    if (!layout_known) choose_layout({begin, end});
    read_instruction(cta, warp, begin, end);
    ++i;
  }
}

void KernelReader::Impl::read_block_id(CtaTrace& cta) {
  std::string_view line, value;
  if (!next_content(line)) source.fail("file ends after #BEGIN_TB", "'thread block = x,y,z'");
  if (!text::value_of(line, "thread block", value))
    source.fail("unexpected " + quoted(line), "'thread block = x,y,z'");
  const Dim3& grid = header.grid;
  if (!parse_triple(value, cta.id) || cta.id.x >= grid.x || cta.id.y >= grid.y || cta.id.z >= grid.z)
    source.fail("bad thread block " + quoted(value), "x,y,z inside the grid (" + std::to_string(grid.x) +
                                                         "," + std::to_string(grid.y) + "," +
                                                         std::to_string(grid.z) + ")");
  if (seen_ctas.empty()) return;
  const std::uint64_t index = (std::uint64_t{cta.id.z} * grid.y + cta.id.y) * grid.x + cta.id.x;
  if (seen_ctas[index])
    source.fail("thread block " + quoted(value) + " given twice", "each thread block once");
  seen_ctas[index] = true;
}

bool KernelReader::Impl::next(CtaTrace& cta) {
  if (ended) return false;
  std::string_view line, value;
  if (!next_content(line)) {
    // A file cut between two thread blocks looks complete in every other way.
    if (ctas != header.grid.count())
      source.fail("file ends after " + std::to_string(ctas) + " thread blocks",
                  std::to_string(header.grid.count()) + " of them, as the grid says");
    ended = true;
    cta.warps.clear();
    return false;
  }
  if (line != "#BEGIN_TB") source.fail("unexpected " + quoted(line), "#BEGIN_TB");
  read_block_id(cta);
  seen_warps = 0;
  std::size_t used = 0;
  for (;;) {
    if (!next_content(line)) source.fail("file ends inside a thread block", "#END_TB");
    if (line == "#END_TB") break;
    if (!text::value_of(line, "warp", value))
      source.fail("unexpected " + quoted(line) + (used ? " after the counted instruction lines" : ""),
                  "'warp = w' or #END_TB");
    if (used == cta.warps.size()) cta.warps.emplace_back();
    read_warp(cta, cta.warps[used++], value);
  }
  cta.warps.resize(used);
  const auto by_id = [](const WarpTrace& a, const WarpTrace& b) { return a.warp < b.warp; };
  if (!std::is_sorted(cta.warps.begin(), cta.warps.end(), by_id))
    std::sort(cta.warps.begin(), cta.warps.end(), by_id);
  ++ctas;
  return true;
}

void KernelReader::Impl::rewind() {
  source = LineSource(path);
  read_kernel_header(source);
  ended = false;
  ctas = 0;
  std::fill(seen_ctas.begin(), seen_ctas.end(), false);
}

KernelReader::KernelReader(const std::filesystem::path& file, const OperandOptions& options)
    : impl_(std::make_unique<Impl>(file, options)) {}
KernelReader::~KernelReader() = default;

const KernelHeader& KernelReader::header() const {
  return impl_->header;
}
CodeTable& KernelReader::code() {
  return impl_->code;
}
const CodeTable& KernelReader::code() const {
  return impl_->code;
}
bool KernelReader::has_sidecar() const {
  return impl_->sidecar.has_value();
}
bool KernelReader::next(CtaTrace& cta) {
  return impl_->next(cta);
}
void KernelReader::rewind() {
  impl_->rewind();
}
std::uint64_t KernelReader::bytes_read() const {
  return impl_->source.bytes_read();
}
std::uint64_t KernelReader::bytes_total() const {
  return impl_->source.bytes_total();
}

}  // namespace subcore
