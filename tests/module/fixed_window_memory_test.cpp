// Distances of memory instructions on NVIDIA's sub-core, beside those measured on GPUs (Huerta, MICRO 2025:
// Ampere's; Turing's are a cycle less). There are two distances from the issue of an access. WAR: to the
// issue of the first writer of one of its sources, which waits for its read counter. RAW: to the issue of the
// first reader of its result, which waits for its write counter.
//
// All accesses hit. The model reads sources when the GPUs do. The results of its wide accesses come as many
// cycles later as there are lines or passes behind the first.
#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/module/bench.h"

namespace fixed_window_memory_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct Access {
  const char* name;
  InstructionKind kind;
  MemorySpace space;
  bool register_address;  // else uniform
  // Cycles on Ampere for 32, 64 and 128 bits a lane: WAR, which is also the model's, and RAW. Then the
  // model's RAW. 0: no distance.
  std::array<Cycle, 3> war, raw, our_raw;
};
constexpr Access accesses[] = {
    {"LDG", InstructionKind::load, MemorySpace::global, true, {11, 11, 11}, {32, 34, 38}, {32, 33, 36}},
    {"LDG, uniform",
     InstructionKind::load,
     MemorySpace::global,
     false,
     {9, 9, 9},
     {29, 31, 35},
     {30, 31, 34}},
    {"STG", InstructionKind::store, MemorySpace::global, true, {14, 16, 20}, {}, {}},
    {"STG, uniform", InstructionKind::store, MemorySpace::global, false, {10, 12, 16}, {}, {}},
    {"LDS", InstructionKind::load, MemorySpace::shared, true, {9, 9, 9}, {24, 24, 26}, {24, 25, 28}},
    {"LDS, uniform",
     InstructionKind::load,
     MemorySpace::shared,
     false,
     {9, 9, 9},
     {23, 23, 25},
     {24, 25, 28}},
    {"STS", InstructionKind::store, MemorySpace::shared, true, {12, 14, 18}, {}, {}},
    {"STS, uniform", InstructionKind::store, MemorySpace::shared, false, {10, 12, 16}, {}, {}},
};

// The access, a writer of R3, which the access always reads, and a reader of R20, which is its first result.
Program measured(const Access& a, unsigned bytes) {
  const unsigned data = bytes / 4;
  const bool loads = a.kind == InstructionKind::load;
  Registers results, sources;
  if (a.register_address) sources.push_back(3);
  for (unsigned n = 0; n < data; ++n) {
    if (loads)
      results.push_back(static_cast<Register>(20 + n));
    else
      sources.push_back(static_cast<Register>(a.register_address || n != 0 ? 8 + n : 3));
  }
  Op access = loads ? load(results, sources, 0, a.space) : store(sources, 0, a.space);
  access.stride = bytes;
  access.code.memory_bytes = static_cast<std::uint8_t>(bytes);
  access.code.controlled = true;
  access.code.control.stall = 2;
  access.code.control.write_barrier = loads ? 0 : no_barrier;
  access.code.control.read_barrier = 1;
  Op writer = alu({3}, {}), reader = alu({6}, {20});
  for (Op* op : {&writer, &reader}) {
    op->code.controlled = true;
    op->code.control.stall = 1;
  }
  writer.code.control.wait_mask = 2;
  reader.code.control.wait_mask = 1;
  Program p;
  p.add({{access, writer, reader}});
  return p;
}

PlatformParameters shipped(const std::string& name) {
  PlatformParameters p = load_platform(find_platform(name), {"memory.kind=simple"});
  auto& memory = p.memory.kind.as<SimpleMemoryChoice>().parameters;
  memory.miss_latency = memory.hit_latency;
  p.multiprocessor.sub_cores = 1;
  return p;
}

void check_distances(const std::string& platform, Cycle less) {
  std::deque<Program> programs;
  std::vector<std::unique_ptr<Bench>> benches;
  for (const Access& a : accesses)
    for (const unsigned bytes : {4u, 8u, 16u}) {
      programs.push_back(measured(a, bytes));
      benches.push_back(std::make_unique<Bench>(("bench_" + std::to_string(benches.size())).c_str(),
                                                shipped(platform), programs.back()));
    }
  run_cycles(400);
  std::size_t n = 0;
  for (const Access& a : accesses)
    for (unsigned width = 0; width < 3; ++width) {
      CAPTURE(platform, a.name, 32u << width);
      Bench& b = *benches[n++];
      std::vector<Cycle> issues;
      for (const std::string& row : b.log.rows({"issue"})) issues.push_back(std::stoull(row));
      REQUIRE(issues.size() == 3);
      CHECK(issues[1] - issues[0] == a.war[width] - less);
      if (a.raw[width] != 0) CHECK(issues[2] - issues[0] == a.our_raw[width] - less);
      CHECK(b.leftovers().empty());
    }
}

}  // namespace

TEST_CASE("fixed window: distances of memory instructions on Turing") {
  check_distances("nvidia_turing", 1);
}

TEST_CASE("fixed window: distances of memory instructions on Ampere") {
  check_distances("nvidia_ampere", 0);
}

}  // namespace fixed_window_memory_test
