// A host that is loosely timed and runs ahead of the simulation by up to a quantum. The host launches the
// first two kernels of a trace at run time and waits for the GPU's interrupt. Registers tell the host the
// cost of the kernels. Beside the host, results are recorded as the program subcore writes them.
#include <fstream>
#include <iostream>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/observers/run_recorder.h"
#include "subcore/platforms/config/reader.h"

namespace reg = subcore::launch_register;

struct Host : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Host> socket;
  sc_core::sc_in<bool> interrupt;

  explicit Host(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  std::uint64_t access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value = 0) {
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    t.set_data_length(8);
    t.set_streaming_width(8);
    sc_core::sc_time ahead = keeper_.get_local_time();
    socket->b_transport(t, ahead);
    if (!t.is_response_ok()) SC_REPORT_ERROR("host", t.get_response_string().c_str());
    keeper_.set_and_sync(ahead + sc_core::sc_time(20, sc_core::SC_NS));  // the way to the GPU and back
    return value;
  }
  std::uint64_t read(std::uint64_t address) { return access(tlm::TLM_READ_COMMAND, address); }
  void write(std::uint64_t address, std::uint64_t value) { access(tlm::TLM_WRITE_COMMAND, address, value); }

  void run() {
    keeper_.reset();
    write(reg::interrupt_enable, subcore::launch_interrupt::all_ended);
    const std::uint64_t begin = read(reg::cycle);
    for (const std::uint64_t kernel : {0, 1}) {
      write(reg::kernel, kernel);
      write(reg::doorbell, 1);
    }
    keeper_.sync();
    while (!interrupt.read()) wait(interrupt.value_changed_event());
    write(reg::interrupt_status, subcore::launch_interrupt::all);
    while (read(reg::status) != 0)
      keeper_.inc(sc_core::sc_time(1, sc_core::SC_US));  // until the last write-backs are done

    const auto instructions = read(reg::instructions_retired), cycles = read(reg::finish_cycle) - begin;
    std::cout << "instructions " << instructions << "\nipc "
              << static_cast<double>(instructions) / static_cast<double>(cycles) << "\nhits "
              << read(reg::cache_read_hits) << "\nenergy_fj " << read(reg::energy) << '\n';
  }

 private:
  tlm_utils::tlm_quantumkeeper keeper_;
};

int sc_main(int argc, char* argv[]) {
  if (argc != 4) return std::cerr << "usage: host_launch PLATFORM RESULT.json TRACE_FOLDER\n", 2;
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(1, sc_core::SC_US));
  subcore::Gpu gpu("gpu", subcore::load_platform(subcore::find_platform(argv[1])));
  subcore::RunRecorder recorder("recorder", gpu);
  gpu.load(subcore::open_trace(argv[3]));
  Host host("host");
  sc_core::sc_signal<bool> line("line");
  host.socket.bind(gpu.control_socket());
  gpu.interrupt()(line);
  host.interrupt(line);
  sc_core::sc_start();
  std::ofstream(argv[2]) << recorder.json();
  std::cerr << recorder.problem();
  return gpu.finished() && recorder.problem().empty() ? 0 : 1;
}
