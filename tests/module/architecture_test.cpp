// Published figures of machines, as streams of instructions through a fixed read window in front of which an
// ideal scoreboard stands: an instruction issues as soon as its operands and its unit are there. Each figure
// names its source; the letters are those of model/isa/unit_table.cpp.
#include <catch2/catch.hpp>

#include "subcore/model/isa/opcodes.h"
#include "subcore/model/policy/issue/in_order.h"
#include "tests/module/fixed_window_kit.h"

namespace architecture_test {

using namespace subcore;
using namespace subcore::test;

namespace {

PlatformParameters core(UnitArchitecture architecture) {
  PlatformParameters p = nvidia();
  p.sub_core.scheduler.issue = "in_order";
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::queued_reads;
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_max_uses = 63;
  p.sub_core.scheduler.issue.as<InOrderChoice>().memory_guard = false;
  p.sub_core.collector.slots = max_sources;
  p.sub_core.execution.architecture = architecture;
  return p;
}

// An instruction of an opcode, as the architecture runs it.
Op op(UnitArchitecture architecture, const std::string& opcode, const Registers& destinations,
      const Registers& sources, unsigned reuse = 0) {
  Op made = controlled(alu(destinations, sources, opcode_info(opcode)->execution), 1, reuse);
  ExecutionParameters units;
  units.architecture = architecture;
  set_unit_use(made.code, opcode, units.units());
  return made;
}

Registers quad(Register first) {
  return {first, static_cast<Register>(first + 1), static_cast<Register>(first + 2),
          static_cast<Register>(first + 3)};
}
Registers pair(Register first) {
  return {first, static_cast<Register>(first + 1)};
}
Registers joined(std::initializer_list<Registers> parts) {
  Registers all;
  for (const Registers& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Cycles from one issue to the next of a long stream on one sub-core, in its steady state.
double pace(const char* name, UnitArchitecture architecture, const std::vector<WarpOps>& warps) {
  Program program;
  program.add(warps);
  Bench bench(name, core(architecture), program);
  run_cycles(6000);
  check_clean(bench);
  const Cycles at = cycles_of(bench, "issue");
  const std::size_t first = at.size() / 4, last = at.size() - 1 - at.size() / 4;
  return static_cast<double>(at[last] - at[first]) / static_cast<double>(last - first);
}

using Make = std::function<Op(unsigned n)>;
WarpOps stream(const Make& make, unsigned length = 48) {
  WarpOps ops;
  for (unsigned n = 0; n < length; ++n) ops.push_back(make(n));
  return ops;
}

// Streams of tensor instructions: each adds to its own accumulator of four registers from `first` on.
struct Tensor {
  UnitArchitecture architecture;
  std::string opcode;
  Registers a, b;
  unsigned accumulators = 4;
  Op at(Register c) const {
    Registers wide = quad(c);
    wide.resize(accumulators);
    return op(architecture, opcode, wide, joined({a, b, wide}));
  }
  double chain(const char* name) const {
    return pace(name, architecture, {stream([this](unsigned) { return at(40); })});
  }
  // Four warps; each goes on with another accumulator.
  double independent(const char* name) const {
    const WarpOps ops = stream([this](unsigned n) { return at(static_cast<Register>(40 + n % 16 * 4)); });
    return pace(name, architecture, {ops, ops, ops, ops});
  }
};

constexpr auto sm_75 = UnitArchitecture::sm_75, sm_80 = UnitArchitecture::sm_80,
               sm_86 = UnitArchitecture::sm_86, sm_90 = UnitArchitecture::sm_90;

// A stream of three-source instructions without dependences.
double three_sources(const char* name, UnitArchitecture architecture, const std::string& opcode,
                     const Registers& sources, unsigned reuse = 0) {
  return pace(name, architecture, {stream([&](unsigned n) {
                return op(architecture, opcode, {static_cast<Register>(40 + n % 32)}, sources, reuse);
              })});
}

}  // namespace

TEST_CASE("architecture: tensor instructions of an A100 (Sun et al., arXiv 2206.02874, measured)") {
  const Tensor f32{sm_80, "HMMA.16816.F32", quad(4), pair(8)};
  const double chain = f32.chain("chain");  // 24.7
  CHECK(chain >= 24);
  CHECK(chain <= 25);
  CHECK(f32.independent("independent") == 8);  // 8.16
  const Tensor half_depth{sm_80, "HMMA.1688.F32", pair(4), {8}};
  CHECK(half_depth.chain("half_chain") == 18);             // 17.7
  CHECK(half_depth.independent("half_independent") == 4);  // 4.2
  const Tensor tf32{sm_80, "HMMA.1688.F32.TF32", quad(4), pair(8)};
  CHECK(tf32.chain("tf32_chain") == 25);             // 25.0
  CHECK(tf32.independent("tf32_independent") == 8);  // 492 FMA a cycle and SM
  const Tensor s8{sm_80, "IMMA.16832.S8.S8", quad(4), pair(8)};
  CHECK(s8.chain("s8_chain") == 25);             // 24.7
  CHECK(s8.independent("s8_independent") == 8);  // 1987 FMA a cycle and SM
}

TEST_CASE("architecture: tensor instructions of an RTX 3070 are bound by their interval (Accel-Sim, W)") {
  const Tensor f32{sm_86, "HMMA.16816.F32", quad(4), pair(8)};
  CHECK(f32.chain("chain") == 32);
  CHECK(f32.independent("independent") == 32);
}

TEST_CASE("architecture: an H100's HMMA chain goes at 22 to 24 (nvcc, FlashGPU-Sim's probe)") {
  const Tensor f16{sm_90, "HMMA.16816.F16", quad(4), pair(8), 2};
  const double chain = f16.chain("chain");
  CHECK(chain >= 22);
  CHECK(chain <= 24);
}

TEST_CASE("architecture: FFMA streams of an H100 go as fast as their banks and reuse flags (N, measured)") {
  CHECK(three_sources("reused", sm_90, "FFMA", {2, 3, 6}, 4) == 1);
  CHECK(three_sources("two_even", sm_90, "FFMA", {2, 3, 6}) == 2);    // 2.01
  CHECK(three_sources("three_even", sm_90, "FFMA", {2, 4, 6}) == 3);  // 0.64 of a cycle for all mixes
}

TEST_CASE("architecture: streams of a V100 and an RTX 2070 go as fast as their banks (N, Jia, measured)") {
  for (const char* opcode : {"FFMA", "IADD3"}) {
    const std::string name = opcode;
    CHECK(three_sources((name + "_mixed").c_str(), sm_75, opcode, {2, 3, 6}) == 2);      // 2.014; 2.06
    CHECK(three_sources((name + "_even").c_str(), sm_75, opcode, {2, 4, 6}) == 3);       // 3.010; 3.03
    CHECK(three_sources((name + "_reused").c_str(), sm_75, opcode, {2, 4, 6}, 1) == 2);  // 2.014; 2.03
  }
}

TEST_CASE("architecture: DFMA of an H100, and FFMA of an A100 (measured)") {
  const auto chain = [](const char* name, UnitArchitecture architecture, const char* opcode,
                        const Registers& c) {
    return pace(name, architecture, {stream([&](unsigned) {
                  return op(architecture, opcode, c, joined({pair(4), pair(8), c}));
                })});
  };
  CHECK(chain("dfma_chain", sm_90, "DFMA", pair(40)) == 8);  // 8.04, an H100 SXM at 1980 MHz
  CHECK(pace("dfma", sm_90, {stream([](unsigned n) {
               return op(sm_90, "DFMA", pair(static_cast<Register>(40 + n % 16 * 2)),
                         joined({pair(4), pair(8)}));
             })}) == 2);  // 2.01, N
  CHECK(pace("ffma_chain", sm_80, {stream([](unsigned) {
               return op(sm_80, "FFMA", {40}, {4, 9, 40});
             })}) == 4);                                        // Abdelkhalik et al.
  CHECK(three_sources("ffma", sm_80, "FFMA", {2, 3, 6}) == 2);  // N
}

TEST_CASE("architecture: HMMA.16816.F32 reads five even and five odd registers in five cycles") {
  Program program;
  program.add({{op(sm_80, "HMMA.16816.F32", quad(40), joined({quad(4), pair(8), quad(40)}))}});
  Bench bench("bench", core(sm_80), program);
  run_cycles(200);
  std::array<unsigned, 2> of_bank{};
  Cycles at;
  for (const std::string& row : bench.log.rows({"read"})) {
    ++of_bank[row.find("bank 1") != std::string::npos];
    at.push_back(std::stoull(row));
  }
  CHECK(of_bank == std::array<unsigned, 2>{5, 5});
  CHECK(at.back() - at.front() == 4);
  check_clean(bench);
}

TEST_CASE("architecture: MUFU every 8 cycles on all, IMAD.WIDE every 4 on Turing and an H100 (N, H)") {
  for (const UnitArchitecture a : {sm_75, sm_80, sm_86, sm_90}) {
    const std::string name(names(a)[static_cast<std::size_t>(a)]);
    CHECK(pace(("mufu_" + name).c_str(), a, {stream([&](unsigned n) {
                 return op(a, "MUFU.EX2", {static_cast<Register>(40 + n % 16)}, {4});
               })}) == 8);
    CHECK(pace(("wide_" + name).c_str(), a, {stream([&](unsigned n) {
                 return op(a, "IMAD.WIDE", pair(static_cast<Register>(40 + n % 8 * 2)), {4, 9});
               })}) == 4);
  }
}

}  // namespace architecture_test
