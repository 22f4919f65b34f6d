// The two halves of a warp instruction: the code that all its executions share (StaticInstruction), and one
// execution by one warp (Instruction).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>

#include "subcore/base/bits.h"
#include "subcore/model/isa/control_bits.h"
#include "subcore/model/isa/execution_class.h"

namespace subcore {

using Cycle = std::uint64_t;    // core clock cycles
using Register = std::uint8_t;  // architectural register number, 0..255; 255 is RZ

// The register that always reads zero. RZ counts as an operand only if the platform says so.
inline constexpr Register rz = 255;
// Threads of a warp.
inline constexpr unsigned warp_lanes = 32;
// Unique source registers after expansion: DMMA.16x8x16 reads 16 + 8 + 8.
inline constexpr unsigned max_sources = 32;
inline constexpr unsigned max_destinations = 8;  // destination registers after expansion
inline constexpr unsigned predicate_count = 7;   // P0 to P6; PT is always true
inline constexpr unsigned uniform_count = 63;    // UR0 to UR62; UR63 is always zero
inline constexpr unsigned operand_slots = 4;     // A, B, C and D of an instruction's encoding
// Barriers of a CTA that have a name, 0 to 15.
inline constexpr unsigned named_barriers = 16;
// The name of a barrier that the trace does not name.
inline constexpr unsigned unnamed_barrier = named_barriers;

// `exchange` is an exchange between lanes, which takes the way of memory accesses.
enum class InstructionKind : std::uint8_t {
  arithmetic,
  load,
  store,
  atomic,
  exchange,
  barrier,
  exit,
  control
};
// An instruction's part in asynchronous copies from global to shared memory (cp.async).
enum class CopyStep : std::uint8_t {
  none,
  copy,       // LDGSTS: copies; retires when its data are in shared memory
  end_group,  // LDGDEPBAR: ends a group of copies
  arrive,     // ARRIVES.LDGSTSBAR: arrives at a barrier in shared memory when earlier copies are done
  wait,       // DEPBAR: waits for groups of copies, or for a counter of the control bits
};
// An instruction's part in matrix products of a warpgroup (wgmma). Four warps make each product together,
// beside their other instructions.
enum class WarpgroupStep : std::uint8_t {
  none,
  product,    // HGMMA: retires when its accumulators are written
  arrive,     // WARPGROUP.ARRIVE: older results of fixed latency are in the banks before the next product
  wait,       // WARPGROUP.DEPBAR: waits for groups of products
  registers,  // USETMAXREG: gives registers of its warp to the pool of its CTA, or takes some from the pool
};
// An instruction's part in bulk copies (cp.async.bulk, TMA), and in the barriers in shared memory (mbarriers)
// that count the copies.
enum class AsyncStep : std::uint8_t {
  none,
  init,      // SYNCS.EXCH.64: gives an mbarrier its count
  arrive,    // SYNCS.ARRIVE: arrives at an mbarrier, or changes the number of bytes that it expects
  check,     // SYNCS.PHASECHK: asks whether a phase of an mbarrier is complete
  load,      // UTMALDG, UBLKCP.S.G: copies to shared memory; an mbarrier counts the bytes
  store,     // UTMASTG, UBLKCP.G.S: copies from shared memory
  reduce,    // UTMAREDG, UBLKRED: adds data in shared memory to global memory
  prefetch,  // UTMAPF, UBLKPF: brings data to the L2
  arrive_behind_copies,  // ARRIVES.LDGSTSBAR: arrives when older LDGSTS of its warp are done
};
// Whether a line of tracer version 6 has more about such an instruction than its operands (AsyncRecord).
constexpr bool has_record(AsyncStep s) {
  return s != AsyncStep::none && s != AsyncStep::arrive_behind_copies;
}
// Whether the instruction is a bulk copy.
constexpr bool is_bulk_copy(AsyncStep s) {
  return s >= AsyncStep::load && s <= AsyncStep::prefetch;
}

// How much each thread's arrival at an mbarrier counts.
enum class CountBy : std::uint8_t { nothing, one, value };
// The threads and bytes that an arrival at an mbarrier counts.
struct MbarrierCounts {
  CountBy arrivals = CountBy::nothing, bytes = CountBy::nothing;
  bool completes = false;  // true: the bytes have come; false: they are expected
  bool drops = false;      // later phases have that many arrivals fewer
};

// Facts about a bulk copy, or about SYNCS, that a line of tracer version 6 has beside the operands.
struct AsyncRecord {
  // The address of an mbarrier that the trace does not tell.
  static constexpr std::uint32_t no_mbarrier = ~std::uint32_t{0};
  AsyncStep step = AsyncStep::none;
  bool has_value = false;  // SYNCS: whether `value` is known
  bool retried = false;    // PHASECHK: the warp asks again, so the phase was not complete
  // The mbarrier's address in the shared memory of the CTA, in bytes, without the CTA's number in its
  // cluster. If lanes name several mbarriers, the first lane's.
  std::uint32_t mbarrier = no_mbarrier;
  // SYNCS: the value of its last source register in the first lane that runs.
  std::uint64_t value = 0;
  // For a bulk copy: its bytes, the bytes that lie out of bounds, and the CTAs of the cluster that get it (a
  // bit each, 0 = its own). Its global addresses stand in WarpTrace::bulk_addresses, from `first_address` on.
  std::uint32_t bytes = 0, out_of_bounds = 0, ctas = 0;
  std::uint32_t first_address = 0, addresses = 0;
};

// Warps of a warpgroup. A CTA's warps form warpgroups in fours.
inline constexpr unsigned warpgroup_warps = 4;
inline constexpr unsigned max_accumulators = 128;  // registers of one warp's part of a product

// The accumulators of a warpgroup's product, which are consecutive registers. The product writes all of them,
// and reads all of them unless it begins a new sum.
struct Accumulators {
  Register first = 0;
  std::uint8_t count = 0;  // 0 = none
  bool read = false;
  bool has(Register r) const { return r >= first && r < first + count; }
  bool meets(const Accumulators& o) const {
    return count != 0 && o.count != 0 && first < o.first + o.count && o.first < first + count;
  }
  bool same_registers(const Accumulators& o) const { return first == o.first && count == o.count; }
};

// The memory that an access reaches, as far as the opcode tells.
enum class MemorySpace : std::uint8_t { none, global, shared, local, constant, generic };

// Predicates as bits: P0 to P6 are bits 0 to 6, and UP0 to UP6 are bits 8 to 14. PT and UPT, which are always
// true, are left out.
using PredicateSet = std::uint16_t;
// The bit of UP0.
inline constexpr unsigned first_uniform_predicate = 8;
// The bit that stands for all uniform registers in the set of an instruction's predicates.
inline constexpr unsigned any_uniform = 7;
// Whether two sets of predicates and uniform registers have a member in common.
constexpr bool meet(PredicateSet a, std::uint64_t uniforms_of_a, PredicateSet b,
                    std::uint64_t uniforms_of_b) {
  const unsigned common = a & b;
  return common != 0 && (common != 1u << any_uniform || (uniforms_of_a & uniforms_of_b) != 0);
}
// A bit per source of an instruction.
using SourceSet = std::uint32_t;
static_assert(max_sources <= 8 * sizeof(SourceSet));

struct Annotation;  // model/passes/annotation.h

// One instruction of a kernel's code, shared by all its dynamic instances. `sources` and `destinations` are
// normalised and in operand order: RZ is dropped (unless counted), multi-register operands are expanded, and
// duplicates within the instruction are removed.
struct alignas(64) StaticInstruction {
  // Members that every execution reads lie in the first cache line, and so do the first twenty sources.
  std::uint64_t pc = 0;
  const Annotation* annotation = nullptr;  // from the other compiler passes; null if none ran
  ExecutionClass execution = ExecutionClass::integer;
  InstructionKind kind = InstructionKind::arithmetic;
  MemorySpace space = MemorySpace::none;
  std::uint8_t memory_bytes = 0;  // bytes per lane; 0 = no memory access in the trace
  std::uint8_t source_count = 0;
  std::uint8_t destination_count = 0;
  // Predicates that are read (with the guard) and written, and whether uniform registers are read or written.
  // The sources are sidecars, or else lines that name predicates (tracer version 6). 0 unless asked for.
  PredicateSet predicates_read = 0, predicates_written = 0;
  bool touches_when_off = false;  // operands count even if the instruction is predicated off
  CopyStep copies = CopyStep::none;
  WarpgroupStep warpgroup = WarpgroupStep::none;  // none without a unit for products (warpgroup.h)
  AsyncStep async = AsyncStep::none;              // none without a copy engine (bulk_copies.h)
  // Near bits, which a compiler pass fills before the kernel runs: bit k set = near reuse of operand k.
  std::uint16_t destination_near = 0;
  SourceSet source_near = 0;
  std::array<Register, max_destinations> destinations{};
  std::array<Register, max_sources> sources{};

