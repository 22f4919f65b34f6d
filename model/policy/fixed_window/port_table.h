// The read ports of the register banks that are taken in each of the next cycles (Huerta, MICRO 2025). An
// instruction that reads in a window of cycles reserves its ports all at once, or waits until they are to be
// had.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class PortTable {
 public:
  // `ports` of a bank; 0 = no limit.
  PortTable(unsigned banks, unsigned ports);

  // The registers that are to be read, by their banks, each register once.
  struct Reads {
    std::array<std::uint8_t, max_sources> bank;  // of the first `count`
    std::array<Cycle, max_sources> cycle;        // reading cycle of each, once reserve() has said so
    unsigned count = 0;
    void add(unsigned b) { bank[count++] = static_cast<std::uint8_t>(b); }
  };

  // The cycles that the reads take at least: `window`, or more where one bank has more of them than fit in.
  unsigned window_for(const Reads& reads, unsigned window) const;
  // Gives every read the first cycle from `first` on in which its bank has a port left, in their order.
  // False, and nothing is taken, if one does not fit into `window` cycles. Reservations are less than
  // `horizon` apart.
  bool reserve(Reads& reads, Cycle first, unsigned window);

  static constexpr std::size_t horizon = 1024;

 private:
  std::uint8_t& taken(Cycle cycle, unsigned bank);

  unsigned banks_, ports_;
  std::vector<Cycle> cycle_;         // the cycle that each row is of, by its last bits
  std::vector<std::uint8_t> taken_;  // a row for each cycle: ports of each bank
};

}  // namespace subcore
