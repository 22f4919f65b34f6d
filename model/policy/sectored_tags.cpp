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

// The least recently used line in an order of use that waits for no sector; null if there is none.
SectoredTags::Line* SectoredTags::oldest(std::uint32_t order) {
  for (std::uint32_t p = order_[order].newer; p != order; p = order_[p].newer)
    if (lines_[p].pending == 0) return &lines_[p];
  return nullptr;
}

SectoredTags::Line* SectoredTags::victim(std::uint64_t number) {
  const std::uint64_t set = map_.set(number);
  const std::uint32_t clean = order_of_set(set, false), dirty = order_of_set(set, true);
  Line* const line = oldest(clean);
  if (dirty_lines_ >= dirty_limit_) {
    Line* const other = oldest(dirty);
    return line == nullptr || (other != nullptr && other->used < line->used) ? other : line;
  }
  if (line != nullptr || order_[clean].newer != clean) return line;
  // All lines of the set are dirty, though too few lines of the cache are.
  for (std::uint32_t p = order_[dirty].newer; p != dirty; p = order_[p].newer)
    if (lines_[p].pending != 0) return nullptr;
  return oldest(dirty);
}

// A line is mostly marked right after a use, and then belongs at the end.
void SectoredTags::move_to_dirty(Line& line) {
  ++dirty_lines_;
  const auto p = static_cast<std::uint32_t>(index(line));
  unlink(p);
  const std::uint32_t order = order_of(p, true);
  std::uint32_t newer = order;
  while (order_[newer].older != order && lines_[order_[newer].older].used > line.used)
    newer = order_[newer].older;
  link_before(newer, p);
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

// Caches are emptied at the start of every kernel, including caches of SMs without a CTA.
void SectoredTags::clear(unsigned ways) {
  if (uses_ == 0 && ways == ways_) return;  // already empty
  uses_ = 0;
  ways_ = ways;
  lines_.assign(sets_ * ways, Line{});
  next_.assign(lines_.size(), none);
  std::size_t hashes = 1;
  while (hashes < lines_.size()) hashes *= 2;
  first_.assign(hashes, none);
  order_.resize(lines_.size() + 2 * sets_);
  for (std::uint64_t set = 0; set < sets_; ++set) {
    const std::uint32_t clean = order_of_set(set, false), dirty = order_of_set(set, true);
    order_[dirty] = {dirty, dirty};
    const auto first = static_cast<std::uint32_t>(set * ways);
    for (std::uint32_t p = first; p < first + ways; ++p) order_[p] = {p - 1, p + 1};
    order_[first].older = order_[first + ways - 1].newer = clean;
    order_[clean] = {first + ways - 1, first};
  }
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
