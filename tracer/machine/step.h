// One instruction as a warp executes it: its operands and its results. meaning_*.cpp has the effect of each
// instruction.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/tracer/machine/cta.h"

namespace subcore::tracer {

// A value for each lane.
using Values = std::array<Word, lanes_of_warp>;
using WideValues = std::array<Wide, lanes_of_warp>;

class Step {
 public:
  Step(Cta& cta, Warp& warp, std::size_t path, const Instruction& instruction);

  const Instruction& instruction() const { return i_; }
  Warp& warp() { return warp_; }
  unsigned field(Field f) const { return i_.field(f); }
  unsigned architecture() const { return cta_.launch_.architecture; }

  // path_lanes() are the lanes of the path. guarded() are those whose guard holds. lanes() are those in which
  // results are computed: for a uniform instruction, lane 0 for all.
  Lanes path_lanes() const { return path_lanes_; }
  Lanes guarded() const { return guarded_; }
  Lanes lanes() const { return lanes_; }
  template <class F>
  void each_lane(F f) const {
    for (const unsigned lane : bits::each(lanes_)) f(lane);
  }

  // Source operands (0, 1, 2 = A, B, C): as bits, with the signs of whole numbers, and with the signs of
  // floats.
  Values raw(unsigned n) const { return values(i_.operands[n], Signs::none); }
  Values integer(unsigned n) const { return values(i_.operands[n], Signs::integer); }
  Values real(unsigned n) const { return values(i_.operands[n], Signs::real); }
  Values integer(const Operand& o) const { return values(o, Signs::integer); }
  // Pairs of registers, as whole numbers and as doubles.
  WideValues wide_integer(unsigned n) const { return wide_values(i_.operands[n], Signs::integer); }
  WideValues wide_real(unsigned n) const { return wide_values(i_.operands[n], Signs::real); }
  // Register `number` of a lane, or a pair of registers. The registers that are always zero are included.
  Word vector(unsigned number, unsigned lane) const { return warp_.registers[number][lane]; }
  Wide vector_pair(unsigned number, unsigned lane) const {
    return number == zero_register ? 0 : joined(vector(number, lane), vector(number + 1, lane));
  }
  // Register `n` behind `first`. If `first` is the zero register, zero.
  Word vector_at(unsigned first, unsigned n, unsigned lane) const {
    return first == zero_register ? 0 : vector(first + n, lane);
  }
  Word uniform(unsigned number) const { return number >= zero_uniform ? 0 : warp_.uniforms[number]; }
  Wide uniform_pair(unsigned number) const { return joined(uniform(number), uniform(number + 1)); }
  // The lanes in which a predicate holds that the instruction reads.
  Lanes condition(unsigned n) const { return lanes_of(i_.conditions[n]); }
  Word special_register(unsigned number, unsigned lane) const;
  // `bytes` of a constant bank.
  void read_constant(unsigned bank, std::uint32_t offset, unsigned bytes, void* to) const;

  // Writes register `n` of the destination in a lane.
  void write(unsigned lane, Word value, unsigned n = 0);
  void write_wide(unsigned lane, Wide value, unsigned n = 0) {
    write(lane, low_word(value), n);
    write(lane, high_word(value), n + 1);
  }
  // Writes a uniform register, for an instruction that is not uniform.
  void write_uniform(Word value) {
    if (i_.destination < zero_uniform) warp_.uniforms[i_.destination] = value;
  }
  void write_predicate(unsigned n, Lanes value);
  void write_predicates(Lanes first, Lanes second) {
    write_predicate(0, first);
    write_predicate(1, second);
  }

  // Computes the address that each lane accesses, also for the trace.
  void compute_addresses(Lanes of);
  std::uint64_t& address(unsigned lane) { return addresses_[lane]; }
  void note_addresses() { accesses_memory_ = true; }
  // The memory of an address in the instruction's space, and the offset there. In global memory the offset is
  // the address.
  std::pair<Space, std::uint64_t> place_of(std::uint64_t address) const;
  // The bytes at an address of the instruction's space. Throws if nothing is there.
  std::uint8_t* bytes_at(std::uint64_t address, unsigned bytes, unsigned lane);

  // Asynchronous copies. check_copy() throws if the copy is not allowed.
  void check_copy(const PendingCopy& copy, unsigned lane) const;
  void copy(const PendingCopy& copy);
  void end_copy_group();
  void wait_for_copies(unsigned scoreboard, unsigned left_open);

  // Control of the path. After these calls the path does not go on by itself.
  std::uint32_t next_pc() const { return i_.pc + 16; }
  Path& path() { return warp_.paths[path_]; }
  void go_on_at(std::uint32_t pc) {
    path().pc = pc;
    has_moved_ = true;
  }
  void wait(Path::State state, std::uint32_t for_what, std::uint32_t threads = 0);
  // The lanes come to a barrier of the CTA without waiting there. `threads` is as for wait().
  void arrive(std::uint32_t barrier, std::uint32_t threads);
  // Releases paths whose lanes have all arrived. Afterwards the current path may be another one.
  void meet();
  void remove_path();
  // split_before() puts a path before this one, which runs after it. split_behind() puts a path behind all,
  // and this path runs next.
  void split_before(Path other);
  void split_behind(Path other);
  void paths_have_changed() { cta_.paths_changed_ = true; }
  bool has_moved() const { return has_moved_; }

  [[noreturn]] void fail(const std::string& what) const { cta_.fail(warp_, i_.pc, what); }
  void finish();  // writes a uniform instruction's result
  const std::array<std::uint64_t, lanes_of_warp>* addresses() const {
    return accesses_memory_ ? &addresses_ : nullptr;
  }

 private:
  enum class Signs : std::uint8_t { none, integer, real };
  Values values(const Operand& o, Signs signs) const;
  WideValues wide_values(const Operand& o, Signs signs) const;
  Lanes lanes_of(const Condition& c) const;

  Cta& cta_;
  Warp& warp_;
  std::size_t path_;
  const Instruction& i_;
  bool is_uniform_;
  Lanes path_lanes_, guarded_, lanes_;
  std::array<Word, 4> uniform_result_{};
  std::array<std::uint64_t, lanes_of_warp> addresses_;
  bool accesses_memory_ = false, has_moved_ = false;
};

}  // namespace subcore::tracer
