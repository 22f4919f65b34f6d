#include "model/policy/sectored_tags.h"

namespace subcore {

SectoredTags::SectoredTags(std::uint64_t sets, unsigned ways, unsigned skipped_bits)
    : lines_(sets * ways), mask_(sets - 1), ways_(ways), skipped_bits_(skipped_bits) {}

SectoredTags::Line* SectoredTags::find(std::uint64_t number) {
  Line* set = set_of(number);
  for (unsigned w = 0; w < ways_; ++w) {
    if (set[w].number == number && set[w].used != 0) return &set[w];
  }
  return nullptr;
}

SectoredTags::Line* SectoredTags::victim(std::uint64_t number) {
  Line* set = set_of(number);
  Line* oldest = nullptr;
  for (unsigned w = 0; w < ways_; ++w) {
    if (set[w].pending != 0) continue;
    if (oldest == nullptr || set[w].used < oldest->used) oldest = &set[w];
  }
  return oldest;
}

void SectoredTags::install(Line& place, std::uint64_t number) {
  place = {};
  place.number = number;
  touch(place);
}

}  // namespace subcore
