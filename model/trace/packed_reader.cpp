#include "subcore/model/trace/packed_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include "subcore/base/bits.h"
#include "subcore/base/files.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/line_source.h"

namespace subcore {
namespace {

namespace io = boost::iostreams;

// Bytes in memory, for a filter that is used without a stream around it.
struct PackedBytes {
  using char_type = char;
  using category = io::source_tag;
  std::string_view left;
  std::streamsize read(char* to, std::streamsize n) {
    const std::size_t count = left.copy(to, static_cast<std::size_t>(n));
    left.remove_prefix(count);
    return count > 0 ? static_cast<std::streamsize>(count) : -1;
  }
};

constexpr const char* whole_file = "a file as subcore pack wrote it";

}  // namespace

// Each step is reversible, so that two files which differ in one of their words never come out the same.
std::uint64_t packed_checksum(const PackedBlockHead& head, std::string_view packed) {
  std::uint64_t sum = 0;
  const auto add = [&sum](std::uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    sum ^= sum >> 32;
  };
  add(std::uint64_t{head.bytes} << 32 | head.packed_bytes);
  for (std::uint64_t word; packed.size() >= sizeof word; packed.remove_prefix(sizeof word)) {
    std::memcpy(&word, packed.data(), sizeof word);
    add(word);
  }
  std::uint64_t last = 0;
  packed.copy(reinterpret_cast<char*>(&last), sizeof last);
  add(last);
  return sum;
}

bool is_packed(const std::filesystem::path& file) {
  return file.extension() == ".packed";
}

PackedReader::PackedReader(const std::filesystem::path& file) : name_(file.string()) {
  if (is_folder(file)) throw TraceError(name_ + ": cannot open; expected a file, not a folder");
  stream_.open(file, std::ios::binary);
  if (!stream_)
    throw TraceError(name_ + ": cannot open: " + std::strerror(errno) + "; expected a readable file");
  stream_.seekg(0, std::ios::end);
  total_ = static_cast<std::uint64_t>(stream_.tellg());
  open();
}

void PackedReader::open() {
  stream_.clear();
  stream_.seekg(0);
  offset_ = block_ = 0;
  at_ = 0;
  ended_ = false;
  char magic[packed_magic.size()];
  std::uint32_t version = 0;
  stream_.read(magic, sizeof magic);
  if (!stream_ || std::string_view(magic, sizeof magic) != packed_magic)
    fail("this is no packed trace", whole_file);
  stream_.read(reinterpret_cast<char*>(&version), sizeof version);
  if (!stream_) fail("file ends early", whole_file);
  if (version != packed_version)
    fail("packed trace of version " + std::to_string(version),
         "version " + std::to_string(packed_version) + ": pack its text again");
  offset_ = sizeof magic + sizeof version;
  if (!next_block()) fail("nothing in it", whole_file);
  read_head();
}

void PackedReader::read_head() {
  header_ = take_text(take<std::uint32_t>());
  sidecar_.reset();
  if (take<std::uint8_t>() == 0) return;
  sidecar_.emplace();
  const auto take_operands = [this](SidecarOperands& operands) {
    for (SidecarOperand& o : operands) {
      o.base = take<std::uint8_t>();
      o.width = take<std::uint8_t>();
      o.slot = take<std::uint8_t>();
    }
  };
  auto& entries = sidecar_->by_pc;
  auto left = take<std::uint32_t>();
  entries.reserve(std::min<std::size_t>(left, size_ - at_));
  for (; left > 0; --left) {
    SidecarEntry& entry = entries.try_emplace(entries.end(), take<std::uint64_t>())->second;
    ControlBits& c = entry.control;
    c.stall = take<std::uint8_t>();
    c.yield = take<std::uint8_t>() != 0;
    for (std::uint8_t* n : {&c.write_barrier, &c.read_barrier, &c.wait_mask}) *n = take<std::uint8_t>();
    if (!c.is_valid()) fail_damaged();
    entry.reuse_mask = take<std::uint8_t>();
    entry.predicates_read = take<std::uint8_t>();
    entry.predicates_written = take<std::uint8_t>();
    entry.uniforms_read = take<std::uint64_t>();
    entry.uniforms_written = take<std::uint64_t>();
    const std::size_t length = take<std::uint16_t>();
    sidecar_->keep_text(entry, {take(length), length});
    entry.sources.resize(take<std::uint8_t>());
    entry.destinations.resize(take<std::uint8_t>());
    take_operands(entry.sources);
    take_operands(entry.destinations);
  }
}

void PackedReader::rewind() {
  forms_.clear();
  at_text_.clear();
  texts_.clear();
  accesses_.clear();
  open();
}

bool PackedReader::next_block() {
  block_ = offset_;
  PackedBlockHead head;
  stream_.read(reinterpret_cast<char*>(&head), sizeof head);
  if (!stream_) fail("file ends early", whole_file);
  if (head.packed_bytes > total_ - block_ - sizeof head) fail("file ends early, or is damaged", whole_file);
  packed_.resize(head.packed_bytes + packed::slack, boost::container::default_init);
  stream_.read(packed_.data(), head.packed_bytes);
  if (!stream_) fail("file ends early", whole_file);
  if (packed_checksum(head, {packed_.data(), head.packed_bytes}) != head.checksum)
    fail("wrong checksum", whole_file);
  offset_ = block_ + sizeof head + head.packed_bytes;
  LineSource::count_block();
  at_ = 0;
  if (head.packed_bytes == 0) {
    if (offset_ != total_) fail("more behind the end", whole_file);
    return false;
  }
  if (head.packed_bytes == head.bytes) {
    packed_.swap(contents_);
    size_ = head.bytes;
  } else {
    unpack(head);
  }
  for (PackedAccess& access : accesses_) access.rest = nullptr;
  return true;
}

// Takes memory as the contents come, whatever length the block's head claims. A stream around the filter
// would copy everything once more.
void PackedReader::unpack(const PackedBlockHead& head) {
  constexpr std::size_t step = std::size_t{1} << 24;
  io::zstd_decompressor filter(io::zstd_params(), head.packed_bytes);
  PackedBytes source{{packed_.data(), head.packed_bytes}};
  for (size_ = 0; size_ < head.bytes;) {
    const std::size_t wanted = std::min<std::size_t>(step, head.bytes - size_);
    if (contents_.size() < size_ + wanted + packed::slack)
      contents_.resize(size_ + wanted + packed::slack, boost::container::default_init);
    std::streamsize got = 0;
    try {
      got = filter.read(source, contents_.data() + size_, static_cast<std::streamsize>(wanted));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      fail_damaged();
    }
    if (got <= 0) fail_damaged();
    size_ += static_cast<std::size_t>(got);
  }
}

char* PackedReader::take(std::size_t bytes) {
  if (bytes > size_ - at_) fail_damaged();
  at_ += bytes;
  return contents_.data() + at_ - bytes;
}

bool PackedReader::next_cta(Dim3& id, std::uint32_t& warps) {
  if (ended_) return false;
  if (at_ == size_ && !next_block()) {
    ended_ = true;
    return false;
  }
  id.x = take<std::uint32_t>();
  id.y = take<std::uint32_t>();
  id.z = take<std::uint32_t>();
  const auto new_forms = take<std::uint32_t>();
  warps = take<std::uint32_t>();
  for (std::uint32_t i = 0; i < new_forms; ++i) take_form();
  accesses_.resize(forms_.size());
  return true;
}

void PackedReader::take_form() {
  PackedForm form;
  form.mode = take<std::uint8_t>();
  form.prefixed = take<std::uint8_t>();
  form.digits = take<std::uint8_t>();
  form.line_length = take<std::uint16_t>();
  form.tail_length = take<std::uint16_t>();
  if (form.mode > PackedForm::no_access || form.digits > 16) fail_damaged();
  const std::size_t length = std::size_t{form.line_length} + form.tail_length;
  at_text_.push_back(texts_.size());
  texts_.append(take(length), length);
  forms_.push_back(form);
}

PackedWarp PackedReader::next_warp() {
  PackedWarp w;
  w.warp = take<std::uint32_t>();
  w.count = take<std::uint32_t>();
  const auto run_bytes = take<std::uint32_t>(), packed_access_bytes = take<std::uint32_t>();
  w.access_bytes = take<std::uint32_t>();
  for (auto [bytes, length] : {std::pair{&w.runs, run_bytes}, {&w.accesses, packed_access_bytes}}) {
    bytes->at = reinterpret_cast<const std::uint8_t*>(take(length));
    bytes->end = bytes->at + length;
  }
  // Lengths that take memory are bounded by the bytes that are there: an access has two at least.
  if (w.access_bytes > std::uint64_t{(packed::longest_access + 1) / 2} * packed_access_bytes ||
      w.count > run_bytes * std::uint64_t{forms_.size()})
    fail_damaged();
  return w;
}

void PackedReader::end_warp(const PackedWarp& warp) const {
  if (warp.accesses.at != warp.accesses.end) fail_damaged();
}

void PackedReader::fail(const std::string& problem, const std::string& expected) const {
  throw TraceError(name_ + ": byte " + std::to_string(block_) + ": " + problem + "; expected " + expected);
}

void PackedReader::fail_damaged() const {
  fail("contents that make no sense", whole_file);
}

}  // namespace subcore
