// One warp's scoreboard: RAW and WAW hazards by pending writes, and WAR hazards by pending reads (the
// in-order baseline's WAR scoreboard of SOCGPU, section 4). Numbers of predicates, if known, follow those of
// the registers. Numbers of uniform registers follow those of the predicates.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "subcore/base/bits.h"
#include "subcore/model/hardware/inventory.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/stall/stall_cause.h"

namespace subcore {

// A write may have to wait for an older instruction that still has to read its register. The event that it
// waits for: none, the operands are collected (SOCGPU's WAR scoreboard), or the older instruction is written
// back.
enum class WarGuard : std::uint8_t {
  off,
  operand_collection,
  write_back,
  queued_reads  // operand_collection, for instructions of variable latency; others read in the order of issue
};

constexpr std::array<std::string_view, 4> names(WarGuard) {
  return {"off", "operand_collection", "write_back", "queued_reads"};
}

class Scoreboard {
 public:
  Scoreboard(WarGuard guard, std::uint32_t max_uses)
      : max_uses_(static_cast<std::uint16_t>(max_uses)), guard_(guard) {}

  // True if the instruction must wait for hazard().
  bool blocks(const Instruction& i) const { return awaited(i) != nothing || blocks_for_reads(i); }
  // A register, predicate or uniform register (by its number) that the instruction reads or writes and that
  // awaits a write. `nothing` if there is none.
  static constexpr std::uint16_t nothing = 0xffff;
  std::uint16_t awaited(const Instruction& i) const {
    const std::uint16_t r = awaited_register(i);
    return r != nothing || predicate_writes_ == 0 ? r : awaited_behind(i);
  }
  // The same for registers alone.
  std::uint16_t awaited_register(const Instruction& i) const {
    for (unsigned s = 0; s < i.source_count; ++s)
      if (waits(i, i.source(s))) return i.source(s);
    for (unsigned d = 0; d < i.destination_count; ++d)
      if (waits(i, i.destination(d))) return i.destination(d);
    return nothing;
  }
  bool awaits_write(unsigned r) const { return r < first_predicate ? writes_.test(r) : awaits_behind(r); }
  // Whether a register to be written awaits reads.
  bool overwrites_unread(const Instruction& i) const {
    if (pending_reads_ == 0) return false;
    for (unsigned d = 0; d < i.destination_count; ++d)
      if (reads_[i.destination(d)] != 0) return true;
    return false;
  }
  // Whether blocks() may be true for another reason than awaited_register() and overwrites_unread().
  bool may_block_otherwise(const Instruction& i) const {
    return predicate_writes_ != 0 ||
           (pending_reads_ != 0 && (i.code->predicates_written != 0 || pending_reads_ >= max_uses_));
  }
  // Whether a register to be written awaits reads, or a register to be read has as many pending reads as its
  // counter holds.
  bool blocks_for_reads(const Instruction& i) const {
    if (overwrites_unread(i)) return true;
    if (pending_reads_ == 0) return false;
    if (i.code->predicates_written != 0 && awaits_reads_behind(i)) return true;
    return pending_reads_ >= max_uses_ && counts_no_further(i);
  }
  // Whether some of these registers await a write or reads.
  bool is_under_way(const Accumulators& a) const {
    for (unsigned n = 0; n < a.count; ++n)
      if (writes_.test(a.first + n) || (pending_reads_ != 0 && reads_[a.first + n] != 0)) return true;
    return false;
  }
  // The hazard for which the instruction must wait: a source or destination awaits a write, a destination
  // awaits a read, or a source's counter of pending reads is full. Of several hazards, the farthest. `issued`
  // if the instruction need not wait.
  StallCause hazard(const Instruction& i) const {
    StallCause worst = blocks_for_reads(i) ? StallCause::war : StallCause::issued;
    for (unsigned s = 0; s < i.source_count; ++s) {
      const Register r = i.source(s);
      if (!waits(i, r)) continue;
      if (long_writes_.test(r)) return StallCause::raw_long;
      worst = StallCause::raw_short;
    }
    for (unsigned d = 0; d < i.destination_count; ++d)
      if (waits(i, i.destination(d))) worst = farther(worst, StallCause::waw);
    if (meet(predicate_writes_, uniform_writes_, writes(i), i.code->uniforms_written))
      worst = farther(worst, StallCause::waw);
    if (meet(predicate_writes_, uniform_writes_, i.code->predicates_read, i.code->uniforms_read))
      worst = farther(worst, StallCause::raw_short);
    return worst;
  }
  // True if the instruction waits for the result of a long-latency instruction.
  bool blocks_for_long(const Instruction& i) const {
    for (unsigned s = 0; s < i.source_count; ++s) {
      if (long_writes_.test(i.source(s))) return true;
    }
    for (unsigned d = 0; d < i.destination_count; ++d) {
      if (long_writes_.test(i.destination(d))) return true;
    }
    return false;
  }
  bool awaits_long() const { return awaits_long_; }
  void issue(const Instruction& i, bool long_latency = false) {
    const unsigned results = i.destination_count, sources = i.source_count;
    if (bypasses_) note_more_writes(i);
    for (unsigned d = 0; d < results; ++d) writes_.set(i.destination(d));
    if (i.code->predicates_written != 0) note_writes_behind(i);
    if (long_latency && results != 0) {
      for (unsigned d = 0; d < results; ++d) long_writes_.set(i.destination(d));
      awaits_long_ = true;
    }
    if (!counts_reads(i)) return;
    for (unsigned s = 0; s < sources; ++s) ++reads_[i.source(s)];
    pending_reads_ += sources;
    if (i.code->predicates_read == 0) return;
    each_behind(i.code->predicates_read, i.code->uniforms_read, [&](unsigned r) {
      ++reads_[r];
      ++pending_reads_;
    });
  }
  // The instruction's operands have all been read.
  void collected(const Instruction& i) {
    if (guard_ != WarGuard::write_back && counts_reads(i)) release_reads(i);
  }
  // From now on instructions of fixed latency find the results of `i`, as long as no other instruction has
  // yet to write them.
  void bypassable(const Instruction& i) {
    if (!bypasses_) bypasses_ = std::make_unique<Bypasses>();
    for (unsigned d = 0; d < i.destination_count; ++d) bypasses_->possible.set(i.destination(d));
  }
  // The instruction's results have all been written.
  void retired(const Instruction& i) {
    const unsigned results = i.destination_count;
    if (bypasses_)
      clear_last_writes(i);
    else
      for (unsigned d = 0; d < results; ++d) writes_.clear(i.destination(d));
    if (i.code->predicates_written != 0) clear_writes_behind(i);
    if (awaits_long_) {
      for (unsigned d = 0; d < results; ++d) long_writes_.clear(i.destination(d));
      awaits_long_ = !long_writes_.none();
    }
    if (guard_ == WarGuard::write_back) release_reads(i);
  }
  // A bit for each register that awaits a write. With a guard, also a counter of its pending reads. The
  // counter goes to seven, because at most seven instructions of a warp collect operands at a time.
  void inventory(Inventory& list) const {
    list.add("scoreboard", HardwareKind::state, 256, 1);
    if (guard_ != WarGuard::off)
      list.add("read_scoreboard", HardwareKind::state, 256,
               width_of(std::min<std::uint32_t>(max_uses_, 7) + 1));
  }
  bool clear() const { return pending_reads_ == 0 && predicate_writes_ == 0 && writes_.none(); }

