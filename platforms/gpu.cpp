#include "subcore/platforms/gpu.h"

namespace subcore {
namespace {

template <class Modules>
std::vector<typename Modules::element_type*> pointers(Modules& modules) {
  std::vector<typename Modules::element_type*> all;
  for (auto& m : modules) all.push_back(&m);
  return all;
}

// Ends with an error if memory runs out. SystemC does not check what malloc() returns for its tables, and
// would write to address 0. An SM takes some 2 MB while it is put together.
void require_memory() {
  constexpr std::size_t enough = 8u << 20;
  ::operator delete(::operator new(enough));
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& name, const PlatformParameters& p, const SubCoreHooks& hooks)
    : sc_module(name),
      parameters_(p),
      sms("sm", p.gpu.sms,
          [&](const char* n, std::size_t i) {
            require_memory();
            return new StreamingMultiprocessor(n, static_cast<unsigned>(i), p, hooks);
          }),
      driver("driver", p, pointers(sms)) {
  if (p.sthld_is_adaptive()) {
    sthld_controller = std::make_unique<SthldController>(
        "sthld_controller", static_cast<unsigned>(sms.size()), p.sthld, clock_period(p.clock_period_ns));
    driver.watch(*sthld_controller);
    // Between runs the controller would keep the simulation going.
    sthld_controller->stop();
    driver.on_run([this] { sthld_controller->start(); });
    driver.on_finish([this] { sthld_controller->stop(); });
    driver.on_failure([this] { sthld_controller->stop(); });
  }
  memory = p.memory.kind->make({p.gpu.sms, p.clock_period_ns, p.tick_order, p.seed});
  if (Conductor* own = memory->own_conductor()) own->follow(driver.conductor);
  for (Module* m : memory->modules()) driver.watch(*m);
  for (unsigned i = 0; i < sms.size(); ++i) {
    if (auto* const socket = memory->memory_socket(i)) sms[i].memory_socket().bind(*socket);
    memory->add_to(i, sms[i].conductor);
    if (auto* const control = memory->control_socket(i))
      driver.kernel_dispatcher.cache_control_socket[i].bind(*control);
    sms[i].conductor.follow(driver.conductor);
    if (sthld_controller) sthld_controller->control_socket[i].bind(sms[i].control_socket());
  }
}

Gpu::~Gpu() {
  for (const Kept& k : kept_)
    if (k.at_end) k.at_end();
}

void Gpu::keep(std::shared_ptr<void> observer, std::function<void()> at_end) {
  kept_.push_back({std::move(observer), std::move(at_end)});
}

void Gpu::add(Module& module) {
  added_.push_back(&module);
  driver.watch(module);
}

void Gpu::register_statistics(StatisticsGroup& root) {
  const auto put = [](Module& m, StatisticsGroup& parent) {
    m.register_statistics(parent.group(m.basename()));
  };
  put(driver.kernel_dispatcher, root);
  for (auto& sm : sms) sm.register_statistics(root.group(sm.basename()));
  memory->register_statistics(root);
  if (sthld_controller) put(*sthld_controller, root);
  for (Module* m : added_) put(*m, root);
}

}  // namespace subcore
