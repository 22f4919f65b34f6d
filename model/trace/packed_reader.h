// A packed trace: one kernel's trace in binary, as its text says it and before any platform makes something
// of it. Written by pack_kernel(), read by PackedKernel, turned back into text by UnpackedText.
//
// The file begins with `packed_magic` and its version in four bytes. Then come blocks, each a PackedBlockHead
// and as many bytes of a zstd frame as that says; a block without any ends the file. Numbers are
// little-endian. The first block holds the head, each other one whole thread blocks. With bytes in brackets:
//
// head: length of the text [4], the text's header up to `#traces format`, 1 if there was a sidecar [1], count
//   of its entries [4], the entries
// entry: PC [8], reuse mask, predicates read, predicates written, count of sources, of destinations [1 each],
//   for each of those register, width and slot [1 each]
// thread block: x, y, z, count of new forms, count of warps [4 each], its new forms, its warps
// form: mode, prefixed, digits [1 each], lengths of line and tail [2 each], line, tail
// warp: warp, count of instructions, bytes of runs, of accesses, and of accesses as addresses.h has them
//   [4 each], the runs, the accesses
// run: count below packed_long_run, PackedMask << 4, width of the form << 6 [1]; the count if it is a longer
//   one [4]; the form, as the difference to the one behind the run before; the mask if it has to be told [4].
//   So many instructions, of this form, the next, the one behind that, and so on, under one mask
// access: form of addresses.h, width of the base << 4, of the stride << 6 [1]; the base, as the difference to
//   that of the access before of the same form; the stride, or the differences as they are in addresses.h
//
// A form is what many lines have in common. It is numbered from 0 through the whole file, and stands in the
// thread block that needs it first: straight code is one run. Widths are those of packed_bytes.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace/packed_bytes.h"
#include "model/trace/place.h"
#include "model/trace/sidecar.h"
#include "model/trace/trace.h"

namespace subcore {

inline constexpr std::string_view packed_magic{"subcore\x1a", 8};
inline constexpr std::uint32_t packed_version = 1;
inline constexpr std::size_t packed_block_bytes = 256 * 1024;  // of its contents; more for long CTAs

struct PackedBlockHead {
  std::uint32_t packed_bytes = 0, bytes = 0;  // behind the head, and of its contents
  std::uint32_t checksum = 0;                 // CRC-32 of both and of the packed bytes
};
std::uint32_t packed_checksum(const PackedBlockHead& head, std::string_view packed);

bool is_packed(const std::filesystem::path& file);  // by its name: *.packed

struct PackedForm {
  static constexpr std::uint8_t no_access = 3, all_prefixed = 255;
  std::uint8_t mode = no_access;  // of the addresses: 0, 1, 2
  std::uint8_t prefixed = 0;      // how many of a line's addresses are written with 0x, from the first
  std::uint8_t digits = 0;        // how many an address has at least, with zeros before it
  std::uint16_t line_length = 0;  // PC and, without the mask, everything up to the access width
  std::uint16_t tail_length = 0;  // what stands behind the addresses: a blank and an immediate, and reuse=
};

struct PackedRun {
  std::uint32_t form = 0, count = 0, mask = 0;
};
enum class PackedMask : std::uint8_t { as_before, all, none, other };
inline constexpr std::uint32_t packed_long_run = 15;

struct PackedWarp {
  std::uint32_t warp = 0, count = 0, access_bytes = 0;
  packed::Bytes runs, accesses;
  PackedRun run;       // the current one,
  unsigned lanes = 0;  // and how many its mask has
};

// Takes a packed file apart as far as lengths and numbers go. Throws TraceError.
class PackedReader final : public Place {
 public:
  explicit PackedReader(const std::filesystem::path& file);

  // The text's header, and the sidecar, if there was one.
  const std::string& header() const { return header_; }
  const std::optional<Sidecar>& sidecar() const { return sidecar_; }
  // The next thread block; false at the end of the file. next_warp() is to be called `warps` times before the
  // next one, and what it returns is valid until then.
  bool next_cta(Dim3& id, std::uint32_t& warps);
  PackedWarp next_warp();
  // The warp's next run, into warp.run, of known forms; false if that was the last one.
  bool next_run(PackedWarp& warp);
  // Writes the warp's next access, of this form of its run, to [to, end) as addresses.h has it. To be called
  // once for each access, in order. Returns its end.
  std::uint8_t* next_access(PackedWarp& warp, std::uint32_t form, std::uint8_t* to, const std::uint8_t* end);
  // Once all of them have been read.
  void end_warp(const PackedWarp& warp) const;

  // Those of this thread block and the ones before.
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
  void open();
  bool next_block();
  void unpack(const PackedBlockHead& head, const std::string& packed);
  void read_head();
  void take_form();
  char* take(std::size_t bytes);
  std::string take_text(std::size_t bytes) { return {take(bytes), bytes}; }
  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  std::string name_;
  std::ifstream stream_;
  std::uint64_t total_ = 0, offset_ = 0, block_ = 0;  // of the file; behind, and at, the current block
  std::string header_;
  std::optional<Sidecar> sidecar_;
  std::vector<char> contents_;  // of the current block, and unused room
  std::size_t at_ = 0, size_ = 0;
  bool ended_ = false;
  std::vector<PackedForm> forms_;
  std::vector<std::size_t> at_text_;  // where each form's line and tail are
  std::string texts_;
  std::vector<std::uint64_t> bases_;  // of each form's latest access
};

}  // namespace subcore
