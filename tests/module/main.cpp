// The runner of the module tests. SystemC elaborates once per process, so ctest runs each test case in a
// process of its own. This main replaces the one in libsystemc.
#include <cstdlib>

#include <systemc>

#include "tests/runner.h"

int sc_main(int argc, char* argv[]) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return subcore::test::run_tests(argc, argv);
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
