#include "subcore/model/trace/packed_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include <zstd.h>

#include "subcore/base/bits.h"
#include "subcore/base/files.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/line_source.h"

namespace subcore {
namespace {

constexpr const char* whole_file = "a file as subcore pack wrote it";
// Where blocks begin.
constexpr std::uint64_t data_begin = packed_magic.size() + sizeof packed_version;

}  // namespace

// Each step is reversible, so two inputs that differ in one word never have the same checksum.
std::uint64_t packed_checksum(const PackedBlockHead& head, std::string_view packed, std::uint32_t version) {
  std::uint64_t sum = version == oldest_packed_version ? 0 : version;
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

std::uint64_t packed_checksum(const PackedTrailer& trailer) {
  return packed_checksum({}, {reinterpret_cast<const char*>(&trailer), offsetof(PackedTrailer, checksum)});
}

bool is_packed(const std::filesystem::path& file) {
  return file.extension() == ".packed";
}

PackedReader::PackedReader(const std::filesystem::path& file, bool whole) : name_(file.string()) {
  if (is_folder(file)) throw TraceError(name_ + ": cannot open; expected a file, not a folder");
  stream_.open(file, std::ios::binary);
  if (!stream_)
    throw TraceError(name_ + ": cannot open: " + std::strerror(errno) + "; expected a readable file");
  stream_.seekg(0, std::ios::end);
  total_ = static_cast<std::uint64_t>(stream_.tellg());
  if (whole) open();
}

std::optional<KernelSize> PackedReader::size_of(const std::filesystem::path& file) {
  PackedReader reader(file, false);
  reader.read_version();
  if (reader.index() == nullptr) return std::nullopt;
  const PackedTrailer trailer = reader.read_trailer();
  return KernelSize{trailer.ctas, trailer.instructions};
}

void PackedReader::FreeContext::operator()(ZSTD_DCtx_s* context) const {
  ZSTD_freeDCtx(context);
}

void PackedReader::read_version() {
  stream_.clear();
  stream_.seekg(0);
  offset_ = block_ = 0;
  at_ = 0;
  ended_ = false;
  char magic[packed_magic.size()];
  stream_.read(magic, sizeof magic);
  if (!stream_ || std::string_view(magic, sizeof magic) != packed_magic)
    fail("the file is not a packed trace", whole_file);
  stream_.read(reinterpret_cast<char*>(&version_), sizeof version_);
  if (!stream_) fail("file ends early", whole_file);
  if (version_ < oldest_packed_version || version_ > packed_version)
    fail("packed trace of version " + std::to_string(version_),
         "version " + std::to_string(oldest_packed_version) + " or " + std::to_string(packed_version) +
             "; pack the trace's text again");
  offset_ = data_begin;
}

void PackedReader::open() {
  read_version();
  if (version_ == packed_version) return read_tables();
  if (!next_block()) fail("the file has no contents", whole_file);
  read_head();
}

PackedTrailer PackedReader::read_trailer() {
  PackedTrailer trailer;
  if (total_ < data_begin + sizeof trailer) fail("file ends early", whole_file);
  block_ = total_ - sizeof trailer;
  stream_.seekg(static_cast<std::streamoff>(block_));
  stream_.read(reinterpret_cast<char*>(&trailer), sizeof trailer);
  if (!stream_ || packed_checksum(trailer) != trailer.checksum || trailer.tables < data_begin ||
      trailer.tables > block_)
    fail("file ends early, or is damaged", whole_file);
  return trailer;
}

void PackedReader::read_tables() {
  const PackedTrailer trailer = read_trailer();
  const std::uint64_t end = block_;
  tables_ = offset_ = trailer.tables;
  stream_.seekg(static_cast<std::streamoff>(tables_));
  read_block(end);
  if (offset_ != end) fail("the file goes on behind its end", whole_file);
  read_head();
  take_forms(take<std::uint32_t>());
  take_index(trailer);
  begin();
}

// No list takes more memory than the bytes that are there.
void PackedReader::take_index(const PackedTrailer& trailer) {
  std::uint64_t ctas = 0, before = data_begin;
  const auto blocks = take<std::uint32_t>();
  blocks_.reserve(std::min<std::size_t>(blocks, size_ - at_));
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const auto offset = take<std::uint64_t>();
    const auto ctas_in = take<std::uint32_t>();
    if ((b == 0 ? offset != data_begin : offset <= before) || offset >= tables_ || ctas_in == 0)
      fail_damaged();
    blocks_.push_back({before = offset, ctas});
    ctas += ctas_in;
  }
  if (ctas != trailer.ctas || ctas > (size_ - at_) / (2 * sizeof(std::uint32_t))) fail_damaged();
  index_.instructions.reserve(ctas);
  forms_before_.reserve(ctas + 1);
  std::uint64_t forms = 0;
  for (std::uint64_t c = 0; c < ctas; ++c) {
    index_.instructions.push_back(take<std::uint32_t>());
    index_.total += index_.instructions.back();
    forms_before_.push_back(static_cast<std::uint32_t>(forms));
    forms += take<std::uint32_t>();
    if (forms > forms_.size()) fail_damaged();
  }
  forms_before_.push_back(static_cast<std::uint32_t>(forms));
  if (forms != forms_.size() || index_.total != trailer.instructions || at_ != size_) fail_damaged();
}

// Makes the first CTA the next one.
void PackedReader::begin() {
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(data_begin));
  offset_ = block_ = data_begin;
  at_ = size_ = 0;
  cta_ = 0;
  next_block_ = 0;
  warps_left_ = 0;
  ended_ = false;
}

