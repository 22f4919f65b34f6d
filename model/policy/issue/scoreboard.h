// One warp's scoreboard: RAW and WAW hazards by pending writes, WAR hazards by pending reads (the in-order
// baseline's WAR scoreboard of SOCGPU, section 4). Predicates, where they are known, stand behind the
// registers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/bits.h"
#include "model/isa/instruction.h"
#include "model/stall/stall_cause.h"

namespace subcore {

enum class WarGuard : std::uint8_t { off, operand_collection, write_back };

constexpr std::array<std::string_view, 3> names(WarGuard) {
  return {"off", "operand_collection", "write_back"};
}

class Scoreboard {
 public:
  Scoreboard(WarGuard guard, std::uint32_t max_uses)
      : guard_(guard),
        max_uses_(max_uses),
        reads_(guard == WarGuard::off ? 0 : first_predicate + predicate_count) {}

  // True when the instruction must wait for what hazard() says.
  bool blocks(const Instruction& i) const {
    if (predicates_of(i) != 0 && hazard_by_predicate(i) != StallCause::issued) return true;
    for (unsigned s = 0; s < i.source_count; ++s) {
      const Register r = i.source(s);
      if (writes_.test(r)) return true;
      if (guard_ != WarGuard::off && reads_[r] >= max_uses_) return true;
    }
    for (unsigned d = 0; d < i.destination_count; ++d) {
      const Register r = i.destination(d);
      if (writes_.test(r) || (guard_ != WarGuard::off && reads_[r] != 0)) return true;
    }
    return false;
  }
  // What the instruction must wait for: a source or destination awaits a write, a destination awaits a read,
  // or a source has as many pending reads as its counter can hold. The farthest of these; `issued` if it need
  // not wait.
  StallCause hazard(const Instruction& i) const {
    StallCause worst = predicates_of(i) != 0 ? hazard_by_predicate(i) : StallCause::issued;
    for (unsigned s = 0; s < i.source_count; ++s) {
      const Register r = i.source(s);
      if (writes_.test(r)) {
        if (long_writes_.test(r)) return StallCause::raw_long;
        worst = StallCause::raw_short;
      } else if (guard_ != WarGuard::off && reads_[r] >= max_uses_) {
        worst = farther(worst, StallCause::war);
      }
    }
    for (unsigned d = 0; d < i.destination_count; ++d) {
      const Register r = i.destination(d);
      if (writes_.test(r)) {
        worst = farther(worst, StallCause::waw);
      } else if (guard_ != WarGuard::off && reads_[r] != 0) {
        worst = farther(worst, StallCause::war);
      }
    }
    return worst;
  }
  // True when the instruction waits for the result of a long-latency one.
  bool blocks_for_long(const Instruction& i) const {
    for (unsigned s = 0; s < i.source_count; ++s) {
      if (long_writes_.test(i.source(s))) return true;
    }
    for (unsigned d = 0; d < i.destination_count; ++d) {
      if (long_writes_.test(i.destination(d))) return true;
    }
    return false;
  }
  bool awaits_long() const { return !long_writes_.none(); }
  void issue(const Instruction& i, bool long_latency = false) {
    for (unsigned d = 0; d < i.destination_count; ++d) {
      writes_.set(i.destination(d));
      if (long_latency) long_writes_.set(i.destination(d));
    }
    if (guard_ != WarGuard::off) {
      for (unsigned s = 0; s < i.source_count; ++s) ++reads_[i.source(s)];
      pending_reads_ += i.source_count;
    }
    if (predicates_of(i) == 0) return;
    for (unsigned p = 0; p < predicate_count; ++p) {
      if (writes(i, p)) writes_.set(first_predicate + p);
      if (guard_ != WarGuard::off && reads(i, p)) ++reads_[first_predicate + p], ++pending_reads_;
    }
  }
  // The instruction's operands have all been read.
  void collected(const Instruction& i) {
    if (guard_ == WarGuard::operand_collection) release_reads(i);
  }
  // The instruction's results have all been written.
  void retired(const Instruction& i) {
    for (unsigned d = 0; d < i.destination_count; ++d) {
      writes_.clear(i.destination(d));
      long_writes_.clear(i.destination(d));
    }
    if (predicates_of(i) != 0) {
      for (unsigned p = 0; p < predicate_count; ++p)
        if (writes(i, p)) writes_.clear(first_predicate + p);
    }
    if (guard_ == WarGuard::write_back) release_reads(i);
  }
  bool clear() const { return pending_reads_ == 0 && writes_.none(); }

 private:
  static constexpr unsigned first_predicate = 256;
  struct Bits {
    std::array<std::uint64_t, 5> words{};
    bool test(unsigned r) const { return (words[r / 64] >> (r % 64)) & 1u; }
    void set(unsigned r) { words[r / 64] |= std::uint64_t{1} << (r % 64); }
    void clear(unsigned r) { words[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
    bool none() const { return (words[0] | words[1] | words[2] | words[3] | words[4]) == 0; }
  };
  static unsigned predicates_of(const Instruction& i) {
    return unsigned{i.code->predicates_read} | i.code->predicates_written;
  }
  static bool reads(const Instruction& i, unsigned p) { return bits::has(i.code->predicates_read, p); }
  // An instruction that is predicated off reads its guard all the same.
  static bool writes(const Instruction& i, unsigned p) {
    return i.mask != 0 && bits::has(i.code->predicates_written, p);
  }
  StallCause hazard_by_predicate(const Instruction& i) const {
    StallCause worst = StallCause::issued;
    for (unsigned p = 0; p < predicate_count; ++p) {
      const unsigned r = first_predicate + p;
      if (writes_.test(r)) {
        if (reads(i, p)) return StallCause::raw_short;
        if (writes(i, p)) worst = StallCause::waw;
      }
      if (guard_ == WarGuard::off) continue;
      if ((reads(i, p) && reads_[r] >= max_uses_) || (writes(i, p) && reads_[r] != 0))
        worst = farther(worst, StallCause::war);
    }
    return worst;
  }
  void release_reads(const Instruction& i) {
    for (unsigned s = 0; s < i.source_count; ++s) --reads_[i.source(s)];
    pending_reads_ -= i.source_count;
    if (predicates_of(i) == 0) return;
    for (unsigned p = 0; p < predicate_count; ++p)
      if (reads(i, p)) --reads_[first_predicate + p], --pending_reads_;
  }

  Bits writes_;
  Bits long_writes_;  // of these, what long-latency instructions will write
  WarGuard guard_;
  std::uint32_t max_uses_;
  std::uint32_t pending_reads_ = 0;   // sum of reads_
  std::vector<std::uint16_t> reads_;  // per register; none without a guard, which most platforms do without
};

}  // namespace subcore
