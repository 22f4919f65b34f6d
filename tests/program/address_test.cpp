// Accesses at the limits of addresses and bandwidths.
#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace address_test {

using namespace subcore::test;

TEST_CASE("an access past the last byte of the address space goes on at the first") {
  const Desk desk;
  desk.trace("t",
             "0000 ffffffff 0 STG.E 2 R2 R4 4 1 0x40 -4\n"
             "0010 ffffffff 1 R6 LDG.E 1 R4 4 1 0xffffffffffffff80 4\n"
             "0020 ffffffff 1 R8 LDG.E.128 1 R4 16 1 0xfffffffffffffff4 0\n"
             "0030 ffffffff 0 RED.E.ADD 2 R4 R7 4 1 0x7c -4\n"
             "0040 ffffffff 1 R9 LDS 1 R4 4 1 0xffffffffffffffc2 4\n"
             "0050 ffffffff 0 EXIT 0 0 \n");
  for (const char* platform : {"baseline", "malekeh", "rtx2060_third/baseline"}) {
    INFO(platform);
    const auto result = nlohmann::json::parse(
        desk.succeed({"run", "-p", platform, "-t", "t", "-s", "checks.watchdog_seconds=10", "-j", "-"}).out);
    CHECK(result["instructions_retired"] == 6);
    CHECK(result["stale_operands"] == 0);
  }
}

TEST_CASE("a memory of the least bandwidth is slow, not stuck") {
  const Desk desk;
  // Each lane has its own line: 32 requests. No instruction can retire before the first of them.
  std::string lines;
  for (int i = 0; i < 2; ++i)
    lines += "0000 ffffffff 1 R6 LDG.E 1 R6 4 1 0x7f4000100000 128\n0010 ffffffff 1 R6 IADD3 2 R6 R6 0 \n";
  desk.trace("t", lines + "0020 ffffffff 0 EXIT 0 0 \n");
  const auto cycles = [&](const Strings& more) {
    Strings arguments{"run", "-t", "t", "-j", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return nlohmann::json::parse(desk.succeed(arguments).out)["cycles"].get<std::uint64_t>();
  };
  CHECK(cycles({"-p", "baseline", "-s", "memory.bytes_per_cycle=0.001"}) > 1000000);
  CHECK(cycles({"-p", "rtx2060_third/baseline", "-s", "memory.dram.bytes_per_cycle=0.001"}) > 200000);
}

}  // namespace address_test
