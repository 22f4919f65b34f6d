// Signals of the issue scheduler for waveforms: its own state, and for each warp slot what holds it up.
#include "subcore/modules/issue_scheduler/issue_scheduler.h"

namespace subcore {
namespace {

// A warp's row: the program counter in the upper bits, if there is an instruction, the cause in the lowest.
constexpr unsigned cause_bits = 8;
constexpr std::uint64_t no_pc = Signal::x >> cause_bits;

std::string cause_text(std::uint64_t cause) {
  return std::string(stall_causes[cause].name);
}

}  // namespace

// The instruction that has issued in this cycle, or the one that is next.
const Instruction* IssueScheduler::shown(unsigned slot, Cycle now) const {
  return issued_in(now, slot) || bits::has(eligible_, slot) ? slots_[slot].candidate
                                                            : slots_[slot].window->next(now);
}

std::vector<Signal> IssueScheduler::signals() {
  SignalList list;
  list.in("issue")
      .key([this](Cycle now) {
        return static_cast<std::uint64_t>(accounting_.cause(now)) + (std::uint64_t{control_.sthld} << 8) +
               (std::uint64_t{allocation_->waiting_counter()} << 40);
      })
      .text(
          "state", [this](Cycle) { return static_cast<std::uint64_t>(accounting_.state()); },
          [](std::uint64_t s) { return std::string(issue_states[s].name); })
      .text(
          "cause", [this](Cycle now) { return static_cast<std::uint64_t>(accounting_.cause(now)); },
          cause_text)
      .number("sthld", 16, [this](Cycle) { return std::uint64_t{control_.sthld}; })
      .number("waiting_counter", 16, [this](Cycle) { return std::uint64_t{allocation_->waiting_counter()}; })
      .activity([this](Cycle) -> std::uint64_t { return counters_.issued; })
      .per_cycle("issued", 1, [this](Cycle) -> std::uint64_t { return counters_.issued; })
      .text(
          "issue_instruction",
          [this](Cycle now) {
            return last_issue_cycle_ == now
                       ? SignalList::instruction_value(*slots_[static_cast<unsigned>(last_issued_)].candidate)
                       : Signal::x;
          },
          SignalList::instruction_text);
  list.in("warps");
  for (unsigned slot = 0; slot < slots_.size(); ++slot) {
    const std::string warp = "warp_" + std::to_string(slot);
    list.key([this, slot](Cycle now) {
          return SignalList::identity(shown(slot, now)) * 31 +
                 static_cast<std::uint64_t>(warp_cause(slot, now));
        })
        .text(
            warp,
            [this, slot](Cycle now) {
              const StallCause cause = warp_cause(slot, now);
              if (cause == StallCause::no_warp) return Signal::x;
              const Instruction* i = shown(slot, now);
              return (i == nullptr ? no_pc : i->code->pc) << cause_bits | static_cast<std::uint64_t>(cause);
            },
            [](std::uint64_t row) {
              const std::string cause = cause_text(row & bits::below(cause_bits));
              return row >> cause_bits == no_pc ? cause
                                                : SignalList::pc_text(row >> cause_bits) + ':' + cause;
            })
        .opcode(warp + "_opcode", [this, slot](Cycle now) { return shown(slot, now); })
        .aside();
  }
  return list;
}

}  // namespace subcore
