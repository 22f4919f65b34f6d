#include "platforms/gpu.h"

#include <algorithm>
#include <ostream>

namespace subcore {
namespace {

sc_core::sc_time period(const PlatformParameters& p) {
  return clock_period(p.clock_period_ns);
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const PlatformParameters& p)
    : sc_module(name),
      parameters_(p),
      finish_event_("finish_event"),
      conductor("conductor", period(p), p.tick_order, p.seed),
      kernel_dispatcher("kernel_dispatcher", p.gpu.sms, cta_capacity(p), p.operands.options, p.hints),
      sms("sm", p.gpu.sms,
          [&](const char* n, std::size_t i) {
            return new StreamingMultiprocessor(n, static_cast<unsigned>(i), p);
          }),
      memories("memory", p.memory.kind == MemoryKind::simple ? p.gpu.sms : 0,
               [&](const char* n, std::size_t) { return new SimpleMemory(n, p.memory, period(p)); }),
      watchdog_(
          "watchdog", p.checks.watchdog_cycles,
          [this] { return instructions_retired() + kernel_dispatcher.ctas_sent(); },
          [this] { return finished(); }, [this](std::ostream& out) { report_waiting(out); }) {
  if (p.sthld.mode == SthldMode::adaptive) {
    sthld_controller = std::make_unique<SthldController>(
        "sthld_controller", static_cast<unsigned>(sms.size()), p.sthld, period(p));
  }
  if (p.memory.kind == MemoryKind::hierarchy) {
    memory_system = std::make_unique<MemorySystem>("memory_system", p, static_cast<unsigned>(sms.size()));
    memory_system->conductor.follow(conductor);
  }
  for (unsigned i = 0; i < sms.size(); ++i) {
    kernel_dispatcher.cta_socket[i].bind(sms[i].cta_socket());
    if (memory_system) {
      sms[i].memory_socket().bind(memory_system->memory_socket(i));
      memory_system->add_to(i, sms[i].conductor);
    } else {
      sms[i].memory_socket().bind(memories[i].memory_socket);
    }
    sms[i].conductor.follow(conductor);
    if (sthld_controller) sthld_controller->control_socket[i].bind(sms[i].control_socket());
  }
  conductor.add(kernel_dispatcher);
  conductor.add(watchdog_);
  kernel_dispatcher.on_finish([this] {
    finish_cycle_ = conductor.now();
    if (sthld_controller) sthld_controller->stop();
    finish_event_.notify(sc_core::SC_ZERO_TIME);
  });
}

void Gpu::run(const TraceProgram& program) {
  kernel_dispatcher.run(program);
}

template <class Visit>
void Gpu::for_each_module(Visit visit) {
  visit(kernel_dispatcher, std::string("kernel_dispatcher"));
  for (unsigned i = 0; i < sms.size(); ++i) {
    const std::string sm = sms[i].basename();
    for (Module* m : sms[i].modules()) visit(*m, sm + "." + m->basename());
    for (auto& s : sms[i].sub_cores) {
      for (Module* m : s.modules()) visit(*m, sm + "." + s.basename() + "." + m->basename());
    }
  }
  for (auto& m : memories) visit(m, std::string(m.basename()));
  if (memory_system) {
    for (Module* m : memory_system->modules()) visit(*m, std::string("memory_system.") + m->basename());
  }
  if (sthld_controller) visit(*sthld_controller, std::string("sthld_controller"));
}

std::uint64_t Gpu::instructions_retired() const {
  std::uint64_t sum = 0;
  for (const auto& sm : sms) sum += sm.instructions_retired();
  return sum;
}

void Gpu::register_statistics(StatisticsGroup& root) {
  for_each_module([&](Module& m, const std::string& path) {
    StatisticsGroup* group = &root;
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      group = &group->group(path.substr(begin, end - begin));
      begin = end + 1;
    }
    m.register_statistics(*group);
  });
}

std::vector<std::string> Gpu::leftovers() {
  std::vector<std::string> left;
  for_each_module([&](Module& m, const std::string&) {
    if (!m.drained()) left.emplace_back(m.name());
  });
  for (auto& sm : sms) {
    for (auto& s : sm.sub_cores) {
      if (s.crossbar.reads() != s.arbiter.counters().read_grants)
        left.emplace_back(std::string(s.name()) + ": grants != deliveries");
    }
  }
  if (instructions_retired() != kernel_dispatcher.instructions_sent()) left.emplace_back("retired != traced");
  return left;
}

void Gpu::report_waiting(std::ostream& out) {
  for_each_module([&](Module& m, const std::string&) { m.report_waiting(out); });
}

}  // namespace subcore
