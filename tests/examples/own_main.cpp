// A user's own main around the program, with a time resolution of its own.
#include <systemc>

#include "subcore/program/commands/program.h"

int sc_main(int argc, char* argv[]) {
  sc_core::sc_set_time_resolution(100, sc_core::SC_FS);
  return subcore::program(argc, argv);
}
