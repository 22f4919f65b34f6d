// A packed trace, whose checksums are corrected first, because a fuzzer does not find them.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "tests/fuzz/read_kernel.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {
namespace {

constexpr std::size_t begin = packed_magic.size() + sizeof packed_version;

// Blocks follow each other from `begin` on, as far as their lengths fit. The trailer is last.
void put_checksums_right(std::string& file) {
  if (file.size() < begin) return;
  std::uint32_t version;
  std::memcpy(&version, file.data() + packed_magic.size(), sizeof version);
  const bool old = version == oldest_packed_version;
  const std::size_t end = file.size() - (old ? 0 : std::min(sizeof(PackedTrailer), file.size() - begin));
  for (std::size_t at = begin; end - at >= sizeof(PackedBlockHead);) {
    PackedBlockHead head;
    std::memcpy(&head, file.data() + at, sizeof head);
    if (head.packed_bytes > end - at - sizeof head) break;
    const std::string_view packed(file.data() + at + sizeof head, head.packed_bytes);
    head.checksum = packed_checksum(head, packed, version);
    std::memcpy(file.data() + at, &head, sizeof head);
    at += sizeof head + head.packed_bytes;
  }
  if (old || file.size() - end != sizeof(PackedTrailer)) return;
  PackedTrailer trailer;
  std::memcpy(&trailer, file.data() + end, sizeof trailer);
  trailer.checksum = packed_checksum(trailer);
  std::memcpy(file.data() + end, &trailer, sizeof trailer);
}

}  // namespace

void packed_trace(std::string_view input) {
  std::string bytes(input);
  put_checksums_right(bytes);
  const auto file = write("kernel-1.traceg.packed", bytes);
  accepts([&] { PackedReader::size_of(file); });
  accepts([&] { read_kernel(file); });
  accepts([&] {
    LineSource lines(file);
    for (std::string_view line; lines.next(line);) {
    }
  });
}

}  // namespace subcore::fuzz
