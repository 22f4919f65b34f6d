// Signals: a module's state in a waveform. Each signal is asked once at the end of each cycle that had work,
// and only while a waveform is written. Data that only a signal needs is kept for it alone (signal_probe.h),
// so that a run without a waveform pays nothing.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/modules/protocol/cycle.h"

namespace subcore {

struct Signal {
  // How the value is shown.
  enum class Form : std::uint8_t {
    number,     // shown in decimal
    mask,       // a bit for each thing; never x
    address,    // shown in hexadecimal
    cause,      // the number of a stall cause (StallCause), shown by name in its group's colour
    text,       // words that `text` makes of the value, always the same of one value
    real,       // the bits of a double
    per_cycle,  // `value` counts up, and the signal is what was added in the cycle; never x. Its key, if
                // there is one, is SignalList::activity() of the value
    key         // not shown: signals up to the next key are asked only when the key changes
  };
  std::string name;
  unsigned bits;
  // The value at the end of a cycle; `x` if there is nothing to show.
  std::function<std::uint64_t(Cycle)> value;
  Form form = Form::number;
  std::function<std::string(std::uint64_t)> text = {};
  bool interesting = true;  // gets a row in the list of what a viewer shows first
  std::string group = {};   // group of the row; empty: the module's group

  static constexpr std::uint64_t x = ~std::uint64_t{0};
};

// The value of a register and its marks, one bit each. marked_register_text() shows it.
inline std::uint64_t marked_register(Register r, unsigned marks) {
  return std::uint64_t{r} | std::uint64_t{marks} << 8;
}
// Text of such a value: "R12", or "R12+near+locked". `names` are the names of the marks, from the lowest bit
// on.
inline std::string marked_register_text(std::uint64_t value, const std::vector<const char*>& names) {
  std::string text = "R" + std::to_string(value & 0xff);
  unsigned mark = 8;
  for (const char* name : names) {
    if (bits::has(value, mark++)) text += std::string("+") + name;
  }
  return text;
}

// A module's signals, in display order. Each call adds a signal.
class SignalList {
 public:
  using Value = std::function<std::uint64_t(Cycle)>;
  using Text = std::function<std::string(std::uint64_t)>;

  // `prefix`: begins each name, because viewers show a signal without its module.
  explicit SignalList(std::string prefix = {}) : prefix_(std::move(prefix)) {}

  SignalList& flag(const std::string& name, Value v) { return put(name, 1, std::move(v)); }
  SignalList& number(const std::string& name, unsigned bits, Value v) {
    return put(name, bits, std::move(v));
  }
  SignalList& mask(const std::string& name, unsigned bits, Value v) {
    return put(name, bits, std::move(v), Signal::Form::mask);
  }
  SignalList& address(const std::string& name, Value v) {
    return put(name, 64, std::move(v), Signal::Form::address);
  }
  SignalList& per_cycle(const std::string& name, unsigned bits, Value total) {
    return put(name, bits, std::move(total), Signal::Form::per_cycle);
  }
  SignalList& real(const std::string& name, std::function<double(Cycle)> v) {
    return put(
        name, 64,
        [v = std::move(v)](Cycle c) {
          const double d = v(c);
          std::uint64_t bits = 0;
          std::memcpy(&bits, &d, sizeof bits);
          return bits;
        },
        Signal::Form::real);
  }
  SignalList& cause(const std::string& name, Value v) {
    return put(name, 8, std::move(v), Signal::Form::cause);
  }
  SignalList& text(const std::string& name, Value v, Text t) {
    put(name, 1, std::move(v), Signal::Form::text);
    all_.back().text = std::move(t);
    return *this;
  }
  // Adds a register and its marks: marked_register().
  SignalList& marked(const std::string& name, std::vector<const char*> marks, Value v) {
    return text(name, std::move(v), [marks = std::move(marks)](std::uint64_t value) {
      return marked_register_text(value, marks);
    });
  }
  SignalList& key(Value v) { return put("", 0, std::move(v), Signal::Form::key); }
  SignalList& always() { return key(nullptr); }  // from here on signals are asked in every cycle again
  // Adds a key that changes in each cycle in which `total` has grown, and in the next cycle. For signals that
  // show something only in the cycle in which it happens.
  SignalList& activity(Value total) {
    struct State {
      std::uint64_t last = 0, number = 0;
      bool live = false;
    };
    return key([total = std::move(total), s = State{}](Cycle c) mutable {
      const std::uint64_t now = total(c);
      if (now != s.last || s.live) ++s.number;
      s.live = now != s.last;
      s.last = now;
      return s.number;
    });
  }

  // Adds signals of an instruction, or of none: its warp slot and program counter, for example "s3:07a0", and
  // its opcode. These signals need a key that changes whenever identity() does.
  template <class Find>
  SignalList& instruction(const std::string& of, Find find) {
    text(
        of + "instruction",
        [find](Cycle c) {
          const Instruction* i = find(c);
          return i == nullptr ? Signal::x : instruction_value(*i);
        },
        instruction_text);
    return opcode(of + "opcode", find);
  }
  template <class Find>
  SignalList& opcode(const std::string& name, Find find) {
    return text(
        name,
        [find](Cycle c) {
          const Instruction* i = find(c);
          return i == nullptr || i->code->name == nullptr ? Signal::x
                                                          : reinterpret_cast<std::uintptr_t>(i->code->name);
        },
        [](std::uint64_t name_of) { return *reinterpret_cast<const std::string*>(name_of); });
  }
  static std::uint64_t instruction_value(const Instruction& i) {
    return i.code->pc << 8 | (i.warp_slot & 0xffu);
  }
  static std::string instruction_text(std::uint64_t value) {
    return 's' + std::to_string(value & 0xff) + ':' + pc_text(value >> 8);
  }
  // A program counter as in listings: hexadecimal, with four digits or more.
  static std::string pc_text(std::uint64_t pc) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%04llx", static_cast<unsigned long long>(pc));
    return digits;
  }
  // Identity of one dynamic instruction. Another instruction has another identity, even in the same place of
  // its pool.
  static std::uint64_t identity(const Instruction* i) {
    if (i == nullptr) return Signal::x;
    return reinterpret_cast<std::uintptr_t>(i) ^ i->sequence << 32 ^ std::uint64_t{i->warp_uid} << 52;
  }

  // aside(): the last signal needs no row. in(): rows of the signals that follow stand in a group of this
  // name.
  SignalList& aside() {
    all_.back().interesting = false;
    return *this;
  }
  SignalList& in(const std::string& group) {
    group_ = group;
    return *this;
  }

  operator std::vector<Signal>() { return std::move(all_); }

 private:
  SignalList& put(const std::string& name, unsigned bits, Value v, Signal::Form form = Signal::Form::number) {
    all_.push_back({prefix_ + name, bits, std::move(v), form, {}, true, group_});
    return *this;
  }
  std::string prefix_, group_;
  std::vector<Signal> all_;
};

}  // namespace subcore
