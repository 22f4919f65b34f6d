// Bypassing operand collector (BOC), of BOW, MICRO 2020, section IV. A BOC collects the operands of the last
// few instructions of one warp and forwards what these instructions read or wrote to later ones. Every
// instruction has operand latches of its own. The window (model/policy/bypass_window.h) says what a later
// instruction finds.
//
// * A hit is copied when the instruction comes in. A miss fills the latch and the window's entry.
// * If an instruction misses an operand that an older instruction already waits for, both wait for the same
//   delivery. The entry forwards the operand, so this miss counts as a hit.
// * A collector collects up to IW instructions at once, or one. Each instruction has slots with a latch of
//   its own behind them. Memory instructions leave in program order.
// * Results arrive on port D for slots that are still reserved. With write-back, the banks do not have such a
//   result yet. If the slot is released in the very cycle in which the result is sent, this collector writes
//   the result back.
// * A value that is written back has a stamp no later than any read that could want it. Writes of a bank go
//   before the bank's reads.
//
// A BOC is combinational in its issue cycle, like the other collectors. Results and departures take effect a
// cycle after they are announced. Every event first applies what is due, so the order of ticks within a cycle
// cannot be seen.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "subcore/model/policy/bypass_window.h"
#include "subcore/modules/collector/collector.h"
#include "subcore/modules/collector/write_back_port.h"
#include "subcore/modules/operand_path/collector_parameters.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/payload_event_queue.h"

namespace subcore {

// When a result in the window goes to the banks: at once (BOW), or when it leaves the window (BOW-WR).
enum class WritePolicy : std::uint8_t { write_through, write_back };
// How many instructions of a warp a BOC collects operands for at a time: as many as its window has, or one.
enum class InFlight : std::uint8_t { window, one };

constexpr std::array<std::string_view, 2> names(WritePolicy) {
  return {"write_through", "write_back"};
}
constexpr std::array<std::string_view, 2> names(InFlight) {
  return {"window", "1"};
}

class BocChoice final : public CollectorChoice {
 public:
  WritePolicy write_policy = WritePolicy::write_through;
  std::uint32_t window = 3;
  InFlight in_flight = InFlight::window;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  const char* module_name() const override { return "bypassing_collector"; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
  bool copies_hits() const override { return true; }
  std::unique_ptr<ResultSteering> make_steering(const CollectorParameters& p,
                                                unsigned warp_slots) const override;
};

class Boc final : public Collector {
 public:
  InPort<DestinationTransfer> destination_socket;  // port D
  AccessPort window_accesses{*this, "window_accesses", {"tag_search", "fwd_rd", "fwd_wr"}};

  struct Counters {
    CounterList& list;
    Counter instructions{list, "instructions", "instructions", "instructions collected"};
    Counter source_operands{list, "source_operands", "operands", "source operands looked up"};
    Counter hits{list, "cache_read_hits", "operands", "source operands found in the window"};
    Counter result_writes{list, "cache_writes", "operands", "results written into the window"};
    Counter late_results{list, "late_results", "operands", "late results, whose slot had left the window"};
    Counter late_write_backs{list, "late_write_backs", "operands",
                             "late results that were written back because no bank had them"};
  };

  // The collector's number is its warp's slot. Unless instructions come in program order, the collector takes
  // a write-back hint that names the window alone as "both".
  Boc(const sc_core::sc_module_name& name, const CollectorParameters& parameters, const BocChoice& own,
      const CollectorSite& site);

