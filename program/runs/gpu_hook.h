// The function of a user's main that is called with every GPU (ProgramHooks::on_gpu).
#pragma once

#include <functional>

namespace subcore {

class Gpu;

// Sets the function of this process and of those that it forks. An empty one: there is none.
void set_gpu_hook(std::function<void(Gpu&)> hook);
bool has_gpu_hook();
// Calls the function, if there is one, with a GPU that has just been put together. An error that SystemC
// reports in it is thrown as std::runtime_error, in one line; what else the function throws is passed on.
void call_gpu_hook(Gpu& gpu);

}  // namespace subcore
