#include "subcore/model/trace/pack.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <zstd.h>

#include "subcore/base/bits.h"
#include "subcore/base/byte_text.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/kernel_source.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/wait_operands.h"

namespace subcore {
namespace {

// A level below zero does not compress data without repetitions, such as the addresses of divergent warps.
// Files get a fourth larger, and unpacking takes half as long. A block that shrinks to more than this share
// is written unpacked, because unpacking it would cost more than the rest of reading.
constexpr int level = -1;
constexpr double worth_packing = 0.6;

class PackedWriter {
 public:
  explicit PackedWriter(const std::filesystem::path& file)
      : name_(file.string()), out_(file, std::ios::binary), context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    if (context_ == nullptr) throw std::bad_alloc();
    write(packed_magic.data(), packed_magic.size());
    write(&packed_version, sizeof packed_version);
  }
  void block(std::string_view contents) {
    if (contents.size() > std::numeric_limits<std::uint32_t>::max())
      throw std::runtime_error("cannot write " + name_ + ": a thread block takes more than 4 GiB");
    std::string packed(ZSTD_compressBound(contents.size()), '\0');
    const std::size_t bytes = ZSTD_compressCCtx(context_.get(), packed.data(), packed.size(), contents.data(),
                                                contents.size(), level);
    if (ZSTD_isError(bytes))
      throw std::runtime_error("cannot write " + name_ + ": " + ZSTD_getErrorName(bytes));
    packed.resize(bytes);
    if (static_cast<double>(packed.size()) > worth_packing * static_cast<double>(contents.size()))
      packed = contents;
    PackedBlockHead head{static_cast<std::uint32_t>(packed.size()),
                         static_cast<std::uint32_t>(contents.size()), 0};
    head.checksum = packed_checksum(head, packed);
    write(&head, sizeof head);
    write(packed.data(), packed.size());
  }
  void end(std::string_view tables, PackedTrailer trailer) {
    trailer.tables = at_;
    block(tables);
    trailer.checksum = packed_checksum(trailer);
    write(&trailer, sizeof trailer);
    out_.flush();
    check();
  }
  // Bytes written so far.
  std::uint64_t at() const { return at_; }

 private:
  void write(const void* bytes, std::size_t count) {
    out_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
    check();
    at_ += count;
  }
  void check() {
    if (!out_) throw std::runtime_error("cannot write " + name_ + ": " + std::strerror(errno));
  }
  std::string name_;
  std::ofstream out_;
  std::uint64_t at_ = 0;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
};

struct Form : PackedForm {
  std::string line, tail;
};

// The forms of the lines met so far.
class Forms : public LineListener {
 public:
  std::uint32_t line(const TracePosition& position, const InstructionTable::Variant& v, std::string_view pc,
                     std::uint32_t mask, std::string_view text) override;
  std::size_t size() const { return forms_.size(); }
  const Form& operator[](std::size_t i) const { return forms_[i]; }

 private:
  static void take_addresses(text::Cursor& words, std::size_t count, PackedForm& form);
  std::vector<Form> forms_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::string key_;
};

void Forms::take_addresses(text::Cursor& words, std::size_t count, PackedForm& form) {
  std::size_t with = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view word = words.word();
    if (word.size() > 2 && word.substr(0, 2) == "0x") {
      ++with;
      word.remove_prefix(2);
    }
    if (i == 0 && word.size() > 1 && word[0] == '0') form.digits = static_cast<std::uint8_t>(word.size());
  }
  form.prefixed = with == count ? PackedForm::all_prefixed : static_cast<std::uint8_t>(with);
}

