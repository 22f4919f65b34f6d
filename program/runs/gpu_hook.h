// The function of a user's main that is called with every GPU (ProgramHooks::on_gpu).
#pragma once

#include <functional>

namespace subcore {

class Gpu;

// Sets the function of this process and of processes that it forks. An empty function: there is none.
void set_gpu_hook(std::function<void(Gpu&)> hook);
bool has_gpu_hook();
// Calls the function, if there is one, with a GPU that has just been put together. If SystemC reports an
// error in it, throws std::runtime_error, in one line. Other exceptions of the function are passed on.
void call_gpu_hook(Gpu& gpu);

}  // namespace subcore
