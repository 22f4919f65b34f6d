// A running CTA: warps with their registers and divergent paths, shared memory, barriers. A CTA executes warp
// by warp, each until it waits.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "subcore/tracer/machine/device_memory.h"
#include "subcore/tracer/machine/kernel.h"
#include "subcore/tracer/machine/numbers.h"

namespace subcore::tracer {

// Lanes of a warp that are at the same program counter and run together.
struct Path {
  enum class State : std::uint8_t { ready, converging, synchronizing, at_barrier };
  std::uint32_t pc = 0;
  Lanes lanes = 0;
  State state = State::ready;
  std::uint32_t waits_for = 0;  // a convergence barrier, lanes, or a barrier of the CTA
  std::uint32_t threads = 0;    // threads that meet at the CTA's barrier; 0: all
};

// An asynchronous copy to shared memory that has not taken effect yet.
struct PendingCopy {
  std::uint64_t from = 0;
  std::uint32_t to = 0, bytes = 0;
  bool is_zero = false;  // writes zeros
};
// Copies for which a warp waits together, and the scoreboard of that wait.
struct CopyGroup {
  unsigned scoreboard = 0;
  std::vector<PendingCopy> copies;
};

struct Warp {
  // The last registers are zero, and are read where an operand of several registers begins before them.
  std::array<std::array<Word, lanes_of_warp>, 256 + 8> registers;
  std::array<Word, 64> uniforms;
  // A bit for each lane. A uniform predicate has all bits or none.
  std::array<Lanes, 8> predicates, uniform_predicates;
  std::array<Lanes, 16> convergence;  // by convergence barrier: the lanes that meet there
  Lanes alive = 0;
  unsigned number = 0;  // in its CTA
  Word barrier_result = 0;
  Lanes barrier_votes = 0;
  std::vector<Path> paths;
  std::vector<std::uint8_t> local;  // local memory of all lanes, one after the other
  std::vector<PendingCopy> copies;  // copies that belong to no group yet
  std::vector<CopyGroup> copy_groups;
  std::uint64_t executed = 0;  // instructions
};

// Called for each executed instruction.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // `addresses` has an address for each lane. Null if the instruction accesses no memory.
  virtual void executed(const Warp& warp, const Instruction& instruction, Lanes lanes,
                        const std::array<std::uint64_t, lanes_of_warp>* addresses) = 0;
};

// The time at which asynchronous copies take effect: at the wait for them, which is the latest allowed time,
// or at issue, which is the earliest. A correct kernel computes the same with both.
enum class CopyTime : std::uint8_t { wait, issue };
constexpr std::array<std::string_view, 2> names(CopyTime) {
  return {"wait", "issue"};
}

class Cta {
 public:
  Cta(const Launch& launch, DeviceMemory& memory, CopyTime copy_time, ExecutionObserver* observer);

  // Runs the CTA from its beginning to its end. Throws ExecutionError.
  void run(Dimensions place);

  // The bytes at a generic address of a lane. Null if they do not lie within its local memory, the shared
  // memory, or one allocation.
  std::uint8_t* generic_bytes(Warp& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes);
  // The bytes at an offset in shared memory. Null if they do not lie within it.
  std::uint8_t* shared_bytes(std::uint64_t offset, std::uint64_t bytes);
  // The bytes at an offset in a lane's local memory. Null if they do not lie within it.
  static std::uint8_t* local_bytes(Warp& warp, unsigned lane, std::uint64_t offset, std::uint64_t bytes);
  // Throws an ExecutionError that says what a warp did wrong.
  [[noreturn]] void fail(const Warp& warp, std::uint32_t pc, const std::string& what) const;

  const std::vector<Warp>& warps() const { return warps_; }
  // Warp instructions of all CTAs so far. thread_instructions() counts thread instructions.
  std::uint64_t warp_instructions() const { return warp_instructions_; }
  std::uint64_t thread_instructions() const { return thread_instructions_; }

 private:
  friend class Step;
  void start();
  bool release_barriers();
  void run_warp(Warp& warp, unsigned most_instructions);
  void step(Warp& warp, std::size_t path);
  // Does the work of the driver's function at which the path stands, and lets the path return from it.
  void call_system(Warp& warp, std::size_t path);
  // Releases paths whose lanes have all arrived.
  void meet(Warp& warp);
  void take_effect(const Warp& warp, const PendingCopy& copy);
  [[noreturn]] void fail_of_waiting() const;

  const Launch& launch_;
  DeviceMemory& memory_;
  CopyTime copy_time_;
  ExecutionObserver* observer_;
  Dimensions place_;
  std::vector<Warp> warps_;
  std::vector<std::uint8_t> shared_;
  // By barrier: the threads that have arrived without waiting, and the number of threads that it expects.
  std::array<unsigned, 16> arrived_{}, expected_{};
  bool paths_changed_ = false;
  std::uint64_t warp_instructions_ = 0, thread_instructions_ = 0;
};

}  // namespace subcore::tracer
