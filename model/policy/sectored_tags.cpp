#include "model/policy/sectored_tags.h"

#include <algorithm>

namespace subcore {

SectoredTags::SectoredTags(std::uint64_t sets, unsigned ways, unsigned skipped_bits, IndexFunction function,
                           unsigned dirty_percent)
    : lines_(sets * ways),
      first_(1, none),
      next_(lines_.size(), none),
      map_(function, sets, skipped_bits),
      ways_(ways),
      dirty_limit_((lines_.size() * dirty_percent + 99) / 100) {
  while (first_.size() < lines_.size()) first_.resize(2 * first_.size(), none);
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

void SectoredTags::clear() {
  lines_.assign(lines_.size(), Line{});
  std::fill(first_.begin(), first_.end(), none);
  dirty_lines_ = 0;
}

void SectoredTags::install(Line& line, std::uint64_t number) {
  const auto p = static_cast<std::uint32_t>(place(line));
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
