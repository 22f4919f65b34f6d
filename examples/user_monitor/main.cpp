// A monitor of the user's that counts transfers of an internal port, in both directions, and phases of a
// base-protocol socket.
#include <iostream>

#include <systemc>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"

namespace {

// Instructions that an issue scheduler sends to collectors, and transfers that come back.
struct IssueMonitor : subcore::TransferObserver<subcore::IssueTransfer>,
                      subcore::BackwardObserver<subcore::IssueTransfer> {
  unsigned issued = 0, freed = 0, updates = 0;
  void transferred(const subcore::IssueTransfer&) override { ++issued; }
  void credited(const subcore::IssueTransfer&) override { ++freed; }
  void told(const subcore::IssueTransfer&) override { ++updates; }
};

// Requests to memory and their responses. Each phase comes once, whether it is called, returned or implied.
struct MemoryMonitor : subcore::TransportObserver {
  unsigned begun[2] = {}, ended[2] = {};  // of requests, and of responses
  void forward(const tlm::tlm_generic_payload&, const tlm::tlm_phase& phase,
               const sc_core::sc_time&) override {
    ++(phase == tlm::BEGIN_REQ ? begun[0] : ended[1]);
  }
  void backward(const tlm::tlm_generic_payload&, const tlm::tlm_phase& phase,
                const sc_core::sc_time&) override {
    ++(phase == tlm::END_REQ ? ended[0] : begun[1]);
  }
};

}  // namespace

int sc_main(int, char* argv[]) {
  subcore::Gpu gpu("gpu", subcore::load_platform(subcore::find_platform("malekeh")));
  IssueMonitor issue;
  MemoryMonitor memory;
  for (subcore::SubCore& sub_core : gpu.sms[0].sub_cores) {
    for (auto& port : sub_core.scheduler.issue_socket) {
      port.observe(issue);
      port.observe_backward(issue);
    }
  }
  gpu.sms[0].memory_socket().observe(memory);
  gpu.run(subcore::open_trace(argv[1]));
  sc_core::sc_start();

  std::cout << "user_monitor: issued " << issue.issued << ", freed " << issue.freed << ", updates "
            << issue.updates << ", requests " << memory.begun[0] << ' ' << memory.ended[0] << ", responses "
            << memory.begun[1] << ' ' << memory.ended[1] << '\n';
}
