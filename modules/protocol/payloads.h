// Payloads of the internal sockets. Payloads are small, trivially copyable and passed by reference; a
// receiver that keeps a payload copies it. `stamp` is the first cycle in which the receiver may use the
// payload. Its type says what a transfer means, or its `kind` if the type has several. END_REQ gives a credit
// back; comments name it where it means more. docs/design.md has a table of the payloads.
#pragma once

#include <type_traits>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/steering/result_steering.h"
#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/trace/program_order.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// TracePlayer -> IssueScheduler, and backward: an instruction.
struct FetchTransfer {
  // The kind of the transfer: an instruction on its way, or what happens to it.
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
  bool holds = false;          // the collector belongs to a warp (a plain OCU never does while free)
  bool has_near = false;       // the cache table holds a value with near reuse
  bool free = true;            // the collector may take an instruction
};

// IssueScheduler -> Collector (port R), and backward. The scheduler decides nothing by `complete`; it only
// accounts for its cycles. Some `complete` transfers may be missing: if the latch becomes free in the same
// cycle, no instruction has waited.
struct IssueTransfer {
  // The kind of the transfer: an instruction, or what its collector tells of itself.
  enum class Kind : std::uint8_t {
    issue,       // the collector collects the instruction's operands from now on
    left,        // backward, END_REQ: the instruction has left; `status` is new
    read,        // backward, END_REQ: its operands have been read; the status is as before
    status,      // backward, status_phase: `status` is new
    complete,    // backward, status_phase: all operands of the instruction are there; the instruction waits
                 // for dispatch and keeps the collector from taking another
    waits,       // backward, status_phase: the collector waits for `cause` until it is free
    held,        // backward, status_phase: the collector lets nothing through up to `until`
    bypassable,  // backward, status_phase: instructions of fixed latency find the results
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // issue, left, read, complete, bypassable
  Kind kind = Kind::issue;
  CollectorStatus status{};                 // left, status
  StallCause cause = StallCause::operands;  // waits
  Cycle until = 0;                          // held
};

// From IssueScheduler to observers: from `cycle` on the warp of a slot waits for `cause` with `instruction`,
// which is null if the warp has none. Events come late, and for each slot in the order of their cycles.
struct StallEvent {
  Cycle cycle = 0;
  const Instruction* instruction = nullptr;
  std::uint32_t warp_uid = 0;
  std::uint16_t warp_slot = 0;
  StallCause cause = StallCause::no_warp;
};

// One register of a warp. The register has 1024 bits in hardware; here the version of the data stands for
// them.
struct OperandTransfer {
  // The kind of the transfer: a register that is asked for, its value, or a value for the bank.
  enum class Kind : std::uint8_t {
    read,            // Collector -> OperandCache -> Arbiter -> RegisterBank: a source of the instruction
    prefetch,        // OperandCache -> Arbiter -> RegisterBank: a register for the cache itself
    accumulator,     // WarpgroupUnit -> Arbiter -> RegisterBank: an accumulator of the product
    operand,         // RegisterBank -> Crossbar -> OperandCache -> Collector: the value of one of the above
    result,          // Arbiter -> RegisterBank: a result of the instruction; WarpgroupUnit -> Arbiter: an
                     // accumulator; backward, END_REQ: the value is on its way to the bank
    partial_result,  // like result, but of some lanes: the bank's other lanes stay as they are
    write_back,      // Collector or OperandCache -> Arbiter -> RegisterBank: a value that a cache gives back;
                     // backward, END_REQ: the value is on its way to the bank
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // not of write_back; of a prefetch, the one for which the warp enters
  Version version;                     // of operand and of values to be written
  std::uint16_t warp_slot = 0;
  Register reg = 0;
  std::uint8_t collector = 0;  // read, prefetch, accumulator, operand: the port S of the receiver
  // Of a read and its operand: the operand slot in the collector. Of an accumulator: its number.
  std::uint8_t slot = 0;
  Kind kind = Kind::read;
  bool writes() const { return kind >= Kind::result; }
};

// Collector -> DispatchScheduler -> ExecutionUnit or LoadStoreUnit: an instruction with all its operands.
// Backward, END_REQ: the instruction is taken; from an ExecutionUnit the transfer has no instruction.
struct DispatchTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
};

// DispatchScheduler -> IssueScheduler: an instruction that barriers wait for has entered the load/store unit.
struct EnteredTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
};

