// A memory map: which target an address leads to, and what address that sees.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

class AddressMap {
 public:
  // Spreads a range over several targets, a granule at a time: granule n, counted from the base, is way n
  // modulo `ways`. Each way is a Range of its own with the same begin, end, base, granule and ways.
  struct Interleave {
    std::uint64_t granule = 0;  // bytes, a power of two
    std::uint32_t ways = 1;     // any number; 1: not spread
    std::uint32_t way = 0;      // this target's
    bool squeeze = true;        // the target sees its granules without the gaps between them
  };
  // The target sees (address - base), squeezed if that is asked for, & mask.
  struct Range {
    std::uint64_t begin, end;                // end: first byte beyond; 0 for the end of the address space
    std::uint64_t base = 0;                  // at most `begin`
    std::uint64_t mask = ~std::uint64_t{0};  // the lowest bits, as many as the target has
    Interleave interleave = {};
  };
  // The destination that an address leads to: the range's number, in the order of the ranges, and the address
  // behind it.
  struct Destination {
    static constexpr unsigned nowhere = ~0u;
    unsigned range = nowhere;
    std::uint64_t address = 0;  // the address that the target sees
    std::uint64_t more = 0;     // bytes after the first that follow it there
  };
  using Span = std::pair<std::uint64_t, std::uint64_t>;  // first and last byte

  explicit AddressMap(std::vector<Range> ranges) : ranges_(std::move(ranges)) {}

  // The map's mistake, in a line; empty if there is none.
  std::string problem() const;
  Destination find(std::uint64_t address) const;
  // A span that holds every address that leads to bytes of the target's span; false: there is none.
  bool find_back(unsigned range, Span seen, Span& addresses) const;

 private:
  static std::uint64_t last(const Range& r) { return r.end - 1; }  // an `end` of 0 wraps to the last of all
  static bool interleaved(const Range& r) { return r.interleave.ways != 1; }
  static std::uint64_t squeezed(const Range& r, std::uint64_t offset);
  static std::string problem(const Range& r);

  std::vector<Range> ranges_;
};

}  // namespace subcore
