// The text of a number that is made of the keys of a run's object (docs/results.md), as experiments write it:
//   ipc        energy_pj.total        bank_reads / source_operands
//   scheduler_cycles.hazard + scheduler_cycles.no_collector
#pragma once

#include <string>

namespace subcore {

// The text, a sum or a sum over a sum, without spaces around it. Throws std::invalid_argument, which says
// what is wrong and what was expected, when a key or a member is none that results have. Names of parts of
// the hardware ("storage_bits.bank.registers") are known to platforms alone, and to their results.
std::string checked_result_value(const std::string& text);

}  // namespace subcore