void PackedReader::seek(std::uint64_t cta) {
  begin();
  if (cta == 0) return;
  const auto behind = std::upper_bound(blocks_.begin(), blocks_.end(), cta,
                                       [](std::uint64_t c, const Block& b) { return c < b.first_cta; });
  if (cta >= index_.instructions.size()) {
    cta_ = index_.instructions.size();
    next_block_ = blocks_.size();
    offset_ = tables_;
    return;
  }
  const Block& block = behind[-1];
  next_block_ = static_cast<std::size_t>(behind - blocks_.begin()) - 1;
  cta_ = block.first_cta;
  offset_ = block.offset;
  stream_.seekg(static_cast<std::streamoff>(offset_));
  while (cta_ < cta) skip_cta();
}

// Accesses are encoded as differences to earlier ones of their block. Accesses must therefore be read, even
// in a CTA that is skipped.
void PackedReader::skip_cta() {
  Dim3 id;
  std::uint32_t warps = 0;
  next_cta(id, warps);
  std::uint8_t access[packed::longest_access + packed::slack];
  for (; warps > 0; --warps) {
    PackedWarp warp = next_warp();
    std::uint64_t count = 0;
    while (next_run(warp)) {
      count += warp.run.count;
      if (warp.run.mask == 0) continue;
      for (std::uint32_t f = warp.run.form; f < warp.run.form + warp.run.count; ++f)
        if (forms_[f].mode != PackedForm::no_access)
          next_access(warp, f, access, std::end(access) - packed::slack);
    }
    if (count != warp.count) fail_damaged();
    end_warp(warp);
  }
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
  if (index() != nullptr) return begin();
  forms_.clear();
  at_text_.clear();
  texts_.clear();
  accesses_.clear();
  open();
}

// The block at `offset_`, which ends before `end`.
PackedBlockHead PackedReader::read_block(std::uint64_t end) {
  block_ = offset_;
  PackedBlockHead head;
  stream_.read(reinterpret_cast<char*>(&head), sizeof head);
  if (!stream_) fail("file ends early", whole_file);
  if (end - block_ < sizeof head || head.packed_bytes > end - block_ - sizeof head)
    fail("file ends early, or is damaged", whole_file);
  packed_.resize(head.packed_bytes + packed::slack, boost::container::default_init);
  stream_.read(packed_.data(), head.packed_bytes);
  if (!stream_) fail("file ends early", whole_file);
  if (packed_checksum(head, {packed_.data(), head.packed_bytes}, version_) != head.checksum)
    fail("wrong checksum", whole_file);
  offset_ = block_ + sizeof head + head.packed_bytes;
  LineSource::count_block();
  at_ = size_ = 0;
  if (head.packed_bytes == head.bytes) {
    packed_.swap(contents_);
    size_ = head.bytes;
  } else {
    unpack(head);
  }
  return head;
}

