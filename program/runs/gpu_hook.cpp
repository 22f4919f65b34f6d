#include "subcore/program/runs/gpu_hook.h"

#include <stdexcept>
#include <utility>

#include "subcore/platforms/gpu.h"

namespace subcore {
namespace {

std::function<void(Gpu&)>& hook_of_process() {
  static std::function<void(Gpu&)> hook;
  return hook;
}

}  // namespace

void set_gpu_hook(std::function<void(Gpu&)> hook) {
  hook_of_process() = std::move(hook);
}

bool has_gpu_hook() {
  return static_cast<bool>(hook_of_process());
}

void call_gpu_hook(Gpu& gpu) {
  if (!has_gpu_hook()) return;
  try {
    hook_of_process()(gpu);
  } catch (const sc_core::sc_report& report) {
    throw std::runtime_error(gpu.parameters().name + ": " + report.get_msg());
  }
}

}  // namespace subcore
