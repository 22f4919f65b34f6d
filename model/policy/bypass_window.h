// The sliding window of a bypassing operand collector (BOW, MICRO 2020, sections IV-A to IV-C). Registers
// that a warp's last few instructions read or wrote stay in the collector, and later instructions find them
// there. Each warp has its own window. A register has at most one entry, so a younger value that takes the
// slot replaces the older one.
//
// An instruction's operands are copied when it is inserted, or when the bank delivers them. An entry is a
// copy for later instructions. A result goes to the slot that was reserved when its instruction was inserted,
// or to none.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/policy/result_use.h"
#include "subcore/model/statistics/counter.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {

// The size of a window, and the treatment of results.
struct BypassWindowOptions {
  unsigned instructions = 3;  // IW, 1..32: a value stays while its last use is less than IW instructions ago
  unsigned entries = 12;      // 1..64
  bool write_back = false;    // results stay out of the banks until they leave the window
  bool partial_safe = true;   // results of some live lanes only complete existing values, and go to the banks
  bool program_order = true;  // instructions come in program order; else window-only hints are not trusted
};

// The look-up of an instruction's sources. Each source is a hit, shared or a miss.
struct WindowLookup {
  std::uint64_t index = 0;  // number of the instruction in its warp
  SourceSet hits = 0;       // here, with data: copied to SourceOperand::collected
  SourceSet shared = 0;     // here, but the data are still on their way for an older instruction, the filler
  SourceSet misses = 0;     // to be read from the banks
  std::uint8_t reserved = 0;  // a bit per destination for which a slot is reserved
  Cycle ready = 0;            // first cycle in which the data of every hit may be used
  std::array<const Instruction*, max_sources> filler{};
};

class BypassWindow {
 public:
  // A register, and one of its values.
  struct Value {
    Register reg;
    Version version;
  };
  // A slot that was reserved for a result which has not come.
  struct Release {
    const Instruction* producer;
    unsigned destination;
  };
  struct Counters {
    CounterList& list;
    Counter to_both{list, "hinted_both", "operands", "destinations for window and banks, or without a hint"};
    Counter to_window{list, "hinted_window", "operands", "destinations for the window only"};
    Counter to_banks{list, "hinted_banks", "operands", "destinations for the banks only"};
    Counter slid_out{list, "slid_out", "entries", "entries that left because the window slid"};
    Counter displaced{list, "displaced", "entries", "entries that left inside the window, to make room"};
    Counter no_room{list, "no_room", "operands", "operands not kept because every entry was in use"};
    Counter write_backs{list, "write_backs", "operands", "dirty values that left the window for the banks"};
    Counter overwritten{list, "overwritten", "operands",
                        "dirty values that a younger result of their register overwrote"};
    Counter died{list, "died", "operands", "dirty values dropped when their warp had exited"};
    Counter forced_write_backs{list, "forced_write_backs", "operands",
                               "window-only values sent to the banks for lack of room"};
    Counter hint_violations{list, "hint_violations", "operands",
                            "window-only values that were sent to the banks and read again"};
    Counter flushes{list, "flushes", "flushes", "windows that ended at a taken branch"};
  };

  // Throws std::invalid_argument if an option is out of range.
  explicit BypassWindow(const BypassWindowOptions& options);
  const BypassWindowOptions& options() const { return options_; }

  // Inserts the next instruction of the warp: looks its sources up, slides the window, makes entries for its
  // misses, and reserves slots for its destinations. Afterwards written_back() has the values that go to the
  // banks, and released() the slots that other instructions lose. Both last until the next call of a function
  // that is not const.
  const WindowLookup& insert(Instruction& i);
  // The instruction inserted as `index` has read its operands, so nothing has to be kept for it any longer.
  void dispatched(std::uint64_t index) { release(static_cast<unsigned>(index % 64)); }
  // A source of `filler` has come from the banks, and may be used from cycle `ready` on.
  void fill(const Instruction& filler, Register r, const Version& v, Cycle ready);
  // A result has come. False if its slot has gone meanwhile. The window then does not have the result, and a
  // caller that kept it out of the banks has to write it there.
  bool result(Register r, const RegisterWrite& result, bool partial);
  // A taken branch: the next instruction begins a new window. written_back() has the dirty values, and
  // released() the slots that are lost.
  void flush();
  // Another warp comes. All values are dropped, even if the banks do not have them, because the old warp's
  // registers are dead.
  void reset();

  const std::vector<Value>& written_back() const { return written_back_; }
  const std::vector<Release>& released() const { return released_; }
  const Counters& counters() const { return counters_; }
  // The use of results in the window.
  const EntryUse& use() const { return use_; }
  std::uint64_t next_index() const { return next_; }
  unsigned size() const { return static_cast<unsigned>(entries_.size()); }
  unsigned used() const { return bits::count(valid_); }
  std::uint64_t valid_mask() const { return valid_; }
  std::uint64_t dirty_mask() const { return dirty_; }
  // The register of an entry in valid_mask(), and whether its data is there.
  Register tag(unsigned e) const { return entries_[e].tag; }
  bool filled(unsigned e) const { return entries_[e].filled; }
  // Whether the register has an entry.
  bool has(Register r) const { return find(r) >= 0; }
  // Whether the register has an entry whose data have write `w` and all writes before it.
  bool holds(Register r, std::uint32_t w) const;

 private:
  enum class Leaves { slides, displaced, flushed };
  struct Entry {
    Version version;                        // the version of the data
    std::uint32_t awaited = 0;              // number of the write whose result is awaited
    std::uint64_t touch = 0;                // index of the last instruction that read or wrote the register
    std::uint64_t order = 0;                // the order of allocation: FIFO
    std::uint64_t users = 0;                // undispatched instructions with this source, by index mod 64
    Cycle ready = 0;                        // when the data come
    const Instruction* filler = nullptr;    // the instruction whose bank read brings the data
    const Instruction* producer = nullptr;  // the instruction whose result is awaited
    Register tag = 0;
    std::uint8_t destination = 0;  // the destination of the producer
    bool filled = false;           // whether the data have come
    bool window_only = false;      // whether the value need not be written back
  };

  int find(Register r) const {
    for (const unsigned e : bits::each(valid_)) {
      if (entries_[e].tag == r) return static_cast<int>(e);
    }
    return -1;
  }
  void look_up(Instruction& i);
  void slide();
  void give_up_accumulators(const StaticInstruction& code);
  int allocate(Register r);
  void reserve(const Instruction& i, unsigned d);
  void leave(unsigned e, Leaves why);
  void write_back(unsigned e);
  void remove(unsigned e) {
    bits::remove(valid_, e);
    bits::remove(dirty_, e);
    use_.gone(e);
  }
  void release(unsigned user);

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
  CounterList counter_list_;
  Counters counters_{counter_list_};
  EntryUse use_;
};

}  // namespace subcore
