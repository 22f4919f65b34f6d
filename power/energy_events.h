// The energy events. Tables give their coefficients, and monitors count them. One event moves, looks up or
// grants one warp operand, which is 32 lanes of 4 bytes. README.md says when each event is charged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The events that cost energy. The table of coefficients has a line for each.
enum class EnergyEvent : std::uint8_t {
  bank_rd,     // register bank read
  bank_wr,     // register bank write
  xbar_rd,     // crossbar, bank to collector
  xbar_wr,     // write path, result to collector
  arb,         // arbiter grant
  buf_rd,      // collector buffer read, at dispatch
  buf_wr,      // collector buffer write
  tag_search,  // associative look-up of one register
  tag_wr,      // tag of a new entry
  fwd_rd,      // bypassing collectors: copy of a window hit, read side
  fwd_wr,      // the same copy, write side
  // An operand cache between collectors and banks (RFC and its kin):
  cache_rd,      // data array read: a hit, or a value on its way back to the banks
  cache_wr,      // data array write: a result, or a copy of what the banks delivered
  cache_search,  // look-up by tag
  cache_path,    // result into the cache, or value from it to the banks
  cache_out,     // hit, from the cache to a collector
  // The issue stage, with energy.issue_logic:
  ibuf_wr,     // instruction into the instruction buffer
  ibuf_rd,     // instruction out of the buffer, at issue
  dep_wr,      // dependence matrix: comparison with the older instructions, and write of a row
  dep_rd,      // read of the matrix's rows, at issue
  dep_clr,     // write of a column, at write-back
  scoreboard,  // an in-order instruction in the scoreboards: look-up and mark at issue, clearing later
};

// The part of a sub-core that an event belongs to.
enum class EnergyOwner : std::uint8_t { bank, arbiter, crossbar, collector, operand_cache, issue_logic };

// An event, its key in energy tables and results, and the part in which it happens.
struct EnergyEventLine {
  EnergyEvent event;
  std::string_view name;
  EnergyOwner owner;
};

// The model's own events. A new event needs one enumerator and one line here.
inline constexpr std::array energy_events{
    EnergyEventLine{EnergyEvent::bank_rd, "bank_rd", EnergyOwner::bank},
    EnergyEventLine{EnergyEvent::bank_wr, "bank_wr", EnergyOwner::bank},
    EnergyEventLine{EnergyEvent::xbar_rd, "xbar_rd", EnergyOwner::crossbar},
    EnergyEventLine{EnergyEvent::xbar_wr, "xbar_wr", EnergyOwner::crossbar},
    EnergyEventLine{EnergyEvent::arb, "arb", EnergyOwner::arbiter},
    EnergyEventLine{EnergyEvent::buf_rd, "buf_rd", EnergyOwner::collector},
    EnergyEventLine{EnergyEvent::buf_wr, "buf_wr", EnergyOwner::collector},
    EnergyEventLine{EnergyEvent::tag_search, "tag_search", EnergyOwner::collector},
    EnergyEventLine{EnergyEvent::tag_wr, "tag_wr", EnergyOwner::collector},
    EnergyEventLine{EnergyEvent::fwd_rd, "fwd_rd", EnergyOwner::collector},
    EnergyEventLine{EnergyEvent::fwd_wr, "fwd_wr", EnergyOwner::collector},
    EnergyEventLine{EnergyEvent::cache_rd, "cache_rd", EnergyOwner::operand_cache},
    EnergyEventLine{EnergyEvent::cache_wr, "cache_wr", EnergyOwner::operand_cache},
    EnergyEventLine{EnergyEvent::cache_search, "cache_search", EnergyOwner::operand_cache},
    EnergyEventLine{EnergyEvent::cache_path, "cache_path", EnergyOwner::operand_cache},
    EnergyEventLine{EnergyEvent::cache_out, "cache_out", EnergyOwner::operand_cache},
    EnergyEventLine{EnergyEvent::ibuf_wr, "ibuf_wr", EnergyOwner::issue_logic},
    EnergyEventLine{EnergyEvent::ibuf_rd, "ibuf_rd", EnergyOwner::issue_logic},
    EnergyEventLine{EnergyEvent::dep_wr, "dep_wr", EnergyOwner::issue_logic},
    EnergyEventLine{EnergyEvent::dep_rd, "dep_rd", EnergyOwner::issue_logic},
    EnergyEventLine{EnergyEvent::dep_clr, "dep_clr", EnergyOwner::issue_logic},
    EnergyEventLine{EnergyEvent::scoreboard, "scoreboard", EnergyOwner::issue_logic},
};
// The count of the model's own events.
inline constexpr std::size_t energy_event_count = energy_events.size();

// The part of a sub-core in which an event happens.
constexpr EnergyOwner owner_of(EnergyEvent e) {
  return energy_events[static_cast<std::size_t>(e)].owner;
}
// Whether the table's lines follow the order of the enumerators. The compiler checks this.
constexpr bool energy_lines_follow_the_enumerators() {
  for (std::size_t i = 0; i < energy_event_count; ++i)
    if (static_cast<std::size_t>(energy_events[i].event) != i) return false;
  return static_cast<std::size_t>(EnergyEvent::scoreboard) + 1 == energy_event_count;
}
static_assert(energy_lines_follow_the_enumerators(), "one line for each enumerator, in their order");

// All events: first the model's own, in the order of the enumerators, then the events that users add before
// the first table is read. Users' ports (AccessPort) and tables name the added events.
class EnergyEvents {
 public:
  // An event. Its index is its place in counts.
  struct Entry {
    std::string name;
    EnergyOwner owner;
  };
  static EnergyEvents& table();
  // Adds an event and returns its index. Throws std::logic_error if the name is taken.
  std::size_t add(std::string name, EnergyOwner owner);
  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t i) const { return entries_[i]; }
  std::optional<std::size_t> find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  EnergyEvents();
  std::vector<Entry> entries_;
};

// One number for each event.
template <class Number>
class PerEnergyEvent {
 public:
  PerEnergyEvent() : all_(EnergyEvents::table().size()) {}
  std::size_t size() const { return all_.size(); }
  Number& operator[](std::size_t index) { return all_[index]; }
  const Number& operator[](std::size_t index) const { return all_[index]; }
  Number& operator[](EnergyEvent e) { return all_[static_cast<std::size_t>(e)]; }
  const Number& operator[](EnergyEvent e) const { return all_[static_cast<std::size_t>(e)]; }
  bool operator==(const PerEnergyEvent& other) const { return all_ == other.all_; }

 private:
  std::vector<Number> all_;
};

using EnergyCounts = PerEnergyEvent<std::uint64_t>;

}  // namespace subcore
