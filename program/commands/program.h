// The program `subcore`, to be called from a main.
#pragma once

#include <functional>

namespace subcore {

class Gpu;  // platforms/gpu.h

// What a main of one's own has to do in the program's simulations.
struct ProgramHooks {
  // Called once for each run, in the process that simulates the run, with the run's GPU: the GPU has been put
  // together, and SystemC's elaboration has not ended. So the function may make modules, bind sockets and
  // attach observers. gpu.parameters() says which platform it is, and an on_run function of gpu.driver learns
  // the trace (gpu.driver.kernel_dispatcher.program()). What the function makes has to live as long as the
  // process: made by `new`, or given to gpu.keep(). An exception ends the run with its text. Where a run
  // needs an earlier one (passes.near_bits: shared_oracle), the function is called for both; `subcore draw`
  // calls it with each GPU that it draws. Platforms with a memory that is bound in C++ (memory.kind:
  // external) are taken if there is a function: it has to bind the memory.
  //
  // Results that are kept (--resume, --finished) are known by the executable, the platform and the trace. So
  // the function must not depend on anything else, such as the environment.
  std::function<void(Gpu&)> on_gpu{};
};

// Does what the command line says. From within sc_main, before anything is elaborated. Returns the exit code;
// what went wrong is a line of standard error. The time resolution is the caller's: SystemC's own, 1 ps, does
// for every shipped platform.
int program(int argc, char** argv, const ProgramHooks& hooks = {});

}  // namespace subcore
