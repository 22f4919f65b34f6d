#include "modules/memory/address_router.h"

namespace subcore {

AddressRouter::AddressRouter(const sc_core::sc_module_name& name, std::vector<Range> ranges)
    : Module(name),
      target_socket("target_socket", *this),
      initiator_socket("initiator_socket", ranges.size(),
                       [this](const char* n, std::size_t) { return new InitiatorSocket<>(n, *this); }),
      ranges_(std::move(ranges)) {}

InitiatorSocket<>* AddressRouter::route(const tlm::tlm_generic_payload& t) {
  const std::uint64_t begin = t.get_address();
  for (unsigned r = 0; r < ranges_.size(); ++r) {
    const std::uint64_t last = ranges_[r].end - 1;  // an `end` of 0 wraps to the last address of all
    if (begin >= ranges_[r].begin && begin <= last && std::uint64_t{t.get_data_length()} - 1 <= last - begin)
      return &initiator_socket[r];
  }
  return nullptr;
}

tlm::tlm_sync_enum AddressRouter::nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  auto* const to = route(t);
  if (to == nullptr) {
    t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  const bool end = phase == tlm::END_RESP;
  const tlm::tlm_sync_enum answer = (*to)->nb_transport_fw(t, phase, delay);
  if (end) {
    responding_ = nullptr;
    respond_next();
    return tlm::TLM_COMPLETED;
  }
  if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    if (responding_ == nullptr && held_.empty()) {
      responding_ = &t;
    } else {
      held_.push_back({&t, sc_core::sc_time_stamp() + delay});
      phase = tlm::END_REQ;
      delay = sc_core::SC_ZERO_TIME;
    }
  }
  return answer;
}

tlm::tlm_sync_enum AddressRouter::nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return target_socket->nb_transport_bw(t, phase, delay);
  if (responding_ != nullptr) {
    held_.push_back({&t, sc_core::sc_time_stamp() + delay});
    return tlm::TLM_ACCEPTED;
  }
  responding_ = &t;
  const tlm::tlm_sync_enum answer = target_socket->nb_transport_bw(t, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    responding_ = nullptr;
  return answer;
}

void AddressRouter::respond_next() {
  while (responding_ == nullptr && !held_.empty()) {
    tlm::tlm_generic_payload& t = *held_.front().payload;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    sc_core::sc_time delay = held_.front().from > now ? held_.front().from - now : sc_core::SC_ZERO_TIME;
    held_.pop_front();
    responding_ = &t;
    auto* const from = route(t);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    t.acquire();  // its initiator may be done with it before its target is
    const tlm::tlm_sync_enum answer = target_socket->nb_transport_bw(t, phase, delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = nullptr;
      phase = tlm::END_RESP;
      (*from)->nb_transport_fw(t, phase, delay);
    }
    t.release();
  }
}

void AddressRouter::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  auto* const to = route(t);
  if (to == nullptr) {
    t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  (*to)->b_transport(t, delay);
}

void AddressRouter::invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) {
  target_socket->invalidate_direct_mem_ptr(begin, end);
}

unsigned AddressRouter::transport_dbg(tlm::tlm_generic_payload& t) {
  auto* const to = route(t);
  return to == nullptr ? 0 : (*to)->transport_dbg(t);
}

}  // namespace subcore
