// The kinds of operand paths that a platform file may name (sub_core.collector.kind), and what the sub-core
// around them has to know of each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "subcore/model/parameters/choice.h"
#include "subcore/model/policy/bank_map.h"
#include "subcore/model/policy/issue/unit_gate.h"
#include "subcore/model/policy/steering/result_steering.h"

namespace subcore {

class Arbiter;                  // arbiter.h
class DispatchScheduler;        // dispatch_scheduler.h
class ExecutionParameters;      // execution_parameters.h
class OperandPath;              // operand_path.h
struct ArbiterPorts;            // arbiter.h
struct CollectorParameters;     // collector_parameters.h
struct DispatchParameters;      // dispatch_parameters.h
struct RegisterFileParameters;  // register_file_parameters.h

// The site of a collector: its number in the sub-core, and the parameters around it.
struct CollectorSite {
  unsigned index = 0;                              // in the sub-core
  std::uint64_t seed = 0;                          // for its random choices
  bool program_order = true;                       // the instructions of a warp come in program order
  bool shares = false;                             // a warp may have several collectors at a time
  const ExecutionParameters* execution = nullptr;  // null where a test puts a collector together alone
  BankMap banks{1, BankWarpId::none, 0, 1};
};

// Operands that collectors store beside those of their slots or entries.
struct OtherOperands {
  // `count` operands of a store that so many collectors share: 1 = each has its own, 0 = one store for all
  // collectors of a sub-core.
  constexpr OtherOperands(std::uint32_t count, std::uint32_t shared = 1)
      : operands(count), shared_by(shared) {}
  // All of a sub-core with so many collectors.
  constexpr std::uint32_t of(std::uint32_t collectors) const {
    return operands * (shared_by == 0 ? 1 : (collectors + shared_by - 1) / shared_by);
  }
  std::uint32_t operands;
  std::uint32_t shared_by;
};

// Makes the collectors of one sub-core, one after the other, and owns what they share.
class CollectorFactory {
 public:
  virtual ~CollectorFactory() = default;
  // A new module, which belongs to the module under construction. `parameters`: what all kinds have.
  virtual OperandPath* make(const char* name, const CollectorParameters& parameters,
                            const CollectorSite& site) = 0;
};

class CollectorChoice : public Choice {
 public:
  // Module names begin so: "caching_collector" makes caching_collector_0, caching_collector_1, ...
  virtual const char* module_name() const = 0;
  // A new module, which belongs to the module under construction. `parameters`: what all kinds have.
  virtual OperandPath* make(const char* name, const CollectorParameters& parameters,
                            const CollectorSite& site) const = 0;
  // A factory for each sub-core, for kinds whose collectors share a store. It lives as long as they do. The
  // default calls make(), and nothing is shared.
  virtual std::unique_ptr<CollectorFactory> make_factory(const CollectorParameters& parameters,
                                                         unsigned warp_slots) const;
  // Every result of the sub-core is announced to its first collector, whichever warp's it is and wherever it
  // goes: for a store that collectors share, whose copies it may outdate. The first collector must have
  // port D, else a sub-core is refused with an error of id "/subcore/binding".
  virtual bool hears_all_results() const { return false; }
  // The kind keeps values from one instruction to the next, so that it has `entries`, and tags to be
  // searched. It then has port D, too.
  virtual bool keeps_values() const { return true; }
  // The kind reads in the order of issue and in a time that the compiler counts on, and every unit takes what
  // is meant for it: control bits may stand for a scoreboard, and nothing chooses what is dispatched.
  virtual bool reads_in_window() const { return false; }
  // The kind's modules tell of searches for tags, and of values that are copied in them (fwd_rd, fwd_wr).
  virtual bool searches_tags() const { return keeps_values(); }
  virtual bool copies_values() const { return copies_hits(); }
  // A bit for each cause for which a warp waits with this kind only, and those like it
  // (is_of_operand_path()).
  virtual std::uint32_t stall_causes() const { return 0; }
  // The arbiter of the banks that the kind reads; it belongs to the module under construction.
  virtual std::unique_ptr<Arbiter> make_arbiter(const RegisterFileParameters&, const ArbiterPorts&,
                                                const BankMap&, std::unique_ptr<ResultSteering>,
                                                bool whole_writes) const;
  // The dispatch scheduler behind the kind; it belongs to the module under construction.
  virtual std::unique_ptr<DispatchScheduler> make_dispatch(const DispatchParameters&, unsigned collectors,
                                                           unsigned load_store_queue) const;
  // The gate by which no instruction issues faster than units take them. None: the kind waits for units.
  virtual std::optional<UnitGate> make_unit_gate(const ExecutionParameters&) const { return std::nullopt; }
  // Outputs of the crossbar from the banks, for `count` collectors.
  virtual std::uint32_t crossbar_outputs(std::uint32_t count) const { return count; }
  // Operands that collectors store beside those of their slots or entries.
  virtual OtherOperands other_operands() const { return 0; }
  // A hit is copied into a latch of the instruction's own.
  virtual bool copies_hits() const { return false; }
  // The policy that says which results come to the collectors. Null: none do.
  virtual std::unique_ptr<ResultSteering> make_steering(const CollectorParameters&,
                                                        unsigned /*warp_slots*/) const {
    return nullptr;
  }
  static Choices<CollectorChoice>& choices();
};

}  // namespace subcore
