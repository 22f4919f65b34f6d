// The runner of the co-simulation tests. Unlike the runner of the module tests, this one leaves the time
// resolution to the test, as to any user. Each test case runs in a process of its own.
#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>
#include <pthread.h>
#endif

#include <systemc>

#include "tests/runner.h"

#ifdef __SANITIZE_ADDRESS__
// SystemC tells the sanitizer of every change of stacks, but says that the main thread's stack has no bytes.
// From then on the sanitizer takes frames that an exception has left for frames in use. This function takes
// the place of the sanitizer's own and says where the main stack is.
extern "C" void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size) {
  static const auto start = reinterpret_cast<void (*)(void**, const void*, std::size_t)>(
      dlsym(RTLD_NEXT, "__sanitizer_start_switch_fiber"));
  if (size == 0) {
    pthread_attr_t attributes;
    void* address = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &address, &size);
    pthread_attr_destroy(&attributes);
    bottom = address;
  }
  start(fake_stack, bottom, size);
}
#endif

int sc_main(int argc, char* argv[]) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return subcore::test::run_tests(argc, argv);
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
