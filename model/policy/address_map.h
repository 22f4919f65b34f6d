// A memory map: the target to which an address leads, and the address that the target sees.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

class AddressMap {
 public:
  // Spreads a range over several targets, one granule at a time. Granule n, counted from the base, belongs to
  // way n modulo `ways`. Each way is a Range of its own with the same begin, end, base, granule and ways.
  struct Interleave {
    std::uint64_t granule = 0;  // bytes, a power of two
    std::uint32_t ways = 1;     // any number; 1: not spread
    std::uint32_t way = 0;      // the way of this target
    bool squeeze = true;        // the target sees its granules without the gaps between them
  };
  // A range of addresses. The target sees (address - base) & mask, squeezed before the mask if `squeeze` is
  // set.
  struct Range {
    std::uint64_t begin, end;                // end: first byte beyond; 0 for the end of the address space
    std::uint64_t base = 0;                  // at most `begin`
    std::uint64_t mask = ~std::uint64_t{0};  // the lowest bits, as many as the target's addresses have
    Interleave interleave = {};
  };
  // The destination of an address: the number of the range, in the order of the ranges, and the target's
  // address.
  struct Destination {
    static constexpr unsigned nowhere = ~0u;
    unsigned range = nowhere;
    std::uint64_t address = 0;  // the address that the target sees
    std::uint64_t more = 0;     // following bytes that lead to the same target
  };
  using Span = std::pair<std::uint64_t, std::uint64_t>;  // first and last byte

  explicit AddressMap(std::vector<Range> ranges) : ranges_(std::move(ranges)) {}

  // One line about the map's mistake; empty if there is none.
  std::string problem() const;
  Destination find(std::uint64_t address) const;
  // Finds a span that holds every address that leads to bytes of the target's span. False if there is none.
  bool find_back(unsigned range, Span seen, Span& addresses) const;

 private:
  static std::uint64_t last(const Range& r) { return r.end - 1; }  // 0 wraps to the last byte of all
  static bool interleaved(const Range& r) { return r.interleave.ways != 1; }
  static std::uint64_t squeezed(const Range& r, std::uint64_t offset);
  static std::string problem(const Range& r);

  std::vector<Range> ranges_;
};

}  // namespace subcore
