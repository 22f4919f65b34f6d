// A packed trace: one kernel's trace in binary, as its text says it and before any platform makes something
// of it. Written by pack_kernel(), read by PackedKernel, turned back into text by UnpackedText.
//
// The file begins with `packed_magic` and its version in four bytes. Then come blocks, each a PackedBlockHead
// and as many bytes of a zstd frame as that says, or its contents as they are where that says as many: blocks
// of whole thread blocks, none of which needs another block, and last a block of tables. A PackedTrailer ends
// the file. Numbers are little-endian. With bytes in brackets:
//
// tables: head, count of forms [4], the forms, count of blocks [4], for each of those its offset in the file
//   [8] and its count of thread blocks [4], for each thread block in order its count of instructions [4] and
//   of forms that no earlier one has [4]
// head: length of the text [4], the text's header up to `#traces format`, 1 if there was a sidecar [1], count
//   of its entries [4], the entries
// entry: PC [8], stall, yield, write barrier, read barrier, wait mask, reuse mask, predicates read,
//   predicates written [1 each], uniform registers read, written [8 each], length of the text [2],
//   the text, count of sources, of destinations [1 each], for each of those register, width and slot
//   [1 each]
// thread block: x, y, z, count of warps [4 each], its warps
// form: mode, prefixed, digits [1 each], lengths of line and tail [2 each], line, tail
// warp: warp, count of instructions, bytes of runs, of accesses, and of accesses as addresses.h has them
//   [4 each], the runs, the accesses
// run: count below packed_long_run, PackedMask << 4, 1 << 7 if it does not go on where the run before ended
//   [1]; the count if it is a longer one [4]; how much further, or back, it begins [4]; the mask if it has to
//   be told [4]. So many instructions, of this form, the next, the one behind that, and so on, under one mask
// access: width of the base, 1 << 2 if the rest is that of the access before of the same form in this block,
//   else kind of the rest << 3 [1]; the base, as the difference to that of the access before of the same
//   form; the rest as addresses.h has it, if it is another: a stride (kind 0, or 5 if one byte says it), or
//   differences of 1, 2, 4 or 8 bytes (1, 2, 3, 4)
//
// A form is what many lines have in common. It is numbered from 0 through the whole file, in the order in
// which lines need them: straight code is one run. Widths are those of packed_bytes.h.
//
// Version 4, which is read as well, has the head in front of the first thread block, a count of new forms [4]
// in front of a thread block's count of warps, those forms in front of its warps, the base of an access as
// the difference to one of an earlier block, too, and neither tables nor a trailer: a block without any bytes
// ends the file.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/trace/cta_index.h"
#include "subcore/model/trace/packed_bytes.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/model/trace/trace.h"
#include "subcore/model/trace/trace_position.h"

struct ZSTD_DCtx_s;

