// The read ports of the register banks that are taken in each of the next cycles (Huerta, MICRO 2025). An
// instruction that reads in a window of cycles reserves all its ports at once, or waits until it can.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class PortTable {
 public:
  // `ports` per bank; 0 = no limit.
  PortTable(unsigned banks, unsigned ports);

  // The registers to be read, by their banks. Each register is there once.
  struct Reads {
    std::array<std::uint8_t, max_sources> bank;  // bank of each of the first `count` reads
    std::array<Cycle, max_sources> cycle;        // cycle of each read, set by reserve()
    unsigned count = 0;
    void add(unsigned b) { bank[count++] = static_cast<std::uint8_t>(b); }
  };

  // The least number of cycles that the reads take: `window`, or more if one bank has more reads than fit in.
  unsigned window_for(const Reads& reads, unsigned window) const;
  // Gives every read, in order, the first cycle from `first` on in which its bank has a free port. If one
  // read does not fit into `window` cycles, returns false and takes no port. Reservations are less than
  // `horizon` apart.
  bool reserve(Reads& reads, Cycle first, unsigned window);

  static constexpr std::size_t horizon = 1024;

 private:
  std::uint8_t& taken(Cycle cycle, unsigned bank);

  unsigned banks_, ports_;
  std::vector<Cycle> cycle_;         // the cycle of each row; rows go by a cycle's last bits
  std::vector<std::uint8_t> taken_;  // a row for each cycle: taken ports of each bank
};

}  // namespace subcore
