// The cycles of a trace on a platform, or 0 if the run leaves anything undone.
#include <systemc>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"

extern "C" unsigned long long cycles_of(const char* platform, const char* trace) {
  subcore::Gpu gpu("gpu", subcore::load_platform(subcore::find_platform(platform)));
  gpu.run(subcore::open_trace(trace));
  sc_core::sc_start();
  return gpu.finished() && gpu.leftovers().empty() ? gpu.finish_cycle() : 0;
}
