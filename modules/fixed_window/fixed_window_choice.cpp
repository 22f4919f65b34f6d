// Parameters of the fixed read window, its demands on the rest of a platform file, and the arbiter and the
// dispatch scheduler that come with it.
#include <algorithm>
#include <array>
#include <sstream>

#include "subcore/model/isa/execution_class.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/steering/near_filter.h"
#include "subcore/modules/arbiter/arbiter.h"
#include "subcore/modules/dispatch_scheduler/dispatch_parameters.h"
#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"
#include "subcore/modules/fixed_window/fixed_window.h"
#include "subcore/modules/operand_path/collector_parameters.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {
namespace {

// Longest latency of a unit of fixed latency, in cycles: plans must fit into the tables of ports and results.
constexpr std::uint64_t longest_latency = 256;

std::string key_of(const ExecutionClassLine& line, const char* what) {
  return "sub_core.execution." + std::string(line.key) + '.' + what;
}

// Dispatch without a choice between units: each unit takes the instruction that has waited longest for it,
// whatever other units take in that cycle.
class PerUnitDispatch final : public DispatchScheduler {
 public:
  using DispatchScheduler::DispatchScheduler;
  Cycle tick(Cycle now) override {
    if (waiting_.empty() || last_dispatch_ == now) return never;
    for (unsigned unit = 0; unit < execution_unit_count; ++unit) {
      std::size_t first = waiting_.size();
      for (std::size_t n = 0; n < waiting_.size(); ++n) {
        const Waiting& w = waiting_[n];
        if (w.unit != unit || w.stamp > now) continue;
        if (first == waiting_.size() || goes_before(w, waiting_[first])) first = n;
      }
      if (first == waiting_.size() || !unit_socket[unit].ready(now)) continue;
      const Waiting chosen = waiting_[first];
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(first));
      dispatch(chosen, now);
    }
    return next_chance(now);
  }

 private:
  // A warpgroup's product gives way to instructions of fixed latency in the same tensor core.
  static bool goes_before(const Waiting& a, const Waiting& b) {
    const bool a_waits = a.instruction->is_product(), b_waits = b.instruction->is_product();
    return a_waits != b_waits ? b_waits : a.stamp < b.stamp;
  }
};

// Arbiter of banks that have separate ports for reads and writes (Huerta, MICRO 2025). Every read is granted,
// because its reader has reserved a port. Writes take the write ports of a bank. Results that the compiler
// counts on go first.
class ReservedPortArbiter final : public Arbiter {
 public:
  // `read_ports`, `write_ports`: ports of a bank; 0 = no limit.
  ReservedPortArbiter(const sc_core::sc_module_name& name, const RegisterFileParameters& parameters,
                      const Ports& ports, const BankMap& map, std::unique_ptr<ResultSteering> steering,
                      bool whole_writes, std::uint32_t read_ports, std::uint32_t write_ports)
      : Arbiter(name, parameters, ports, map, std::move(steering), whole_writes),
        read_ports_(static_cast<std::uint8_t>(read_ports)),
        write_ports_(static_cast<std::uint8_t>(write_ports)) {}