std::uint32_t Forms::line(const TracePosition& position, const InstructionTable::Variant& v,
                          std::string_view pc, std::uint32_t mask, std::string_view text) {
  Form form;
  text::Cursor words{text.data(), text.data() + text.size()};
  form.line = pc;
  // The line up to the access width: destinations, opcode and sources, with their counts.
  std::string_view last;
  bool waits = false;
  const char* width_end = v.open ? text.data() + v.length : nullptr;
  for (int list = 0; list < 2; ++list) {
    const std::string_view count = words.word();
    std::uint64_t left = 0;
    text::parse_unsigned(count, left);
    form.line.append(" ").append(count);
    for (left += list == 0 ? 1 : 0; left > 0; --left) form.line.append(" ").append(last = words.word());
    if (list == 0) waits = waits_by_immediate(last);  // the opcode
  }
  do form.line.append(" ").append(words.word());
  while (v.open && words.at < width_end);
  std::string_view word;
  if (v.access && !(word = words.word()).empty()) {
    form.mode = static_cast<std::uint8_t>(word[0] - '0');
    const auto lanes = static_cast<std::size_t>(bits::count(mask));
    take_addresses(words, form.mode == 0 ? lanes : 1, form);
    if (form.mode == 1) words.word();
    for (std::size_t delta = 1; form.mode == 2 && delta < lanes; ++delta) words.word();
  }
  if (v.bulk) {
    const text::Cursor before = words;
    skip_bulk_copy(words);
    for (text::Cursor c{before.at, words.at}; !(word = c.word()).empty();) form.tail.append(" ").append(word);
  }
  // For an immediate, it counts whether there was one and whether it may be an address. Its value counts only
  // if an instruction waits by it. Values of registers are left out, except for the one in a record.
  while (!(word = words.word()).empty()) {
    if (word == "Val" && v.async != AsyncStep::none && !v.bulk && mask != 0) {
      form.tail += take_last_value(words, v.listed, bits::lowest(mask));
      continue;
    }
    if (word == "Val" || word == "NoVal") {
      const std::string_view rest = text::trimmed({words.at, static_cast<std::size_t>(words.end - words.at)});
      const std::size_t reuse = rest.rfind("reuse=");
      if (reuse != std::string_view::npos) form.tail.append(" ").append(rest.substr(reuse));
      break;
    }
    const bool like_address = word.size() > 3 && word.substr(0, 2) == "0x";
    form.tail += word[0] == 'r' || waits ? " " + std::string(word) : like_address ? " 0x00" : " 0";
  }
  if (std::max(form.line.size(), form.tail.size()) > std::numeric_limits<std::uint16_t>::max())
    position.fail("line too long to be packed", "at most 65535 characters");
  key_.assign(
      {static_cast<char>(form.mode), static_cast<char>(form.prefixed), static_cast<char>(form.digits)});
  key_.append(form.line).append("\n").append(form.tail);
  const auto [it, added] = numbers_.try_emplace(key_, static_cast<std::uint32_t>(forms_.size()));
  if (added) forms_.push_back(std::move(form));
  return it->second;
}

void put_form(std::string& out, const Form& form) {
  put_bytes(out, form.mode);
  put_bytes(out, form.prefixed);
  put_bytes(out, form.digits);
  put_bytes(out, static_cast<std::uint16_t>(form.line.size()));
  put_bytes(out, static_cast<std::uint16_t>(form.tail.size()));
  out += form.line + form.tail;
}

PackedMask kind_of(std::uint32_t mask, std::uint32_t before, const PackedMasks& masks) {
  return mask == before         ? PackedMask::as_before
         : mask == ~0u          ? PackedMask::all
         : mask == 0            ? PackedMask::none
         : mask == masks.latest ? PackedMask::latest
         : mask == masks.older  ? PackedMask::older
                                : PackedMask::told;
}

std::string packed_runs(const WarpTrace& warp) {
  std::string out;
  PackedRun before;
  PackedMasks masks;
  const auto end_of = [](const PackedRun& r) { return r.form + r.count; };
  const auto put_run = [&](const PackedRun& r) {
    const PackedMask kind = kind_of(r.mask, before.mask, masks);
    const std::uint32_t count = std::min(r.count, packed_long_run), further = r.form - end_of(before);
    put_bytes(out, static_cast<std::uint8_t>(count | static_cast<unsigned>(kind) << 4 |
                                             (further != 0 ? 1u << 7 : 0)));
    if (count == packed_long_run) put_bytes(out, r.count);
    if (further != 0) put_bytes(out, further);
    if (kind == PackedMask::told) put_bytes(out, r.mask);
    masks.meet(r.mask);
    before = r;
  };
  PackedRun run;
  for (const TraceRecord& r : warp.records) {
    if (run.count != 0 && run.mask == r.mask && end_of(run) == r.code) {
      ++run.count;
      continue;
    }
    if (run.count != 0) put_run(run);
    run = {r.code, 1, r.mask};
  }
  if (run.count != 0) put_run(run);
  return out;
}

// A form's latest access in the block, as in PackedAccess. Before the first access there is no rest.
struct LatestAccess {
  std::uint64_t base = 0;
  std::string rest;
  std::uint32_t mask = 0;
};

bool is_short_stride(const std::string& rest) {
  std::int64_t stride;
  std::memcpy(&stride, rest.data(), sizeof stride);
  return stride == static_cast<std::int8_t>(stride);
}

std::string packed_accesses(const WarpTrace& warp, const Forms& forms, std::vector<LatestAccess>& latest) {
  std::string out;
  const std::uint8_t* access = warp.addresses.data();
  for (const TraceRecord& r : warp.records) {
    if (r.mask == 0 || forms[r.code].mode == PackedForm::no_access) continue;
    using packed::before_rest;
    const unsigned width = access[2];
    LatestAccess& before = latest[r.code];
    LatestAccess now{
        0,
        {reinterpret_cast<const char*>(access) + before_rest, encoded_size(access) - before_rest},
        width == 0 ? ~0u : r.mask};
    std::memcpy(&now.base, access + 3, sizeof now.base);
    const bool as_before = now.rest == before.rest && now.mask == before.mask;
    const std::uint64_t difference = now.base - before.base;
    const unsigned base_width = packed::width_code(difference);
    const bool is_short = width == 0 && is_short_stride(now.rest);
    const unsigned kind = is_short ? packed_short_stride : width == 0 ? 0 : 1 + bits::lowest(width);
    put_bytes(out, static_cast<std::uint8_t>(base_width | (as_before ? 1u << 2 : kind << 3)));
    packed::put_number(out, difference, base_width);
    if (!as_before) out.append(now.rest, 0, is_short ? 1 : now.rest.size());
    access += encoded_size(access);
    before = std::move(now);
  }
  return out;
}

