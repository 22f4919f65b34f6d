#include "subcore/platforms/sub_core.h"

#include <algorithm>
#include <string>

#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/random.h"
#include "subcore/modules/protocol/failure.h"

namespace subcore {
namespace {

constexpr unsigned load_store = static_cast<unsigned>(ExecutionUnitKind::load_store);

// A distinct stream of random numbers for each module that draws, whatever the number of other modules.
std::uint64_t seed_of(std::uint64_t sm_seed, unsigned sub_core, unsigned module) {
  return Random(sm_seed * 0x10001 + sub_core * 0x101 + module).next();
}

unsigned writers_back(sc_core::sc_vector<OperandPath>& collectors) {
  unsigned n = 0;
  for (OperandPath& c : collectors) n += c.write_back_port() != nullptr ? 1 : 0;
  return n;
}

// The number of collectors that results are sent to: all or none.
unsigned takers_of_results(sc_core::sc_vector<OperandPath>& collectors) {
  const bool any =
      std::any_of(collectors.begin(), collectors.end(), [](OperandPath& c) { return c.port_d() != nullptr; });
  return any ? static_cast<unsigned>(collectors.size()) : 0;
}

// Whether results are announced to the first collector.
bool announces(const CollectorParameters& p, sc_core::sc_vector<OperandPath>& collectors) {
  if (!p.kind->hears_all_results()) return false;
  if (collectors[0].port_d() != nullptr) return true;
  fail(report_id::binding, std::string(collectors[0].name()) + ": no port D, but sub_core.collector.kind " +
                               in_quotes(p.kind.word()) +
                               " hears all results there (hears_all_results()); expected port_d() of the " +
                               "first collector to return a port");
}

Arbiter::Ports arbiter_ports(const SubCoreParameters& s, sc_core::sc_vector<OperandPath>& collectors) {
  const OperandCacheParameters& cache = s.operand_cache;
  const unsigned products = s.execution.has_warpgroup_products() ? 1 : 0;
  const auto count = static_cast<unsigned>(collectors.size());
  const bool announced = announces(s.collector, collectors);
  if (!cache.exists())
    return {count, products, execution_unit_count, writers_back(collectors), 0, 0, products, announced};
  return {count,    1 + products, execution_unit_count, 1, cache.kind->prefetch_port(), cache.write_back_port,
          products, announced};
}

std::uint32_t products_in_flight(const SubCoreParameters& s) {
  return s.execution.has_warpgroup_products() ? s.warpgroup.in_flight : 0;
}

// Causes for which a warp waits that not every platform has.
std::uint32_t own_causes(const SubCoreParameters& s) {
  std::uint32_t causes = s.collector.kind->stall_causes();
  if (products_in_flight(s) != 0) causes |= bit_of(StallCause::products);
  if (s.execution.has_bulk_copies()) causes |= bit_of(StallCause::mbarrier);
  return causes;
}

BankMap bank_map(const PlatformParameters& p, unsigned sub_core) {
  const RegisterFileParameters& r = p.sub_core.register_file;
  return {r.banks, r.bank_warp_id, sub_core, p.multiprocessor.sub_cores};
}

// Whether some store takes every result for a result of all lanes. Then the banks must do the same.
bool ignores_lanes(const SubCoreParameters& s) {
  return (s.collector.kind->keeps_values() && s.collector.partial_write == PartialWrite::ignore) ||
         (s.operand_cache.exists() && s.operand_cache.partial_write == PartialWrite::ignore);
}

}  // namespace

SubCore::SubCore(const sc_core::sc_module_name& name, unsigned index, const PlatformParameters& p,
                 std::uint64_t sm_seed, OperandCheck& check, const Conductor& conductor,
                 const SubCoreHooks& hooks)
    : sc_module(name),
      trace_player("trace_player", index, p.sub_core.warp_slots, p.sub_core.scheduler.instruction_buffer,
                   p.sub_core.scheduler.fetch_width, p.sub_core.scheduler.fetch_redirect),
      scheduler("issue_scheduler", p.sub_core.scheduler, *p.sub_core.collector.allocation,
                {p.sub_core.warp_slots, p.sub_core.collector.count, seed_of(sm_seed, index, 0),
                 p.sub_core.collector.branch == BranchHandling::wait, p.sub_core.operand_cache.exists(),
                 p.sub_core.collector.kind->make_unit_gate(p.sub_core.execution), own_causes(p.sub_core),
                 p.gpu.start_cycle, products_in_flight(p.sub_core)}),
      collector_factory(p.sub_core.collector.kind->make_factory(p.sub_core.collector, p.sub_core.warp_slots)),
      collectors(p.sub_core.collector.kind->module_name(), p.sub_core.collector.count,
                 [&](const char* n, std::size_t c) {
                   const CollectorParameters& own = p.sub_core.collector;
                   const CollectorSite site{static_cast<unsigned>(c),
                                            seed_of(sm_seed, index, 1 + static_cast<unsigned>(c)),
                                            p.sub_core.scheduler.issue->in_order(),
                                            own.allocation->shares(),
                                            &p.sub_core.execution,
                                            bank_map(p, index)};
                   OperandPath* hooked_one =
                       hooks.collector ? hooks.collector({conductor, index, site.index}, n, own, site)
                                       : nullptr;
                   return hooked_one != nullptr ? hooked_one : collector_factory->make(n, own, site);
                 }),
      operand_cache(p.sub_core.operand_cache.exists()
                        ? std::make_unique<OperandCache>(
                              "operand_cache", p.sub_core.collector.count, execution_unit_count,
                              p.sub_core.warp_slots, p.sub_core.operand_cache, p.sub_core.warps_with_cache())
                        : nullptr),
      arbiter_(p.sub_core.collector.kind->make_arbiter(
          p.sub_core.register_file, arbiter_ports(p.sub_core, collectors), bank_map(p, index),
          p.sub_core.collector.kind->make_steering(p.sub_core.collector, p.sub_core.warp_slots),
          ignores_lanes(p.sub_core))),
      arbiter(*arbiter_),
      banks("bank", hooks.register_bank ? 0 : p.sub_core.register_file.banks,
            [&](const char* n, std::size_t) {
              return new RegisterBank(n, p.sub_core.warp_slots, p.sub_core.register_file.read_latency,
                                      p.sub_core.register_file.bank_words());
            }),
      crossbar("crossbar", p.sub_core.register_file.banks, static_cast<unsigned>(arbiter.read_socket.size()),
               takers_of_results(collectors)),
      dispatch_(p.sub_core.collector.kind->make_dispatch(p.sub_core.dispatch, p.sub_core.collector.count,
                                                         p.load_store.queue)),
      dispatch(*dispatch_),
      units("unit", execution_unit_count - 1,
            [&](const char*, std::size_t u) {
              const auto kind = static_cast<ExecutionUnitKind>(u);
              return new ExecutionUnit(("unit_" + std::string(subcore::name(kind))).c_str(), kind,
                                       p.sub_core.execution, p.sub_core.register_file.result_latches, check);
            }),
      warpgroup_unit(
          products_in_flight(p.sub_core) != 0
              ? std::make_unique<WarpgroupUnit>("warpgroup_unit", p.sub_core.warp_slots,
                                                static_cast<unsigned>(arbiter.read_socket.size()) - 1,
                                                p.sub_core.warpgroup, check)
              : nullptr) {
  trace_player.instruction_socket.bind(scheduler.instruction_socket);
  bind_collectors(index, conductor, hooks);
  bind_operand_cache();
  for (unsigned b = 0; b < banks.size(); ++b) {
    arbiter.bank_socket[b].bind(banks[b].bank_socket);
    banks[b].data_socket.bind(crossbar.data_socket[b]);
  }
  if (hooks.register_bank) {
    for (unsigned b = 0; b < arbiter.bank_socket.size(); ++b)
      keep(hooks.register_bank({conductor, index, b}, arbiter.bank_socket[b], crossbar.data_socket[b]));
  }
  arbiter.destination_socket.bind(crossbar.write_socket);
  arbiter.retire_socket.bind(scheduler.retire_socket);
  dispatch.entered_socket.bind(scheduler.entered_socket);
  for (unsigned u = 0; u < units.size(); ++u) {
    dispatch.unit_socket[u].bind(units[u].unit_socket);
    const bool has_products =
        warpgroup_unit != nullptr && u == static_cast<unsigned>(ExecutionUnitKind::tensor);
    units[u].result_socket.bind(has_products ? warpgroup_unit->core_socket : result_socket(u));
  }
  bind_warpgroup_unit();
  static_assert(load_store == execution_unit_count - 1,
                "the load/store unit comes last on every per-unit socket");
}

void SubCore::bind_collectors(unsigned index, const Conductor& conductor, const SubCoreHooks& hooks) {
  for (unsigned c = 0; c < collectors.size(); ++c) {
    scheduler.issue_socket[c].bind(collectors[c].issue_socket);
    collectors[c].read_socket.bind(operand_cache ? operand_cache->read_socket[c] : arbiter.read_socket[c]);
    (operand_cache ? operand_cache->source_socket[c] : crossbar.source_socket[c])
        .bind(collectors[c].source_socket);
    if (auto* port_d = collectors[c].port_d()) crossbar.destination_socket[c].bind(*port_d);
    if (auto* port = collectors[c].write_back_port()) port->bind(arbiter.write_back_socket[c]);
    if (hooks.dispatch_path) {
      keep(hooks.dispatch_path({conductor, index, c}, collectors[c].dispatch_socket,
                               dispatch.dispatch_socket[c]));
    } else {
      collectors[c].dispatch_socket.bind(dispatch.dispatch_socket[c]);
    }
  }
}

void SubCore::bind_operand_cache() {
  if (!operand_cache) return;
  OperandCache& cache = *operand_cache;
  for (unsigned c = 0; c < collectors.size(); ++c) {
    cache.miss_socket[c].bind(arbiter.read_socket[c]);
    crossbar.source_socket[c].bind(cache.fill_socket[c]);
  }
  const auto own = static_cast<unsigned>(collectors.size());
  cache.prefetch_socket.bind(arbiter.read_socket[own]);
  crossbar.source_socket[own].bind(cache.prefetched_socket);
  cache.write_back_socket.bind(arbiter.write_back_socket[0]);
  for (unsigned u = 0; u < arbiter.result_socket.size(); ++u)
    cache.bank_socket[u].bind(arbiter.result_socket[u]);
  scheduler.warp_socket[0].bind(cache.warp_socket);
}

// The unit is the last among the readers of the banks.
void SubCore::bind_warpgroup_unit() {
  if (!warpgroup_unit) return;
  WarpgroupUnit& unit = *warpgroup_unit;
  unit.result_socket.bind(result_socket(static_cast<unsigned>(ExecutionUnitKind::tensor)));
  const auto own = static_cast<unsigned>(arbiter.read_socket.size()) - 1;
  unit.read_socket.bind(arbiter.read_socket[own]);
  crossbar.source_socket[own].bind(unit.source_socket);
  unit.written_socket.bind(arbiter.accumulator_socket[0]);
}

void SubCore::add_to(Conductor& conductor) {
  conductor.add(arbiter);
  if (warpgroup_unit) conductor.add(*warpgroup_unit);
  for (auto& u : units) conductor.add(u);
  conductor.add(dispatch);
  if (operand_cache) conductor.add(*operand_cache);
  for (auto& c : collectors) conductor.add(c);
  conductor.add(scheduler);
  conductor.add(trace_player);
  for (auto& h : hooked) {
    if (auto* ticking = dynamic_cast<TickingModule*>(h.get())) conductor.add(*ticking);
  }
}

std::vector<Module*> SubCore::modules() {
  std::vector<Module*> all{&scheduler};
  for (auto& c : collectors) all.push_back(&c);
  if (operand_cache) all.push_back(operand_cache.get());
  all.push_back(&arbiter);
  for (auto& b : banks) all.push_back(&b);
  all.push_back(&crossbar);
  all.push_back(&dispatch);
  for (auto& u : units) all.push_back(&u);
  if (warpgroup_unit) all.push_back(warpgroup_unit.get());
  all.push_back(&trace_player);
  for (auto& h : hooked) all.push_back(h.get());
  return all;
}

}  // namespace subcore