 private:
  // Results that the compiler counts on cannot wait. If such a result and a load's result want one bank, the
  // load's waits.
  void begin_writes(Cycle now) override {
    writes_of_bank_.fill(0);
    waiting_.fill(nullptr);
    waiting_warps_.fill(0);
    auto first = results_.begin();
    for (auto r = first; r != results_.end() && r->stamp <= now; ++r)
      if (has_counted_result(*r->instruction->code)) std::rotate(first++, r, r + 1);
  }
  // From sm_80 on, the wait for a MUFU without a counter of its own is the wait for the counter of a later
  // MUFU. So results of a unit that an architecture's table times are written in order.
  bool take_bank(unsigned bank, const Result* result) override {
    if (result == nullptr) {  // an accumulator
      if (write_ports_ != 0 && writes_of_bank_[bank] == write_ports_) return false;
      ++writes_of_bank_[bank];
      return true;
    }
    const Instruction*& waits = waiting_[result->source];
    if (waits != nullptr && waits != result->instruction && result->instruction->code->latency != 0)
      return false;
    if (write_ports_ != 0 && writes_of_bank_[bank] == write_ports_) {
      if (waits == nullptr) waits = result->instruction;
      const Instruction& i = *result->instruction;
      if (!has_counted_result(*i.code) && !is_long_latency(*i.code))
        bits::add(waiting_warps_[result->source], i.warp_slot);
      return false;
    }
    ++writes_of_bank_[bank];
    return true;
  }
  // A unit of variable latency completes a warp's instructions in order, unless the older one is a load that
  // may miss. Compilers rely on this order: the counter of the last of several loads of shared memory stands
  // for all.
  bool is_held_back(const Result& result) const override {
    const Instruction& i = *result.instruction;
    return bits::has(waiting_warps_[result.source], i.warp_slot) && !has_counted_result(*i.code);
  }
  bool grant_reads(Cycle now) override {
    std::array<std::uint8_t, 64> granted{};
    std::size_t left = 0;
    for (std::size_t n = 0; n < reads_.size(); ++n) {
      const Read r = reads_[n];
      if (r.stamp > now) {
        reads_[left++] = r;
        continue;
      }
      // Reads of a product's accumulators do not use the ports of the window.
      if (r.kind == OperandTransfer::Kind::read && read_ports_ != 0 && ++granted[r.bank] > read_ports_)
        report_ports(r, now);
      grant(r, now);
    }
    reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(left), reads_.end());
    return false;
  }
  void report_ports(const Read& r, Cycle now) const {
    std::ostringstream text;
    text << name() << ": cycle " << now << ": bank " << unsigned{r.bank} << " is read more than "
         << unsigned{read_ports_} << " times, for R" << unsigned{r.reg} << " of " << slot_name(r.warp_slot)
         << "; expected reserved ports";
    fail(report_id::ports, text.str());
  }

  std::uint8_t read_ports_, write_ports_;
  std::array<std::uint8_t, 64> writes_of_bank_{};                   // writes in this cycle
  std::array<const Instruction*, execution_unit_count> waiting_{};  // by unit: the first result that waits
  // By unit: warp slots with a waiting result that younger results may not overtake.
  std::array<std::uint64_t, execution_unit_count> waiting_warps_{};
};

}  // namespace

void FixedWindowParameters::describe(ParameterVisitor& v) {
  v.field("read_window", read_window, {1, 8}, "cycles",
          "window of cycles in which an instruction of fixed latency reads its registers");
  v.field("tensor_window", tensor_window, {1, 12}, "cycles",
          "read window of a tensor instruction with an operand of four registers; used if units are timed by "
          "class");
  v.field("result_queue", result_queue, {1, 32}, "results",
          "places of the queue in which results of fixed latency wait for their banks; instructions may read "
          "results from the queue");
  v.field("unit_queue", unit_queue, {1, 16}, "instructions",
          "places of the queue in front of a unit of variable latency; the instruction at the head reads its "
          "registers");
  v.field("memory_pipe", memory_pipe, {0, 16}, "cycles",
          "time from the reading of a memory instruction's addresses to the load/store unit; then other "
          "instructions may write its sources");
  v.field("read_ports", read_ports, {0, 8}, "ports",
          "read ports of each bank, beside its write ports; an instruction reserves the ports that it reads "
          "by; 0 = no limit");
  v.field("write_ports", write_ports, {0, 8}, "ports", "write ports of each bank; 0 = no limit");
  v.choice("reuse", reuse,
           "register cache for operands that may be read again: none, one that the compiler manages by reuse "
           "flags, or one of near operands and results (Malekeh)");
  v.only_if(reuse == OperandReuse::flags, "sub_core.collector.reuse flags", [&] { flags.describe(v); });
  v.only_if(reuse == OperandReuse::near_bits, "sub_core.collector.reuse near_bits", [&] {
    v.field("reuse_entries", reuse_entries, {1, 64}, "entries", "entries of the cache of near operands");
    v.field("result_ports", result_ports, {0, 16}, "results/cycle",
            "port D width per collector; 0 = unlimited");
  });
}