void put_warp(std::string& out, const WarpTrace& warp, const Forms& forms,
              std::vector<LatestAccess>& latest) {
  const std::string runs = packed_runs(warp), accesses = packed_accesses(warp, forms, latest);
  for (const std::size_t n :
       {std::size_t{warp.warp}, warp.records.size(), runs.size(), accesses.size(), warp.addresses.size()})
    put_bytes(out, static_cast<std::uint32_t>(n));
  out += runs;
  out += accesses;
}

void put_sidecar(std::string& out, const Sidecar& sidecar) {
  put_bytes(out, static_cast<std::uint32_t>(sidecar.by_pc.size()));
  for (const auto& [pc, entry] : sidecar.by_pc) {
    put_bytes(out, pc);
    const ControlBits& c = entry.control;
    for (const std::uint8_t n :
         {c.stall, std::uint8_t{c.yield}, c.write_barrier, c.read_barrier, c.wait_mask})
      put_bytes(out, n);
    put_bytes(out, entry.reuse_mask);
    put_bytes(out, entry.predicates_read);
    put_bytes(out, entry.predicates_written);
    put_bytes(out, entry.uniforms_read);
    put_bytes(out, entry.uniforms_written);
    put_bytes(out, entry.text_length);
    out += sidecar.text(entry);
    for (const auto* operands : {&entry.sources, &entry.destinations})
      put_bytes(out, static_cast<std::uint8_t>(operands->size()));
    for (const auto* operands : {&entry.sources, &entry.destinations})
      for (const SidecarOperand& o : *operands)
        for (const std::uint8_t n : {o.base, o.width, o.slot}) put_bytes(out, n);
  }
}

// The header with its original text, which may have more than the kernel reader uses.
std::string header_text(const std::filesystem::path& file) {
  LineSource lines(file);
  std::string text;
  std::string_view line;
  while (lines.next(line)) {
    text.append(line).append("\n");
    if (text::trimmed(line).substr(0, 14) == "#traces format") break;
  }
  return text;
}

std::string head_of(const std::filesystem::path& file, const std::optional<Sidecar>& sidecar) {
  const std::string header = header_text(file);
  std::string head;
  put_bytes(head, static_cast<std::uint32_t>(header.size()));
  head += header;
  put_bytes(head, static_cast<std::uint8_t>(sidecar ? 1 : 0));
  if (sidecar) put_sidecar(head, *sidecar);
  return head;
}

}  // namespace

void pack_kernel(const std::filesystem::path& from, const std::filesystem::path& to,
                 const std::function<void(double)>& progress) {
  Forms forms;
  // Registers as they are named. The reader decides what they stand for.
  OperandOptions options;
  options.tensor = TensorOperands::named;
  const auto kernel = open_text_kernel(from, options, &forms);
  PackedWriter writer(to);
  std::string contents, blocks, ctas;  // the current block's contents; the tables' two parts of the index
  std::uint32_t block_count = 0, ctas_in_block = 0;
  PackedTrailer trailer;
  std::vector<LatestAccess> latest;
  const auto end_block = [&] {
    put_bytes(blocks, writer.at());
    put_bytes(blocks, ctas_in_block);
    ++block_count;
    writer.block(contents);
    contents.clear();
    ctas_in_block = 0;
    latest.clear();  // blocks do not depend on each other
    progress(static_cast<double>(kernel->bytes_read()) / static_cast<double>(kernel->bytes_total()));
  };
  CtaTrace cta;
  for (std::size_t known = 0; kernel->next(cta); known = forms.size()) {
    for (const std::uint32_t n : {cta.id.x, cta.id.y, cta.id.z}) put_bytes(contents, n);
    put_bytes(contents, static_cast<std::uint32_t>(cta.warps.size()));
    latest.resize(forms.size());
    std::uint64_t instructions = 0;
    for (const WarpTrace& warp : cta.warps) {
      put_warp(contents, warp, forms, latest);
      instructions += warp.records.size();
    }
    if (instructions > std::numeric_limits<std::uint32_t>::max())
      throw std::runtime_error("cannot write " + to.string() +
                               ": a thread block has more than 4294967295 instructions");
    put_bytes(ctas, static_cast<std::uint32_t>(instructions));
    put_bytes(ctas, static_cast<std::uint32_t>(forms.size() - known));
    trailer.instructions += instructions;
    ++trailer.ctas;
    ++ctas_in_block;
    if (contents.size() >= packed_block_bytes) end_block();
  }
  if (!contents.empty()) end_block();
  std::string tables = head_of(from, kernel->body().sidecar);
  put_bytes(tables, static_cast<std::uint32_t>(forms.size()));
  for (std::size_t f = 0; f < forms.size(); ++f) put_form(tables, forms[f]);
  put_bytes(tables, block_count);
  writer.end(tables + blocks + ctas, trailer);
}

}  // namespace subcore
