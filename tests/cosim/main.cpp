// The runner of the co-simulation tests. Unlike that of the module tests it leaves the time resolution to the
// test: it is the user's. Each test case runs in a process of its own.
#include <cstdlib>

#include <systemc>

#include "tests/runner.h"

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return subcore::test::run_tests(argc, argv);
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
