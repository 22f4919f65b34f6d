// The sliding window of a bypassing operand collector (BOW, MICRO 2020, sections IV-A to IV-C): registers
// that a warp's last few instructions read or wrote stay in the collector, and later instructions find them
// there. One per warp; a register has one entry at most, so an older value is dropped when a younger one
// takes its slot.
//
// An instruction's operands are copied when it is inserted, or when the bank delivers them; an entry is a
// copy for those that follow. Results find a slot that was reserved when their instruction was inserted, or
// none.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "model/isa/instruction.h"

namespace subcore {

struct BypassWindowOptions {
  unsigned instructions =
      3;                     // IW, 1..32: a value is kept while its last use is less than IW instructions ago
  unsigned entries = 12;     // 1..64
  bool write_back = false;   // results stay out of the banks until they leave the window
  bool partial_safe = true;  // results of some live lanes only complete what is here, and go to the banks
  bool program_order = true;  // instructions come in program order; else window-only hints are not trusted
};

// What became of the sources of an instruction. Each is one of the three.
struct WindowLookup {
  std::uint64_t index = 0;    // number of the instruction in its warp
  std::uint16_t hits = 0;     // here, with data: copied to Instruction::collected
  std::uint16_t shared = 0;   // here, but its data is still on its way for an older instruction, the filler
  std::uint16_t misses = 0;   // to be read from the banks
  std::uint8_t reserved = 0;  // destinations for which a slot is kept, one bit each
  Cycle ready = 0;            // first cycle in which the data of every hit may be used
  std::array<const Instruction*, max_sources> filler{};
};

class BypassWindow {
 public:
  struct Value {
    Register reg;
    Version version;
  };
  // A slot that was kept for a result which has not come.
  struct Release {
    const Instruction* producer;
    unsigned destination;
  };
  struct Counters {
    std::uint64_t slid_out = 0;            // entries that left because the window slid
    std::uint64_t displaced = 0;           // entries that left early to make room
    std::uint64_t no_room = 0;             // operands that found every entry in use and were not kept
    std::uint64_t write_backs = 0;         // dirty values handed over for the banks
    std::uint64_t overwritten = 0;         // dirty values that a younger result made needless
    std::uint64_t died = 0;                // dirty values of a warp that has exited
    std::uint64_t forced_write_backs = 0;  // window-only values sent to the banks for lack of room
    std::uint64_t hint_violations = 0;     // of these, read again
    std::uint64_t flushes = 0;             // taken branches that ended a window
    std::uint64_t to_both = 0, to_window = 0, to_banks = 0;  // destinations by their hints
  };

  // Throws std::invalid_argument when an option is out of range.
  explicit BypassWindow(const BypassWindowOptions& options);

  // The next instruction of the warp. Looks its sources up, slides the window, makes entries for its misses
  // and reserves slots for its destinations. Values to be written to the banks are in written_back(), slots
  // that others lose in released(), until the next call of anything here.
  const WindowLookup& insert(Instruction& i);
  // The instruction inserted as `index` has read its operands: nothing needs to be kept for it any longer.
  void dispatched(std::uint64_t index) { release(std::uint64_t{1} << (index % 64)); }
  // A source of `filler` has come from the banks, usable from `ready` on.
  void fill(const Instruction& filler, Register r, Version v, Cycle ready);
  // A result. False if its slot has gone meanwhile: then it is not here, and whoever kept it out of the banks
  // has to write it there.
  bool result(Register r, Version v, bool partial);
  // A taken branch: the next instruction begins a new window; dirty values are in written_back(), slots that
  // are lost in released().
  void flush();
  // Another warp: everything is dropped, also what the banks do not have (its registers are dead).
  void reset();

  const std::vector<Value>& written_back() const { return written_back_; }
  const std::vector<Release>& released() const { return released_; }
  const Counters& counters() const { return counters_; }
  std::uint64_t next_index() const { return next_; }
  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  unsigned used() const { return static_cast<unsigned>(__builtin_popcountll(valid_)); }
  std::uint64_t valid_mask() const { return valid_; }
  std::uint64_t dirty_mask() const { return dirty_; }
  // Whether the register has an entry; and its data, which is then that of `v`.
  bool has(Register r) const { return find(r) >= 0; }
  bool holds(Register r, Version v) const;

 private:
  enum class Leaves { slides, displaced, flushed };
  struct Entry {
    Version version = 0;      // of the data
    Version awaited = 0;      // of the producer's result
    std::uint64_t touch = 0;  // index of the last instruction that read or wrote it
    std::uint64_t order = 0;  // of allocation: FIFO
    std::uint64_t users = 0;  // undispatched instructions that have it as a source, by index mod 64
    Cycle ready = 0;          // of the data
    const Instruction* filler = nullptr;    // whose bank read brings the data
    const Instruction* producer = nullptr;  // whose result is awaited
    Register tag = 0;
    std::uint8_t destination = 0;  // of the producer
    bool filled = false;           // has data
    bool window_only = false;      // need not be written back
  };

  int find(Register r) const {
    for (std::uint64_t left = valid_; left != 0; left &= left - 1) {
      const int e = __builtin_ctzll(left);
      if (entries_[static_cast<unsigned>(e)].tag == r) return e;
    }
    return -1;
  }
  void look_up(Instruction& i);
  void slide();
  int allocate(Register r);
  void reserve(const Instruction& i, unsigned d);
  void leave(unsigned e, Leaves why);
  void write_back(unsigned e);
  void remove(unsigned e) {
    valid_ &= ~bit(e);
    dirty_ &= ~bit(e);
  }
  void release(std::uint64_t user);
  static std::uint64_t bit(unsigned e) { return std::uint64_t{1} << e; }

  BypassWindowOptions options_;
  std::uint64_t all_;
  std::uint64_t valid_ = 0, dirty_ = 0;
  std::vector<Entry> entries_;
  std::uint64_t next_ = 0;  // index of the next instruction
  std::uint64_t allocations_ = 0;
  WindowLookup lookup_;
  std::vector<Value> written_back_;
  std::vector<Release> released_;
  std::bitset<256> forced_;  // window-only values that were sent to the banks and not rewritten since
  Counters counters_;
};

}  // namespace subcore
