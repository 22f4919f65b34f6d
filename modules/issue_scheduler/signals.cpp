// What the issue scheduler shows in waveforms: its own state, and of each warp slot what holds it up.
#include "modules/issue_scheduler/issue_scheduler.h"

namespace subcore {
namespace {

enum WarpState : std::uint8_t { no_warp, issued, ready, waiting };
constexpr std::array<std::string_view, 4> warp_states{"no_warp", "issued", "ready", "waiting"};

// A warp's row: the program counter in the upper bits, if there is an instruction, the state in the lowest.
constexpr unsigned state_bits = 8;
constexpr std::uint64_t no_pc = Signal::x >> state_bits;

}  // namespace

unsigned IssueScheduler::warp_state(unsigned slot, Cycle now) const {
  if (issued_in(now, slot)) return issued;
  if (bits::has(eligible_, slot)) return ready;
  return windows_[slot]->occupied(now) ? waiting : no_warp;
}

std::string IssueScheduler::warp_state_text(std::uint64_t state) {
  return std::string(warp_states[state]);
}

std::uint64_t IssueScheduler::stall_cause(unsigned slot, Cycle now) const {
  const unsigned state = warp_state(slot, now);
  return state == no_warp || state == issued ? Signal::x : state;
}

// The instruction that has issued in this cycle, or the one that is next.
const Instruction* IssueScheduler::shown(unsigned slot, Cycle now) const {
  return issued_in(now, slot) ? candidates_[slot] : windows_[slot]->next(now);
}

std::vector<Signal> IssueScheduler::signals() {
  SignalList list;
  list.in("issue")
      .key([this](Cycle) {
        return eligible_ * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(state_) +
               (std::uint64_t{control_.sthld} << 8) + (std::uint64_t{allocation_->waiting_counter()} << 40);
      })
      .text(
          "state", [this](Cycle) { return static_cast<std::uint64_t>(state_); },
          [](std::uint64_t s) { return std::string(states[s].name); })
      .mask("eligible", static_cast<unsigned>(windows_.size()), [this](Cycle) { return eligible_; })
      .aside()
      .number("sthld", 16, [this](Cycle) { return std::uint64_t{control_.sthld}; })
      .number("waiting_counter", 16, [this](Cycle) { return std::uint64_t{allocation_->waiting_counter()}; })
      .activity([this](Cycle) -> std::uint64_t { return counters_.issued; })
      .per_cycle("issued", 1, [this](Cycle) -> std::uint64_t { return counters_.issued; })
      .instruction("issue_", [this](Cycle now) -> const Instruction* {
        return last_issue_cycle_ == now ? candidates_[static_cast<unsigned>(last_issued_)] : nullptr;
      });
  list.in("warps");
  for (unsigned slot = 0; slot < windows_.size(); ++slot) {
    const std::string warp = "warp_" + std::to_string(slot);
    list.key([this, slot](Cycle now) {
          return SignalList::identity(shown(slot, now)) * 31 + warp_state(slot, now);
        })
        .text(
            warp,
            [this, slot](Cycle now) {
              const unsigned state = warp_state(slot, now);
              if (state == no_warp) return Signal::x;
              const Instruction* i = shown(slot, now);
              return (i == nullptr ? no_pc : i->code->pc) << state_bits | state;
            },
            [](std::uint64_t row) {
              const std::string state = warp_state_text(row & bits::below(state_bits));
              return row >> state_bits == no_pc ? state
                                                : SignalList::pc_text(row >> state_bits) + ':' + state;
            })
        .opcode(warp + "_opcode", [this, slot](Cycle now) { return shown(slot, now); })
        .aside();
  }
  return list;
}

}  // namespace subcore
