// A kernel's code as far as control bits are concerned: what each instruction needs and makes, where it
// executes, and what may come behind it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <bitset>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "subcore/model/isa/issue_distance.h"
#include "subcore/model/passes/kernel_profile.h"
#include "subcore/model/trace/sidecar.h"

namespace subcore {

// Everything that an instruction may write and another one read: R0 to R254, uniform registers, predicates of
// threads and of the uniform datapath.
namespace resource {
// The number of UR0; R0 to R254 are 0 to 254.
inline constexpr unsigned uniforms = 256;
// The number of P0.
inline constexpr unsigned predicates = 320;
// The number behind the last resource.
inline constexpr unsigned count = 336;
}  // namespace resource
using ResourceSet = std::bitset<resource::count>;
std::string resource_name(unsigned n);  // R12, UR4, P0, UP1
// R0 to R254 alone, whose sources are read some time after issue.
ResourceSet registers_among(const ResourceSet& set);

// The predicate of each lane that an instruction asks before it runs there.
struct RunsIf {
  unsigned predicate = resource::count;  // count: it asks none, or none that is known
  bool value = true;                     // it runs where the predicate has this value
  bool asks() const { return predicate != resource::count; }
  // No lane runs both, if the predicate does not change between them.
  bool excludes(const RunsIf& o) const { return asks() && predicate == o.predicate && value != o.value; }
};

// An instruction, by what it reads and writes and what its control bits say.
struct ControlNode {
  std::uint64_t pc = 0;
  unsigned architecture = known_architectures[0];
  UnitUse use;
  bool is_variable = false;   // a barrier stands for its results
  bool long_latency = false;  // is_long_latency
  bool is_product = false;    // of a warpgroup: its results are waited for by WARPGROUP.DEPBAR
  bool is_barrier = false;    // a thread block's barrier: older instructions have read their sources
  bool controlled = false;
  ControlBits control;
  ResourceSet reads, writes;
  ResourceSet accumulates;  // registers that it writes in its own time, a warpgroup's product
  ResourceSet guards;       // predicates among those read that decide where it goes
  RunsIf runs_if;
  std::vector<std::uint32_t> successors;  // nodes
};

struct ControlProgram {
  std::vector<ControlNode> nodes;
  std::vector<std::uint32_t> entries;
};

// The whole code of a sidecar for a binary version, with every branch taken and not taken. A return leads
// behind the calls of the function that it is a part of.
ControlProgram control_program(const Sidecar& sidecar, unsigned binary_version = 0);

// The code as a trace shows it: instructions that ran, by StaticInstruction::index, in the orders in which
// warps ran them. Predicates and uniform registers are not in traces. Predicates are guessed: each comparison
// writes another one, which the next instruction reads that may read one or ran under a partial mask. One
// uniform register stands for all of them.
ControlProgram control_program(const CodeTable& code, const KernelProfile& profile,
                               unsigned binary_version = 0);

// Cycles from the issue of an instruction to that of its warp's next one, at the least.
unsigned issue_step(const ControlBits& control);
// The cycles that a stall of 0 with the yield flag takes.
inline constexpr unsigned stall0_yield_cycles = 45;

// The least distance, in cycles, between two nodes if the later one reads or writes results of the earlier
// one, whose latency is fixed; 0 if it does not.
unsigned required_distance(const ControlNode& producer, const ControlNode& consumer);

// Nodes of a graph that are to be looked at, first come first served, each of them once at a time.
class Worklist {
 public:
  explicit Worklist(std::size_t nodes) : queued_(nodes) {}
  void add(std::uint32_t n) {
    if (queued_[n]) return;
    queued_[n] = true;
    open_.push_back(n);
  }
  bool take(std::uint32_t& n) {
    if (open_.empty()) return false;
    n = open_.front();
    open_.pop_front();
    queued_[n] = false;
    return true;
  }

 private:
  std::deque<std::uint32_t> open_;
  std::vector<bool> queued_;
};

}  // namespace subcore
