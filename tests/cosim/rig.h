// An SM under a hand-made program, with a checking target as its memory; and programs for it.
#pragma once

#include <functional>
#include <string>

#include "tests/cosim/checking_target.h"
#include "tests/module/bench.h"

namespace subcore::test {

// Eight warps of loads, stores and atomics over few lines, whole and in pieces, with arithmetic between them.
Program memory_program(std::uint64_t seed, unsigned instructions = 30);

// How often the program's stores write each byte.
std::map<std::uint64_t, unsigned> stored_bytes(const Program& program);

struct Rig : sc_core::sc_module {
  Rig(const sc_core::sc_module_name& name, const PlatformParameters& parameters, const Program& program,
      const CheckingTarget::Rules& rules, const SubCoreHooks& hooks = {});
  Conductor conductor;
  Feeder feeder;
  StreamingMultiprocessor sm;
  CheckingTarget target;
};

// Checks that the run is over, that all phases were legal, and that nothing is left.
void check_ended_well(Rig& rig);

// Runs `work` in a process of its own, in which it may elaborate a simulation. Returns the result of `work`,
// or "error: " and the text of its exception. To be called before anything of SystemC exists in this process.
std::string in_child(const std::function<std::string()>& work);

}  // namespace subcore::test
