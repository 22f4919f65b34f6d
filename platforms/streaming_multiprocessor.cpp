#include "subcore/platforms/streaming_multiprocessor.h"

#include <optional>
#include <ostream>

#include "subcore/model/policy/random.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

namespace {

// Times of mbarriers; nothing on machines without bulk copies.
std::optional<MbarrierTiming> mbarrier_timing(const PlatformParameters& p) {
  if (!p.sub_core.execution.has_bulk_copies()) return std::nullopt;
  return MbarrierTiming{p.copy_engine.mbarrier_arrival, p.copy_engine.mbarrier_wait};
}

}  // namespace

CtaRoom::Capacity cta_capacity(const PlatformParameters& p) {
  return {p.multiprocessor.cta_slots, p.multiprocessor.sub_cores * p.sub_core.warp_slots,
          p.multiprocessor.registers, p.multiprocessor.shared_memory_kilobytes * 1024};
}

StreamingMultiprocessor::StreamingMultiprocessor(const sc_core::sc_module_name& name, unsigned index,
                                                 const PlatformParameters& p, const SubCoreHooks& hooks)
    : sc_module(name),
      check_(p.checks.operand_versions),
      sthld_is_adaptive_(p.sthld_is_adaptive()),
      conductor("conductor", clock_period(p.clock_period_ns), p.tick_order, p.seed + index),
      sub_cores("sub_core", p.multiprocessor.sub_cores,
                [&](const char* n, std::size_t s) {
                  return new SubCore(n, static_cast<unsigned>(s), p, Random(p.seed + 0x9e37 * index).next(),
                                     check_, conductor, hooks);
                }),
      load_store("load_store_unit", p.multiprocessor.sub_cores, p.load_store,
                 p.sub_core.register_file.result_latches, check_, conductor,
                 p.sub_core.execution.has_warpgroup_products() ? &p.sub_core.warpgroup : nullptr,
                 p.sub_core.execution.has_bulk_copies()),
      copy_engine(
          p.sub_core.execution.has_bulk_copies()
              ? std::make_unique<CopyEngine>("copy_engine", p.copy_engine, p.load_store.initiator.requests)
              : nullptr),
      cta_dispatcher("cta_dispatcher", p.multiprocessor.sub_cores, p.sub_core.warp_slots,
                     p.multiprocessor.cta_slots, mbarrier_timing(p)),
      control("control_registers", p.multiprocessor.sub_cores, p.sthld.value,
              p.sub_core.collector.allocation->waits(),
              {[this] { return instructions_retired(); }, [this] { return source_operands_.value(); },
               [this] { return cache_read_hits_.value(); },
               [this] { return std::uint64_t{cta_dispatcher.ctas(conductor.now())}; }},
              conductor) {
  constexpr auto memory = static_cast<unsigned>(ExecutionUnitKind::load_store);
  const unsigned n = p.multiprocessor.sub_cores;
  for (unsigned s = 0; s < n; ++s) {
    SubCore& c = sub_cores[s];
    c.dispatch.unit_socket[memory].bind(load_store.unit_socket[s]);
    load_store.result_socket[s].bind(c.result_socket(memory));
    if (c.warpgroup_unit) c.warpgroup_unit->product_socket.bind(load_store.product_socket[s]);
    c.scheduler.barrier_socket.bind(cta_dispatcher.barrier_socket[s]);
    control.sthld_socket[s].bind(c.scheduler.sthld_socket);
    cta_dispatcher.launch_socket[s].bind(c.trace_player.launch_socket);
  }
  load_store.store_socket.bind(cta_dispatcher.store_socket);
  if (copy_engine) bind_copy_engine();
  cta_dispatcher.on_kernel([this](Cycle start) { control.begin_kernel(start); });
  conductor.add(load_store);
  if (copy_engine) conductor.add(*copy_engine);
  for (auto& s : sub_cores) s.add_to(conductor);
  conductor.add(cta_dispatcher);
}

void StreamingMultiprocessor::end_of_elaboration() {
  if (control_socket().is_bound()) {
    StatisticsGroup all;
    register_statistics(all);
    source_operands_ = result_columns().find("source_operands")->sum(all);
    cache_read_hits_ = result_columns().find("cache_read_hits")->sum(all);
    return;
  }
  // The controller belongs to the whole GPU, so an SM cannot make one. To run on with the first value would
  // look like an adaptive threshold.
  if (!sthld_is_adaptive_) return;
  conductor.enter([this] {
    fail(report_id::sthld,
         std::string(name()) +
             ": sthld.mode is adaptive, but no controller is bound to control_socket; expected an "
             "SthldController or your own controller there, or sthld.mode fixed");
  });
}

void StreamingMultiprocessor::bind_copy_engine() {
  load_store.copy_socket[0].bind(copy_engine->copy_socket);
  load_store.mbarrier_socket[0].bind(cta_dispatcher.mbarrier_socket[0]);
}

std::vector<Module*> StreamingMultiprocessor::modules() {
  if (copy_engine) return {&load_store, copy_engine.get(), &cta_dispatcher, &control};
  return {&load_store, &cta_dispatcher, &control};
}

void StreamingMultiprocessor::register_statistics(StatisticsGroup& group) {
  for (Module* m : modules()) m->register_statistics(group.group(m->basename()));
  for (auto& s : sub_cores) {
    StatisticsGroup& of_sub_core = group.group(s.basename());
    for (Module* m : s.modules()) m->register_statistics(of_sub_core.group(m->basename()));
  }
}

std::vector<std::string> StreamingMultiprocessor::leftovers() {
  std::vector<std::string> left;
  const auto look = [&](Module* m) {
    if (!m->drained()) left.emplace_back(m->name());
  };
  for (Module* m : modules()) look(m);
  for (auto& s : sub_cores) {
    for (Module* m : s.modules()) look(m);
    if (s.crossbar.reads() != s.arbiter.counters().read_grants)
      left.emplace_back(std::string(s.name()) + ": grants != deliveries");
  }
  return left;
}

void StreamingMultiprocessor::report_waiting(std::ostream& out) {
  for (Module* m : modules()) m->report_waiting(out);
  for (auto& s : sub_cores) {
    for (Module* m : s.modules()) m->report_waiting(out);
  }
}

void StreamingMultiprocessor::end_run(Cycle end) {
  for (auto& s : sub_cores) s.scheduler.end_run(end);
}

std::uint64_t StreamingMultiprocessor::instructions_retired() const {
  std::uint64_t sum = 0;
  for (const auto& s : sub_cores) sum += s.scheduler.counters().retired;
  return sum;
}

}  // namespace subcore
