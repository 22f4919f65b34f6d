// The fuzz targets for libFuzzer, which has a main of its own. SUBCORE_FUZZ_TARGET names the target.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/target.h"

// The counters of edges that clang puts into the code. The linker names them. Variables with these names,
// __start___sancov_cntrs and __stop___sancov_cntrs, would take the place of clang's.
extern "C" std::uint8_t first_counter[], counters_end[];

namespace {

const subcore::fuzz::Target* target = nullptr;

// Lets counts of children go to this process: their memory is shared, without the parts on the first page and
// on the last.
void share_counters() {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(first_counter) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(counters_end) / page * page;
  if (first >= end) return;
  void* const at = reinterpret_cast<void*>(first);
  const std::vector<char> before(static_cast<char*>(at), static_cast<char*>(at) + (end - first));
  if (mmap(at, end - first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  std::memcpy(at, before.data(), before.size());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const char* const name = std::getenv("SUBCORE_FUZZ_TARGET");
  target = subcore::fuzz::target_named(name != nullptr ? name : "");
  if (target == nullptr) {
    std::fprintf(stderr, "fuzz: SUBCORE_FUZZ_TARGET is no target; expected one of");
    for (const subcore::fuzz::Target& t : subcore::fuzz::targets()) std::fprintf(stderr, " %s", t.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  share_counters();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    target->play({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "finding: %s\n", e.what());
    std::abort();
  }
  return 0;
}
