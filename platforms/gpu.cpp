#include "platforms/gpu.h"

#include <algorithm>

namespace subcore {
namespace {

sc_core::sc_time period_of(const PlatformParameters& p) {
  return clock_period(p.clock_period_ns);
}

template <class Modules>
std::vector<typename Modules::element_type*> pointers(Modules& modules) {
  std::vector<typename Modules::element_type*> all;
  for (auto& m : modules) all.push_back(&m);
  return all;
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const PlatformParameters& p, const SubCoreHooks& hooks)
    : sc_module(name),
      parameters_(p),
      sms("sm", p.gpu.sms,
          [&](const char* n, std::size_t i) {
            return new StreamingMultiprocessor(n, static_cast<unsigned>(i), p, hooks);
          }),
      memories("memory", p.memory.kind == MemoryKind::simple ? p.gpu.sms : 0,
               [&](const char* n, std::size_t) { return new SimpleMemory(n, p.memory, period_of(p)); }),
      driver("driver", p, pointers(sms)) {
  if (p.sthld.mode == SthldMode::adaptive) {
    sthld_controller = std::make_unique<SthldController>(
        "sthld_controller", static_cast<unsigned>(sms.size()), p.sthld, period_of(p));
    driver.watch(*sthld_controller);
    // Between runs it would keep the simulation going.
    sthld_controller->stop();
    driver.on_run([this] { sthld_controller->start(); });
    driver.on_finish([this] { sthld_controller->stop(); });
  }
  if (p.memory.kind == MemoryKind::hierarchy) {
    memory_system = std::make_unique<MemorySystem>("memory_system", p, static_cast<unsigned>(sms.size()));
    memory_system->conductor.follow(driver.conductor);
    for (Module* m : memory_system->modules()) driver.watch(*m);
  }
  for (auto& m : memories) driver.watch(m);
  for (unsigned i = 0; i < sms.size(); ++i) {
    if (memory_system) {
      sms[i].memory_socket().bind(memory_system->memory_socket(i));
      memory_system->add_to(i, sms[i].conductor);
      driver.kernel_dispatcher.cache_control_socket.bind(memory_system->control_socket(i));
    } else {
      sms[i].memory_socket().bind(memories[i].memory_socket);
    }
    sms[i].conductor.follow(driver.conductor);
    if (sthld_controller) sthld_controller->control_socket[i].bind(sms[i].control_socket());
  }
}

void Gpu::register_statistics(StatisticsGroup& root) {
  const auto add = [](Module& m, StatisticsGroup& parent) {
    m.register_statistics(parent.group(m.basename()));
  };
  add(driver.kernel_dispatcher, root);
  for (auto& sm : sms) {
    StatisticsGroup& of_sm = root.group(sm.basename());
    for (Module* m : sm.modules()) add(*m, of_sm);
    for (auto& s : sm.sub_cores) {
      StatisticsGroup& of_sub_core = of_sm.group(s.basename());
      for (Module* m : s.modules()) add(*m, of_sub_core);
    }
  }
  for (auto& m : memories) add(m, root);
  if (memory_system) {
    StatisticsGroup& of_memory = root.group(memory_system->basename());
    memory_system->register_statistics(of_memory);
    for (Module* m : memory_system->modules()) add(*m, of_memory);
  }
  if (sthld_controller) add(*sthld_controller, root);
}

}  // namespace subcore
