// Published figures of machines, as streams of instructions by control bits through a fixed read window. Each
// instruction waits as long as the instruction before it says, and for its unit and its ports. Each figure
// names its source; the letters are those of model/isa/unit_table.cpp. A chain is right at its stall count.
// With one cycle less an operand is stale.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/model/isa/issue_distance.h"
#include "tests/module/fixed_window_kit.h"

namespace architecture_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr auto sm_75 = UnitArchitecture::sm_75, sm_80 = UnitArchitecture::sm_80,
               sm_86 = UnitArchitecture::sm_86, sm_90 = UnitArchitecture::sm_90,
               sm_120 = UnitArchitecture::sm_120;

PlatformParameters core(UnitArchitecture architecture) {
  PlatformParameters p = nvidia();
  p.sub_core.collector.slots = max_sources;
  p.sub_core.execution.architecture = architecture;
  return p;
}

// An instruction of an opcode, as the architecture runs it.
Op op(UnitArchitecture architecture, const std::string& opcode, const Registers& destinations,
      const Registers& sources, unsigned stall = 1, unsigned reuse = 0) {
  Op made = controlled(alu(destinations, sources, opcode_info(opcode)->execution), stall, reuse);
  ExecutionParameters units;
  units.architecture = architecture;
  set_unit_use(made.code, opcode, units.units());
  return made;
}

