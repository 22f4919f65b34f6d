// A kernel's code as far as control bits are concerned: what each instruction needs and makes, where it
// executes, and which instructions may follow it.
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

// All resources that one instruction may write and another may read: R0 to R254, uniform registers, and
// predicates of threads and of the uniform datapath.
namespace resource {
// The number of UR0. R0 to R254 have the numbers 0 to 254.
inline constexpr unsigned uniforms = 256;
// The number of P0.
inline constexpr unsigned predicates = 320;
// The number behind the last resource.
inline constexpr unsigned count = 336;
}  // namespace resource
using ResourceSet = std::bitset<resource::count>;
std::string resource_name(unsigned n);  // R12, UR4, P0, UP1
// Only R0 to R254 of the set. Such sources are read some time after issue.
ResourceSet registers_among(const ResourceSet& set);

// The predicate that an instruction asks in each lane before it runs there.
struct RunsIf {
  unsigned predicate = resource::count;  // count: it asks none, or an unknown one
  bool value = true;                     // the instruction runs in lanes where the predicate has this value
  bool asks() const { return predicate != resource::count; }
  // Whether no lane runs both, as long as the predicate does not change between them.
  bool excludes(const RunsIf& o) const { return asks() && predicate == o.predicate && value != o.value; }
};

// An instruction: what it reads and writes, and its control bits.
struct ControlNode {
  std::uint64_t pc = 0;
  unsigned architecture = known_architectures[0];
  UnitUse use;
  bool is_variable = false;   // a barrier stands for its results
  bool long_latency = false;  // is_long_latency
  bool is_product = false;    // a product of a warpgroup: WARPGROUP.DEPBAR waits for its results
  bool is_barrier = false;    // a barrier of the CTA: older instructions have read their sources
  bool controlled = false;
  ControlBits control;
  ResourceSet reads, writes;
  ResourceSet accumulates;  // registers that a warpgroup's product writes in its own time
  ResourceSet guards;       // predicates among those read that decide where the instruction goes
  RunsIf runs_if;
  std::vector<std::uint32_t> successors;  // nodes
};

struct ControlProgram {
  std::vector<ControlNode> nodes;
  std::vector<std::uint32_t> entries;
};

// The whole code of a sidecar for a binary version, with every branch both taken and not taken. A return
// leads behind the calls of its function.
ControlProgram control_program(const Sidecar& sidecar, unsigned binary_version = 0);

// The code as a trace shows it: the instructions that ran, by StaticInstruction::index, in the orders in
// which warps ran them. Traces have no predicates and no uniform registers. Predicates are guessed: each
// comparison writes a new predicate. The next instruction that may read a predicate, or that ran under a
// partial mask, reads it. One uniform register stands for all uniform registers.
ControlProgram control_program(const CodeTable& code, const KernelProfile& profile,
                               unsigned binary_version = 0);

// The least number of cycles from the issue of an instruction to the issue of its warp's next one.
unsigned issue_step(const ControlBits& control);
// The cycles that a stall of 0 with the yield flag takes.
inline constexpr unsigned stall0_yield_cycles = 45;

// The least distance, in cycles, between two nodes if the later node reads or writes results of the earlier
// one, whose latency is fixed. 0 if it does neither.
unsigned required_distance(const ControlNode& producer, const ControlNode& consumer);

// Nodes of a graph that are still to be visited, first come, first served. A node is in the list once at
// most.
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
