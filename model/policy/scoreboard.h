// One warp's scoreboard: RAW and WAW hazards by pending writes, WAR hazards by pending reads (the in-order
// baseline's WAR scoreboard of SOCGPU, section 4).
#pragma once

#include <array>
#include <cstdint>

#include "model/isa/instruction.h"
#include "model/policy/kinds.h"

namespace subcore {

class Scoreboard {
 public:
  Scoreboard(WarGuard guard, std::uint32_t max_uses) : guard_(guard), max_uses_(max_uses) {}

  // True when the instruction must wait: a source or destination awaits a write, a destination awaits a read,
  // or a source has as many pending reads as its counter can hold.
  bool blocks(const Instruction& i) const {
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
  // True when it waits for the result of a long-latency instruction.
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
    if (guard_ == WarGuard::write_back) release_reads(i);
  }
  bool clear() const { return pending_reads_ == 0 && writes_.none(); }

 private:
  struct Bits {
    std::array<std::uint64_t, 4> words{};
    bool test(Register r) const { return (words[r / 64] >> (r % 64)) & 1u; }
    void set(Register r) { words[r / 64] |= std::uint64_t{1} << (r % 64); }
    void clear(Register r) { words[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
    bool none() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
  };
  void release_reads(const Instruction& i) {
    for (unsigned s = 0; s < i.source_count; ++s) --reads_[i.source(s)];
    pending_reads_ -= i.source_count;
  }

  Bits writes_;
  Bits long_writes_;  // of these, what long-latency instructions will write
  WarGuard guard_;
  std::uint32_t max_uses_;
  std::uint32_t pending_reads_ = 0;  // sum of reads_
  std::array<std::uint16_t, 256> reads_{};
};

}  // namespace subcore
