// Every register bank of an SM is a memory of the user's, behind a bridge. The contents of registers really
// travel: values that the memory loses or mixes up are reported as stale operands by the model.
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/memory/simple_memory.h"
#include "subcore/modules/register_bank/bank_bridge.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/memory/simple.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/platforms/trace_driver.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// A bank with a read pipeline of three cycles. A process of the bank answers reads later. Writes are answered
// at once.
class UserBank : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<UserBank> socket;
  std::uint64_t reads = 0, writes = 0;

  UserBank(const sc_core::sc_module_name& name, std::size_t bytes)
      : sc_module(name), socket("socket"), bytes_(bytes, 0), pipeline_("pipeline") {
    SC_HAS_PROCESS(UserBank);
    socket.register_nb_transport_fw(this, &UserBank::nb_transport_fw);
    SC_METHOD(read_out);
    sensitive << pipeline_.get_event();
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    const std::uint64_t end = t.get_address() + t.get_data_length();
    if (end > bytes_.size()) {
      t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    if (t.is_write()) {
      ++writes;
      std::memcpy(&bytes_[t.get_address()], t.get_data_ptr(), t.get_data_length());
      t.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    ++reads;
    pipeline_.notify(t, delay + sc_time(3, SC_NS));
    phase = tlm::END_REQ;  // the next request may follow in the next cycle
    return tlm::TLM_UPDATED;
  }
  void read_out() {
    while (tlm::tlm_generic_payload* t = pipeline_.get_next_transaction()) {
      std::memcpy(t->get_data_ptr(), &bytes_[t->get_address()], t->get_data_length());
      t->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_time none = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(*t, phase, none);
    }
  }

  std::vector<unsigned char> bytes_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> pipeline_;
};

// A bridge with its bank, as one module that the sub-core can keep.
class BridgedBank : public subcore::BankBridge {
 public:
  UserBank bank;
  BridgedBank(const sc_core::sc_module_name& name, const subcore::Conductor& conductor, unsigned warp_slots)
      : BankBridge(name, conductor), bank("bank", warp_slots * registers_per_warp * operand_bytes) {
    memory_socket.bind(bank.socket);
  }
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: user_bank TRACE_FOLDER\n";
    return 2;
  }
  // Malekeh's threshold is adaptive by default, and a lone SM has no controller.
  const subcore::PlatformParameters p =
      subcore::load_platform(subcore::find_platform("malekeh"), {"sthld.mode=fixed"});

  std::vector<BridgedBank*> banks;
  subcore::SubCoreHooks hooks;
  hooks.register_bank = [&](const subcore::SubCoreSite& site, auto& arbiter, auto& crossbar) {
    auto bank = std::make_unique<BridgedBank>(("bank_" + std::to_string(site.index)).c_str(), site.conductor,
                                              p.sub_core.warp_slots);
    arbiter.bind(bank->bank_socket);
    bank->data_socket.bind(crossbar);
    banks.push_back(bank.get());
    return bank;
  };
  subcore::StreamingMultiprocessor sm("sm", 0, p, hooks);
  subcore::SimpleMemory memory("memory", p.memory.kind.as<subcore::SimpleMemoryChoice>().parameters,
                               subcore::clock_period(p.clock_period_ns));
  sm.memory_socket().bind(memory.memory_socket);
  subcore::TraceDriver driver("driver", p, {&sm});
  driver.run(subcore::open_trace(argv[1]));
  sc_core::sc_start();  // until nothing is left to do

  std::uint64_t reads = 0, writes = 0, read_grants = 0;
  for (const BridgedBank* b : banks) reads += b->bank.reads, writes += b->bank.writes;
  for (const auto& s : sm.sub_cores) read_grants += s.arbiter.counters().read_grants;
  std::cout << "user_bank: " << driver.finish_cycle() << " cycles, " << reads << " reads and " << writes
            << " writes in " << banks.size() << " user banks, " << sm.check().checked()
            << " operands checked, " << sm.check().stale() << " stale\n";
  return driver.finished() && driver.leftovers().empty() && reads > 0 && reads == read_grants &&
                 sm.check().checked() > 0 && sm.check().stale() == 0
             ? 0
             : 1;
}
