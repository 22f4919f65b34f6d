// The program `subcore`.
#include <cstdlib>

#include <systemc>

#include "subcore/program/commands/program.h"

int sc_main(int argc, char** argv) {
  return subcore::program(argc, argv);
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
