// The time for which bytes occupy a path of a limited bandwidth.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cmath>
#include <cstdint>

namespace subcore {

// A bandwidth in integer fractions of a cycle. Many short transfers add up exactly, and results do not depend
// on the time resolution of the simulation.
class Bandwidth {
 public:
  static constexpr std::uint64_t cycle = 1024;  // fractions of a cycle

  explicit Bandwidth(double bytes_per_cycle)
      : per_kilobyte_(static_cast<std::uint64_t>(std::llround(1024.0 * cycle / bytes_per_cycle))) {}

  // The time that bytes take, in fractions of a cycle.
  std::uint64_t occupied(std::uint64_t bytes) const { return (bytes * per_kilobyte_ + 1023) / 1024; }

 private:
  std::uint64_t per_kilobyte_;  // fractions of a cycle per 1024 bytes
};

}  // namespace subcore
