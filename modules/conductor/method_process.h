// MethodProcess: a method process that may be destroyed with its module at any time between two calls of
// sc_start().
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES  // for sc_spawn
#endif
#include <functional>
#include <memory>

#include <systemc>

namespace subcore {

// A member of a module. Calls `act` at each notification of `event`. In SystemC a process outlives its
// module: if an event is notified for the very time at which sc_start(time) ends, the process runs in the
// next sc_start(). Once a MethodProcess is destroyed, its process calls nothing.
class MethodProcess {
 public:
  MethodProcess(const char* name, const sc_core::sc_event& event, std::function<void()> act)
      : act_(std::make_shared<std::function<void()>>(std::move(act))) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&event);
    options.dont_initialize();
    sc_core::sc_spawn(
        [act = act_] {
          if (*act) (*act)();
        },
        name, &options);
  }
  MethodProcess(const MethodProcess&) = delete;
  MethodProcess& operator=(const MethodProcess&) = delete;
  ~MethodProcess() { *act_ = nullptr; }

 private:
  std::shared_ptr<std::function<void()>> act_;
};

}  // namespace subcore