Registers from(Register first, unsigned count) {
  Registers all;
  for (unsigned n = 0; n < count; ++n) all.push_back(static_cast<Register>(first + n));
  return all;
}
Registers joined(std::initializer_list<Registers> parts) {
  Registers all;
  for (const Registers& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Streams that run side by side, each on an SM of its own. All streams are added before the first one is
// asked for.
class Streams {
 public:
  // Adds a stream. `make` returns the n-th instruction of each of so many warps of one sub-core. Returns the
  // stream's number.
  template <class Make>
  std::size_t add(UnitArchitecture architecture, Make make, unsigned warps = 1) {
    WarpOps ops;
    for (unsigned n = 0; n < 48; ++n) ops.push_back(make(n));
    programs_.emplace_back().add(std::vector<WarpOps>(warps, ops));
    benches_.push_back(std::make_unique<Bench>(("stream_" + std::to_string(benches_.size())).c_str(),
                                               core(architecture), programs_.back()));
    return benches_.size() - 1;
  }
  // Cycles from one issue to the next in the middle of a stream, in which no operand is stale.
  double pace(std::size_t stream) {
    run();
    check_clean(*benches_[stream]);
    const Cycles at = cycles_of(*benches_[stream], "issue");
    const std::size_t first = at.size() / 4, last = at.size() - 1 - at.size() / 4;
    return static_cast<double>(at[last] - at[first]) / static_cast<double>(last - first);
  }
  bool is_stale(std::size_t stream) {
    run();
    return benches_[stream]->sm.check().stale() != 0;
  }

 private:
  void run() {
    if (ran_) return;
    ran_ = true;
    ignore_stale();
    run_cycles(8000);
  }
  std::deque<Program> programs_;
  std::vector<std::unique_ptr<Bench>> benches_;
  bool ran_ = false;
};

// A chain of an opcode on its last operand: at the table's distance, and with one cycle less.
struct Chain {
  std::size_t right, short_;
  Chain(Streams& streams, UnitArchitecture architecture, const std::string& opcode, const Registers& sources,
        unsigned width) {
    ExecutionParameters units;
    units.architecture = architecture;
    const UnitUse use = unit_use(units.units().architecture, opcode, *opcode_info(opcode));
    const unsigned distance = issue_distance(units.units().architecture, use, use, DependenceKind::source);
    const auto link = [&](unsigned stall) {
      return streams.add(architecture, [&](unsigned) {
        return op(architecture, opcode, from(40, width), joined({sources, from(40, width)}), stall);
      });
    };
    right = link(distance);
    short_ = link(distance - 1);
  }
};

// Instructions of an opcode without dependences: results go to registers from 40 on, `width` at a time.
std::size_t independent(Streams& streams, UnitArchitecture architecture, const std::string& opcode,
                        const Registers& sources, unsigned width, unsigned warps = 1, unsigned reuse = 0) {
  return streams.add(
      architecture,
      [&](unsigned n) {
        const Registers result = from(static_cast<Register>(40 + n % 16 * width), width);
        return op(architecture, opcode, result, sources, 1, reuse);
      },
      warps);
}

// The same for a tensor instruction on accumulators of its own, by four warps.
std::size_t tensor(Streams& streams, UnitArchitecture architecture, const std::string& opcode,
                   const Registers& sources) {
  return streams.add(
      architecture,
      [&](unsigned n) {
        const Registers c = from(static_cast<Register>(40 + n % 16 * 4), 4);
        // The same accumulator comes again long after it has been written.
        return op(architecture, opcode, c, joined({sources, c}), 8);
      },
      4);
}

// A matrix product of a warpgroup on the accumulators from R24 on, with A in shared memory or in registers.
// One warp stands for the four, and a sub-core for those of an SM.
Op product(const std::string& shape, const Registers& a = {}) {
  Op made = controlled(alu({24}, joined({a, {24}}), ExecutionClass::tensor_f32), 1);
  std::copy_n(made.code.sources.begin(), made.code.source_count, made.code.slots.begin());
  made.code.ends_group = true;
  ExecutionParameters units;
  units.architecture = sm_90;
  set_unit_use(made.code, "HGMMA." + shape, units.units());
  return made;
}
Op warpgroup(const char* opcode, unsigned open_groups = 0) {
  Op made = op(sm_90, opcode, {}, {});
  made.code.open_groups = static_cast<std::uint8_t>(open_groups);
  return made;
}

// Cycles from the issue of a product, the first of its warp, to that of an instruction that waits for it.
class Waits {
 public:
  void add(const std::string& shape, const Registers& a = {}) {
    programs_.emplace_back().add({{product(shape, a), warpgroup("WARPGROUP.DEPBAR.LE")}});
    benches_.push_back(std::make_unique<Bench>(("wait_" + std::to_string(benches_.size())).c_str(),
                                               core(sm_90), programs_.back()));
  }
  Cycle of(std::size_t n) const {
    check_clean(*benches_[n]);
    const Cycles at = cycles_of(*benches_[n], "issue");
    return at.at(1) - at.at(0);
  }

 private:
  std::deque<Program> programs_;
  std::vector<std::unique_ptr<Bench>> benches_;
};

}  // namespace

TEST_CASE("architecture: tensor instructions of an A100 (Sun et al., arXiv 2206.02874, measured)") {
  Streams s;
  const Registers a_b = from(4, 6), half = from(4, 3);
  const Chain f32(s, sm_80, "HMMA.16816.F32", a_b, 4), short_(s, sm_80, "HMMA.1688.F32", half, 4),
      tf32(s, sm_80, "HMMA.1688.F32.TF32", a_b, 4), s8(s, sm_80, "IMMA.16832.S8.S8", a_b, 4);
  const auto all_f32 = tensor(s, sm_80, "HMMA.16816.F32", a_b),
             all_short = tensor(s, sm_80, "HMMA.1688.F32", half),
             all_tf32 = tensor(s, sm_80, "HMMA.1688.F32.TF32", a_b),
             all_s8 = tensor(s, sm_80, "IMMA.16832.S8.S8", a_b);
  CHECK(s.pace(f32.right) == 24);  // 24.7; nvcc leaves 24
  CHECK(s.is_stale(f32.short_));
  CHECK(s.pace(short_.right) == 18);  // 17.7
  CHECK(s.is_stale(short_.short_));
  CHECK(s.pace(tf32.right) == 25);  // 25.0
  CHECK(s.pace(s8.right) == 25);    // 24.7
  CHECK(s.pace(all_f32) == 8);      // 8.16
  CHECK(s.pace(all_short) == 4);    // 4.2
  CHECK(s.pace(all_tf32) == 8);     // 492 FMA a cycle and SM
  CHECK(s.pace(all_s8) == 8);       // 1987 FMA a cycle and SM
}

TEST_CASE("architecture: tensor instructions of an RTX 3070 are bound by their interval (Accel-Sim, W)") {
  Streams s;
  const Chain chain(s, sm_86, "HMMA.16816.F32", from(4, 6), 4);
  const auto all = tensor(s, sm_86, "HMMA.16816.F32", from(4, 6));
  CHECK(s.pace(chain.right) == 32);
  CHECK(s.pace(all) == 32);
}

// Sass-king's probe on an RTX 5070 Ti, and that of N on an RTX 5090.
TEST_CASE("architecture: HMMA.16816 of an RTX 5090 takes 35 cycles in a chain, and comes every 32") {
  Streams s;
  const Chain f32(s, sm_120, "HMMA.16816.F32", from(4, 6), 4),
      fp8(s, sm_120, "QMMA.16832.F32.E4M3.E4M3", from(4, 6), 4);
  const auto all_f32 = tensor(s, sm_120, "HMMA.16816.F32", from(4, 6)),
             all_fp8 = tensor(s, sm_120, "QMMA.16832.F32.E4M3.E4M3", from(4, 6)),
             all_s8 = tensor(s, sm_120, "IMMA.16816.S8.S8", from(4, 3));
  CHECK(s.pace(f32.right) == 35);
  CHECK(s.is_stale(f32.short_));
  CHECK(s.pace(fp8.right) == 35);
  CHECK(s.pace(all_f32) == 32);
  CHECK(s.pace(all_fp8) == 32);
  CHECK(s.pace(all_s8) == 16);
}

TEST_CASE("architecture: integers of an RTX 5090 (N, measured)") {
  Streams s;
  const auto iadd3 = independent(s, sm_120, "IADD3", {2, 3}, 1), mov = independent(s, sm_120, "MOV", {2}, 1),
             imad = independent(s, sm_120, "IMAD", {2, 3}, 1);
  const Chain wide(s, sm_120, "IMAD.WIDE", {2, 3}, 2);
  CHECK(s.pace(iadd3) == 2);
  CHECK(s.pace(mov) == 1);
  CHECK(s.pace(imad) == 2);        // 2.08
  CHECK(s.pace(wide.right) == 7);  // 7.01
}

TEST_CASE("architecture: an H100's HMMA chain goes at 22 to 24 (nvcc, FlashGPU-Sim's probe)") {
  Streams s;
  const Chain chain(s, sm_90, "HMMA.16816.F16", from(4, 6), 2);
  const double pace = s.pace(chain.right);
  CHECK(pace >= 22);
  CHECK(pace <= 24);
}

TEST_CASE("architecture: FFMA streams of an H100 go as fast as their banks and reuse flags (N, measured)") {
  Streams s;
  const auto reused = independent(s, sm_90, "FFMA", {2, 3, 6}, 1, 1, 4),
             two_even = independent(s, sm_90, "FFMA", {2, 3, 6}, 1),
             three_even = independent(s, sm_90, "FFMA", {2, 4, 6}, 1);
  CHECK(s.pace(reused) == 1);      // 1.01
  CHECK(s.pace(two_even) == 2);    // 2.01
  CHECK(s.pace(three_even) == 3);  // the rule of the two above
}

TEST_CASE("architecture: IADD3, FFMA and IMAD of an H100 in turn (measured on an H200: 2.07, 2.01, 3.13)") {
  Streams s;
  for (const auto& [one, other] : {std::pair{"IADD3", "IMAD"}, {"FFMA", "IADD3"}, {"FFMA", "IMAD"}})
    s.add(sm_90, [one = one, other = other](unsigned n) {
      return op(sm_90, n % 2 != 0 ? one : other, from(static_cast<Register>(40 + n % 16), 1), {2, 3}, 1);
    });
  CHECK(s.pace(0) == Approx(1).margin(0.05));
  CHECK(s.pace(1) == Approx(1).margin(0.05));
  CHECK(s.pace(2) == Approx(1.5).margin(0.05));
}

TEST_CASE("architecture: streams of a V100 and an RTX 2070 go as fast as their banks (N, Jia, measured)") {
  Streams s;
  for (const char* opcode : {"FFMA", "IADD3"}) {
    independent(s, sm_75, opcode, {2, 3, 6}, 1);
    independent(s, sm_75, opcode, {2, 4, 6}, 1);
    independent(s, sm_75, opcode, {2, 4, 6}, 1, 1, 1);
  }
  for (const std::size_t first : {0u, 3u}) {
    CHECK(s.pace(first) == 2);      // 2.014; 2.06
    CHECK(s.pace(first + 1) == 3);  // 3.010; 3.03
    CHECK(s.pace(first + 2) == 2);  // 2.014; 2.03
  }
}

TEST_CASE("architecture: DFMA of an H100, and FFMA of an A100 (measured)") {
  Streams s;
  const Chain dfma(s, sm_90, "DFMA", from(4, 4), 2), ffma(s, sm_80, "FFMA", {4, 9}, 1);
  const auto all_dfma = independent(s, sm_90, "DFMA", from(4, 4), 2),
             all_ffma = independent(s, sm_80, "FFMA", {2, 3, 6}, 1);
  CHECK(s.pace(dfma.right) == 8);  // 8.04, an H100 SXM at 1980 MHz
  CHECK(s.is_stale(dfma.short_));
  CHECK(s.pace(all_dfma) == 2);    // 2.01, N
  CHECK(s.pace(ffma.right) == 4);  // Abdelkhalik et al., arXiv 2208.11174
  CHECK(s.is_stale(ffma.short_));
  CHECK(s.pace(all_ffma) == 2);  // N
}

TEST_CASE("architecture: HMMA.16816.F32 reads five even and five odd registers in five cycles") {
  Program program;
  program.add({{op(sm_80, "HMMA.16816.F32", from(40, 4), joined({from(4, 6), from(40, 4)}))}});
  Bench bench("bench", core(sm_80), program);
  run_cycles(200);
  std::array<unsigned, 2> of_bank{};
  std::vector<Cycle> at;
  for (const std::string& row : bench.log.rows({"read"})) {
    ++of_bank[row.find(" b1") != std::string::npos];
    at.push_back(std::stoull(row));
  }
  CHECK(of_bank == std::array<unsigned, 2>{5, 5});
  REQUIRE(!at.empty());
  CHECK(at.back() - at.front() == 4);
  check_clean(bench);
}

TEST_CASE("architecture: wide DMMA of an H100 read 20 and 32 registers by their banks' ports") {
  const std::pair<const char*, unsigned> products[] = {{"DMMA.16x8x8", 20}, {"DMMA.16x8x16", 32}};
  Program programs[2];
  std::vector<std::unique_ptr<Bench>> benches;
  for (std::size_t n = 0; n < 2; ++n) {
    const auto [opcode, count] = products[n];
    programs[n].add({{op(sm_90, opcode, from(static_cast<Register>(count - 4), 8), from(4, count))}});
    benches.push_back(
        std::make_unique<Bench>(("bench_" + std::to_string(n)).c_str(), core(sm_90), programs[n]));
  }
  run_cycles(300);
  for (std::size_t n = 0; n < 2; ++n) {
    const unsigned count = products[n].second;
    CAPTURE(count);
    std::array<unsigned, 2> of_bank{};
    std::vector<Cycle> at;
    for (const std::string& row : benches[n]->log.rows({"read"})) {
      ++of_bank[row.find(" b1") != std::string::npos];
      at.push_back(std::stoull(row));
    }
    CHECK(of_bank == std::array<unsigned, 2>{count / 2, count / 2});
    REQUIRE(!at.empty());
    const auto [first, last] = std::minmax_element(at.begin(), at.end());
    CHECK(*last - *first + 1 == count / 2);
    check_clean(*benches[n]);
  }
}

TEST_CASE("architecture: wide DMMA of an H100 come every 32 and 64 cycles (peak rate)") {
  Streams s;
  for (const auto& [opcode, sources] : {std::pair{"DMMA.16x8x8", 20u}, std::pair{"DMMA.16x8x16", 32u}})
    s.add(
        sm_90,
        [name = opcode, count = sources](unsigned n) {
          return op(sm_90, name, from(static_cast<Register>(40 + n % 16 * 8), 8), from(4, count), 8);
        },
        2);
  CHECK(s.pace(0) == 32);
  CHECK(s.pace(1) == 64);
}

TEST_CASE("architecture: shapes of the greatest interval leave ports of the banks to others") {
  Program program;
  WarpOps slow, others;
  for (const unsigned n : {40u, 44u, 48u}) {
    slow.push_back(op(sm_86, "DMMA.884", from(static_cast<Register>(n), 4), from(4, 8)));
    slow.back().code.latency = slow.back().code.initiation_interval = 768;
  }
  for (unsigned n = 0; n < 60; ++n) others.push_back(op(sm_86, "IADD3", {20}, {6, 8, 10}, 11));
  program.add({slow, others});
  Bench bench("bench", core(sm_86), program);
  run_cycles(4000);
  Cycles at;
  for (const auto& [name, cycle] : times(bench, "dispatch"))
    if (name[0] == '1') at.push_back(cycle);
  REQUIRE(at.size() == 3);
  CHECK(at[1] - at[0] == 768);
  CHECK(at[2] - at[1] == 768);
  check_clean(bench);
}

TEST_CASE("architecture: doubles of a GA100 take the tensor core's pipe (P), and those of an H100 do not") {
  Streams s;
  for (const UnitArchitecture a : {sm_80, sm_90})
    s.add(a, [a](unsigned n) {
      const auto r = static_cast<Register>(40 + n % 16 * 4);
      return n % 2 != 0 ? op(a, "DFMA", from(r, 2), from(4, 6), 1)
                        : op(a, "HMMA.16816.F16", from(r, 2), from(4, 8), 1);
    });
  // Cycles for each of two instructions, over an odd number of them.
  CHECK(s.pace(0) == Approx((4 + 8) / 2.0).margin(0.1));
  CHECK(s.pace(1) == Approx(3.5).margin(0.1));  // by the ports of its banks: three and four operands
}

TEST_CASE("architecture: MUFU every 8 cycles on all, IMAD.WIDE every 4 on Turing and an H100 (N, H)") {
  Streams s;
  for (const UnitArchitecture a : {sm_75, sm_80, sm_86, sm_90}) {
    independent(s, a, "MUFU.EX2", {4}, 1);
    independent(s, a, "IMAD.WIDE", {4, 9}, 2);
  }
  for (std::size_t n = 0; n < 8; n += 2) {
    CHECK(s.pace(n) == 8);
    CHECK(s.pace(n + 1) == 4);
  }
}

// Luo et al., arXiv 2501.12084, and arXiv 2512.02189: 128.0 on an H800 and an H200, 32.0 on an H200.
TEST_CASE("architecture: chains of an H100's products go at half a cycle a column (measured)") {
  Streams s;
  for (const char* shape : {"64x64x16.F32", "64x128x16.F32", "64x256x16.F32", "64x256x16.F16"})
    s.add(sm_90, [&](unsigned) { return product(shape); });
  CHECK(s.pace(0) == 32);
  CHECK(s.pace(1) == 64);
  CHECK(s.pace(2) == 128);
  CHECK(s.pace(3) == 128);
}

TEST_CASE("architecture: an H100's product and its wait take 49 cycles and one for each register (N)") {
  Waits w;
  for (const char* shape : {"64x8x16.F32", "64x64x16.F32", "64x256x16.F32"}) w.add(shape);
  w.add("64x64x16.F32", {4});
  run_cycles(400);
  CHECK(w.of(0) == 53);
  CHECK(w.of(1) == 81);
  CHECK(w.of(2) == 177);
  const Cycle less = w.of(1) - w.of(3);  // A is in registers: about 18
  CHECK(less >= 15);
  CHECK(less <= 18);
}

TEST_CASE("architecture: an H100's narrow products are bound by shared memory (N: 17.4 to 19.4)") {
  Streams s;
  const auto narrow = s.add(sm_90, [](unsigned) { return product("64x8x16.F32"); });
  const auto in_registers = s.add(sm_90, [](unsigned) { return product("64x8x16.F32", {4}); });
  CHECK(s.pace(narrow) >= 18);
  CHECK(s.pace(narrow) <= 19.4);
  CHECK(s.pace(in_registers) >= 12);  // measured: 12.0, as long as an accumulator takes around
  CHECK(s.pace(in_registers) <= 14);
}

// In its bank, each product reads and writes an accumulator once. The pace is a register a cycle.
TEST_CASE("architecture: an H100's product reads and writes its accumulators a register a cycle (N)") {
  Program program;
  program.add({{product("64x64x16.F32"), warpgroup("WARPGROUP.DEPBAR.LE")}});
  Bench bench("bench", core(sm_90), program);
  run_cycles(200);
  check_clean(bench);
  std::vector<Cycle> reads, writes;
  for (const std::string& row : bench.log.rows({"read"})) reads.push_back(std::stoull(row));
  for (const std::string& row : bench.log.rows({"write"})) writes.push_back(std::stoull(row));
  REQUIRE(reads.size() == 32);
  REQUIRE(writes.size() == 32);
  for (std::size_t n = 0; n < reads.size(); ++n) {
    CHECK(reads[n] == reads[0] + n);
    CHECK(writes[n] == reads[n] + 12);
  }
}

TEST_CASE("architecture: who takes an accumulator without a wait reads what it was before") {
  const auto reader = [] { return op(sm_90, "FADD", {4}, {30, 5}); };
  Program waits, does_not;
  waits.add({{product("64x64x16.F32"), warpgroup("WARPGROUP.DEPBAR.LE"), reader()}});
  does_not.add({{product("64x64x16.F32"), reader()}});
  ignore_stale();
  Bench right("right", core(sm_90), waits), wrong("wrong", core(sm_90), does_not);
  run_cycles(300);
  check_clean(right);
  CHECK(wrong.finished());
  CHECK(wrong.sm.check().stale() == 1);
}

}  // namespace architecture_test