// Cycles that the compiler has counted on must hold. So nothing but what is modelled here may come between
// issue and execution.
void FixedWindowChoice::check(Checker& c) const {
  const auto demand = [&](bool holds, const std::string& key, const std::string& expected) {
    c.require(holds, key.c_str(), {"sub_core.collector.kind"},
              "does not go with sub_core.collector.kind 'fixed_window'; expected " + expected);
  };
  const auto word = [&](const std::string& key, const char* expected) {
    demand(c.is(key, expected), key, expected);
  };
  const auto number = [&](const std::string& key, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t n = c.whole(key);
    demand(low <= n && n <= high, key,
           low == high ? std::to_string(low) : std::to_string(low) + " to " + std::to_string(high));
  };
  word("sub_core.operand_cache.kind", "none");
  word("sub_core.collector.branch", "ignore");
  number("sub_core.collector.count", 1, 1);
  number("sub_core.scheduler.two_level.active_warps", 0, 0);
  number("sub_core.register_file.read_latency", 0, 0);
  number("sub_core.register_file.steps_per_cycle", 1, 1);
  number("sub_core.register_file.result_latches", 2, 16);
  c.require(!c.is("sub_core.scheduler.war_guard", "off"), "sub_core.scheduler.war_guard",
            {"sub_core.collector.kind"},
            "'off' lets a younger write overtake a read at the head of a queue (sub_core.collector.kind "
            "'fixed_window'); expected queued_reads, operand_collection or write_back");
  c.require(parameters.reuse != OperandReuse::near_bits || !c.is("passes.near_bits", "none"),
            "sub_core.collector.reuse", {"passes.near_bits"},
            "'near_bits' keeps nothing where every operand is far (passes.near_bits none); expected "
            "passes.near_bits threshold, static, trained or precise, or reuse none or flags");
  number("sub_core.register_file.banks", 2, 64);  // a result of two registers goes to two banks
  // Units that an architecture's table times give all results that are ready, and their latencies fit.
  if (!c.is("sub_core.execution.architecture", "by_class")) return;
  for (const ExecutionClassLine& line : execution_classes) {
    if (line.key == nullptr || line.latency_class == LatencyClass::queued) continue;
    const std::string latency = key_of(line, "latency"), interval = key_of(line, "initiation_interval");
    number(latency, 1, longest_latency);
    number(interval, 1, longest_latency);
    // A unit gives one result a cycle, so an instruction must be done later than the instruction before.
    for (const ExecutionClassLine& behind : execution_classes) {
      if (behind.unit != line.unit || behind.key == nullptr) continue;
      const std::uint64_t sum = c.whole(interval) + c.whole(key_of(behind, "latency"));
      if (sum > c.whole(latency)) continue;
      number(key_of(behind, "latency"), c.whole(latency) - c.whole(interval) + 1, longest_latency);
    }
  }
}

// Operands that the reuse cache keeps. With flags, the cache has an entry for each slot and bank.
OtherOperands FixedWindowChoice::other_operands() const {
  switch (parameters.reuse) {
    case OperandReuse::flags:
      return parameters.flags.entries();
    case OperandReuse::near_bits:
      return parameters.reuse_entries;
    default:
      return 0;
  }
}

std::unique_ptr<ResultSteering> FixedWindowChoice::make_steering(const CollectorParameters&, unsigned) const {
  if (parameters.reuse != OperandReuse::near_bits) return nullptr;
  return std::make_unique<LateResults>(parameters.result_ports);
}

std::unique_ptr<Arbiter> FixedWindowChoice::make_arbiter(const RegisterFileParameters& file,
                                                         const ArbiterPorts& ports, const BankMap& map,
                                                         std::unique_ptr<ResultSteering> steering,
                                                         bool whole_writes) const {
  return std::make_unique<ReservedPortArbiter>("arbiter", file, ports, map, std::move(steering), whole_writes,
                                               parameters.read_ports, parameters.write_ports);
}

std::unique_ptr<DispatchScheduler> FixedWindowChoice::make_dispatch(const DispatchParameters& dispatch,
                                                                    unsigned collectors,
                                                                    unsigned load_store_queue) const {
  return std::make_unique<PerUnitDispatch>("dispatch_scheduler", dispatch.order, collectors,
                                           load_store_queue);
}

std::optional<UnitGate> FixedWindowChoice::make_unit_gate(const ExecutionParameters& units) const {
  UnitGate::Intervals intervals{};
  for (const ExecutionClassLine& line : execution_classes)
    if (line.key != nullptr)
      intervals[static_cast<std::size_t>(line.execution)] = units.of(line.execution).initiation_interval;
  return UnitGate(intervals);
}

FixedWindow* FixedWindowChoice::make(const char* name, const CollectorParameters& p,
                                     const CollectorSite& site) const {
  return new FixedWindow(name, p.slots, parameters, site);
}

}  // namespace subcore
