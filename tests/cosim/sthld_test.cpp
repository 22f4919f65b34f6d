// An SM outside a Gpu whose platform wants an adaptive threshold: somebody has to be there who adapts it.
#include <catch2/catch.hpp>

#include "modules/memory/simple_memory.h"
#include "modules/sthld_controller/sthld_controller.h"
#include "platforms/config/reader.h"
#include "platforms/gpu.h"
#include "platforms/memory/simple.h"
#include "tests/cosim/rig.h"

using namespace subcore;
using namespace subcore::test;

namespace {

const std::string source = SUBCORE_SOURCE_DIR;

PlatformParameters malekeh_of(SthldMode mode) {
  PlatformParameters p = load_platform(source + "/platforms/malekeh.yaml");
  p.sthld.mode = mode;
  p.sthld.interval = 100;
  return p;
}

std::string lone_sm(SthldMode mode, bool controlled) {
  return in_child([=] {
    const PlatformParameters p = malekeh_of(mode);
    StreamingMultiprocessor sm("sm", 0, p);
    SimpleMemory memory("memory", p.memory.kind.as<SimpleMemoryChoice>().parameters, cycles(1));
    sm.memory_socket().bind(memory.memory_socket);
    TraceDriver driver("driver", p, {&sm});
    std::unique_ptr<SthldController> controller;
    if (controlled) {
      controller = std::make_unique<SthldController>("controller", 1, p.sthld, cycles(1));
      controller->control_socket[0].bind(sm.control_socket());
      driver.on_finish([&] { controller->stop(); });
    }
    driver.run(open_trace(source + "/scenarios/traces/bfs"));
    sc_core::sc_start();
    return std::to_string(driver.finish_cycle()) + (driver.finished() ? " finished" : " not finished");
  });
}

}  // namespace

TEST_CASE("an adaptive threshold without a controller is refused") {
  CHECK_THAT(lone_sm(SthldMode::adaptive, false),
             Catch::Contains("/subcore/sthld") && Catch::Contains("sm: sthld.mode is adaptive") &&
                 Catch::Contains("control_socket; expected an SthldController"));
  CHECK_THAT(lone_sm(SthldMode::fixed, false), Catch::Contains(" finished"));
}

TEST_CASE("a lone SM with a controller runs as a GPU of one SM does") {
  const std::string gpu = in_child([] {
    Gpu one("gpu", malekeh_of(SthldMode::adaptive));
    one.run(open_trace(source + "/scenarios/traces/bfs"));
    sc_core::sc_start();
    return std::to_string(one.finish_cycle()) + " finished";
  });
  CHECK(lone_sm(SthldMode::adaptive, true) == gpu);
  CHECK(lone_sm(SthldMode::fixed, false) != gpu);
}
