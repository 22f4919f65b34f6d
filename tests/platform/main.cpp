#include <cstdlib>

#include <systemc>

#include "tests/runner.h"

// Simulations run in child processes; this one never elaborates a model.
int sc_main(int argc, char* argv[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  return subcore::test::run_tests(argc, argv);
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