namespace subcore {

// The bytes that a packed kernel begins with.
inline constexpr std::string_view packed_magic{"subcore\x1a", 8};
// The version of the file's form.
inline constexpr std::uint32_t packed_version = 5;
// The version of the oldest form that is read; a file of an older one, or of a later one, is refused.
inline constexpr std::uint32_t oldest_packed_version = 4;
// Contents of a block, or more for long CTAs: who asks for one CTA unpacks so much.
inline constexpr std::size_t packed_block_bytes = 64 * 1024;

// The head of a block.
struct PackedBlockHead {
  std::uint32_t packed_bytes = 0, bytes = 0;  // behind the head, and of its contents
  std::uint64_t checksum = 0;                 // the checksum of both and of the packed bytes
};
// A checksum by eight bytes at a time, since a byte of CRC-32 costs as much as to unpack one. Whatever is
// wrong within eight bytes changes it, and so does another version of the file.
std::uint64_t packed_checksum(const PackedBlockHead& head, std::string_view packed,
                              std::uint32_t version = packed_version);

// The end of a file.
struct PackedTrailer {
  std::uint64_t tables = 0;                  // offset of the block of tables
  std::uint64_t ctas = 0, instructions = 0;  // thread blocks, and warp instructions of all
  std::uint64_t checksum = 0;                // packed_checksum() of what is before, without a head
};
// The checksum that the trailer is to have.
std::uint64_t packed_checksum(const PackedTrailer& trailer);

bool is_packed(const std::filesystem::path& file);  // by its name: *.packed

// The common form of lines of one static instruction, from which their text can be made again.
struct PackedForm {
  static constexpr std::uint8_t no_access = 3, all_prefixed = 255;
  std::uint8_t mode = no_access;  // the addresses' mode: 0, 1, 2
  std::uint8_t prefixed = 0;      // how many of a line's addresses are written with 0x, from the first
  std::uint8_t digits = 0;        // how many an address has at least, with zeros before it
  std::uint16_t line_length = 0;  // PC and, without the mask, everything up to the access width
  // Text behind the addresses: a blank and an immediate, what a record gets (AsyncRecord), and reuse=.
  std::uint16_t tail_length = 0;
};

// Lines in succession of one form and one mask.
struct PackedRun {
  std::uint32_t form = 0, count = 0, mask = 0;
};
// How the mask of a run is told.
enum class PackedMask : std::uint8_t { as_before, all, none, told, latest, older };
// A run of so many lines or more tells its length in a number of its own.
inline constexpr std::uint32_t packed_long_run = 15;
// The kind of an access whose stride takes one byte.
inline constexpr unsigned packed_short_stride = 5;

// The last two masks of some lanes that a warp has had: where paths part and meet, they come again.
struct PackedMasks {
  std::uint32_t latest = 0, older = 0;
  void meet(std::uint32_t mask) {
    if (mask == 0 || mask == ~0u || mask == latest) return;
    older = latest;
    latest = mask;
  }
};

// The reader's place in one warp's part of a CTA.
struct PackedWarp {
  std::uint32_t warp = 0, count = 0, access_bytes = 0;
  packed::Bytes runs, accesses;
  PackedRun run;  // the current one
  PackedMasks masks;
  std::uint32_t counted_mask = 0;  // the mask that `lanes` counts
  unsigned lanes = 0;              // lanes in counted_mask
};

// A form's latest access: head and rest are what addresses.h has before and behind the base.
struct PackedAccess {
  std::uint64_t base = 0;
  const std::uint8_t* rest = nullptr;  // in the current block or of short_strides, or null
  std::uint32_t head = 0, mask = 0;
};

// Takes a packed file apart as far as lengths and numbers go. Throws TraceError.
class PackedReader final : public TracePosition {
 public:
  explicit PackedReader(const std::filesystem::path& file) : PackedReader(file, true) {}
  // The size that the end of a file tells; nothing of version 4.
  static std::optional<KernelSize> size_of(const std::filesystem::path& file);

  // The text's header, and the sidecar, if there was one.
  const std::string& header() const { return header_; }
  std::optional<Sidecar>& sidecar() { return sidecar_; }
  // The next thread block; false at the end of the file. next_warp() is to be called `warps` times before the
  // next one, and what it returns is valid until then.
  bool next_cta(Dim3& id, std::uint32_t& warps);
  // The thread blocks without unpacking them; null of version 4.
  const CtaIndex* index() const { return version_ == packed_version ? &index_ : nullptr; }
  // The forms that thread blocks before `cta` have; needs an index.
  std::uint32_t forms_before(std::uint64_t cta) const { return forms_before_[cta]; }
  // Thread block `cta`, from 0, is next, or the end of the file if there are no more. Unpacks one block of
  // the file; needs an index.
  void seek(std::uint64_t cta);
  PackedWarp next_warp();
  // The warp's next run, into warp.run, of known forms; false if that was the last one.
  bool next_run(PackedWarp& warp);
  // Writes the warp's next access, of this form of its run, to [to, end) as addresses.h has it, and useless
  // bytes to packed::slack bytes behind that. To be called once for each access, in order. Returns its end.
  std::uint8_t* next_access(PackedWarp& warp, std::uint32_t form, std::uint8_t* to, const std::uint8_t* end);
  // To be called once all runs and accesses of the warp have been read.
  void end_warp(const PackedWarp& warp) const;

  // The forms of this thread block and the ones before.
  const std::vector<PackedForm>& forms() const { return forms_; }
  std::string_view line(std::size_t form) const {
    return {texts_.data() + at_text_[form], forms_[form].line_length};
  }
  std::string_view tail(std::size_t form) const {
    return {line(form).data() + forms_[form].line_length, forms_[form].tail_length};
  }
  void rewind();
  std::uint64_t bytes_read() const { return offset_; }
  std::uint64_t bytes_total() const { return total_; }

  // Names the file, and the byte at which the current block begins.
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const override;
  [[noreturn]] void fail_damaged() const;

