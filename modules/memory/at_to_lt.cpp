#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES  // for sc_spawn
#endif
#include "subcore/modules/memory/at_to_lt.h"

#include <algorithm>
#include <ostream>

namespace subcore {

AtToLt::AtToLt(const sc_core::sc_module_name& name, unsigned threads)
    : Module(name), at_socket("at_socket", *this), lt_socket("lt_socket", *this), threads_(threads) {
  for (unsigned n = 0; n < threads; ++n) sc_core::sc_spawn([this] { serve(); });
}

tlm::tlm_sync_enum AtToLt::nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto begin = [&] {
    if (threads_ == 0) {
      lt_socket->b_transport(t, delay);
      return AtTarget<>::Answer::completed;
    }
    queue_.push_back({&t, sc_core::sc_time_stamp() + delay});
    ++under_way_;
    queued_.notify(sc_core::SC_ZERO_TIME);
    return AtTarget<>::Answer::accepted;
  };
  return initiator_.called(t, phase, 0, begin, [&] { response_ended_.notify(delay); });
}

void AtToLt::serve() {
  while (true) {
    while (queue_.empty()) wait(queued_);
    const Request r = queue_.front();
    queue_.pop_front();
    if (!queue_.empty()) queued_.notify(sc_core::SC_ZERO_TIME);  // another thread may be idle
    // Temporal decoupling: the request begins `delay` from now.
    sc_core::sc_time delay = std::max(r.from, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
    lt_socket->b_transport(*r.payload, delay);
    wait(delay);
    while (initiator_.responding()) wait(response_ended_);
    initiator_.respond(*r.payload);
    if (!initiator_.responding()) response_ended_.notify(sc_core::SC_ZERO_TIME);
    while (initiator_.responding(*r.payload)) wait(response_ended_);
    --under_way_;
  }
}

tlm::tlm_sync_enum AtToLt::nb_transport_bw(Payload& t, tlm::tlm_phase&, sc_core::sc_time&) {
  breach_.report(lt_socket, "the memory",
                 "the memory called nb_transport_bw, but was asked by b_transport, " + request_text(t));
  return tlm::TLM_ACCEPTED;
}

void AtToLt::report_waiting(std::ostream& out) const {
  if (under_way_ != 0)
    out << name() << ": " << under_way_ << " requests, " << queue_.size() << " not begun\n";
}

}  // namespace subcore
