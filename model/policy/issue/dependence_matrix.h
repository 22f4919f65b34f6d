// SOCGPU's dependence matrix of one warp (SOCGPU, section 3): which instruction of the buffer waits for which
// older instruction. The matrix replaces the scoreboard. There is no renaming and no reorder buffer.
//
// Predicates and uniform registers cause dependences only if a trace or its sidecar names them, and the
// platform asks for them (operands.predicates).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/issue/memory_access.h"
#include "subcore/model/stall/stall_cause.h"

namespace subcore {

// An instruction behind a branch waits until the branch has been written back (SOCGPU's matrix taken
// literally), or until the branch has issued.
enum class ControlRelease : std::uint8_t { write_back, issue };
// A write, or an access to memory, waits until an older instruction has been written back (literally), or
// until that instruction's operands have been collected.
enum class OrderRelease : std::uint8_t { write_back, operand_collection };

constexpr std::array<std::string_view, 2> names(ControlRelease) {
  return {"write_back", "issue"};
}
constexpr std::array<std::string_view, 2> names(OrderRelease) {
  return {"write_back", "operand_collection"};
}

// The choices that the paper leaves open. For R6 and R7 section 3 speaks of instructions "issued before this
// event", and section 5.1 says that younger instructions wait until a branch has issued. Taken literally, the
// matrix clears a column only at write-back.
struct DependenceOptions {
  ControlRelease control_release = ControlRelease::issue;  // R7
  OrderRelease war_release = OrderRelease::write_back;     // R1, a write behind a read
  OrderRelease memory_release = OrderRelease::write_back;  // R4, R5
  ControlRelease older_release = ControlRelease::issue;    // R6 and R8
  bool barriers_wait = true;                               // R8
};

// Dependences of instructions on older ones in the buffer, counted when they are put there, by type. The
// first three types are those of SOCGPU, Fig. 5. An older instruction counts once, with the type that holds
// the younger one for longest.
struct DependenceCounts {
  std::uint64_t raw = 0;
  std::uint64_t war_waw = 0;
  std::uint64_t stop = 0;     // dependences of instructions behind a control instruction (R7)
  std::uint64_t control = 0;  // dependences of a control instruction on older instructions (R6)
  std::uint64_t order = 0;    // dependences of memory accesses, barriers and exits (R3 to R5, R8)
  std::uint64_t all = 0;      // cells of matrices that were set
};

class DependenceMatrix {
 public:
  // `entries`: 1..64. `counts`, if not null, outlive the matrix, and several matrices may share them.
  // `products` is the most products of a warpgroup that a warp may have under way; 0 = none.
  DependenceMatrix(unsigned entries, const DependenceOptions& options, DependenceCounts* counts = nullptr,
                   unsigned products = 0);

  // Puts the next instruction in program order into the lowest free entry, and returns that entry.
  // Precondition: one is free. The instruction depends on each older entry P, issued or not, by these rules:
  // * R1: it writes a register that P reads or writes.
  // * R2: it reads a register that P writes.
  // * R3: it accesses memory and P is a barrier.
  // * R4: it stores, and P loads or stores.
  // * R5: it loads and P stores. Copies to shared memory (LDGSTS), which the paper's machine does not have,
  //   are no stores here (memory_access.h).
  // * R6: it is a control instruction.
  // * R7: P is a control instruction.
  // * R8: it is a barrier or exit. Behind a barrier, barriers and exits wait even without R8.
  // The paper's machine has no asynchronous copies. Rules beside the paper's:
  // * A DEPBAR depends on each group of copies that it awaits: on the copies and on the instruction that ends
  //   them.
  // * An access to memory, a barrier and another DEPBAR depend on an older DEPBAR until it issues.
  // * WARPGROUP.DEPBAR depends likewise on products of its warpgroup, which read and write their
  //   accumulators.
  // * A product depends on an older product with the same accumulators only until that product issues.
  // * WARPGROUP.ARRIVE depends on older results of fixed latency.
  // * All instructions behind a wait at an mbarrier depend on the wait, because the program branches by its
  //   answer.
  // * An instruction without an active lane has no operands, makes no access and is no barrier.
  unsigned insert(const Instruction& i);

