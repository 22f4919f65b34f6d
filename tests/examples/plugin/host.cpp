// A simulator that loads its GPU at run time.
#include <iostream>

#include <dlfcn.h>
#include <systemc>

int sc_main(int argc, char* argv[]) {
  if (argc != 4) return std::cerr << "usage: host PLUGIN PLATFORM TRACE_FOLDER\n", 2;
  void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) return std::cerr << dlerror() << '\n', 1;
  using CyclesOf = unsigned long long (*)(const char*, const char*);
  const auto cycles_of = reinterpret_cast<CyclesOf>(dlsym(plugin, "cycles_of"));
  if (cycles_of == nullptr) return std::cerr << dlerror() << '\n', 1;
  std::cout << "cycles: " << cycles_of(argv[2], argv[3]) << '\n';
  return 0;
}
