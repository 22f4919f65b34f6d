// Payloads of the internal sockets. All are small, trivially copyable and passed by reference; a receiver
// that keeps one copies it. `stamp` is the first cycle in which the receiver may use it. What a transfer
// means is said by its path and phase, or by its `kind` where one of these has several meanings;
// docs/design.md has them in a table.
#pragma once

#include <type_traits>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/steering/result_steering.h"
#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/trace/program_order.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// TracePlayer -> IssueScheduler, and backward.
struct FetchTransfer {
  // The kind of the transfer: an instruction on its way, or what becomes of it.
  enum class Kind : std::uint8_t {
    fetched,     // an instruction comes into the buffer of its warp slot
    entry_free,  // backward, END_REQ: the slot's buffer has room for one more
    issued,      // backward, status_phase: the instruction, which redirects fetching, has issued
    retired,     // backward, status_phase: the instruction has retired
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // entry_free: may be null
  std::uint16_t warp_slot = 0;
  Kind kind = Kind::fetched;
};

// State of a collector, told to the issue scheduler over port R.
struct CollectorStatus {
  std::uint32_t warp_uid = 0;  // the warp whose operands it holds; valid when holds
  bool holds = false;          // it belongs to a warp (a plain OCU never does while free)
  bool has_near = false;       // the cache table holds a value with near reuse
  bool free = true;            // it may take an instruction
};

// The plan of an instruction in a fixed read window, which is known when it issues.
struct WindowPlan {
  Cycle held_until = 0;       // nothing is let through from the transfer's stamp up to this cycle
  Cycle bypassable_from = 0;  // if not 0: fixed-latency instructions from then on find its results
  StallCause waits_for = StallCause::operands;  // while the collector takes no other instruction
};

// IssueScheduler -> Collector (port R), and backward. The scheduler decides nothing by `complete`, it only
// accounts for its cycles; where the latch becomes free in the cycle in which it comes, some may be missing,
// because nobody has waited.
struct IssueTransfer {
  // The kind of the transfer: an instruction, or what its collector tells of itself.
  enum class Kind : std::uint8_t {
    issue,          // the collector collects the instruction's operands from now on
    left_and_free,  // backward, END_REQ: the instruction has left, and the status is this
    left,           // backward, END_REQ: the instruction has left a collector that has been free before
    status,         // backward, status_phase: the status is this
    complete,       // backward, status_phase: all operands of the instruction are there, and it waits for
                    // dispatch, which keeps the collector from taking another one
    plan,           // backward, status_phase: what a fixed read window has planned for the instruction
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  Kind kind = Kind::issue;
  CollectorStatus status{};          // left_and_free, status
  const WindowPlan* plan = nullptr;  // plan; valid during the call
};

// IssueScheduler, for observers: as of a cycle, this is what the warp of a slot waits for, and with which
// instruction; null if it has none. Events come late, and for each slot in the order of their cycles.
struct StallEvent {
  Cycle cycle = 0;
  const Instruction* instruction = nullptr;
  std::uint32_t warp_uid = 0;
  std::uint16_t warp_slot = 0;
  StallCause cause = StallCause::no_warp;
};

// One operand on its way: Collector -> Arbiter -> RegisterBank -> Crossbar -> Collector; result writes
// Arbiter -> RegisterBank; and write-backs from a cache -> Arbiter (backward: END_REQ = written) ->
// RegisterBank. 1024 bits in hardware; here the version of the data stands for the data.
struct OperandTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  Version version;
  std::uint16_t warp_slot = 0;
  Register reg = 0;
  std::uint8_t collector = 0;
  std::uint8_t slot = 0;  // operand slot in the collector
  bool write = false;
  bool partial = false;  // a result of some lanes: the other lanes of the bank stay as they are
};

// Collector -> DispatchScheduler -> ExecutionUnit or LoadStoreUnit: an instruction with all its operands.
// Backward: END_REQ = taken.
struct DispatchTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
};

// ExecutionUnit or LoadStoreUnit -> Arbiter (backward: END_REQ = result latch free), and Arbiter ->
// IssueScheduler (retirement, no credit).
struct ResultTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  std::uint8_t to_banks = 0xff;  // destinations that have to be written to the banks
};