// ExecutionUnit or LoadStoreUnit -> OperandCache -> Arbiter: the results of an instruction. Results of the
// tensor core pass a WarpgroupUnit, if there is one. Backward, END_REQ: the unit's result latch is free as of
// the stamp, and `instruction` is the one whose results were in the latch.
struct ResultTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  std::uint8_t to_banks = 0xff;  // destinations that have to be written to the banks
};

// WarpgroupUnit -> LoadStoreUnit, and backward: a matrix product of a warpgroup.
struct ProductTransfer {
  // The kind of the transfer: a warp has come to the product (came), or its tensor core has begun it (began).
  // Backward, status_phase: all warps have come, and the first operands are there as of the stamp (granted).
  enum class Kind : std::uint8_t { came, began, granted };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  Kind kind = Kind::came;
};

// LoadStoreUnit -> CopyEngine, and backward: a step of a bulk copy.
struct BulkCopyTransfer {
  // The kind of the transfer.
  enum class Kind : std::uint8_t {
    copy,      // a bulk copy
    request,   // backward, status_phase: a memory request of the copy
    left,      // the request has left for memory
    read,      // backward, status_phase: the instruction's data have been read from shared memory
    answered,  // the request has been answered, and its data have been written to shared memory
    over,      // backward, status_phase: all requests have been answered
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // a copy from shared memory, which retires once its data are read
  const AsyncRecord* record = nullptr;
  const std::uint64_t* addresses = nullptr;  // copy: the addresses that the record counts from
  std::uint64_t address = 0;                 // request, left, answered; so are bytes and last
  std::uint32_t number = 0;                  // number among the SM's bulk copies
  std::uint32_t bytes = 0;                   // bytes within one 128-byte line
  std::uint16_t cta_slot = 0;
  AsyncStep step = AsyncStep::none;
  Kind kind = Kind::copy;
  bool last = false;  // the last request of the copy
};

// LoadStoreUnit -> CtaDispatcher: what happens to an mbarrier of the CTA.
struct MbarrierTransfer {
  // The kind of the transfer.
  enum class Kind : std::uint8_t {
    init,      // the mbarrier has a count from now on
    arrive,    // threads arrive, or bytes are expected or have come
    ask,       // the warp waits for the phase of a parity
    copying,   // a bulk copy has begun
    copied,    // the copy is over: a CopyEngine has told the LoadStoreUnit
    promised,  // an arrival will come, behind copies of LDGSTS
    kept,      // the promised arrival comes
  };
  Cycle stamp = 0;
  std::int64_t bytes = 0;  // arrive, kept: expected bytes, or below 0 bytes that have come; copied: bytes
                           // that have come
  std::uint32_t mbarrier = AsyncRecord::no_mbarrier;  // all kinds but copied
  std::uint32_t threads = 0;                          // init, arrive, kept: number of threads
  std::uint32_t number = 0;                           // copying, copied: number of the copy
  std::uint16_t cta_slot = 0;
  std::uint16_t warp_slot = 0;  // ask: slot of the warp; so is sub_core
  std::uint8_t sub_core = 0;
  Kind kind = Kind::arrive;
  AsyncStep step = AsyncStep::none;  // copying, copied: the kind of copy
  bool told = true;                  // init, arrive, ask: the trace tells the count or the parity
  bool parity = false;               // init, ask
  bool drops = false;                // arrive
};

// Arbiter -> IssueScheduler: the instruction has retired.
struct RetireTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
};

// Arbiter -> Crossbar -> Collector (port D), and backward.
struct DestinationTransfer {
  // The kind of the transfer: a result, an outdated register, news of a result, or an update of the steering.
  enum class Kind : std::uint8_t {
    result,      // a result that was steered to the collector
    invalidate,  // a newer result was kept out, so the copy of the register is outdated; no data
    announced,   // to the first collector: a newer result has come, wherever it goes; no data
    steering,    // backward, status_phase: what the arbiter steers results by has changed
  };
  Cycle stamp = 0;
  SteeringUpdate update;  // steering, which has only this and `collector`
  std::uint32_t warp_uid = 0;
  Version version;  // the version of a copy with no other value in it
  Register reg = 0;
  std::uint8_t collector = 0;
  Kind kind = Kind::result;
  bool near = false;
  bool only_copy = false;       // result: the banks do not get it
  std::uint16_t warp_slot = 0;  // in the sub-core
  std::uint32_t lanes = ~0u;    // written lanes; the others keep an older value that is needed
  ProgramPlace place;           // the instruction's place
  bool partial() const { return lanes != ~0u; }
  RegisterWrite write() const { return {version, lanes, place}; }
};

