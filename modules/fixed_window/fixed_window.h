// FixedWindow: reads operands in a window of cycles that the compiler counts on (Huerta, MICRO 2025), in
// place of collectors. Each sub-core has one. An instruction of fixed latency that issues in t is in Control
// in t+1 and in Allocate in t+2. In Allocate the instruction gets ports of the banks, or holds up all
// instructions behind it. In the next cycles it reads, and in the cycle after the reads it executes. Other
// instructions go from Control into the queue of their unit. At the queue's head they read, with the ports
// that are left.
//
// When an instruction of fixed latency comes, all that happens to it is known, because only older
// instructions are ahead. So the module asks at once for the instruction's reads and its dispatch, each for
// its cycle. A read of cycle c is granted in c-1, like any transfer that may be used from c on.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "subcore/model/policy/fixed_window/port_table.h"
#include "subcore/model/policy/fixed_window/result_queue.h"
#include "subcore/model/policy/fixed_window/window_cache.h"
#include "subcore/modules/execution_unit/execution_parameters.h"
#include "subcore/modules/fixed_window/window_stages.h"
#include "subcore/modules/operand_path/collector_choice.h"
#include "subcore/modules/operand_path/operand_path.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/credits.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/ring.h"

namespace subcore {

// The choice of operands that are kept to be read again.
enum class OperandReuse : std::uint8_t {
  none,
  flags,      // as in shipping GPUs: what the compiler's reuse flags name
  near_bits,  // Malekeh's near operands and results
};
constexpr std::array<std::string_view, 3> names(OperandReuse) {
  return {"none", "flags", "near_bits"};
}

// Lengths of the window and its queues (sub_core.collector.*).
struct FixedWindowParameters {
  std::uint32_t read_window = 3;
  std::uint32_t tensor_window = 6;
  std::uint32_t result_queue = 8;
  std::uint32_t unit_queue = 3;
  std::uint32_t memory_pipe = 2;
  std::uint32_t read_ports = 1, write_ports = 1;
  OperandReuse reuse = OperandReuse::flags;
  ReuseCacheParameters flags;
  std::uint32_t reuse_entries = 6;
  std::uint32_t result_ports = 1;
  void describe(ParameterVisitor& v);
};

class FixedWindow final : public OperandPath {
 public:
  AccessPort accesses{*this, "accesses", {"tag_search", "fwd_rd", "fwd_wr"}};  // accesses of the reuse cache
  std::optional<InPort<DestinationTransfer>> destination_socket;               // port D, if results are kept

  FixedWindow(const sc_core::sc_module_name& name, unsigned slots, const FixedWindowParameters& parameters,
              const CollectorSite& site);

  Cycle tick(Cycle now) override;
  InPort<DestinationTransfer>* port_d() override {
    return destination_socket ? &*destination_socket : nullptr;
  }
  std::vector<Signal> signals() override;
  void inventory(Inventory& list) const override;
  // Names of the stages of an instruction of fixed latency, in order: "Control", "Allocate", "Read 1", ...
  std::vector<std::string> stages() const;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;
  void register_statistics(StatisticsGroup& group) override;

 private:
  // A queue in front of a unit, with the instructions that have left it and are on their way to dispatch.
  struct Queue {
    // An instruction in the queue.
    struct Waiting {
      Instruction* instruction = nullptr;
      Cycle from = 0;            // first cycle in which the instruction may begin to read
      std::uint32_t wanted = 0;  // sources that must be read from the banks
      Cycle earliest = 0;        // first cycle of dispatch: the reuse cache gets another operand only then
    };
    Ring<Waiting> waiting;
    Credits room, latches;  // room in the queue, and in the latches behind the queue
    unsigned in_latches = 0;
    Cycle head_from = 0;       // first cycle in which another instruction may be at the head
    Cycle address_until = 0;   // last cycle in which the address unit is taken
    Cycle dispatch_until = 0;  // cycle of the last dispatch that has been asked for
  };
  // Fill: a value that a bank is giving to the reuse cache. Finder: an operand that found the value before it
  // came.
  struct Fill {
    WindowCache::Filler filler;
    Cycle read = 0;
  };
  struct Finder {
    WindowCache::Filler filler;
    Instruction* instruction = nullptr;
    std::uint8_t source = 0;
  };
  // A result of some lanes for an operand whose other lanes are still on their way.
  struct Overlay {
    RegisterWrite write;
    const Instruction* instruction = nullptr;
    std::uint8_t source = 0;
  };
  // The answer of the reuse cache for the sources of an instruction.
  struct Wanted {
    std::uint32_t reads = 0;  // sources that must be read from the banks
    std::uint32_t fills = 0;  // sources in `reads` that the cache waits for
    std::uint32_t here = 0;   // sources whose value has come
    Cycle earliest = 0;       // first cycle of execution: a value that was found is still being read
  };
  enum : unsigned { tag_search, reuse_rd, reuse_wr };  // events of `accesses`

  void issued(unsigned, IssueTransfer& t);
  void delivered(unsigned, OperandTransfer& t);
  void dispatched(unsigned, DispatchTransfer& t);
  void result(unsigned, DestinationTransfer& t);