// Arbiter -> Crossbar -> Collector (port D), and backward.
struct DestinationTransfer {
  // The kind of the transfer: a result, an outdated register, or what results are steered by.
  enum class Kind : std::uint8_t {
    result,      // a result that was steered to the collector
    invalidate,  // a newer result was kept out: the copy of the register is outdated, there is no data
    steering,    // backward, status_phase: what the arbiter steers results by has changed
  };
  Cycle stamp = 0;
  SteeringUpdate update;  // steering; with `collector` all that this kind has
  std::uint32_t warp_uid = 0;
  Version version;  // that of a copy which holds nothing else
  Register reg = 0;
  std::uint8_t collector = 0;
  Kind kind = Kind::result;
  bool near = false;
  std::uint32_t lanes = ~0u;  // written; the others keep an older value that is needed
  ProgramPlace place;         // of the instruction
  bool partial() const { return lanes != ~0u; }
  RegisterWrite write() const { return {version, lanes, place}; }
};

// A CTA handed to an SM. Backward: status_phase = the CTA has finished.
struct CtaTransfer {
  Cycle stamp = 0;
  const CtaTrace* cta = nullptr;
  const CodeTable* code = nullptr;
  const KernelHeader* kernel = nullptr;
  std::uint32_t sm = 0;
  Cycle kernel_start = 0;  // when the first CTA of its kernel was handed to an SM
};

// LaunchRegisters -> KernelDispatcher: an entry of its kernel list is to run. Backward: status_phase = it has
// ended, in cycle `ended`.
struct KernelTransfer {
  Cycle stamp = 0;
  std::uint64_t kernel = 0;
  Cycle ended = 0;
};

// CtaDispatcher -> TracePlayer: a warp to run. Backward: status_phase = the warp has finished.
struct LaunchTransfer {
  Cycle stamp = 0;
  const WarpTrace* warp = nullptr;
  const CodeTable* code = nullptr;
  const KernelHeader* kernel = nullptr;
  std::uint32_t warp_uid = 0;
  std::uint16_t warp_slot = 0;  // in the sub-core
  std::uint16_t cta_slot = 0;
};

// LoadStoreUnit -> CtaDispatcher: of a store that is over before memory has answered it.
struct StoreTransfer {
  // The kind of the transfer: the store has left the load/store unit, or memory has answered it.
  enum class Kind : std::uint8_t { over, answered };
  Cycle stamp = 0;
  std::uint16_t cta_slot = 0;
  Kind kind = Kind::over;
};

// IssueScheduler -> CtaDispatcher: a warp waits at a barrier. Backward: status_phase = it may go on.
struct BarrierTransfer {
  Cycle stamp = 0;
  std::uint16_t warp_slot = 0;
  std::uint16_t cta_slot = 0;
};

// IssueScheduler -> OperandCache, and backward.
struct WarpTransfer {
  // The kind of the transfer: what happens to the warp, or that its registers are where they have to be.
  enum class Kind : std::uint8_t {
    issued,           // the instruction has issued: its reads are done
    enters,           // the warp becomes active, or comes to another interval, beginning with the instruction
    leaves,           // the warp is no longer active
    registers_moved,  // backward, status_phase: the registers of the warp that entered or left are where they
                      // have to be
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // issued, enters
  std::uint16_t warp_slot = 0;
  Kind kind = Kind::issued;
};

// ControlRegisters -> IssueScheduler: a new waiting threshold.
struct ControlTransfer {
  Cycle stamp = 0;
  std::uint32_t sthld = 0;  // cycles
};

static_assert(std::is_trivially_copyable_v<FetchTransfer> && std::is_trivially_copyable_v<IssueTransfer> &&
              std::is_trivially_copyable_v<StallEvent> && std::is_trivially_copyable_v<OperandTransfer> &&
              std::is_trivially_copyable_v<DispatchTransfer> &&
              std::is_trivially_copyable_v<ResultTransfer> &&
              std::is_trivially_copyable_v<DestinationTransfer> &&
              std::is_trivially_copyable_v<CtaTransfer> && std::is_trivially_copyable_v<LaunchTransfer> &&
              std::is_trivially_copyable_v<KernelTransfer> && std::is_trivially_copyable_v<BarrierTransfer> &&
              std::is_trivially_copyable_v<StoreTransfer> && std::is_trivially_copyable_v<WarpTransfer> &&
              std::is_trivially_copyable_v<ControlTransfer>);

}  // namespace subcore
