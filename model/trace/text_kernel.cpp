// Reads a kernel from its text.
#include <algorithm>
#include <cstring>
#include <string>

#include "subcore/base/bits.h"
#include "subcore/base/text.h"
#include "subcore/model/trace/kernel_header.h"
#include "subcore/model/trace/kernel_source.h"
#include "subcore/model/trace/line_source.h"

namespace subcore {
namespace {

// The fields before the PC on every instruction line of a file.
struct LineLayout {
  bool prefix = false;     // CTA and warp
  bool line_info = false;  // source line number
};

// Whether the words from here on have the shape `PC mask count [R...] OPCODE`. The mask's eight digits and
// the count distinguish the layouts.
bool looks_like_instruction(text::Cursor c, LineLayout layout) {
  std::uint64_t number = 0;
  for (int skip = (layout.prefix ? 4 : 0) + (layout.line_info ? 1 : 0); skip > 0; --skip)
    if (!text::parse_unsigned(c.word(), number)) return false;
  const std::string_view pc = c.word(), mask = c.word();
  if (!text::parse_hex(pc, number) || mask.size() != 8 || !text::parse_hex(mask, number)) return false;
  if (!text::parse_unsigned(c.word(), number, max_destinations)) return false;
  for (; number > 0; --number)
    if (const std::string_view word = c.word(); word.find_first_of("RUP") != 0) return false;
  const std::string_view opcode = c.word();
  return !opcode.empty() && opcode[0] >= 'A' && opcode[0] <= 'Z';
}

class TextKernel : public KernelSource {
 public:
  TextKernel(const std::filesystem::path& file, const OperandOptions& options, LineListener* listener)
      : source_(file),
        parts_(file, options, read_kernel_header(source_),
               options.use_sidecar ? sidecar_of(file) : std::nullopt),
        header_(parts_.header),
        listener_(listener) {}
  KernelBody& body() override { return parts_; }
  bool next(CtaTrace& cta) override;
  void rewind() override;
  std::uint64_t bytes_read() const override { return source_.bytes_read(); }
  std::uint64_t bytes_total() const override { return source_.bytes_total(); }

 private:
  void read_block_id(CtaTrace& cta);
  void read_warp(CtaTrace& cta, std::size_t used, std::string_view id);
  void read_instruction(const CtaTrace& cta, WarpTrace& warp, const char* begin, const char* end);
  void skip_prefix(const CtaTrace& cta, const WarpTrace& warp, text::Cursor& cursor);
  void read_cluster(std::string_view& line);
  void choose_layout(text::Cursor line);
  bool next_content(std::string_view& line);

