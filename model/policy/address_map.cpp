#include "subcore/model/policy/address_map.h"

#include <algorithm>
#include <sstream>

#include "subcore/model/parameters/checker.h"

namespace subcore {
namespace {

std::string hex(std::uint64_t n) {
  std::ostringstream text;
  text << "0x" << std::hex << n;
  return text.str();
}

}  // namespace

// The offset without the granules of other ways in front of it.
std::uint64_t AddressMap::squeezed(const Range& r, std::uint64_t offset) {
  if (!interleaved(r) || !r.interleave.squeeze) return offset;
  const std::uint64_t granule = r.interleave.granule;
  return offset / granule / r.interleave.ways * granule + offset % granule;
}

std::string AddressMap::problem(const Range& r) {
  if (r.begin > last(r) && r.begin != r.end) return "ends before it begins";
  if (r.base > r.begin) return "its base " + hex(r.base) + " lies above its begin";
  if (!power_of_two(r.mask + 1) && r.mask != ~std::uint64_t{0})
    return "mask " + hex(r.mask) + "; expected a power of two minus 1";
  const Interleave& i = r.interleave;
  if (i.way >= i.ways)
    return "way " + std::to_string(i.way) + " of " + std::to_string(i.ways) +
           "; expected a way below the number of ways";
  if (interleaved(r) && !power_of_two(i.granule))
    return "a granule of " + std::to_string(i.granule) + " bytes; expected a power of two";
  return {};
}

std::string AddressMap::problem() const {
  const auto named = [this](std::size_t n) {
    const Range& r = ranges_[n];
    return "range " + std::to_string(n) + " (" + hex(r.begin) + " to " + hex(last(r)) + ")";
  };
  for (std::size_t n = 0; n < ranges_.size(); ++n) {
    const Range& r = ranges_[n];
    const std::string own = problem(r);
    if (!own.empty()) return named(n) + ": " + own;
    if (r.begin > last(r)) continue;  // empty
    for (std::size_t m = 0; m < n; ++m) {
      const Range& o = ranges_[m];
      if (o.begin > last(o) || r.begin > last(o) || o.begin > last(r)) continue;
      const Interleave &i = r.interleave, &j = o.interleave;
      const bool ways_of_one = interleaved(r) && r.begin == o.begin && r.end == o.end && r.base == o.base &&
                               i.granule == j.granule && i.ways == j.ways && i.way != j.way;
      if (!ways_of_one)
        return named(n) + " overlaps " + named(m) +
               (interleaved(r) && interleaved(o)
                    ? "; expected another way with the same begin, end, base, granule and ways"
                    : "");
    }
  }
  return {};
}

AddressMap::Destination AddressMap::find(std::uint64_t address) const {
  Destination place;
  for (unsigned n = 0; n < ranges_.size(); ++n) {
    const Range& r = ranges_[n];
    if (address < r.begin || address > last(r)) continue;
    const std::uint64_t offset = address - r.base;
    std::uint64_t more = last(r) - address;
    if (interleaved(r)) {
      const Interleave& i = r.interleave;
      if (offset / i.granule % i.ways != i.way) continue;
      more = std::min(more, i.granule - 1 - offset % i.granule);
    }
    const std::uint64_t seen = squeezed(r, offset) & r.mask;
    return {n, seen, std::min(more, r.mask - seen)};
  }
  return place;
}

bool AddressMap::find_back(unsigned range, Span seen, Span& addresses) const {
  const Range& r = ranges_[range];
  if (r.begin > last(r) || seen.first > seen.second) return false;
  const std::uint64_t lowest = r.begin - r.base, highest = last(r) - r.base;  // offsets
  std::uint64_t top = squeezed(r, highest);
  // The last granule of this way may be whole although the range ends within another way's granule.
  if (interleaved(r) && r.interleave.squeeze) top |= r.interleave.granule - 1;
  if (top > r.mask) {  // a byte of the target has several addresses
    addresses = {r.begin, last(r)};
    return seen.first <= r.mask;
  }
  if (seen.first > top) return false;
  Span offsets{seen.first, std::min(seen.second, top)};
  if (interleaved(r) && r.interleave.squeeze) {
    const std::uint64_t granule = r.interleave.granule;
    const auto room = [&](std::uint64_t o) { return highest - o / granule * granule * r.interleave.ways; };
    const auto rest = [&](std::uint64_t o) { return r.interleave.way * granule + o % granule; };
    if (rest(offsets.first) > room(offsets.first)) return false;
    offsets.first = highest - room(offsets.first) + rest(offsets.first);
    offsets.second = highest - room(offsets.second) + std::min(room(offsets.second), rest(offsets.second));
  }
  offsets.first = std::max(offsets.first, lowest);
  offsets.second = std::min(offsets.second, highest);
  if (offsets.first > offsets.second) return false;
  addresses = {offsets.first + r.base, offsets.second + r.base};
  return true;
}

}  // namespace subcore
