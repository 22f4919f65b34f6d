// Payloads of the internal sockets. All are small, trivially copyable and passed by reference; a receiver
// that keeps one copies it. `stamp` is the first cycle in which the receiver may use it. What a transfer
// means is said by its type, or by its `kind` where there are several; END_REQ gives a credit back, and is
// said where it means more. docs/design.md has them in a table.
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
  bool holds = false;          // the collector belongs to a warp (a plain OCU never does while free)
  bool has_near = false;       // the cache table holds a value with near reuse
  bool free = true;            // the collector may take an instruction
};

// IssueScheduler -> Collector (port R), and backward. The scheduler decides nothing by `complete`, it only
// accounts for its cycles; where the latch becomes free in the cycle in which it comes, some may be missing,
// because nobody has waited.
struct IssueTransfer {
  // The kind of the transfer: an instruction, or what its collector tells of itself.
  enum class Kind : std::uint8_t {
    issue,       // the collector collects the instruction's operands from now on
    left,        // backward, END_REQ: the instruction has left, and the status is this
    read,        // backward, END_REQ: the operands of the instruction have been read; the status is as before
    status,      // backward, status_phase: the status is this
    complete,    // backward, status_phase: all operands of the instruction are there, and it waits for
                 // dispatch, which keeps the collector from taking another one
    waits,       // backward, status_phase: until it is free, the collector waits for this cause
    held,        // backward, status_phase: the collector lets nothing through up to `until`
    bypassable,  // backward, status_phase: instructions of fixed latency find the instruction's results
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // issue, left, read, complete, bypassable
  Kind kind = Kind::issue;
  CollectorStatus status{};                 // left, status
  StallCause cause = StallCause::operands;  // waits
  Cycle until = 0;                          // held
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

// One register of a warp. 1024 bits in hardware; here the version of the data stands for the data.
struct OperandTransfer {
  // The kind of the transfer: a register that is asked for, its value, or a value for the bank.
  enum class Kind : std::uint8_t {
    read,            // Collector -> OperandCache -> Arbiter -> RegisterBank: a source of the instruction
    prefetch,        // OperandCache -> Arbiter -> RegisterBank: a register for the cache itself
    accumulator,     // WarpgroupUnit -> Arbiter -> RegisterBank: an accumulator of the product
    operand,         // RegisterBank -> Crossbar -> OperandCache -> Collector: the value of one of these
    result,          // Arbiter -> RegisterBank: a result of the instruction; also WarpgroupUnit -> Arbiter,
                     // of an accumulator; backward, END_REQ: it is on its way to the bank
    partial_result,  // the same of some lanes: the other lanes of the bank stay as they are
    write_back,      // Collector or OperandCache -> Arbiter -> RegisterBank: a value that a cache gives back;
                     // backward, END_REQ: it is on its way to the bank
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // all but write_back; of a prefetch, the one for which the warp enters
  Version version;                     // operand and what is written
  std::uint16_t warp_slot = 0;
  Register reg = 0;
  std::uint8_t collector = 0;  // read, prefetch, accumulator, operand: the port S that it comes to
  std::uint8_t slot = 0;  // read, and its operand: operand slot in the collector; accumulator: its number
  Kind kind = Kind::read;
  bool writes() const { return kind >= Kind::result; }
};

// Collector -> DispatchScheduler -> ExecutionUnit or LoadStoreUnit: an instruction with all its operands.
// Backward: END_REQ = taken; from an ExecutionUnit without the instruction.
struct DispatchTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
};

// DispatchScheduler -> IssueScheduler: an instruction for which barriers wait has entered the load/store
// unit.
struct EnteredTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
};

// ExecutionUnit (of the tensor core by way of a WarpgroupUnit, if there is one) or LoadStoreUnit ->
// OperandCache -> Arbiter: the results of an instruction. Backward: END_REQ = the unit's result latch is
// free; the stamp counts, and whose results were in it.
struct ResultTransfer {
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  std::uint8_t to_banks = 0xff;  // destinations that have to be written to the banks
};

// WarpgroupUnit -> LoadStoreUnit, and backward: a matrix product of a warpgroup.
struct ProductTransfer {
  // The kind of the transfer: a warp has come to the product, or its tensor core has begun it; and backward,
  // status_phase: all warps have come, and the first operands are there as of the stamp.
  enum class Kind : std::uint8_t { came, began, granted };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;
  Kind kind = Kind::came;
};

// LoadStoreUnit -> CopyEngine, and backward: of a bulk copy.
struct BulkCopyTransfer {
  // The kind of the transfer.
  enum class Kind : std::uint8_t {
    copy,      // a bulk copy
    request,   // backward, status_phase: a memory request of it
    left,      // the request has left for memory
    read,      // backward, status_phase: the instruction's data have been read from shared memory
    answered,  // the request has been answered, and its data have been written to shared memory
    over,      // backward, status_phase: all requests have been answered
  };
  Cycle stamp = 0;
  Instruction* instruction = nullptr;  // of a copy from shared memory: it retires once that is read
  const AsyncRecord* record = nullptr;
  const std::uint64_t* addresses = nullptr;  // copy: that the record counts from
  std::uint64_t address = 0;                 // request, left, answered; as bytes and last
  std::uint32_t number = 0;                  // of the SM's bulk copies
  std::uint32_t bytes = 0;                   // within one 128-byte line
  std::uint16_t cta_slot = 0;
  AsyncStep step = AsyncStep::none;
  Kind kind = Kind::copy;
  bool last = false;  // of the copy
};

// LoadStoreUnit -> CtaDispatcher: of an mbarrier of the CTA.
struct MbarrierTransfer {
  // The kind of the transfer.
  enum class Kind : std::uint8_t {
    init,      // the mbarrier has a count from now on
    arrive,    // threads arrive, or bytes are expected or have come
    ask,       // the warp waits for the phase of a parity
    copying,   // a bulk copy has begun
    copied,    // it is over: a CopyEngine has told the LoadStoreUnit
    promised,  // an arrival will come, behind copies of LDGSTS
    kept,      // it comes
  };
  Cycle stamp = 0;
  std::int64_t bytes = 0;  // arrive, kept: expected; below 0: that have come; copied: that have come
  std::uint32_t mbarrier = AsyncRecord::no_mbarrier;  // but for copied
  std::uint32_t threads = 0;                          // init, arrive, kept: how many
  std::uint32_t number = 0;                           // copying, copied: of the copy
  std::uint16_t cta_slot = 0;
  std::uint16_t warp_slot = 0;  // ask, as the sub-core: of the warp
  std::uint8_t sub_core = 0;
  Kind kind = Kind::arrive;
  AsyncStep step = AsyncStep::none;  // copying, copied: what kind of copy
  bool told = true;                  // init, arrive, ask: the trace tells the count, or the parity
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
  // The kind of the transfer: a result, an outdated register, news of a result, or what results are steered by.
  enum class Kind : std::uint8_t {
    result,      // a result that was steered to the collector
    invalidate,  // a newer result was kept out: the copy of the register is outdated, there is no data
    announced,   // to the first collector: a newer result has come, wherever it goes; there is no data
    steering,    // backward, status_phase: what the arbiter steers results by has changed
  };
  Cycle stamp = 0;
  SteeringUpdate update;  // steering; with `collector` all that this kind has
  std::uint32_t warp_uid = 0;
  Version version;  // the version of a copy which holds nothing else
  Register reg = 0;
  std::uint8_t collector = 0;
  Kind kind = Kind::result;
  bool near = false;
  bool only_copy = false;       // result: the banks do not get it
  std::uint16_t warp_slot = 0;  // in the sub-core
  std::uint32_t lanes = ~0u;    // written; the others keep an older value that is needed
  ProgramPlace place;           // the instruction's place
  bool partial() const { return lanes != ~0u; }
  RegisterWrite write() const { return {version, lanes, place}; }
};

// KernelDispatcher -> CtaDispatcher, and backward.
struct CtaTransfer {
  // The kind of the transfer: a CTA to run; and backward, status_phase: the CTA has finished.
  enum class Kind : std::uint8_t { launch, finished };
  Cycle stamp = 0;
  const CtaTrace* cta = nullptr;
  const CodeTable* code = nullptr;  // launch, as all that follow but the kind
  const KernelHeader* kernel = nullptr;
  std::uint32_t sm = 0;
  Cycle kernel_start = 0;  // when the first CTA of its kernel was handed to an SM
  Kind kind = Kind::launch;
};

// LaunchRegisters -> KernelDispatcher, and backward.
struct KernelTransfer {
  // The kind of the transfer: an entry of the kernel list is to run; and backward, status_phase: it has
  // ended, in the cycle before the stamp.
  enum class Kind : std::uint8_t { launch, ended };
  Cycle stamp = 0;
  std::uint64_t kernel = 0;
  Kind kind = Kind::launch;
};

// CtaDispatcher -> TracePlayer, and backward.
struct LaunchTransfer {
  // The kind of the transfer: a warp to run; and backward, status_phase: the warp of the slot has finished.
  enum class Kind : std::uint8_t { launch, finished };
  Cycle stamp = 0;
  const WarpTrace* warp = nullptr;  // launch, as all but warp_slot
  const CodeTable* code = nullptr;
  const KernelHeader* kernel = nullptr;
  std::uint32_t warp_uid = 0;
  std::uint16_t warp_slot = 0;  // in the sub-core
  std::uint16_t cta_slot = 0;
  Kind kind = Kind::launch;
};

// LoadStoreUnit -> CtaDispatcher: of a store that is over before memory has answered it.
struct StoreTransfer {
  // The kind of the transfer: the store has left the load/store unit, or memory has answered it.
  enum class Kind : std::uint8_t { over, answered };
  Cycle stamp = 0;
  std::uint16_t cta_slot = 0;
  Kind kind = Kind::over;
};

// IssueScheduler -> CtaDispatcher, and backward.
struct BarrierTransfer {
  // The kind of the transfer: a warp waits at a barrier, or is announced there and goes on; and backward,
  // status_phase: the barrier lets it go, or the mbarrier at which it waits.
  enum class Kind : std::uint8_t { reached, announced, released };
  Cycle stamp = 0;
  std::uint16_t warp_slot = 0;  // in the sub-core
  Kind kind = Kind::reached;
  std::uint8_t name = 0;  // the barrier's number, 0 to 15, or unnamed_barrier; not with released, as the next
  std::uint8_t warps = 0;  // that meet there; 0 = all of the CTA
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

// Whether all of these can be copied by their bytes, as queues do.
template <class... Transfers>
constexpr bool all_are_trivially_copyable = (std::is_trivially_copyable_v<Transfers> && ...);
static_assert(all_are_trivially_copyable<FetchTransfer, IssueTransfer, StallEvent, OperandTransfer,
                                         DispatchTransfer, EnteredTransfer, ResultTransfer, ProductTransfer,
                                         BulkCopyTransfer, MbarrierTransfer, RetireTransfer,
                                         DestinationTransfer, CtaTransfer, LaunchTransfer, KernelTransfer,
                                         BarrierTransfer, StoreTransfer, WarpTransfer, ControlTransfer>);

}  // namespace subcore
