// Instructions that nvcc's code does not check: other instructions would give the results that the code
// needs, too.
#include <array>
#include <utility>

#include "checks.h"
#include "subcore/tracer/machine/cta.h"
#include "subcore/tracer/machine/decoder.h"

namespace subcore::tracer {
namespace {

// The registers that a warp of sm_90 leaves behind a kernel of these encodings.
struct LastRegisters : ExecutionObserver {
  explicit LastRegisters(const std::vector<std::pair<Wide, Wide>>& code, const InstructionTable& table) {
    Kernel kernel;
    for (const auto& [low, high] : code)
      kernel.code.push_back(
          decode(table, 90, low, high, static_cast<std::uint32_t>(16 * kernel.code.size())));
    Launch launch;
    launch.kernel = &kernel;
    launch.architecture = 90;
    launch.block = {32};
    DeviceMemory memory;
    Cta(launch, memory, CopyTime::wait, this).run({});
  }
  void executed(const Warp& warp, const Instruction&, Lanes, const std::array<std::uint64_t, 32>*) override {
    uniform = warp.uniforms[4];
    barrier = warp.convergence[6];
    vector = warp.registers[16][0];
  }
  std::uint32_t uniform = 0, vector = 0;  // UR4, and R16 of lane 0
  Lanes barrier = 0;                      // B6
};

constexpr std::pair<Wide, Wide> leave{0x000000000000794d, 0x000fea0003800000};

}  // namespace

Problems check_single_instructions(const InstructionTable& table) {
  Problems problems;
  const auto check = [&](const char* what, std::uint32_t found, std::uint32_t expected) {
    if (found != expected)
      problems.push_back(std::string(what) + ": " + hex_text(found) + ", expected " + hex_text(expected));
  };
  // UMOV UR5, 0x100; UMOV UR6, 0x20; UMOV UR7, 0x3; UIADD3 UR4, UR5, UR6, UR7
  const LastRegisters sum({{0x0000010000057882, 0x000fe20000000000},
                           {0x0000002000067882, 0x000fe20000000000},
                           {0x0000000300077882, 0x000fe20000000000},
                           {0x0000000605047290, 0x000fe2000fffe007},
                           leave},
                          table);
  check("UIADD3", sum.uniform, 0x123);
  // MOV R16, 0xf0; BMOV.32 B6, R16
  const LastRegisters to_barrier(
      {{0x000000f000107802, 0x000fe20000000f00}, {0x0000001006007356, 0x0001ea0000000000}, leave}, table);
  check("BMOV.32 B6, R16", to_barrier.barrier, 0xf0);
  // The same, MOV R16, 0x1, and BMOV.32.CLEAR R16, B6
  const LastRegisters to_register({{0x000000f000107802, 0x000fe20000000f00},
                                   {0x0000001006007356, 0x0001ea0000000000},
                                   {0x0000000100107802, 0x000fe20000000f00},
                                   {0x0000000006107355, 0x001e220000100000},
                                   leave},
                                  table);
  check("BMOV.32.CLEAR R16, B6", to_register.vector, 0xf0);
  check("B6 behind BMOV.32.CLEAR", to_register.barrier, 0);
  return problems;
}

// Encodings that nvcc 13.0 writes.
Problems check_texts(const InstructionTable& table) {
  struct Case {
    unsigned architecture;
    Wide low, high;
    const char* text;
  };
  const Case cases[] = {
      {75, 0x0000580008027a11, 0x040fe200078018ff, "LEA R2, P0, R8.reuse, c[0x0][0x160], 0x3 ;"},
      {75, 0x0000590008037a11, 0x000fce00000f1c09, "LEA.HI.X R3, R8, c[0x0][0x164], R9, 0x3, P0 ;"},
      {75, 0x0000001500047211, 0x000fd000078f10ff, "LEA.HI R4, R0, R21, RZ, 0x2 ;"},
      {75, 0x0000001a1b1a7211, 0x000fe400078508ff, "LEA.HI R26, P2, R27, R26, RZ, 0x1 ;"},
      {80, 0x000000ff131f7211, 0x000fe200010fceff, "LEA.HI.X.SX32 R31, R19, RZ, 0x19, P2 ;"},
      {80, 0x0000001a09187211, 0x000fe400078ff2ff, "LEA.HI.SX32 R24, R9, R26, 0x1e ;"},
      {80, 0x000000210a217211, 0x000fe400078fdaff, "LEA.HI.SX32 R33, R10, R33, 0x1b ;"},
      {80, 0x3000000003007234, 0x000fe20003f2e800, "HSETP2.BF16_V2.GEU.AND P1, PT, R3.H0_H0, R0.H1_H1, PT ;"},
      {90, 0x80000007000b7246, 0x000fe40007800006, "VIADDMNMX.U32 R11, R0, -R7, R6, !PT ;"},
      {90, 0x00000007000d7246, 0x000fe20003801106, "VIADDMNMX.RELU R13, R0, R7, R6, PT ;"},
      {90, 0xb96000000a167446, 0x000fe40007800917, "VIADDMNMX R22, R10, R23, -0x46a00000, !PT ;"},
      {90, 0x000000070011720f, 0x000fe20007800106, "VIMNMX3 R17, R0, R7, R6, !PT ;"},
      {90, 0x000000070007720f, 0x000fe20003801306, "VIMNMX3.S16x2.RELU R7, R0, R7, R6, PT ;"},
  };
  Problems problems;
  for (const Case& c : cases)
    if (const std::string text = decode(table, c.architecture, c.low, c.high, 0).text; text != c.text)
      problems.push_back(text + " expected to be " + c.text);
  return problems;
}

}  // namespace subcore::tracer
