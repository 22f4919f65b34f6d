#include "subcore/modules/arbiter/arbiter.h"
#include "subcore/modules/collector/boc.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/collector/ocu.h"
#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"
#include "subcore/modules/fixed_window/fixed_window.h"
#include "subcore/modules/operand_path/collector_choice.h"

namespace subcore {

Choices<CollectorChoice>& CollectorChoice::choices() {
  static Choices<CollectorChoice> table =
      Choices<CollectorChoice>()
          .add<OcuChoice>("ocu", "operand collector unit: keeps nothing")
          .add<CcuChoice>("ccu", "caching collector unit: a cache table of operands (Malekeh)")
          .add<BocChoice>("boc", "bypassing operand collector: a window of a warp's last instructions (BOW)")
          .add<FixedWindowChoice>("fixed_window",
                                  "no collectors: registers are read in a window of cycles behind issue "
                                  "(Huerta)");
  return table;
}

namespace {

// Makes collectors that have no common store.
class SeparateCollectors final : public CollectorFactory {
 public:
  explicit SeparateCollectors(const CollectorChoice& kind) : kind_(kind) {}
  OperandPath* make(const char* name, const CollectorParameters& p, const CollectorSite& site) override {
    return kind_.make(name, p, site);
  }

 private:
  const CollectorChoice& kind_;
};

}  // namespace

std::unique_ptr<CollectorFactory> CollectorChoice::make_factory(const CollectorParameters&, unsigned) const {
  return std::make_unique<SeparateCollectors>(*this);
}

std::unique_ptr<Arbiter> CollectorChoice::make_arbiter(const RegisterFileParameters& file,
                                                       const ArbiterPorts& ports, const BankMap& map,
                                                       std::unique_ptr<ResultSteering> steering,
                                                       bool whole_writes) const {
  return std::make_unique<Arbiter>("arbiter", file, ports, map, std::move(steering), whole_writes);
}

std::unique_ptr<DispatchScheduler> CollectorChoice::make_dispatch(const DispatchParameters& dispatch,
                                                                  unsigned collectors,
                                                                  unsigned load_store_queue) const {
  return std::make_unique<DispatchScheduler>("dispatch_scheduler", dispatch.order, collectors,
                                             load_store_queue);
}

}  // namespace subcore