 private:
  struct Block {
    std::uint64_t offset = 0, first_cta = 0;
  };
  PackedReader(const std::filesystem::path& file, bool whole);
  void open();
  void read_version();
  PackedTrailer read_trailer();
  void read_tables();
  void begin();
  bool next_block();
  PackedBlockHead read_block(std::uint64_t end);
  void unpack(const PackedBlockHead& head);
  void read_head();
  void take_index(const PackedTrailer& trailer);
  void take_forms(std::uint32_t count);
  void take_form();
  void skip_cta();
  void take_rest(PackedWarp& warp, unsigned kind, PackedAccess& access);
  char* take(std::size_t bytes);
  std::string take_text(std::size_t bytes) { return {take(bytes), bytes}; }
  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  std::string name_;
  std::ifstream stream_;
  std::uint32_t version_ = 0;
  std::uint64_t total_ = 0, offset_ = 0, block_ = 0;  // bytes: all, and behind and at the current block
  std::string header_;
  std::optional<Sidecar> sidecar_;
  boost::container::vector<char> packed_, contents_;  // the current block, and unused room
  std::size_t at_ = 0, size_ = 0;
  bool ended_ = false;
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;
  // With an index: its parts, and the next thread block's number and the one after it that is in another
  // block.
  CtaIndex index_;
  std::uint64_t tables_ = 0;  // offset of the block of tables
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> forms_before_;  // by thread block, and of all behind the last
  std::uint64_t cta_ = 0;
  std::size_t next_block_ = 0;
  std::uint32_t warps_left_ = 0;         // of the current thread block
  std::uint64_t instructions_left_ = 0;  // of the current thread block
  std::vector<PackedForm> forms_;
  std::vector<std::size_t> at_text_;  // offset of each form's line and tail
  std::string texts_;
  std::vector<PackedAccess> accesses_;  // the latest of each form
};

// next_run(), take_rest() and next_access() are inline, since there may be as many calls as instructions.
inline bool PackedReader::next_run(PackedWarp& warp) {
  packed::Bytes& in = warp.runs;
  PackedRun& run = warp.run;
  if (in.at == in.end) return false;
  const unsigned head = *in.at++;
  std::uint32_t form = run.form + run.count, count = head & packed_long_run;
  if (count == packed_long_run) count = in.take<std::uint32_t>();
  if (head >> 7 != 0) form += in.take<std::uint32_t>();
  if (const auto kind = static_cast<PackedMask>(head >> 4 & 7); kind != PackedMask::as_before) {
    if (kind > PackedMask::older) fail_damaged();
    run.mask = kind == PackedMask::all      ? ~0u
               : kind == PackedMask::none   ? 0
               : kind == PackedMask::latest ? warp.masks.latest
               : kind == PackedMask::older  ? warp.masks.older
                                            : in.take<std::uint32_t>();
    warp.masks.meet(run.mask);
  }
  if (in.is_beyond_end() || form > forms_.size() || count > forms_.size() - form) fail_damaged();
  run.form = form;
  run.count = count;
  return true;
}

// Takes the rest of an access that is not that of the form's access before.
inline void PackedReader::take_rest(PackedWarp& warp, unsigned kind, PackedAccess& access) {
  packed::Bytes& in = warp.accesses;
  access.mask = warp.run.mask;
  if (kind == packed_short_stride) {
    access.head = packed::before_rest + sizeof(std::int64_t);
    access.rest = reinterpret_cast<const std::uint8_t*>(&packed::short_strides[*in.at++]);
    return;
  }
  if (warp.counted_mask != warp.run.mask) {
    warp.counted_mask = warp.run.mask;
    warp.lanes = bits::count(warp.run.mask);
  }
  const unsigned width = kind == 0 ? 0 : 1u << (kind - 1);
  const unsigned bytes = kind == 0 ? sizeof(std::int64_t) : width * (warp.lanes - 1);
  if (kind > packed_short_stride || in.is_beyond_end() || in.left() < bytes) fail_damaged();
  access.head = width << 16 | (packed::before_rest + bytes);
  access.rest = in.at;
  in.at += bytes;
}

inline std::uint8_t* PackedReader::next_access(PackedWarp& warp, std::uint32_t form, std::uint8_t* to,
                                               const std::uint8_t* end) {
  packed::Bytes& in = warp.accesses;
  PackedAccess& access = accesses_[form];
  const unsigned head = *in.at++;
  access.base += in.number(head & 3);
  if ((head & 4) == 0) take_rest(warp, head >> 3, access);
  // Differences are as many as the mask says; a stride does for any.
  const bool fits = access.rest != nullptr && (access.mask == warp.run.mask || access.head >> 16 == 0);
  const std::size_t size = access.head & 0xffff;
  if (!fits || in.is_beyond_end() || size > static_cast<std::size_t>(end - to)) fail_damaged();
  std::memcpy(to, &access.head, sizeof access.head);
  std::memcpy(to + 3, &access.base, sizeof access.base);
  packed::copy_in_steps(to + packed::before_rest, access.rest, size - packed::before_rest);
  return to + size;
}

}  // namespace subcore
