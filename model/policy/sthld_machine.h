// The state machine that sets STHLD from the IPC of successive intervals (Malekeh, section IV-B3, Fig. 8; the
// transitions are data, the default table is inferred from the paper's text).
#pragma once

#include <array>
#include <cstdint>

namespace subcore {

inline constexpr unsigned sthld_states = 6;

struct SthldTransition {
  std::uint8_t next = 1;  // state 1..6
  std::int8_t steps = 0;  // STHLD moves by steps x step, clamped
  bool undo = false;      // instead: take back the last decrement that was applied (after clamping)
};

struct SthldState {
  SthldTransition small, large;  // small: relative IPC change below the threshold; equality is large
};

using SthldTable = std::array<SthldState, sthld_states>;  // index = state - 1

SthldTable default_sthld_table();

class SthldMachine {
 public:
  struct Limits {
    std::uint32_t initial = 0, minimum = 0, maximum = 255, step = 1;  // cycles
    double threshold = 0.02;
  };
  SthldMachine(const SthldTable& table, const Limits& limits);

  // One interval ended with `ipc`; returns the STHLD of the next interval.
  std::uint32_t interval(double ipc);

  std::uint32_t sthld() const { return sthld_; }
  unsigned state() const { return state_; }  // 1..6

 private:
  SthldTable table_;
  Limits limits_;
  std::uint32_t sthld_;
  std::uint32_t last_decrement_ = 0;
  double previous_ipc_ = -1.0;
  unsigned state_ = 1;
};

}  // namespace subcore
