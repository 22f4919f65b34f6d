#include "tests/module/bench.h"

#include "subcore/model/policy/issue/in_order.h"
#include "subcore/modules/collector/boc.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/platforms/memory/simple.h"

namespace subcore::test {

PlatformParameters baseline(unsigned collectors) {
  PlatformParameters p;
  p.multiprocessor.sub_cores = 1;
  p.sub_core.collector.count = collectors;
  return p;
}

PlatformParameters malekeh(unsigned collectors, std::uint32_t sthld) {
  PlatformParameters p = baseline(collectors);
  p.sub_core.scheduler.priority = "malekeh";
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::off;
  p.sub_core.collector.kind = "ccu";
  p.sub_core.collector.allocation = "malekeh";
  p.sthld.value = sthld;
  return p;
}

PlatformParameters malekeh_private() {
  PlatformParameters p = malekeh();
  p.sub_core.scheduler.priority = "gto";
  p.sub_core.collector.count = p.sub_core.warp_slots;
  p.sub_core.collector.allocation = "private";
  return p;
}

PlatformParameters traditional() {
  PlatformParameters p = baseline();
  p.sub_core.collector.kind = "ccu";
  p.sub_core.collector.allocation = "own_or_lru";
  p.sub_core.collector.kind.as<CcuChoice>().replacement = "lru";
  p.sub_core.collector.kind.as<CcuChoice>().near_filter = false;
  return p;
}

PlatformParameters bow() {
  PlatformParameters p = baseline();
  p.sub_core.collector.kind = "boc";
  p.sub_core.collector.count = p.sub_core.warp_slots;
  p.sub_core.collector.allocation = "private";
  p.sub_core.collector.entries = 12;
  p.sub_core.collector.kind.as<CcuChoice>().result_ports = 0;
  p.sub_core.collector.branch = BranchHandling::wait;
  p.sub_core.dispatch.order = DispatchOrder::round_robin;
  return p;
}

PlatformParameters bow_wr() {
  PlatformParameters p = bow();
  p.sub_core.collector.kind.as<BocChoice>().write_policy = WritePolicy::write_back;
  return p;
}

PlatformParameters socgpu(PlatformParameters p) {
  p.sub_core.scheduler.issue = "socgpu";
  p.sub_core.scheduler.issue.as<InOrderChoice>().war_guard = WarGuard::off;
  p.sub_core.scheduler.instruction_buffer = 8;
  p.sub_core.scheduler.fetch_width = 2;
  p.sub_core.scheduler.fetch_redirect = FetchRedirect::issue;
  return p;
}

PlatformParameters nvidia(unsigned interval) {
  PlatformParameters p = baseline(1);
  p.sub_core.scheduler.issue = "control_bits";
  p.sub_core.scheduler.priority = "cggty";
  p.sub_core.scheduler.instruction_buffer = 3;
  p.sub_core.collector.kind = "fixed_window";
  p.sub_core.collector.slots = 7;
  p.sub_core.register_file.bank_warp_id = BankWarpId::none;
  for (const ExecutionClass c : {ExecutionClass::integer, ExecutionClass::single})
    p.sub_core.execution.of(c).initiation_interval = interval;
  p.sub_core.execution.of(ExecutionClass::barrier).latency = 4;
  return p;
}

PlatformParameters rfc(unsigned collectors) {
  PlatformParameters p = baseline(collectors);
  p.sub_core.scheduler.priority = "lrr";
  p.sub_core.scheduler.two_level.active_warps = 2;
  p.sub_core.operand_cache.kind = "rfc";
  return p;
}

PlatformParameters software_rfc(unsigned collectors) {
  PlatformParameters p = rfc(collectors);
  p.sub_core.scheduler.two_level.demotion = Demotion::strand_end;
  p.sub_core.operand_cache.kind = "software_rfc";
  p.sub_core.operand_cache.entries = 3;
  p.sub_core.operand_cache.hit_port = 3;
  return p;
}

PlatformParameters ltrf(unsigned collectors) {
  PlatformParameters p = rfc(collectors);
  p.sub_core.operand_cache.kind = "ltrf";
  p.sub_core.operand_cache.entries = 16;
  return p;
}

PlatformParameters monolithic(PlatformParameters p) {
  p.sub_core.warp_slots = 32;
  p.sub_core.collector.count = 8;
  p.sub_core.register_file.banks = 8;
  if (p.sub_core.scheduler.two_level.active_warps != 0) p.sub_core.scheduler.two_level.active_warps = 8;
  return p;
}

Feeder::Feeder(const sc_core::sc_module_name& name, const Program& program, std::size_t resident)
    : TickingModule(name),
      cta_socket("cta_socket"),
      program_(program),
      wanted_(std::min(resident, program.ctas.size())) {
  cta_socket.on_status<&Feeder::cta_finished>(this);
}

Cycle Feeder::tick(Cycle now) {
  while (sent_ < wanted_) {
    CtaTransfer t{now + 1, &program_.ctas[sent_++], &program_.code, &program_.kernel, 0};
    cta_socket.send(t);
  }
  return never;
}

void Feeder::cta_finished(unsigned, CtaTransfer& t) {
  finish_cycle_ = t.stamp;
  ++finished_;
  if (wanted_ < program_.ctas.size()) ++wanted_;
  wake(t.stamp);
}

Bench::Bench(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program,
             std::size_t resident, const SubCoreHooks& hooks)
    : sc_module(name),
      conductor("conductor", {p.clock_period_ns, sc_core::SC_NS}, TickOrder::pipeline, 1),
      feeder("feeder", program, resident),
      sm("sm", 0, p, hooks),
      memory("memory", p.memory.kind.as<SimpleMemoryChoice>().parameters,
             {p.clock_period_ns, sc_core::SC_NS}) {
  conductor.add(feeder);
  feeder.cta_socket.bind(sm.cta_socket());
  sm.memory_socket().bind(memory.memory_socket);
  for (unsigned s = 0; s < sm.sub_cores.size(); ++s) {
    watch(sm.sub_cores[s], sm.sub_cores.size() > 1 ? "s" + std::to_string(s) + " " : "");
  }
}

void Bench::watch(SubCore& s, const std::string& prefix) {
  using Row = std::pair<Cycle, std::string>;
  const auto text = [](unsigned n) { return std::to_string(n); };
  const auto instruction = [](const Instruction& i) {
    return std::to_string(i.warp_uid) + "." + std::to_string(i.sequence);
  };
  for (unsigned c = 0; c < s.scheduler.issue_socket.size(); ++c) {
    log.watch(s.scheduler.issue_socket[c], [=](const IssueTransfer& t) {
      return Row{t.stamp - 1, prefix + "issue " + instruction(*t.instruction) + " c" + text(c)};
    });
  }
  for (unsigned b = 0; b < s.arbiter.bank_socket.size(); ++b) {
    log.watch(s.arbiter.bank_socket[b], [=](const OperandTransfer& t) {
      if (t.kind == OperandTransfer::Kind::write_back)
        return Row{t.stamp - 1, prefix + "back s" + text(t.warp_slot) + ".R" + text(t.reg) + " b" + text(b)};
      const std::string reg = text(t.instruction->warp_uid) + ".R" + text(t.reg) + " b" + text(b);
      return t.writes() ? Row{t.stamp - 1, prefix + "write " + reg}
                        : Row{t.stamp - 1, prefix + "read " + reg + " c" + text(t.collector)};
    });
  }
  for (unsigned u = 0; u < s.dispatch.unit_socket.size(); ++u) {
    log.watch(s.dispatch.unit_socket[u], [=](const DispatchTransfer& t) {
      return Row{t.stamp - 1, prefix + "dispatch " + instruction(*t.instruction) + " " +
                                  std::string(subcore::name(static_cast<ExecutionUnitKind>(u)))};
    });
  }
  log.watch(s.arbiter.destination_socket, [=](const DestinationTransfer& t) {
    return Row{t.stamp - 1,
               prefix + (t.kind == DestinationTransfer::Kind::invalidate ? "invalidate " : "port_d ") +
                   text(t.warp_uid) + ".R" + text(t.reg) + " c" + text(t.collector)};
  });
  log.watch(s.arbiter.retire_socket, [=](const RetireTransfer& t) {
    return Row{t.stamp, prefix + "release " + instruction(*t.instruction)};
  });
}

std::vector<std::string> Bench::leftovers() {
  std::vector<std::string> left;
  const auto look = [&](Module& m) {
    if (!m.drained()) left.emplace_back(m.basename());
  };
  for (Module* m : sm.modules()) look(*m);
  for (auto& s : sm.sub_cores) {
    for (Module* m : s.modules()) look(*m);
    std::uint64_t reads = 0;
    for (auto& b : s.banks) reads += b.reads();
    if (reads != s.arbiter.counters().read_grants) left.emplace_back("grants != deliveries");
  }
  return left;
}

std::string Bench::statistics() {
  StatisticsGroup root;
  for (Module* m : sm.modules()) m->register_statistics(root.group(m->basename()));
  for (auto& s : sm.sub_cores) {
    for (Module* m : s.modules()) m->register_statistics(root.group(s.basename()).group(m->basename()));
  }
  memory.register_statistics(root.group("memory"));
  return statistics_json(root);
}

}  // namespace subcore::test