  void let_through(Instruction& i, Cycle control);
  void enqueue(Queue& q, Queue::Waiting w, Cycle at);
  void read_at_heads(Cycle now);
  bool read_at_head(Queue& q, Cycle now);
  Wanted look_up(Instruction& i, Cycle execution);
  bool bypass(Instruction& i, unsigned s, Cycle read, Cycle execution, bool here);
  void came(Instruction& i, unsigned s, const Version& version);
  void pass(const Instruction& i, Cycle ready);
  void take_results(Cycle now);
  void count(const WindowCache::Results& results);
  void read(Instruction& i, const Wanted& wanted, const PortTable::Reads& reads);
  PortTable::Reads reads_of(const Instruction& i, std::uint32_t wanted) const;
  unsigned window_of(const Instruction& i) const;
  unsigned write_cycles(const Instruction& i) const;
  void tell_cause(Cycle stamp, StallCause cause);
  void tell_free(Cycle stamp);
  void show(const WindowStages::Plan& plan);
  unsigned bank(const Instruction& i, unsigned source) const {
    return site_.banks.bank(i.source(source), i.warp_slot);
  }
  Queue& queue_of(const Instruction& i) {
    return queues_[static_cast<std::size_t>(unit_of(i.code->execution))];
  }

  const FixedWindowParameters p_;
  const CollectorSite site_;
  const ExecutionParameters execution_;
  PortTable ports_;
  ResultQueue results_;
  std::unique_ptr<WindowCache> cache_;  // null: there is no cache
  WindowCache::Answers answers_;        // for the instruction that is looked up
  std::array<Queue, execution_unit_count> queues_;
  std::array<Cycle, execution_unit_count>
      unit_free_{};  // by unit: first cycle that executes another instruction of fixed latency
  Cycle allocate_free_ = 0;
  Queue::Waiting control_;         // the instruction that waits in Control for room in its queue
  Cycle heads_looked_at_ = never;  // cycle whose work read_at_heads() has done
  unsigned under_way_ = 0;         // instructions of fixed latency between issue and dispatch
  std::vector<Fill> fills_;        // values under way to the cache
  std::vector<Finder> finders_;
  std::vector<Overlay> overlays_;                        // in the order in which they are merged
  PayloadEventQueue<DestinationTransfer> late_results_;  // from port D
  std::unique_ptr<WindowStages> stages_;                 // null: no waveform is written

  struct Counters {
    CounterList& list;
    bool keeps_results;
    Counter instructions{list, "instructions", "instructions",
                         "instructions that read registers in the read window"};
    Counter source_operands{list, "source_operands", "operands", "source operands read"};
    Counter lookups{list, "cache_lookups", "operands", "source operands looked for in the reuse cache"};
    Counter hits{list, "cache_read_hits", "operands", "source operands found in the reuse cache"};
    Counter fills{list, "reuse_allocations", "operands", "source operands that entered the reuse cache"};
    Counter result_writes{list, keeps_results, "cache_writes", "operands", "results written into the cache"};
    Counter result_allocations{list, keeps_results, "result_allocations", "operands",
                               "results written into a new entry of the cache"};
    Counter invalidations{list, keeps_results, "invalidations", "operands",
                          "entries that a later result of variable latency will outdate"};
    Counter bypassed{list, "bypassed", "operands",
                     "source operands taken from a result that the bank did not have yet"};
    Counter hold_cycles{list, "hold_cycles", "cycles", "cycles in which Allocate let nothing through"};
  };
  Counters counters_{counter_list_, p_.reuse == OperandReuse::near_bits};
};

class FixedWindowChoice final : public CollectorChoice {
 public:
  FixedWindowParameters parameters;
  const char* module_name() const override { return "fixed_window"; }
  void describe(ParameterVisitor& v) override { parameters.describe(v); }
  void check(Checker& c) const override;
  FixedWindow* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
  bool keeps_values() const override { return false; }
  bool reads_in_window() const override { return true; }
  bool searches_tags() const override { return true; }
  bool copies_values() const override { return true; }
  std::uint32_t stall_causes() const override {
    return bit_of(StallCause::port_hold) | bit_of(StallCause::unit_queue) | bit_of(StallCause::unit_busy);
  }
  std::unique_ptr<Arbiter> make_arbiter(const RegisterFileParameters& file, const ArbiterPorts& ports,
                                        const BankMap& map, std::unique_ptr<ResultSteering> steering,
                                        bool whole_writes) const override;
  std::unique_ptr<DispatchScheduler> make_dispatch(const DispatchParameters& dispatch, unsigned collectors,
                                                   unsigned load_store_queue) const override;
  std::optional<UnitGate> make_unit_gate(const ExecutionParameters& units) const override;
  std::uint32_t crossbar_outputs(std::uint32_t) const override { return parameters.flags.slots; }
  OtherOperands other_operands() const override;
  std::unique_ptr<ResultSteering> make_steering(const CollectorParameters& p,
                                                unsigned warp_slots) const override;
};

}  // namespace subcore