bool PackedReader::next_block() {
  if (index() == nullptr) {
    if (read_block(total_).packed_bytes == 0) {
      if (offset_ != total_) fail("the file goes on behind its end", whole_file);
      return false;
    }
    for (PackedAccess& access : accesses_) access.rest = nullptr;
    return true;
  }
  if (next_block_ == blocks_.size()) {
    if (cta_ != index_.instructions.size() || offset_ != tables_) fail_damaged();
    offset_ = total_;
    return false;
  }
  if (offset_ != blocks_[next_block_].offset || cta_ != blocks_[next_block_].first_cta) fail_damaged();
  ++next_block_;
  if (read_block(tables_).bytes == 0) fail_damaged();
  std::fill(accesses_.begin(), accesses_.end(), PackedAccess{});
  return true;
}

// Takes memory as the contents come, whatever length the block's head claims.
void PackedReader::unpack(const PackedBlockHead& head) {
  constexpr std::size_t step = std::size_t{1} << 24;
  if (context_ == nullptr) {
    context_.reset(ZSTD_createDCtx());
    if (context_ == nullptr) throw std::bad_alloc();
  }
  ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
  ZSTD_inBuffer in{packed_.data(), head.packed_bytes, 0};
  std::size_t left = 1;
  while (size_ < head.bytes) {
    const std::size_t wanted = std::min<std::size_t>(step, head.bytes - size_);
    if (contents_.size() < size_ + wanted + packed::slack)
      contents_.resize(size_ + wanted + packed::slack, boost::container::default_init);
    ZSTD_outBuffer out{contents_.data() + size_, wanted, 0};
    left = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(left) || out.pos == 0) fail_damaged();
    size_ += out.pos;
  }
  if (left != 0 || in.pos != in.size) fail_damaged();
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
  if (index() == nullptr) {
    const auto new_forms = take<std::uint32_t>();
    warps = take<std::uint32_t>();
    take_forms(new_forms);
    return true;
  }
  warps = warps_left_ = take<std::uint32_t>();
  // A block has as many CTAs as the index says.
  if (next_block_ < blocks_.size() ? cta_ == blocks_[next_block_].first_cta
                                   : cta_ == index_.instructions.size())
    fail_damaged();
  instructions_left_ = index_.instructions[cta_++];
  if (warps == 0 && instructions_left_ != 0) fail_damaged();
  return true;
}

void PackedReader::take_forms(std::uint32_t count) {
  for (; count > 0; --count) take_form();
  accesses_.resize(forms_.size());
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
  // Lengths that take memory are bounded by the bytes that are there. An access has at least two bytes.
  if (w.access_bytes > std::uint64_t{(packed::longest_access + 1) / 2} * packed_access_bytes ||
      w.count > run_bytes * std::uint64_t{forms_.size()})
    fail_damaged();
  if (index() == nullptr) return w;
  if (w.count > instructions_left_) fail_damaged();
  instructions_left_ -= w.count;
  if (--warps_left_ == 0 && instructions_left_ != 0) fail_damaged();
  return w;
}

void PackedReader::end_warp(const PackedWarp& warp) const {
  if (warp.accesses.at != warp.accesses.end) fail_damaged();
}

void PackedReader::fail(const std::string& problem, const std::string& expected) const {
  throw TraceError(name_ + ": byte " + std::to_string(block_) + ": " + problem + "; expected " + expected);
}

void PackedReader::fail_damaged() const {
  fail("the contents make no sense", whole_file);
}

}  // namespace subcore
