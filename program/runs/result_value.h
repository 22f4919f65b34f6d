// The text of a number that is calculated from keys of a run's object (docs/results.md), as experiments write
// it:
//   ipc        energy_pj.total        bank_reads / source_operands
//   scheduler_cycles.hazard + scheduler_cycles.no_collector
#pragma once

#include <string>

namespace subcore {

// The text without spaces around it: a sum, or a sum over a sum. If results do not have a key or a member,
// throws std::invalid_argument, which says what is wrong and what was expected. Names of parts of the
// hardware ("storage_bits.bank.registers") are known only to platforms and their results.
std::string checked_result_value(const std::string& text);

}  // namespace subcore
