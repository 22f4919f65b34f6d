// The program `subcore`.
#include <cstdlib>
#include <new>

#include <systemc>

#include "subcore/program/commands/program.h"

namespace {

bool has_begun = false;

}  // namespace

int sc_main(int argc, char** argv) {
  has_begun = true;
  return subcore::program(argc, argv);
}

// The handler of std::terminate reports lack of memory.
int main(int argc, char** argv) {
  if (setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1) != 0) throw std::bad_alloc();
  const int code = sc_core::sc_elab_and_sim(argc, argv);
  // SystemC copies the arguments, and is silent if there is no memory for the copy.
  if (!has_begun) throw std::bad_alloc();
  return code;
}
