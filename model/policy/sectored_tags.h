// Tags of a sectored, set-associative cache: which sectors of which lines are present, dirty or on their way.
// The least recently used line of a set makes room; a line with a sector on its way stays.
#pragma once

#include <cstdint>
#include <vector>

namespace subcore {

using SectorMask = std::uint8_t;  // bit n = sector n of a line

class SectoredTags {
 public:
  // A line that is there, in part at least.
  struct Line {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint64_t used = 0;  // 0: never, or dropped
    SectorMask valid = 0, dirty = 0, pending = 0;
  };

  // `sets` is a power of two; a set is chosen by the line number's bits above the lowest `skipped_bits`.
  SectoredTags(std::uint64_t sets, unsigned ways, unsigned skipped_bits = 0);

  // The line if it has a place here, with whatever sectors; otherwise null.
  Line* find(std::uint64_t number);
  void touch(Line& line) { line.used = ++uses_; }
  // Which of the places this is: 0 to sets x ways - 1.
  std::size_t place(const Line& line) const { return static_cast<std::size_t>(&line - lines_.data()); }
  // Where `number` can be put: an unused line of its set or the least recently used one. Null when a sector
  // is on its way to every line of the set.
  Line* victim(std::uint64_t number);
  // Every place is unused again.
  void clear() { lines_.assign(lines_.size(), Line{}); }
  // Gives the place to `number`, without sectors, as the most recently used line.
  void install(Line& place, std::uint64_t number);

 private:
  Line* set_of(std::uint64_t number) { return &lines_[((number >> skipped_bits_) & mask_) * ways_]; }

  std::vector<Line> lines_;
  std::uint64_t mask_;
  unsigned ways_, skipped_bits_;
  std::uint64_t uses_ = 0;
};

}  // namespace subcore