  Cycle tick(Cycle now) override;
  InPort<DestinationTransfer>* port_d() override { return &destination_socket; }
  OutPort<OperandTransfer>* write_back_port() override { return write_back_.port(); }
  std::uint64_t flushes() const override { return window_.counters().flushes; }
  const Counters& counters() const { return counters_; }
  const BypassWindow& window() const { return window_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  void inventory(Inventory& list) const override;
  bool drained() const override { return collecting_.empty() && results_.empty() && write_back_.drained(); }
  void report_waiting(std::ostream& out) const override;

 private:
  // Cycles by how full the window is: up to a quarter, half, three quarters, or all of its entries in use.
  struct Occupancy {
    CounterList list;
    std::array<Counter, 4> cycles{
        {{list, "occupancy_quarter", "cycles",
          "cycles between insertions with at most a quarter of the entries in use"},
         {list, "occupancy_half", "cycles",
          "cycles between insertions with a quarter to half of the entries in use"},
         {list, "occupancy_three_quarters", "cycles",
          "cycles between insertions with half to three quarters of the entries in use"},
         {list, "occupancy_full", "cycles",
          "cycles between insertions with more than three quarters of the entries in use"}}};
    Counter all{list, "window_cycles", "cycles", "cycles between insertions"};
    Counter entries{list, "window_entry_cycles", "entry cycles",
                    "entries in use, summed over the cycles between insertions"};
  };
  // An instruction whose operands have not moved to its latch.
  struct Collecting {
    Instruction* instruction;
    std::uint64_t index;    // place in the window
    std::uint32_t missing;  // sources that have not come, one bit each
    Cycle begun;            // first cycle here
    Cycle complete;         // first cycle in which all sources that have come may be used
    bool memory;
    bool told = false;  // the scheduler knows that the instruction waits for dispatch
  };
  struct Latch {
    const Instruction* instruction = nullptr;  // waits for dispatch
    Cycle free = 0;   // first cycle in which the latch is free; `never`: it is occupied
    Cycle moved = 0;  // first cycle of the instruction in the latch
  };
  struct Departure {
    Cycle stamp = 0;          // from when on the instruction is gone
    std::uint64_t index = 0;  // the instruction's place in the window
  };

  enum : unsigned { tag_search, fwd_rd, fwd_wr };  // events of window_accesses

  void issued(unsigned, IssueTransfer& t);
  void note_accesses(const Instruction& i, const WindowLookup& found);
  void delivered(unsigned, OperandTransfer& t);
  void result(unsigned, DestinationTransfer& t);
  void dispatched(unsigned, DispatchTransfer& t);

  void apply_due(Cycle now);
  void apply(const DestinationTransfer& t, Cycle now);
  void change_warp(const Instruction& i);
  void end_window_at_taken_branch(const Instruction& i, Cycle stamp);
  void note_occupancy(Cycle now);
  void move();
  void leave(std::size_t n);
  void tell_if_complete(Cycle stamp);
  void tell_changes(Cycle stamp);
  bool takes_another() const;
  CollectorStatus status() const { return {warp_uid_, holds_, false, takes_another()}; }

  WriteBackPort write_back_;
  BypassWindow window_;
  std::vector<Collecting> collecting_;              // in program order
  PayloadEventQueue<DestinationTransfer> results_;  // from port D
  PayloadEventQueue<Departure> leaving_;
  Cycle memory_left_ = 0;       // from when on the last memory instruction is gone
  std::uint64_t span_;          // places from the oldest to the youngest instruction at most
  std::vector<Latch> latches_;  // by place in the window, mod span_
  // For each source that an instruction misses: the instruction whose read brings the source.
  std::vector<std::array<const Instruction*, max_sources>> fillers_;
  std::uint32_t warp_uid_ = 0;
  std::uint32_t warp_number_ = 0;  // the warp's number in its kernel
  bool holds_ = false;
  bool duplicates_hit_, flush_on_taken_;
  bool after_branch_ = false;  // the last instruction was a branch, at branch_pc_
  std::uint64_t branch_pc_ = 0;
  unsigned last_used_ = 0;  // entries in use since last_insertion_
  Cycle last_insertion_ = never;
  Counters counters_{counter_list_};
  Occupancy occupancy_;
  CollectionTimes times_{counter_list_};
};

}  // namespace subcore
