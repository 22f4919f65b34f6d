// The program `subcore`, to be called from a main.
#pragma once

#include <functional>

namespace subcore {

class Gpu;  // platforms/gpu.h

// Functions that a user's own main adds to the program's simulations.
struct ProgramHooks {
  // Called once for each run, in the process that simulates the run, with the run's GPU. The GPU has been put
  // together, and SystemC's elaboration has not ended. So the function may make modules, bind sockets and
  // attach observers. gpu.parameters() says which platform it is. An on_run function of gpu.driver learns the
  // trace (gpu.driver.kernel_dispatcher.program()). Objects that the function makes have to live as long as
  // the process: made by `new`, or given to gpu.keep(). An exception ends the run with its text.
  //
  // If a run needs an earlier one (passes.near_bits: shared_oracle), the function is called for both.
  // `subcore draw` calls it with each GPU that it draws. With a function, platforms are allowed whose memory
  // is bound in C++ (memory.kind: external). The function has to bind the memory.
  //
  // Results that are kept (--resume, --finished) are known by the executable, the platform and the trace. So
  // the function must not depend on anything else, such as the environment.
  std::function<void(Gpu&)> on_gpu{};
};

// Does what the command line says. To be called from within sc_main, before anything is elaborated. Returns
// the exit code; a failure is a line of standard error. The time resolution is the caller's. SystemC's
// default, 1 ps, does for every shipped platform.
int program(int argc, char** argv, const ProgramHooks& hooks = {});

}  // namespace subcore
