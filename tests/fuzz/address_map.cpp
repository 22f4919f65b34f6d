// A memory map of any ranges, and addresses in it.
#include "subcore/model/policy/address_map.h"

#include "tests/fuzz/target.h"
#include "tests/random/draws.h"

namespace subcore::fuzz {
namespace {

// Numbers near the ends of small address spaces and of the whole one.
std::uint64_t number(random::Draws& draws) {
  const std::uint64_t bit = std::uint64_t{1} << draws.below(64);
  switch (draws.below(5)) {
    case 0:
      return draws.below(4096);
    case 1:
      return bit - 1;
    case 2:
      return bit;
    case 3:
      return 0 - bit;
    default:
      return draws.next();
  }
}

}  // namespace

void address_map(std::string_view input) {
  random::Draws draws(input);
  std::vector<AddressMap::Range> ranges(draws.below(6));
  for (AddressMap::Range& r : ranges) {
    r.begin = number(draws);
    r.end = draws.below(4) == 0 ? number(draws) : r.begin + number(draws);
    r.base = draws.below(2) == 0 ? r.begin : number(draws);
    if (draws.below(2) == 0) r.mask = number(draws);
    if (draws.below(2) == 0)
      r.interleave = {number(draws), draws.below(5), draws.below(5), draws.below(2) == 0};
  }
  const AddressMap map(ranges);
  const std::string problem = map.problem();
  if (!problem.empty()) {
    expect(problem.find('\n') == std::string::npos, "a problem of several lines");
    return;
  }
  for (unsigned n = 0; n < 16; ++n) {
    const std::uint64_t address =
        ranges.empty() || draws.below(2) == 0
            ? number(draws)
            : ranges[draws.below(static_cast<unsigned>(ranges.size()))].begin + number(draws);
    const AddressMap::Destination there = map.find(address);
    if (there.range == AddressMap::Destination::nowhere) continue;
    const AddressMap::Destination last = map.find(address + there.more);
    expect(last.range == there.range && last.address == there.address + there.more,
           "the last of the bytes that follow leads elsewhere");
    AddressMap::Span back;
    expect(map.find_back(there.range, {there.address, there.address + there.more}, back),
           "no address leads to bytes that an address leads to");
    expect(back.first <= address && address + there.more <= back.second,
           "the way back leaves the address out");
  }
}

}  // namespace subcore::fuzz
