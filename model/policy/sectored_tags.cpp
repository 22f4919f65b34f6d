#include "subcore/model/policy/sectored_tags.h"

#include <algorithm>

namespace subcore {

SectoredTags::SectoredTags(std::uint64_t sets, unsigned ways, unsigned skipped_bits, IndexFunction function,
                           unsigned dirty_percent)
    : map_(function, sets, skipped_bits), sets_(sets), dirty_percent_(dirty_percent) {
  clear(ways);
}

SectoredTags::Line* SectoredTags::find(std::uint64_t number) {
  for (std::uint32_t p = first_of(number); p != none; p = next_[p]) {
    if (lines_[p].number == number) return &lines_[p];
  }
  return nullptr;
}

SectoredTags::Line* SectoredTags::victim(std::uint64_t number) {
  Line* set = set_of(number);
  Line *oldest = nullptr, *oldest_dirty = nullptr;
  bool waits = false;
  for (unsigned w = 0; w < ways_; ++w) {
    if (set[w].pending != 0) {
      waits = true;
      continue;
    }
    Line*& candidate = set[w].dirty != 0 && dirty_lines_ < dirty_limit_ ? oldest_dirty : oldest;
    if (candidate == nullptr || set[w].used < candidate->used) candidate = &set[w];
  }
  return oldest != nullptr || waits ? oldest : oldest_dirty;
}

void SectoredTags::renumber() {
  std::vector<Line*> used;
  for (std::size_t set = 0; set < lines_.size(); set += ways_) {
    used.clear();
    for (unsigned w = 0; w < ways_; ++w)
      if (lines_[set + w].used != 0) used.push_back(&lines_[set + w]);
    std::sort(used.begin(), used.end(), [](const Line* a, const Line* b) { return a->used < b->used; });
    for (std::uint32_t n = 0; n < used.size(); ++n) used[n]->used = n + 1;
  }
  uses_ = ways_;
}

void SectoredTags::clear(unsigned ways) {
  ways_ = ways;
  lines_.assign(sets_ * ways, Line{});
  next_.assign(lines_.size(), none);
  std::size_t hashes = 1;
  while (hashes < lines_.size()) hashes *= 2;
  first_.assign(hashes, none);
  dirty_lines_ = 0;
  dirty_limit_ = (lines_.size() * dirty_percent_ + 99) / 100;
}

void SectoredTags::install(Line& line, std::uint64_t number) {
  const auto p = static_cast<std::uint32_t>(index(line));
  if (line.used != 0) {
    std::uint32_t* link = &first_of(line.number);
    while (*link != p) link = &next_[*link];
    *link = next_[p];
  }
  if (line.dirty != 0) --dirty_lines_;
  line = {};
  line.number = number;
  touch(line);
  next_[p] = first_of(number);
  first_of(number) = p;
}

}  // namespace subcore
