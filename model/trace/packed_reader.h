// A packed trace: one kernel's trace in binary, with the meaning of its text and independent of platforms.
// The function pack_kernel() writes it, PackedKernel reads it, and UnpackedText turns it back into text.
//
// The file begins with `packed_magic` and its version in four bytes. Blocks follow. A block has a
// PackedBlockHead and then a zstd frame of packed_bytes bytes, or the contents themselves if both lengths are
// equal. A block holds whole CTAs, and needs no other block. The last block has tables. A PackedTrailer ends
// the file. Numbers are little-endian. In the following, brackets hold numbers of bytes:
//
//   tables: head, count of forms [4], the forms, count of blocks [4], for each of those its offset in the
//     file [8] and its count of CTAs [4], for each CTA in order its count of instructions [4] and of forms
//     that no earlier one has [4]
//   head: length of the text [4], the text's header up to `#traces format`, 1 if there was a sidecar [1],
//     count of its entries [4], the entries
//   entry: PC [8], stall, yield, write barrier, read barrier, wait mask, reuse mask, predicates read,
//     predicates written [1 each], uniform registers read, written [8 each], length of the text [2], the
//     text, count of sources, of destinations [1 each], for each of those register, width and slot [1 each]
//   CTA: x, y, z, count of warps [4 each], its warps
//   form: mode, prefixed, digits [1 each], lengths of line and tail [2 each], line, tail
//   warp: warp, count of instructions, bytes of runs, of accesses, and of accesses as addresses.h has them [4
//     each], the runs, the accesses
//   run: its count, or packed_long_run for a longer one, PackedMask << 4, and 1 << 7 unless the run begins
//     with the form behind the run before [1]; the longer count [4]; the difference to that form [4]; the
//     mask if PackedMask is `told` [4]. The instructions of a run have consecutive forms and one mask.
//   access: width of the base, and 1 << 2 if the rest equals that of the form's access before in this block,
//     else the kind of the rest << 3 [1]; the base, as the difference to the form's access before; a new rest
//     as addresses.h has it: a stride (kind 0, or 5 if it takes one byte), or differences of 1, 2, 4 or 8
//     bytes (kinds 1, 2, 3, 4)
//
// A form is the common part of many lines. Forms are numbered from 0 through the whole file, in the order in
// which lines need them, so straight code is one run. Widths are those of packed_bytes.h.
//
// Version 4 is read as well. A file of version 4 has the head in front of the first CTA. A count of new forms
// [4] stands in front of a CTA's count of warps, and those forms stand in front of its warps. The base of an
// access may be the difference to an access of an earlier block. There are neither tables nor a trailer, and
// a block without any bytes ends the file.
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
// The oldest version that is read. An older version, or a newer one than packed_version, is refused.
inline constexpr std::uint32_t oldest_packed_version = 4;
// The size of a block's contents, or more for long CTAs. A reader of one CTA unpacks that many bytes.
inline constexpr std::size_t packed_block_bytes = 64 * 1024;

// The head of a block.
struct PackedBlockHead {
  std::uint32_t packed_bytes = 0, bytes = 0;  // lengths of the bytes behind the head, and of the contents
  std::uint64_t checksum = 0;                 // of both lengths and of the packed bytes
};
// A checksum that takes eight bytes at a time, because CRC-32 costs as much per byte as unpacking. Any error
// within eight bytes changes it, and so does another version of the file.
std::uint64_t packed_checksum(const PackedBlockHead& head, std::string_view packed,
                              std::uint32_t version = packed_version);

// The end of a file.
struct PackedTrailer {
  std::uint64_t tables = 0;                  // offset of the block of tables
  std::uint64_t ctas = 0, instructions = 0;  // counts of CTAs, and of their warp instructions
  std::uint64_t checksum = 0;                // packed_checksum() of the members above, without a head
};
// The checksum that the trailer must have.
std::uint64_t packed_checksum(const PackedTrailer& trailer);

bool is_packed(const std::filesystem::path& file);  // by its name: *.packed

// The common form of lines of one static instruction, from which their text can be rebuilt.
struct PackedForm {
  static constexpr std::uint8_t no_access = 3, all_prefixed = 255;
  std::uint8_t mode = no_access;  // the addresses' mode: 0, 1, 2
  std::uint8_t prefixed = 0;      // how many addresses of a line, from the first on, are written with 0x
  std::uint8_t digits = 0;        // least number of digits of an address, with leading zeros
  std::uint16_t line_length = 0;  // PC and everything up to the access width, without the mask
  // The text behind the addresses: a blank and an immediate, values for a record (AsyncRecord), and reuse=.
  std::uint16_t tail_length = 0;
};