  // Bit per uniform register, from lines that name them (tracer version 6). 0 unless predicates are asked
  // for.
  std::uint64_t uniforms_read = 0, uniforms_written = 0;
  std::uint32_t index = 0;   // position in CodeTable
  std::uint32_t opcode = 0;  // index into CodeTable::opcode_name
  // How the instruction runs, if its architecture's table says so (unit_table.h). Latency 0: its class says
  // so.
  std::uint16_t latency = 0, initiation_interval = 0;
  LatencyClass completion = LatencyClass::counted;
  std::uint8_t late = 0;
  std::uint8_t duplicate_sources = 0;  // occurrences dropped because the register was named before
  std::uint8_t reuse_mask = 0;         // hardware reuse flags of slots A, B, C, D (bits 0 to 3)
  // First register of the source in each slot; RZ = none. Slots come from a sidecar. Without a sidecar a
  // source's slot is its place in the list, which differs from the real slot if a constant stands before the
  // source.
  std::array<Register, operand_slots> slots{rz, rz, rz, rz};
  // Bit per slot in which source k is named; a register that is named several times has several bits. A reuse
  // flag belongs to a slot, so dropped duplicates keep their flags here. A register that only operands.tensor
  // x2 adds is in no slot, because the compiler does not know of it.
  std::array<std::uint8_t, max_sources> source_slots{};
  ControlBits control;            // valid only if `controlled`
  bool controlled = false;        // from a sidecar or a compiler pass
  bool ends_group = false;        // closes a group of a warpgroup's matrix products (commit flag of HGMMA)
  bool behind_predicate = false;  // the first result is a predicate, which the trace does not name
  const std::string* name = nullptr;  // the opcode's name, which stays in one place forever; null if the
                                      // instruction is not from a trace

