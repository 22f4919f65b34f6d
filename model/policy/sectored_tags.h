// Tags of a sectored, set-associative cache: which sectors of which lines are present, dirty or on their way.
// The least recently used line of a set makes room, but a line with a sector on its way stays.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "subcore/model/policy/index_function.h"

namespace subcore {

using SectorMask = std::uint8_t;  // bit n = sector n of a line

// When a line that misses gets its place. on_miss: at once, so that the place is busy until the line has
// come. on_fill: when the line's first sector comes.
enum class LineAllocation : std::uint8_t { on_miss, on_fill };
constexpr std::array<std::string_view, 2> names(LineAllocation) {
  return {"on_miss", "on_fill"};
}

class SectoredTags {
 public:
  // A line that is present, at least in part.
  struct Line {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint32_t used = 0;  // a count of uses; 0: no use, or dropped
    SectorMask valid = 0, pending = 0;
    SectorMask dirty = 0;  // set by mark_dirty() only
  };

  // `sets` is a power of two. The line number's bits above the lowest `skipped_bits` choose a set.
  // `dirty_percent` is the share of all lines that must be dirty before a dirty line makes room.
  SectoredTags(std::uint64_t sets, unsigned ways, unsigned skipped_bits = 0,
               IndexFunction function = IndexFunction::linear, unsigned dirty_percent = 0);

  // The line, if it has a place here, with any sectors; otherwise null.
  Line* find(std::uint64_t number);
  void touch(Line& line) {
    if (uses_ == ~std::uint32_t{0}) renumber();
    line.used = ++uses_;
    const auto p = static_cast<std::uint32_t>(index(line));
    unlink(p);
    link_before(order_of(p, line.dirty != 0), p);
  }
  // Starts the count of uses anew. The order of use in each set stays.
  void renumber();
  // The line's index: 0 to sets x ways - 1.
  std::size_t index(const Line& line) const { return static_cast<std::size_t>(&line - lines_.data()); }
  // The place for `number`: an unused line of its set, or the least recently used line that may make room.
  // Null while every line that may make room waits for a sector, until one of them is free.
  Line* victim(std::uint64_t number);
  // Makes every place unused, and sets the number of ways.
  void clear(unsigned ways);
  unsigned ways() const { return ways_; }
  // Gives the place to `number`, without sectors, as the most recently used line.
  void install(Line& line, std::uint64_t number);
  // Marks the sectors as dirty until another line gets the place.
  void mark_dirty(Line& line, SectorMask sectors) {
    if (line.dirty == 0 && sectors != 0) move_to_dirty(line);
    line.dirty = static_cast<SectorMask>(line.dirty | sectors);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // A place in an order of use.
  struct Neighbours {
    std::uint32_t older, newer;
  };
  // A set has two orders of use, one for dirty lines and one for the others. The line that makes room is thus
  // found without a search of the whole set. An order is a ring. This place, behind the places of lines, is
  // both its begin and its end.
  std::uint32_t order_of_set(std::uint64_t set, bool dirty) const {
    return static_cast<std::uint32_t>(lines_.size() + 2 * set + (dirty ? 1 : 0));
  }
  std::uint32_t order_of(std::uint32_t place, bool dirty) const {
    return order_of_set(sets_ == 1 ? 0 : place / ways_, dirty);
  }
  void unlink(std::uint32_t place) {
    const Neighbours n = order_[place];
    order_[n.older].newer = n.newer;
    order_[n.newer].older = n.older;
  }
  // The end of a ring, where the most recently used line belongs, lies before its start.
  void link_before(std::uint32_t newer, std::uint32_t place) {
    const std::uint32_t older = order_[newer].older;
    order_[place] = {older, newer};
    order_[older].newer = order_[newer].older = place;
  }
  Line* oldest(std::uint32_t order);
  void move_to_dirty(Line& line);
  std::uint32_t& first_of(std::uint64_t number) {
    return first_[(number * 0x9e3779b97f4a7c15u) >> 32 & (first_.size() - 1)];
  }

  std::vector<Line> lines_;
  // Sets may have hundreds of ways, so lines are found by a hash of their numbers. Lines with the same hash
  // form a chain.
  std::vector<std::uint32_t> first_, next_;  // the first place of each chain; the place behind each place
  std::vector<Neighbours> order_;            // of the places, then the beginnings of the orders of each set
  SetMap map_;
  std::uint64_t sets_;
  unsigned ways_ = 0, dirty_percent_;
  std::uint64_t dirty_limit_ = 0;  // dirty_percent, in lines
  std::uint64_t dirty_lines_ = 0;
  std::uint32_t uses_ = 0;
};

}  // namespace subcore