// Consecutive lines under one mask, with consecutive forms from `form` on.
struct PackedRun {
  std::uint32_t form = 0, count = 0, mask = 0;
};
// How the file gives the mask of a run.
enum class PackedMask : std::uint8_t { as_before, all, none, told, latest, older };
// A run of at least this many lines has its length in a number of its own.
inline constexpr std::uint32_t packed_long_run = 15;
// The kind of an access with a stride of one byte.
inline constexpr unsigned packed_short_stride = 5;

// The last two partial masks of a warp. Where paths part and meet, masks come again.
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
  std::uint32_t counted_mask = 0;  // the mask whose lanes are counted in `lanes`
  unsigned lanes = 0;              // lanes in counted_mask
};

// A form's latest access. Head and rest are the parts of addresses.h before and behind the base.
struct PackedAccess {
  std::uint64_t base = 0;
  const std::uint8_t* rest = nullptr;  // points into the current block or short_strides, or is null
  std::uint32_t head = 0, mask = 0;
};

// Takes a packed file apart, as far as lengths and numbers go. Throws TraceError.
class PackedReader final : public TracePosition {
 public:
  explicit PackedReader(const std::filesystem::path& file) : PackedReader(file, true) {}
  // The size in the end of a file. Nothing for version 4.
  static std::optional<KernelSize> size_of(const std::filesystem::path& file);

  // The text's header, and the sidecar, if there was one.
  const std::string& header() const { return header_; }
  std::optional<Sidecar>& sidecar() { return sidecar_; }
  // Reads the next CTA. False at the end of the file. next_warp() must be called `warps` times before the
  // next call, and its results are valid until then.
  bool next_cta(Dim3& id, std::uint32_t& warps);
  // The CTAs without unpacking them. Null for version 4.
  const CtaIndex* index() const { return version_ == packed_version ? &index_ : nullptr; }
  // The number of forms in the CTAs before `cta`. Needs an index.
  std::uint32_t forms_before(std::uint64_t cta) const { return forms_before_[cta]; }
  // Makes CTA `cta`, counted from 0, the next one. Behind the last one is the end of the file. Unpacks one
  // block of the file. Needs an index.
  void seek(std::uint64_t cta);
  PackedWarp next_warp();
  // Reads the warp's next run, of known forms, into warp.run. False if there are no more runs.
  bool next_run(PackedWarp& warp);
  // Writes the warp's next access, of this form of its run, to [to, end) in the encoding of addresses.h. Up
  // to packed::slack useless bytes may follow. To be called once for each access, in order. Returns the
  // access's end.
  std::uint8_t* next_access(PackedWarp& warp, std::uint32_t form, std::uint8_t* to, const std::uint8_t* end);
  // To be called when all runs and accesses of the warp have been read.
  void end_warp(const PackedWarp& warp) const;

  // The forms of this CTA and of those before it.
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
  std::uint64_t total_ = 0, offset_ = 0, block_ = 0;  // positions in bytes: of the file's end, behind the
                                                      // current block, and of the current block
  std::string header_;
  std::optional<Sidecar> sidecar_;
  boost::container::vector<char> packed_, contents_;  // the current block, and unused room
  std::size_t at_ = 0, size_ = 0;
  bool ended_ = false;
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;
  // With an index: its parts, the number of the next CTA, and the index of the next block in blocks_.
  CtaIndex index_;
  std::uint64_t tables_ = 0;  // offset of the block of tables
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> forms_before_;  // by CTA; the last entry is the number of all forms
  std::uint64_t cta_ = 0;
  std::size_t next_block_ = 0;
  std::uint32_t warps_left_ = 0;         // of the current CTA
  std::uint64_t instructions_left_ = 0;  // of the current CTA
  std::vector<PackedForm> forms_;
  std::vector<std::size_t> at_text_;  // offset of each form's line and tail
  std::string texts_;
  std::vector<PackedAccess> accesses_;  // the latest access of each form
};

// next_run(), take_rest() and next_access() are inline, because there may be as many calls as instructions.
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

// Reads the rest of an access, if it differs from the rest of the form's access before.
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
  // There is a difference for each lane of the mask but the first. A stride fits any mask.
  const bool fits = access.rest != nullptr && (access.mask == warp.run.mask || access.head >> 16 == 0);
  const std::size_t size = access.head & 0xffff;
  if (!fits || in.is_beyond_end() || size > static_cast<std::size_t>(end - to)) fail_damaged();
  std::memcpy(to, &access.head, sizeof access.head);
  std::memcpy(to + 3, &access.base, sizeof access.base);
  packed::copy_in_steps(to + packed::before_rest, access.rest, size - packed::before_rest);
  return to + size;
}

}  // namespace subcore