 private:
  static constexpr unsigned first_predicate = 256, first_uniform = first_predicate + 8 * sizeof(PredicateSet);
  struct Bits {
    std::array<std::uint64_t, 4> words{};
    bool test(unsigned r) const { return bits::has(words[r / 64], r % 64); }
    void set(unsigned r) { bits::add(words[r / 64], r % 64); }
    void clear(unsigned r) { bits::remove(words[r / 64], r % 64); }
    bool none() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
  };
  // The predicates that the instruction writes. An instruction that is predicated off still reads its guard.
  static PredicateSet writes(const Instruction& i) {
    return i.mask != 0 ? i.code->predicates_written : PredicateSet{0};
  }
  // Calls `tell` for each predicate and uniform register, with its number behind the registers.
  template <class Tell>
  static void each_behind(PredicateSet predicates, std::uint64_t uniforms, Tell&& tell) {
    if (predicates == 0) return;
    for (const unsigned p : bits::each(predicates))
      if (p != any_uniform) tell(first_predicate + p);
    for (const unsigned u : bits::each(bits::has(predicates, any_uniform) ? uniforms : 0))
      tell(first_uniform + u);
  }
  void note_writes_behind(const Instruction& i) {
    if (i.mask == 0) return;
    predicate_writes_ = static_cast<PredicateSet>(predicate_writes_ | i.code->predicates_written);
    uniform_writes_ |= i.code->uniforms_written;
  }
  void clear_writes_behind(const Instruction& i) {
    if (i.mask == 0) return;
    predicate_writes_ = static_cast<PredicateSet>(predicate_writes_ & ~i.code->predicates_written);
    uniform_writes_ &= ~i.code->uniforms_written;
    if (uniform_writes_ != 0) bits::add(predicate_writes_, any_uniform);
  }
  // awaits_write() and awaited() for predicates and uniform registers, which few runs ask for.
  bool awaits_behind(unsigned r) const {
    return r < first_uniform ? bits::has(predicate_writes_, r - first_predicate)
                             : bits::has(uniform_writes_, r - first_uniform);
  }
  [[gnu::noinline]] std::uint16_t awaited_behind(const Instruction& i) const {
    std::uint16_t first = nothing;
    each_behind(static_cast<PredicateSet>(i.code->predicates_read | writes(i)),
                i.code->uniforms_read | (i.mask != 0 ? i.code->uniforms_written : 0), [&](unsigned r) {
                  if (first == nothing && awaits_behind(r)) first = static_cast<std::uint16_t>(r);
                });
    return first;
  }
  // Whether a predicate or uniform register to be written awaits reads.
  [[gnu::noinline]] bool awaits_reads_behind(const Instruction& i) const {
    bool awaits = false;
    each_behind(writes(i), i.code->uniforms_written, [&](unsigned r) { awaits |= reads_[r] != 0; });
    return awaits;
  }
  // Whether a source has as many pending reads as its counter holds.
  [[gnu::noinline]] bool counts_no_further(const Instruction& i) const {
    for (unsigned s = 0; s < i.source_count; ++s)
      if (reads_[i.source(s)] >= max_uses_) return true;
    bool full = false;
    each_behind(i.code->predicates_read, i.code->uniforms_read,
                [&](unsigned r) { full |= reads_[r] >= max_uses_; });
    return full;
  }
  bool waits(const Instruction& i, Register r) const {
    return writes_.test(r) && !(bypasses_ && bypasses_->possible.test(r) && has_fixed_latency(*i.code));
  }
  // Counts destinations that older instructions have yet to write. Results there can no longer be bypassed.
  void note_more_writes(const Instruction& i) {
    for (unsigned d = 0; d < i.destination_count; ++d) {
      const Register r = i.destination(d);
      if (!writes_.test(r)) continue;
      ++bypasses_->more_writes[r];
      bypasses_->possible.clear(r);
    }
  }
  void clear_last_writes(const Instruction& i) {
    for (unsigned d = 0; d < i.destination_count; ++d) {
      const Register r = i.destination(d);
      if (bypasses_->more_writes[r] != 0) {
        --bypasses_->more_writes[r];
        continue;
      }
      writes_.clear(r);
      bypasses_->possible.clear(r);
    }
  }
  bool counts_reads(const Instruction& i) const {
    return guard_ != WarGuard::off && (guard_ != WarGuard::queued_reads || !has_fixed_latency(*i.code));
  }
  void release_reads(const Instruction& i) {
    const unsigned sources = i.source_count;
    for (unsigned s = 0; s < sources; ++s) --reads_[i.source(s)];
    pending_reads_ -= sources;
    if (i.code->predicates_read == 0) return;
    each_behind(i.code->predicates_read, i.code->uniforms_read, [&](unsigned r) {
      --reads_[r];
      --pending_reads_;
    });
  }

  Bits writes_;
  std::uint32_t pending_reads_ = 0;  // sum of reads_
  std::uint16_t max_uses_;
  WarGuard guard_;
  PredicateSet predicate_writes_ = 0;  // the bit any_uniform: uniform_writes_ is not empty
  bool awaits_long_ = false;           // long_writes_ is not empty
  std::uint64_t uniform_writes_ = 0;
  std::array<std::uint16_t, first_uniform + uniform_count> reads_{};  // per register; 0 without a guard
  Bits long_writes_;  // the part of writes_ that long-latency instructions will write
  struct Bypasses {
    Bits possible;  // the part of writes_ whose results can be bypassed
    std::array<std::uint8_t, first_predicate> more_writes{};  // per register, beside the one in writes_
  };
  std::unique_ptr<Bypasses> bypasses_;  // null until something is bypassable()
};

}  // namespace subcore
