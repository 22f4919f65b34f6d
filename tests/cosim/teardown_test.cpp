// A user may destroy a GPU at any time: before elaboration ends, in the middle of a run, after an error.
// Transfers that are under way then belong to modules that are destroyed one after the other. Most mistakes
// here show under AddressSanitizer only.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/rig.h"
#include "tests/unit/trace_files.h"

namespace teardown_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Every shipped system on one SM and on a GPU, and one system on a larger GPU.
std::vector<std::string> runnable_platforms() {
  std::vector<std::string> names{"v100/baseline"};
  for (const std::string& n : shipped_names("platforms")) {
    if (n.find('/') != std::string::npos) continue;  // a machine, or a part of a system
    if (load_platform(find_platform(n)).passes.near_bits.asks_order())
      continue;  // runs only behind a first run
    names.push_back(n);
    names.push_back("rtx2060_third/" + n);
  }
  return names;
}

PlatformParameters shipped(const std::string& name) {
  return load_platform(find_platform(name));
}

// Teardown differs from module to module, not from SM to SM.
PlatformParameters few_sms(const std::string& name) {
  PlatformParameters p = shipped(name);
  p.gpu.sms = std::min(p.gpu.sms, 2u);
  p.gpu.kernel_launch_cycles = 0;  // so that requests are soon in flight
  return p;
}

TraceProgram own_trace(const std::string& name) {
  return open_trace(project_traces() / name);
}

sc_core::sc_time nanoseconds(double n) {
  return {n, sc_core::SC_NS};
}

// Lets the simulation go on without the GPU, for longer than any interval that a part of the GPU may wait
// for.
std::string gone(std::unique_ptr<Gpu>& gpu) {
  gpu.reset();
  sc_core::sc_start(nanoseconds(50000));
  return "gone";
}

}  // namespace

TEST_CASE("a GPU destroyed with requests in flight, on every shipped platform") {
  const std::vector<std::string> names = runnable_platforms();
  CHECK(names.size() >= 25);
  for (const std::string& name : names) {
    INFO(name);
    CHECK(in_child([&] {
            auto gpu = std::make_unique<Gpu>("gpu", name == "v100/baseline" ? shipped(name) : few_sms(name));
            gpu->run(own_trace("bfs"));
            sc_core::sc_start(nanoseconds(500));
            if (gpu->finished() || gpu->leftovers().empty()) return std::string("nothing in flight");
            if (auto* memory = dynamic_cast<MemorySystem*>(gpu->memory.get()); memory != nullptr) {
              for (int n = 0; n < 1000 && memory->drained(); ++n) sc_core::sc_start(nanoseconds(10));
              if (memory->drained()) return std::string("no request in flight");
            }
            return gone(gpu);
          }) == "gone");
  }
}

TEST_CASE("a GPU destroyed before elaboration ends") {
  for (const char* name : {"malekeh", "rtx2060_third/malekeh"}) {
    INFO(name);
    CHECK(in_child([&] {
            auto gpu = std::make_unique<Gpu>("gpu", shipped(name));
            gpu->run(own_trace("vectoradd"));
            return gone(gpu);
          }) == "gone");
  }
}

TEST_CASE("a GPU destroyed after an error in its trace") {
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", cut_kernel(500));
  for (const char* name : {"malekeh", "rtx2060_third/malekeh"}) {
    INFO(name);
    const std::string said = in_child([&] {
      auto gpu = std::make_unique<Gpu>("gpu", shipped(name));
      gpu->run(open_trace(folder.path()));
      try {
        sc_core::sc_start();
      } catch (const sc_core::sc_report& report) {
        std::string message = report.get_msg();
        gpu.reset();
        return "gone: " + message;  // an error ends the simulation
      }
      return std::string("no error");
    });
    CHECK_THAT(said, Catch::StartsWith("gone: ") && Catch::Contains("kernel-1.traceg:"));
  }
}

}  // namespace teardown_test
