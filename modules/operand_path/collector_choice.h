// The kinds of operand paths that a platform file may name (sub_core.collector.kind), and what the sub-core
// around a path has to know of its kind.
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
  const ExecutionParameters* execution = nullptr;  // null if a test makes a collector alone
  BankMap banks{1, BankWarpId::none, 0, 1};
};

// Operands that collectors store beside those of their slots or entries.
struct OtherOperands {
  // `count` operands of a store that `shared` collectors use together. 1: each collector has its own store.
  // 0: all collectors of a sub-core have one store.
  constexpr OtherOperands(std::uint32_t count, std::uint32_t shared = 1)
      : operands(count), shared_by(shared) {}
  // Operands of all stores of a sub-core with so many collectors.
  constexpr std::uint32_t of(std::uint32_t collectors) const {
    return operands * (shared_by == 0 ? 1 : (collectors + shared_by - 1) / shared_by);
  }
  std::uint32_t operands;
  std::uint32_t shared_by;
};

// Makes the collectors of one sub-core, one after the other, and owns the store that they share.
class CollectorFactory {
 public:
  virtual ~CollectorFactory() = default;
  // Makes a new module, which belongs to the module under construction. `parameters`: those that all kinds
  // have.
  virtual OperandPath* make(const char* name, const CollectorParameters& parameters,
                            const CollectorSite& site) = 0;
};

class CollectorChoice : public Choice {
 public:
  // How module names begin: "caching_collector" makes caching_collector_0, caching_collector_1, ...
  virtual const char* module_name() const = 0;
  // Makes a new module, which belongs to the module under construction. `parameters`: those that all kinds
  // have.
  virtual OperandPath* make(const char* name, const CollectorParameters& parameters,
                            const CollectorSite& site) const = 0;
  // Makes a factory for each sub-core, for kinds whose collectors share a store. The factory lives as long as
  // its collectors. The default factory calls make(), and its collectors share nothing.
  virtual std::unique_ptr<CollectorFactory> make_factory(const CollectorParameters& parameters,
                                                         unsigned warp_slots) const;
  // Whether every result of the sub-core is announced to the first collector, whichever warp's it is and
  // wherever it goes. For a store that collectors share, because a result may outdate its copies. The first
  // collector must have port D. Otherwise a sub-core is refused with an error of id "/subcore/binding".
  virtual bool hears_all_results() const { return false; }
  // Whether the kind keeps values from one instruction to the next. Then the kind has `entries`, tags to be
  // searched, and port D.
  virtual bool keeps_values() const { return true; }
  // Whether the kind reads in the order of issue and in a time that the compiler counts on. Every unit then
  // takes what is meant for it. So control bits may stand for a scoreboard, and nothing chooses what is
  // dispatched.
  virtual bool reads_in_window() const { return false; }
  // Whether the kind's modules tell of searches for tags, and of values that are copied in the modules
  // (fwd_rd, fwd_wr).
  virtual bool searches_tags() const { return keeps_values(); }
  virtual bool copies_values() const { return copies_hits(); }
  // A bit for each cause for which only warps of this kind and of similar kinds wait (is_of_operand_path()).
  virtual std::uint32_t stall_causes() const { return 0; }
  // Makes the arbiter of the banks that the kind reads, as a part of the module under construction.
  virtual std::unique_ptr<Arbiter> make_arbiter(const RegisterFileParameters&, const ArbiterPorts&,
                                                const BankMap&, std::unique_ptr<ResultSteering>,
                                                bool whole_writes) const;
  // Makes the dispatch scheduler behind the kind, as a part of the module under construction.
  virtual std::unique_ptr<DispatchScheduler> make_dispatch(const DispatchParameters&, unsigned collectors,
                                                           unsigned load_store_queue) const;
  // Makes the gate that keeps instructions from issuing faster than units take them. None: the kind waits for
  // units.
  virtual std::optional<UnitGate> make_unit_gate(const ExecutionParameters&) const { return std::nullopt; }
  // Outputs that the crossbar from the banks has for `count` collectors.
  virtual std::uint32_t crossbar_outputs(std::uint32_t count) const { return count; }
  // Operands that collectors store beside those of their slots or entries.
  virtual OtherOperands other_operands() const { return 0; }
  // Whether a hit is copied into a latch of the instruction's own.
  virtual bool copies_hits() const { return false; }
  // Makes the policy that says which results come to the collectors. Null: no result does.
  virtual std::unique_ptr<ResultSteering> make_steering(const CollectorParameters&,
                                                        unsigned /*warp_slots*/) const {
    return nullptr;
  }
  static Choices<CollectorChoice>& choices();
};

}  // namespace subcore
