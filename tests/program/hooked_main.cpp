// A user's own main, which the tests of ProgramHooks run: the program with a function that is called with the
// GPU of every run. The function notes its process and platform in the file calls.txt, adds a module with a
// counter, and binds a memory if the platform has none. If there is a file called unbound, the function binds
// no memory. If there is a file called broken, it fails.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include <systemc>
#include <unistd.h>

#include "subcore/model/statistics/result_columns.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/transport_socket.h"
#include "subcore/platforms/gpu.h"
#include "subcore/program/commands/program.h"

namespace {

using namespace subcore;

void note(const std::string& event, const Gpu& gpu) {
  std::ofstream("calls.txt", std::ios::app) << event << ' ' << getpid() << ' ' << gpu.parameters().name << ' '
                                            << gpu.driver.kernel_dispatcher.program().name << '\n';
}

// Counts the requests of all SMs.
class RequestCounter final : public Module, public TransportObserver {
 public:
  explicit RequestCounter(const sc_core::sc_module_name& name) : Module(name) {}
  std::vector<Signal> signals() override {
    return {Signal{"requests", 32, [this](Cycle) { return std::uint64_t{requests_}; }}};
  }

 private:
  void forward(const Payload&, const tlm::tlm_phase& phase, const sc_core::sc_time&) override {
    if (phase == tlm::BEGIN_REQ) ++requests_;
  }
  Counter requests_{counter_list_, "seen_requests", "requests", "requests that a user's observer has seen"};
};

// A memory of one latency.
class OwnMemory final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};
  explicit OwnMemory(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }

 private:
  void b_transport(Payload& t, sc_core::sc_time& delay) override {
    delay += sc_core::sc_time(300, sc_core::SC_NS);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase&, sc_core::sc_time& delay) override {
    b_transport(t, delay);
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload&) override { return 0; }
};

void on_gpu(Gpu& gpu) {
  if (std::filesystem::exists("broken"))
    throw std::runtime_error("the function of the user's main is broken");
  note("gpu", gpu);
  auto counter = std::make_shared<RequestCounter>("counter");
  gpu.add(*counter);
  for (auto& sm : gpu.sms) sm.memory_socket().observe(*counter);
  for (unsigned i = 0; i < gpu.sms.size(); ++i) {
    if (gpu.memory->memory_socket(i) != nullptr || std::filesystem::exists("unbound")) continue;
    auto memory = std::make_shared<OwnMemory>(("own_memory_" + std::to_string(i)).c_str());
    gpu.sms[i].memory_socket().bind(memory->socket);
    gpu.keep(memory);
  }
  gpu.keep(counter);
  gpu.driver.on_finish([&gpu] { note("end", gpu); });
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  ResultColumn column{"seen_requests", "memory requests that the observer has seen", "requests",
                      "seen_requests"};
  column.always = true;
  result_columns().add(column);
  ProgramHooks hooks;
  hooks.on_gpu = on_gpu;
  return program(argc, argv, hooks);
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
