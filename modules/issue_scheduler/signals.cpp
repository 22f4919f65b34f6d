// Signals of the issue scheduler for waveforms: the scheduler's state, and for each warp slot what holds it
// up.
#include "subcore/modules/issue_scheduler/issue_scheduler.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {
namespace {

// The value of a slot's row is the program counter, with the warp's number in its kernel in the lowest bits.
constexpr unsigned number_bits = 28;

std::string cause_text(std::uint64_t cause) {
  return std::string(stall_causes[cause].name);
}

}  // namespace

// The instruction of the slot that has issued in this cycle, or else its next instruction.
const Instruction* IssueScheduler::shown(unsigned slot, Cycle now) const {
  return issued_in(now, slot) || bits::has(eligible_, slot) ? slots_[slot].candidate
                                                            : slots_[slot].window->next(now);
}

std::vector<Signal> IssueScheduler::signals() {
  has_signals_ = true;
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
          cause_text);
  if (waits_as_sthld_says_)
    list.number("sthld", 16, [this](Cycle) { return std::uint64_t{control_.sthld}; })
        .number("waiting_counter", 16,
                [this](Cycle) { return std::uint64_t{allocation_->waiting_counter()}; });
  list.activity([this](Cycle) -> std::uint64_t { return counters_.issued; })
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
    const std::string name = slot_name(slot);
    const auto cause = [this, slot](Cycle now) {
      const StallCause c = warp_cause(slot, now);
      return c == StallCause::no_warp ? Signal::x : static_cast<std::uint64_t>(c);
    };
    const auto instruction = [this, slot, cause](Cycle now) -> const Instruction* {
      return cause(now) == Signal::x ? nullptr : shown(slot, now);
    };
    list.key([this, slot](Cycle now) {
          return SignalList::identity(shown(slot, now)) * 31 +
                 static_cast<std::uint64_t>(warp_cause(slot, now));
        })
        .text(
            name,
            [instruction](Cycle now) {
              const Instruction* i = instruction(now);
              return i == nullptr ? Signal::x
                                  : i->code->pc << number_bits | (warp_number(*i) & bits::below(number_bits));
            },
            [](std::uint64_t row) {
              return 'w' + std::to_string(row & bits::below(number_bits)) + ':' +
                     SignalList::pc_text(row >> number_bits);
            })
        .cause(name + "_cause", cause)
        .text(name + "_cause_name", cause, cause_text)
        .aside()
        .opcode(name + "_opcode", instruction)
        .aside();
  }
  return list;
}

}  // namespace subcore
