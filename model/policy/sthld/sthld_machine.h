// The state machine that sets STHLD from the IPC of successive intervals (Malekeh, section IV-B3, Fig. 8).
// The text does not give the figure's transitions, so they are data here.
//
// An interval's IPC is compared with a reference, and the change is small or large. The state's edge for that
// size gives the next state and the step of STHLD. There are two references:
// * previous: the IPC of the interval before, as section IV-B3 says. Losses below the threshold then add up
//   step by step, and no step takes them back.
// * phase_best: the best IPC of the phase. A phase begins with the run, and ends with a large drop while
//   STHLD is at its minimum. STHLD cannot have caused such a drop, so the program has changed. The new IPC
//   becomes the next phase's first reference, and the interval counts as small. At a higher STHLD the machine
//   descends first. Kernels are no phases: a new kernel counts as any other change, and state, STHLD and
//   reference go on.
// A large change is a change in either direction (section IV-B3), or only a drop, since more IPC is no reason
// to move. A hold (state 6) that has lasted for hold_expiry intervals takes the edge `expired`. A wider flat
// region (Fig. 9d) is thus found even if nothing drops.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// The IPC with which an interval's IPC is compared: see above.
enum class SthldReference : std::uint8_t { previous, phase_best };
// The changes of IPC that count as large: changes in either direction, or only drops.
enum class SthldLarge : std::uint8_t { change, drop };

constexpr std::array<std::string_view, 2> names(SthldReference) {
  return {"previous", "phase_best"};
}
constexpr std::array<std::string_view, 2> names(SthldLarge) {
  return {"change", "drop"};
}

// The number of states of the machine (Fig. 8).
inline constexpr unsigned sthld_states = 6;
inline constexpr unsigned sthld_hold = 6;  // the state that expires

// An edge: the next state, and the step of STHLD.
struct SthldTransition {
  std::uint8_t next = 1;  // state 1..6
  std::int8_t steps = 0;  // STHLD changes by steps x step, clamped
  bool undo = false;      // instead: takes back the last decrement (after clamping)
};

// A state, with its edges.
struct SthldState {
  SthldTransition small, large;  // small: relative IPC change below the threshold; equality is large
  SthldTransition expired{};     // for a hold only
};

using SthldTable = std::array<SthldState, sthld_states>;  // index = state - 1

// The table for phase_best and drops. A knee in the curve costs one interval beyond it, and one more whenever
// a hold expires.
SthldTable default_sthld_table();

class SthldMachine {
 public:
  // Bounds of STHLD, and the judgement of changes (sthld.*).
  struct Limits {
    std::uint32_t initial = 0, minimum = 0, maximum = 255, step = 1;  // cycles
    double threshold = 0.02;
    SthldReference reference = SthldReference::phase_best;
    SthldLarge large = SthldLarge::drop;
    std::uint32_t hold_expiry = 10;  // intervals; 0 = never
  };
  SthldMachine(const SthldTable& table, const Limits& limits);

  // An interval has ended with `ipc`. Returns the STHLD of the next interval.
  std::uint32_t interval(double ipc);

  std::uint32_t sthld() const { return sthld_; }
  unsigned state() const { return state_; }  // 1..6

 private:
  bool is_large(double ipc) const;
  bool refer(double ipc);
  void move(const SthldTransition& edge);

  SthldTable table_;
  Limits limits_;
  std::uint32_t sthld_;
  std::uint32_t last_decrement_ = 0;
  std::uint32_t held_ = 0;  // consecutive intervals that ended in a hold
  double reference_ = -1.0;
  unsigned state_ = 1;
};

}  // namespace subcore
