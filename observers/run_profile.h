// RunProfile: where the cycles and operands of one run went, as profile.json saves it and `subcore explain`
// shows it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/observers/instruction_rows.h"
#include "subcore/observers/operand_profile.h"

namespace subcore {

struct RunProfile {
  // A register bank of a sub-core.
  struct Bank {
    std::string sub_core;
    unsigned number = 0;
    BankRow row;
  };
  // A warp slot of a sub-core: its cycles by stall cause.
  struct Warp {
    std::string sub_core;
    unsigned slot = 0;
    CauseCycles cycles{};
  };
  std::string platform, machine, trace;
  std::vector<std::string> cautions;  // names of the cautions in the run's result
  std::string partial;                // why the run failed; empty if it did not
  std::uint64_t cycles = 0, schedulers = 0;
  std::uint64_t instructions_retired = 0, source_operands = 0, cache_read_hits = 0;
  std::uint64_t bank_reads = 0, bank_writes = 0, bank_read_wait_cycles = 0, prefetches = 0;
  CauseCycles scheduler_cycles{};  // by cause; StallCause::none stands for not_selected
  std::vector<InstructionRow> instructions;
  InstructionRow no_instruction;  // cycles of warps without an instruction; bank reads ahead of any
  std::vector<Bank> banks;
  std::vector<Warp> warps;
};

// Takes over the figures of `result`, which is of the same run.
void take_result(RunProfile& profile, const RunResult& result);

// The sums that do not add up, in one line, or an empty text. Instructions, banks and warps must each make up
// the run.
std::string imbalance(const RunProfile& profile);

// The text of profile.json.
std::string to_json(const RunProfile& profile);
// Throws std::runtime_error (one line) if the text is no profile, or if the profile of a whole run does not
// add up.
RunProfile run_profile_from_json(const std::string& text);

}  // namespace subcore
