// The waveform of a fixed read window: Control, Allocate and the stages of reading, cycle by cycle.
#include <catch2/catch.hpp>

#include "tests/program/program.h"
#include "tests/program/vcd.h"

namespace window_stages_test {

using namespace subcore::test;

namespace {

constexpr std::uint64_t period = 1000;  // ps
const std::string project = SUBCORE_SOURCE_DIR;

struct Rows {
  const Vcd& vcd;
  std::uint64_t cycle = 0;
  std::string operator()(const std::string& name, std::uint64_t later = 0) const {
    return vcd.find("sub_core_0." + name).at((cycle + later) * period);
  }
};

}  // namespace

TEST_CASE("a waveform shows an instruction in every stage of a fixed read window") {
  const Desk desk;
  desk.succeed({"run", "-p", "nvidia_turing", "-t", project + "/scenarios/traces/sgemm", "--vcd", "w.vcd",
                "--vcd-scope", "sm_0.sub_core_0", "--vcd-from", "200", "--vcd-to", "6000"});
  const Vcd vcd = read_vcd(desk.file("w.vcd"));
  unsigned issued = 0, held = 0, queued = 0, reads = 0;
  for (Rows row{vcd, 201}; row.cycle < 5990; ++row.cycle) {
    CAPTURE(row.cycle);
    // An instruction that leaves Control is in Allocate or in a queue. An instruction that leaves Allocate
    // reads for three cycles.
    const std::string control = row("fixed_window_0.c0_control_instruction"),
                      allocate = row("fixed_window_0.c0_allocate_instruction"),
                      issue = row("issue_scheduler.issue_instruction");
    if (issue != "x") {
      ++issued;
      CHECK(row("fixed_window_0.c0_control_instruction", 1) == issue);
    }
    if (control != "x" && row("fixed_window_0.c0_control_instruction", 1) != control) {
      if (row("fixed_window_0.c0_allocate_instruction", 1) != control) ++queued;
    }
    if (allocate != "x") {
      if (row("fixed_window_0.c0_allocate_instruction", 1) == allocate)
        ++held;
      else
        CHECK(row("fixed_window_0.c0_read_1_instruction", 1) == allocate);
    }
    for (const auto& [stage, next] : {std::pair("1", "2"), {"2", "3"}}) {
      const std::string reading = row(std::string("fixed_window_0.c0_read_") + stage + "_instruction");
      if (reading == "x") continue;
      ++reads;
      CHECK(row(std::string("fixed_window_0.c0_read_") + next + "_instruction", 1) == reading);
    }
    CHECK(row("fixed_window_0.c0_read_4_instruction") == "x");  // for tensor instructions
  }
  CHECK(issued > 100);
  CHECK(queued > 10);
  CHECK(held > 0);
  CHECK(reads > 100);
}

}  // namespace window_stages_test