  std::uint8_t matrices = 0;  // 8x8 matrices moved to or from shared memory (LDSM, STSM)
  // A warpgroup's product has accumulators and a number of columns. Accumulators are neither sources nor
  // destinations. The product's sources are the registers of A, if A is in registers.
  Accumulators accumulators;
  std::uint16_t columns = 0;
  bool a_in_registers = false;
  MbarrierCounts counts;  // for an arrival at an mbarrier
  // DEPBAR waits until at most `open_groups` groups of copies are open (WARPGROUP.DEPBAR: groups of
  // products). If DEPBAR names a counter, SB0 to SB5, it waits until that counter is at most so high.
  std::uint8_t open_groups = 0, awaited_counter = no_barrier;
  // BAR has a name, 0 to 15, or unnamed_barrier, and the number of warps that meet there. 0 = all warps of
  // the CTA.
  std::uint8_t barrier_name = 0, barrier_warps = 0;

  // Whether the instruction reads, or writes, a register, including accumulators.
  bool reads(Register r) const {
    for (unsigned k = 0; k < source_count; ++k)
      if (sources[k] == r) return true;
    return accumulators.read && has_accumulator(r);
  }
  bool writes(Register r) const {
    for (unsigned k = 0; k < destination_count; ++k)
      if (destinations[k] == r) return true;
    return has_accumulator(r);
  }
  bool has_accumulator(Register r) const {
    return warpgroup == WarpgroupStep::product && accumulators.has(r);
  }
  // The slots of source k that carry a reuse flag.
  std::uint8_t reused_slots(unsigned k) const { return reuse_mask & source_slots[k]; }
};

// Calls use(r) for each accumulator of a warpgroup's product. Other instructions have none.
template <class Use>
void for_each_accumulator(const StaticInstruction& s, Use use) {
  if (s.warpgroup != WarpgroupStep::product) return;
  for (unsigned n = 0; n < s.accumulators.count; ++n) use(static_cast<Register>(s.accumulators.first + n));
}

// Whether a dynamic instance with this mask reads and writes registers. An instruction that is predicated off
// does not, unless the platform counts its operands all the same.
inline bool touches_operands(const StaticInstruction& s, std::uint32_t mask) {
  return mask != 0 || s.touches_when_off;
}

// Whether the instruction announces its warp at a barrier of the CTA and goes on (BAR.ARV). The trace may not
// tell the number of warps; then there is no barrier at which to announce the warp.
inline bool arrives_at_barrier(const StaticInstruction& s) {
  return s.kind == InstructionKind::control && s.barrier_warps != 0;
}

// Whether a result takes a long and variable time: loads and atomics of global, local or generic memory, and
// texture fetches.
inline bool is_long_latency(const StaticInstruction& s) {
  if (s.execution == ExecutionClass::texture) return true;
  const bool result = s.kind == InstructionKind::load || s.kind == InstructionKind::atomic;
  return result &&
         (s.space == MemorySpace::global || s.space == MemorySpace::local || s.space == MemorySpace::generic);
}

// How results of the instruction complete, by its architecture's table or by its class.
inline LatencyClass completion_of(const StaticInstruction& s) {
  return s.latency != 0 ? s.completion
                        : execution_classes[static_cast<std::size_t>(s.execution)].latency_class;
}
// Whether results come a fixed number of cycles after issue, because operands are read in a fixed window.
inline bool has_fixed_latency(const StaticInstruction& s) {
  return completion_of(s) != LatencyClass::queued;
}
// Whether the compiler counts on the latency, so that results are in the banks when the compiler expects
// them.
inline bool has_counted_result(const StaticInstruction& s) {
  return completion_of(s) == LatencyClass::counted;
}

// In a fixed window, how many cycles earlier than other instructions memory instructions read their
// registers. Between a result of fixed latency and its use by other instructions, the compiler leaves that
// many cycles fewer (Huerta, MICRO 2025). Loads of constants read as late as other instructions.
constexpr unsigned read_delay(const StaticInstruction& s) {
  return s.execution == ExecutionClass::load_store && s.space != MemorySpace::constant ? 0 : 2;
}

// A version stands for the 1024 bits of one copy of a register. Writes of a warp slot's register are numbered
// from 1 on, in program order. Numbers go on across warps, because the data stay, too. 0: the register has
// not been written. Each lane of the copy holds the value of its last write, among the writes up to number
// `write` that are not in `missing`. A version therefore names the register, the warp slot and the write.
struct Version {
  std::uint32_t write = 0;
  std::uint32_t lost = 0;     // lanes with another value than that
  std::uint32_t place = 0;    // register_id() of the register
  std::uint32_t missing = 0;  // bit n: the copy lacks write number `write` - 1 - n
};
// Versions are equal if their copies hold the same in every lane.
constexpr bool operator==(const Version& a, const Version& b) {
  return a.write == b.write && a.lost == b.lost && a.place == b.place && a.missing == b.missing;
}
// One number for a register of a warp slot of a sub-core.
constexpr std::uint32_t register_id(std::uint32_t sub_core, std::uint32_t warp_slot, Register r) {
  return sub_core << 24 | warp_slot << 8 | r;
}

struct KernelHeader;  // model/trace/trace.h
struct WarpTrace;     // model/trace/trace.h
struct CodeTable;     // model/trace/trace.h

// An instruction's place in its warp's program order. `warp` is null if the place is not known.
struct ProgramPlace {
  const WarpTrace* warp = nullptr;
  const CodeTable* code = nullptr;
  std::uint64_t sequence = 0;  // index into the warp's records
};

// A source operand. `expected`, fixed at fetch, is the register's last write in program order before this
// instruction. `collected` is the version that the collector actually read.
struct SourceOperand {
  std::uint32_t expected = 0;
  Version collected;
};

// For each accumulator of a warpgroup's product, the number of its result among the register's writes.
using AccumulatorWrites = std::array<std::uint32_t, max_accumulators>;

// A dynamic warp instruction in flight, from fetch to retirement. The trace player owns it (a pool per
// sub-core), and all other modules pass pointers. Most readers need only the first two cache lines.
struct alignas(64) Instruction {
  const StaticInstruction* code = nullptr;
  const KernelHeader* kernel =
      nullptr;  // has the address ranges that tell generic addresses apart; may be null
  const std::uint8_t* addresses = nullptr;  // encoded lane addresses (model/trace/addresses.h), or null
  std::uint64_t sequence = 0;               // index in the warp's program order
  std::uint32_t mask = 0;                   // active lanes; 0 = predicated off
  std::uint32_t live = ~0u;     // lanes with which the warp began and that no older instruction has ended
  std::uint32_t warp_uid = 0;   // dynamic warp id, unique in one SM's run; lower is older
  std::uint16_t warp_slot = 0;  // warp slot in the sub-core
  std::uint16_t cta_slot = 0;   // CTA slot in the SM
  std::uint8_t sub_core = 0;
  std::uint8_t source_count = 0;  // 0 when predicated off, as a rule (touches_operands)
  std::uint8_t destination_count = 0;
  bool redirects = false;  // the warp goes on fetching when this instruction has issued
  bool followed = false;   // the warp has more instructions behind this one
  // Bit per destination. `fresh`: no instruction needs the values in the lanes that are not written, because
  // the warp writes the register for the first time (`first`), or because the compiler says so.
  std::uint8_t fresh = 0, first = 0;
  std::uint16_t destination_near = 0;
  SourceSet source_near = 0;
  // The number of each result among its register's writes, fixed at fetch in program order.
  alignas(64) std::array<std::uint32_t, max_destinations> produced{};
  const WarpTrace* warp = nullptr;        // both tell what is written before or behind this instruction
  const CodeTable* code_table = nullptr;  // may be null
  // Sources that came neither from a bank nor from a collector's memory: from a result on its way to the bank
  // (`bypassed`), or from the reuse cache (`reused`). Reports of stale operands mention both.
  SourceSet bypassed = 0, reused = 0;
  AccumulatorWrites* accumulated = nullptr;  // a warpgroup's product's, in the trace player; else null
  // The instruction's record, if StaticInstruction::async is of a kind with records; null if the trace has no
  // record. Undefined for other kinds.
  const AsyncRecord* async = nullptr;
  std::array<SourceOperand, max_sources> operands{};

