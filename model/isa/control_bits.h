// The compiler's control bits for hardware without a scoreboard. The bits say when the warp's next
// instruction may issue, and which of the warp's six barriers stand for results and sources of variable
// latency.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

namespace subcore {

inline constexpr unsigned barrier_count = 6;   // SB0 to SB5, counters of each warp
inline constexpr std::uint8_t no_barrier = 7;  // the encoding's value for no barrier
inline constexpr unsigned longest_stall = 15;  // most cycles that the encoding has room for

struct ControlBits {
  std::uint8_t stall = 1;                   // cycles until the warp's next instruction may issue
  bool yield = false;                       // the warp does not issue in the next cycle
  std::uint8_t write_barrier = no_barrier;  // rises behind issue, falls when the results are written
  std::uint8_t read_barrier = no_barrier;   // rises behind issue, falls when the sources have been read
  std::uint8_t wait_mask = 0;               // barriers that must be 0 before this instruction issues

  // Whether the encoding has room for these bits: a stall of 15 at most, and barriers 0 to 5 or none.
  bool is_valid() const {
    const auto is_barrier = [](std::uint8_t n) { return n < barrier_count || n == no_barrier; };
    return stall <= longest_stall && is_barrier(write_barrier) && is_barrier(read_barrier) &&
           wait_mask < 1u << barrier_count;
  }
  bool operator==(const ControlBits& o) const {
    return stall == o.stall && yield == o.yield && write_barrier == o.write_barrier &&
           read_barrier == o.read_barrier && wait_mask == o.wait_mask;
  }
};

}  // namespace subcore