  LineSource source_;
  KernelBody parts_;
  const KernelHeader& header_;
  LineListener* const listener_;
  LineLayout layout_;
  bool layout_known_ = false;
  bool ended_ = false;
};

bool TextKernel::next_content(std::string_view& line) {
  while (source_.next(line)) {
    line = text::trimmed(line);
    if (!line.empty()) return true;
  }
  return false;
}

void TextKernel::choose_layout(text::Cursor line) {
  layout_ = {header_.tracer_version == 1 || header_.tracer_version == 2, header_.line_info};
  layout_known_ = true;
  const LineLayout declared = layout_;
  for (const LineLayout candidate :
       {declared, LineLayout{!declared.prefix, declared.line_info},
        LineLayout{declared.prefix, !declared.line_info}, LineLayout{!declared.prefix, !declared.line_info}})
    if (looks_like_instruction(line, candidate)) {
      layout_ = candidate;
      return;
    }
}

void TextKernel::skip_prefix(const CtaTrace& cta, const WarpTrace& warp, text::Cursor& cursor) {
  if (layout_.prefix)
    for (const std::uint32_t wanted : {cta.id.x, cta.id.y, cta.id.z, warp.warp}) {
      const std::string_view word = cursor.word();
      std::uint64_t got = 0;
      if (!text::parse_unsigned(word, got) || got != wanted)
        source_.fail(
            "line prefix has " + quoted(word) + ", but its block and warp have " + std::to_string(wanted),
            "thread block " + std::to_string(cta.id.x) + " " + std::to_string(cta.id.y) + " " +
                std::to_string(cta.id.z) + " and warp " + std::to_string(warp.warp));
    }
  if (layout_.line_info) {
    const std::string_view word = cursor.word();
    std::uint64_t number = 0;
    if (!text::parse_unsigned(word, number))
      source_.fail("bad source line " + quoted(word), "a decimal number");
  }
}

// Most lines have no record.
[[gnu::noinline]] void begin_record(WarpTrace& warp, const InstructionTable::Variant& v, std::uint32_t mask,
                                    TailForm& form) {
  form.record = &warp.async.emplace_back();
  form.record->step = v.async;
  form.lane = bits::lowest(mask);
}

inline void TextKernel::read_instruction(const CtaTrace& cta, WarpTrace& warp, const char* begin,
                                         const char* end) {
  text::Cursor c{begin, end};
  if (layout_.prefix || layout_.line_info) skip_prefix(cta, warp, c);
  const char* p = c.at;
  while (p != end && text::is_blank(*p)) ++p;
  const char* pc_begin = p;
  std::uint64_t pc = 0;
  for (int digit; p != end && (digit = text::hex_value(*p)) >= 0; ++p)
    pc = pc << 4 | static_cast<unsigned>(digit);
  if (p == pc_begin || p - pc_begin > 16 || (p != end && !text::is_blank(*p)))
    source_.fail("bad program counter " + quoted(text::Cursor{pc_begin, end}.word()),
                 "up to 16 hexadecimal digits");
  while (p != end && text::is_blank(*p)) ++p;
  const char* mask_begin = p;
  std::uint32_t mask = 0;
  if (end - p > 8 && std::memcmp(p, "ffffffff", 8) == 0) {  // most masks are full
    mask = ~0u;
    p += 8;
  }
  for (int digit; p != end && (digit = text::hex_value(*p)) >= 0; ++p)
    mask = mask << 4 | static_cast<unsigned>(digit);
  if (p - mask_begin != 8 || (p != end && !text::is_blank(*p)))
    source_.fail("bad mask " + quoted(text::Cursor{mask_begin, end}.word()), "8 hexadecimal digits");
  while (p != end && text::is_blank(*p)) ++p;

  const InstructionTable::Variant* v = parts_.table.find(pc, p, end);
  if (v == nullptr) {
    if (parts_.form == LineForm::all_kinds && is_replay_mark({p, end})) return;
    v = parts_.table.add(source_, pc, p, end);
  }
  if (v->open) {
    const bool kept = v->stored || listener_ != nullptr;
    TailForm form{parts_.form, v->listed, v->sources};
    if (v->async != AsyncStep::none && mask != 0) begin_record(warp, *v, mask, form);
    const char* behind = p + v->length;
    const std::uint8_t reuse =
        v->access
            ? parse_access(source_, behind, end, mask, form, kept && mask != 0 ? &warp.addresses : nullptr)
        : v->bulk ? parse_bulk_copy(source_, {behind, end}, mask, form, warp.bulk_addresses)
                  : parse_tail(source_, {behind, end}, form);
    if (reuse != v->reuse) {
      v = parts_.table.find(pc, p, end, reuse);
      if (v == nullptr) v = parts_.table.add(source_, pc, p, end);
    }
  }
  if (listener_ == nullptr) {
    warp.records.push_back({v->code, mask});
    return;
  }
  const auto view = [](const char* from, const char* to) {
    return std::string_view(from, static_cast<std::size_t>(to - from));
  };
  const std::string_view pc_text = text::trimmed(view(pc_begin, mask_begin));
  warp.records.push_back({listener_->line(source_, *v, pc_text, mask, view(p, end)), mask});
}

void TextKernel::read_warp(CtaTrace& cta, std::size_t used, std::string_view id) {
  const std::uint32_t limit = header_.warps_per_cta();
  std::uint64_t number = 0;
  if (!text::parse_unsigned(id, number, limit - 1))
    source_.fail("bad warp " + quoted(id), "0 to " + std::to_string(limit - 1));
  WarpTrace& warp = parts_.begin_warp(source_, cta, used, static_cast<std::uint32_t>(number));

  std::string_view line, value;
  const std::string of_warp = " of warp " + std::to_string(number);
  if (!next_content(line)) source_.fail("file ends after the header" + of_warp, "'insts = n'");
  if (!text::value_of(line, "insts", value))
    source_.fail("unexpected " + quoted(line), "'insts = n'" + of_warp);
  std::uint64_t count = 0;
  if (!text::parse_unsigned(value, count, 0xffffffffu))
    source_.fail("bad instruction count " + quoted(value), "a number from 0 to 4294967295");
  warp.records.clear();
  warp.addresses.clear();
  warp.async.clear();
  warp.bulk_addresses.clear();
  warp.records.reserve(std::min<std::uint64_t>(count, 1u << 20));  // a wrong count must not exhaust memory

  const char *begin, *end;
  for (std::uint64_t i = 0; i < count;) {
    const bool more = source_.next(begin, end);
    if (!more || begin == end || text::hex_value(*begin) < 0) {
      const std::string_view content =
          more ? text::trimmed({begin, static_cast<std::size_t>(end - begin)}) : std::string_view{};
      if (more && content.empty()) continue;
      if (!more || text::hex_value(content[0]) < 0)
        source_.fail((more ? quoted(content) : std::string("file ends")) + " after " + std::to_string(i) +
                         " instruction lines" + of_warp,
                     std::to_string(count) + " lines");
    }
    if (!layout_known_) choose_layout({begin, end});
    read_instruction(cta, warp, begin, end);
    ++i;
  }
  if (!warp.async.empty()) note_retries(warp.async);
}

void TextKernel::read_block_id(CtaTrace& cta) {
  std::string_view line, value;
  if (!next_content(line)) source_.fail("file ends after #BEGIN_TB", "'thread block = x,y,z'");
  if (!text::value_of(line, "thread block", value))
    source_.fail("unexpected " + quoted(line), "'thread block = x,y,z'");
  // A text that is no triple lies outside every grid.
  if (!parse_triple(value, cta.id)) cta.id = {~0u, ~0u, ~0u};
  parts_.begin_cta(source_, cta.id, value);
}

// If `line` begins the CTA's place in a cluster, checks that place and goes on to the next line. The place is
// not used, because CTAs of a cluster run like others.
void TextKernel::read_cluster(std::string_view& line) {
  std::string_view value;
  Dim3 id;
  std::uint64_t rank = 0;
  const auto go_on = [&] {
    if (!next_content(line)) source_.fail("file ends inside a thread block", "#END_TB");
  };
  for (const char* key : {"cluster id", "cluster cta"}) {
    if (!text::value_of(line, key, value)) continue;
    if (!parse_triple(value, id)) source_.fail("bad " + std::string(key) + " " + quoted(value), "x,y,z");
    go_on();
  }
  if (!text::value_of(line, "cluster rank", value)) return;
  if (!text::parse_unsigned(value, rank, 0xffffffffu))
    source_.fail("bad cluster rank " + quoted(value), "a number");
  go_on();
}

bool TextKernel::next(CtaTrace& cta) {
  if (ended_) return false;
  std::string_view line, value;
  if (!next_content(line)) {
    parts_.end(source_);
    ended_ = true;
    return false;
  }
  if (line != "#BEGIN_TB") source_.fail("unexpected " + quoted(line), "#BEGIN_TB");
  read_block_id(cta);
  std::size_t used = 0;
  for (;;) {
    if (!next_content(line)) source_.fail("file ends inside a thread block", "#END_TB");
    if (used == 0 && parts_.form == LineForm::all_kinds) read_cluster(line);
    if (line == "#END_TB") break;
    if (!text::value_of(line, "warp", value))
      source_.fail("unexpected " + quoted(line) + (used ? " after the counted instruction lines" : ""),
                   "'warp = w' or #END_TB");
    read_warp(cta, used++, value);
  }
  parts_.end_cta(cta, used);
  return true;
}

void TextKernel::rewind() {
  source_ = LineSource(parts_.path);
  read_kernel_header(source_);
  parts_.seek(0);
  ended_ = false;
}

}  // namespace

std::unique_ptr<KernelSource> open_text_kernel(const std::filesystem::path& file,
                                               const OperandOptions& options, LineListener* listener) {
  return std::make_unique<TextKernel>(file, options, listener);
}

}  // namespace subcore