// KernelDispatcher -> CtaDispatcher, and backward: a CTA.
struct CtaTransfer {
  // The kind of the transfer: a CTA is to run. Backward, status_phase: the CTA has finished.
  enum class Kind : std::uint8_t { launch, finished };
  Cycle stamp = 0;
  const CtaTrace* cta = nullptr;
  const CodeTable* code = nullptr;  // launch; so are all that follow but kind
  const KernelHeader* kernel = nullptr;
  std::uint32_t sm = 0;
  Cycle kernel_start = 0;  // when the first CTA of its kernel was handed to an SM
  Kind kind = Kind::launch;
};

// LaunchRegisters -> KernelDispatcher, and backward: a kernel of the list.
struct KernelTransfer {
  // The kind of the transfer: an entry of the kernel list is to run. Backward, status_phase: the kernel has
  // ended, in the cycle before the stamp.
  enum class Kind : std::uint8_t { launch, ended };
  Cycle stamp = 0;
  std::uint64_t kernel = 0;
  Kind kind = Kind::launch;
};

// CtaDispatcher -> TracePlayer, and backward: a warp.
struct LaunchTransfer {
  // The kind of the transfer: a warp is to run. Backward, status_phase: the warp of the slot has finished.
  enum class Kind : std::uint8_t { launch, finished };
  Cycle stamp = 0;
  const WarpTrace* warp = nullptr;  // launch; so are all but warp_slot
  const CodeTable* code = nullptr;
  const KernelHeader* kernel = nullptr;
  std::uint32_t warp_uid = 0;
  std::uint16_t warp_slot = 0;  // in the sub-core
  std::uint16_t cta_slot = 0;
  Kind kind = Kind::launch;
};

// LoadStoreUnit -> CtaDispatcher: a store that is over before memory has answered it.
struct StoreTransfer {
  // The kind of the transfer: the store has left the load/store unit, or memory has answered it.
  enum class Kind : std::uint8_t { over, answered };
  Cycle stamp = 0;
  std::uint16_t cta_slot = 0;
  Kind kind = Kind::over;
};

// IssueScheduler -> CtaDispatcher, and backward: a warp at a barrier.
struct BarrierTransfer {
  // The kind of the transfer: a warp waits at a barrier (reached), or is announced there and goes on
  // (announced). Backward, status_phase: the barrier or mbarrier at which the warp waits lets it go
  // (released).
  enum class Kind : std::uint8_t { reached, announced, released };
  Cycle stamp = 0;
  std::uint16_t warp_slot = 0;  // in the sub-core
  Kind kind = Kind::reached;
  std::uint8_t name = 0;   // 0 to 15, or unnamed_barrier; not of released, nor is `warps`
  std::uint8_t warps = 0;  // warps that meet at the barrier; 0 = all of the CTA
};

// IssueScheduler -> OperandCache, and backward: a warp whose registers the cache may hold.
struct WarpTransfer {
  // The kind of the transfer: what happens to the warp. Backward: its registers are where they have to be.
  enum class Kind : std::uint8_t {
    issued,           // the instruction has issued: its reads are done
    enters,           // the warp becomes active, or enters another interval with the instruction
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

// Whether all of these types can be copied by their bytes, as queues copy them.
template <class... Transfers>
constexpr bool all_are_trivially_copyable = (std::is_trivially_copyable_v<Transfers> && ...);
static_assert(all_are_trivially_copyable<FetchTransfer, IssueTransfer, StallEvent, OperandTransfer,
                                         DispatchTransfer, EnteredTransfer, ResultTransfer, ProductTransfer,
                                         BulkCopyTransfer, MbarrierTransfer, RetireTransfer,
                                         DestinationTransfer, CtaTransfer, LaunchTransfer, KernelTransfer,
                                         BarrierTransfer, StoreTransfer, WarpTransfer, ControlTransfer>);

}  // namespace subcore