  // Whether this is a warpgroup's product that runs. A product that is predicated off does nothing.
  bool is_product() const { return code->warpgroup == WarpgroupStep::product && mask != 0; }
  Register source(unsigned i) const { return code->sources[i]; }
  Register destination(unsigned i) const { return code->destinations[i]; }
  bool source_is_near(unsigned i) const { return bits::has(source_near, i); }
  bool destination_is_near(unsigned i) const { return bits::has(destination_near, i); }
  ProgramPlace place() const { return {warp, code_table, sequence}; }
  std::uint32_t register_id(Register r) const { return subcore::register_id(sub_core, warp_slot, r); }
  // The version of a copy of destination i that holds this result in every lane.
  Version result(unsigned i) const { return {produced[i], 0, register_id(destination(i)), 0}; }
  // The version of a copy of destination i that holds this result and no older one.
  Version result_alone(unsigned i) const {
    return {produced[i], is_whole() || bits::has(first, i) ? 0 : ~mask, register_id(destination(i)), 0};
  }
  // Whether the instruction runs in every lane that its warp has left. Its results are then whole, because no
  // other lane can ask for them.
  bool is_whole() const { return (live & ~mask) == 0; }
  // Whether some live lanes of destination i keep an older value that is needed.
  bool is_partial(unsigned i) const { return !is_whole() && !bits::has(fresh, i); }
};

}  // namespace subcore
