// Payloads of the internal sockets. All are small, trivially copyable and passed by reference; a receiver
// that keeps one copies it. `stamp` is the first cycle in which the receiver may use the news.
#pragma once

#include <type_traits>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/steering/result_steering.h"
#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/trace/program_order.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// TracePlayer -> IssueScheduler. Backward: END_REQ = an instruction buffer entry is free; status_phase = the
// instruction has retired, or issued.
struct FetchTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  std::uint16_t warp_slot = 0;
  bool issued = false;  // backward: it has issued; told only of one that redirects fetching
};

// State of a collector, told to the issue scheduler over port R.
struct CollectorStatus {
  std::uint32_t warp_uid = 0;  // the warp whose operands it holds; valid when holds
  bool holds = false;          // it belongs to a warp (a plain OCU never does while free)
  bool has_near = false;       // the cache table holds a value with near reuse
  bool free = true;            // it may take an instruction
};

// The plan of an instruction in a fixed read window, which is settled when it issues.
struct WindowPlan {
  Cycle held_until = 0;       // nothing is let through from the transfer's stamp up to this cycle
  Cycle bypassable_from = 0;  // if not 0: fixed-latency instructions from then on find its results
  StallCause waits_for = StallCause::operands;  // while the collector takes no other instruction
};

// IssueScheduler -> Collector (port R). Backward: END_REQ = the instruction has left, with the status;
// status_phase = status only, or the news that all operands of the instruction which keeps the collector from
// taking another one are there as of the stamp, and it waits for dispatch. The scheduler decides nothing by
// that, it only accounts for its cycles; where the latch becomes free in the cycle of the news, they may be
// missing, because nobody has waited. A collector that reads in a fixed window tells the plan it has made for
// the instruction; it may be free long before the instruction leaves, so END_REQ then says nothing of the
// status.
struct IssueTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  CollectorStatus status;
  bool complete = false;             // backward: all operands are there; `status` says nothing then
  bool only_left = false;            // backward, END_REQ: `status` says nothing
  const WindowPlan* plan = nullptr;  // backward, if not null, valid during the call: `status` says nothing
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

// Arbiter -> Crossbar -> Collector (port D): a result that was steered there, or the news that a register in
// the cache is outdated. Backward, status_phase: what the arbiter steers results by.
struct DestinationTransfer {
  Cycle stamp = 0;
  SteeringNews news;  // backward only
  std::uint32_t warp_uid = 0;
  Version version;  // that of a copy which holds nothing else
  Register reg = 0;
  std::uint8_t collector = 0;
  bool invalidate = false;  // true: drop the old copy, there is no data
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

// LoadStoreUnit -> CtaDispatcher: a store is over that memory has not answered yet; or now it has.
struct StoreTransfer {
  Cycle stamp = 0;
  std::uint16_t cta_slot = 0;
  bool answered = false;
};

// IssueScheduler -> CtaDispatcher: a warp waits at a barrier. Backward: status_phase = it may go on.
struct BarrierTransfer {
  Cycle stamp = 0;
  std::uint16_t warp_slot = 0;
  std::uint16_t cta_slot = 0;
};

// IssueScheduler -> OperandCache: an instruction has issued (its reads are done), or a warp becomes active,
// beginning with `instruction`, or no longer is. Backward: status_phase = the registers of the warp that came
// or left are where they have to be.
enum class WarpNews : std::uint8_t { issued, enters, leaves };
// A warp's news: see above.
struct WarpTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // null for leaves
  std::uint16_t warp_slot = 0;
  WarpNews news = WarpNews::issued;
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