  // The lowest entry, whatever its age, that has not issued and depends on nothing; -1 if there is none.
  int candidate() const;

  void issue(unsigned entry);
  void collected(unsigned entry);     // the operands have been read
  void entered(unsigned entry);       // the access has entered the load/store unit
  void written_back(unsigned entry);  // the entry is free; no entry depends on it any longer

  bool empty() const { return valid_ == 0; }
  std::uint64_t valid() const { return valid_; }  // bit per entry
  std::uint64_t issued() const { return issued_; }
  // The entries for which `entry` waits.
  std::uint64_t row(unsigned entry) const { return rows_[entry].all(); }
  // The cause for which `entry` waits: the farthest of its remaining dependences. Precondition: it has one.
  StallCause cause(unsigned entry) const;
  bool full() const { return valid_ == all_; }

 private:
  // The event of P that ends a dependence. Events are in the order in which they happen.
  enum class Until : std::uint8_t { none, issue, collected, entered, written_back };
  struct Entry {
    std::bitset<256> reads, writes;
    PredicateSet predicates_read = 0, predicates_written = 0;
    std::uint64_t uniforms_read = 0, uniforms_written = 0;
    MemoryAccess access;
    CopyStep copies = CopyStep::none;
    std::uint64_t group =
        0;  // group of copies, from 0: a copy's and its end's own; DEPBAR's first group not awaited
    WarpgroupStep warpgroup = WarpgroupStep::none;
    Accumulators accumulators;  // a product's, which are also among reads and writes
    // The numbers, from 0, of a product and of its group. For WARPGROUP.DEPBAR, the number of the first group
    // that it does not await.
    std::uint64_t product = 0, products_group = 0;
    bool fixed_result = false;
    bool barrier = false, exit = false, control = false, long_latency = false;
    bool arrives = false;      // arrives at a barrier without waiting there
    bool at_mbarrier = false;  // waits at an mbarrier
    bool barrier_waits =
        false;  // an access that enters the load/store unit before the warp may reach a barrier
    bool collected = false, entered = false;
    bool reads_from(const Entry& p) const {
      return (reads & p.writes).any() ||
             meet(predicates_read, uniforms_read, p.predicates_written, p.uniforms_written);
    }
    bool writes_over(const Entry& p) const {
      return (writes & p.writes).any() ||
             meet(predicates_written, uniforms_written, p.predicates_written, p.uniforms_written);
    }
  };
  struct Row {
    std::array<std::uint64_t, 5> until{};  // by Until: the entries whose event is awaited
    std::uint64_t all() const { return until[1] | until[2] | until[3] | until[4]; }
  };
  // The dependence that holds an instruction behind an older one for longest.
  struct Dependence {
    Until until = Until::none;
    StallCause cause = StallCause::issued;
    void add(Until u, StallCause c) {
      if (u == Until::none || u < until) return;
      cause = u == until ? farther(cause, c) : c;
      until = u;
    }
  };
  static Entry entry_of(const Instruction& i);
  Dependence depends(const Entry& a, const Entry& p) const;
  Dependence on_product(const Entry& a, const Entry& p) const;
  void number_product(Entry& a, const Instruction& i);
  void count(StallCause cause, const Entry& a, const Entry& p);
  bool is_over(Until event, unsigned entry) const;
  void end(Until event, unsigned entry);

  std::vector<Entry> entries_;
  std::vector<Row> rows_;
  std::uint64_t all_, valid_ = 0, issued_ = 0;
  Until war_, memory_, older_, stop_;
  std::uint64_t groups_ = 0;                         // groups of copies that have been ended
  unsigned limit_;                                   // most products under way
  std::uint64_t products_ = 0, product_groups_ = 0;  // products, and ended groups of products
  bool product_open_ = false;                        // the last product's group has not ended
  bool barriers_wait_;
  DependenceCounts* counts_;
};

}  // namespace subcore
