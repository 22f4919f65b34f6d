// The program `subcore`, to be called from a main.
#pragma once

namespace subcore {

// Does what the command line says. From within sc_main, before anything is elaborated. Returns the exit code;
// what went wrong is a line of standard error. The time resolution is the caller's: SystemC's own, 1 ps, does
// for every shipped platform.
int program(int argc, char** argv);

}  // namespace subcore
