// The energy of a whole GPU in a program of the user's own. One call attaches the monitors, and another
// returns their counts. The numbers are those that the program subcore writes, to the last digit.
#include <iomanip>
#include <iostream>

#include <systemc>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/power/power_monitors.h"

int sc_main(int argc, char* argv[]) {
  if (argc != 3) {
    std::cerr << "usage: gpu_energy PLATFORM TRACE_FOLDER\n";
    return 2;
  }
  subcore::Gpu gpu("gpu", subcore::load_platform(subcore::find_platform(argv[1])));
  const auto power = subcore::attach_monitors(gpu);
  gpu.run(subcore::open_trace(argv[2]));
  sc_core::sc_start();

  const subcore::Energy energy = power->energy();
  std::cout << std::setprecision(17);
  for (const auto& [event, pj] : energy.by_event_pj) std::cout << event << ' ' << pj << '\n';
  std::cout << "total " << energy.total_pj << '\n';
  return gpu.finished() && energy.total_pj > 0 ? 0 : 1;
}
