// A target that breaks or stretches the base protocol once.
#pragma once

#include <map>
#include <vector>

#include <systemc>
#include <tlm>

#include "tests/cosim/rig.h"

namespace subcore::test {

TLM_DECLARE_EXTENDED_PHASE(an_extended_phase);

// The ways in which a target treats one request.
enum class Deed {
  nothing_else,  // only answer with the status
  completes_early,
  returns_end_request,
  returns_response,
  returns_wrong_phase,
  calls_end_request_twice,
  calls_and_returns_end_request,
  calls_end_request_and_completes,
  implies_end_request,
  responds_twice,
  responds_and_completes,
  ends_request_after_response,
  answers_end_response,
  calls_wrong_phase,
  calls_extended_phase,
  responds_to_nothing,
  is_late,
  never_responds,
  never_ends_request
};

// A target that ends requests at once, answers them three cycles later, one at a time, and keeps their data.
// Only the first request with `command` is treated by the deed, and gets `status` as its response.
class Misbehaving : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  bool done = false;

  // Releases all payloads. Precondition: the target does not use any of them any more.
  void give_back() {
    for (Payload* t : kept_) t->release();
    kept_.clear();
  }

  Misbehaving(const sc_core::sc_module_name& name, Deed deed, tlm::tlm_response_status status,
              tlm::tlm_command command)
      : sc_module(name), socket("socket"), deed_(deed), status_(status), command_(command) {
    SC_HAS_PROCESS(Misbehaving);
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    SC_METHOD(act);
    sensitive << event_;
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      if (responding_ == &t) responding_ = nullptr;
      event_.notify(cycles(1));
      if (deed_ != Deed::answers_end_response || &t != victim_) return tlm::TLM_COMPLETED;
      phase = tlm::BEGIN_REQ;
      return tlm::TLM_UPDATED;
    }
    t.acquire();  // until give_back(): a payload that the target still uses is not reused
    kept_.push_back(&t);
    move(t, true);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    if (!done && t.get_command() == command_) {
      done = true;
      victim_ = &t;
      t.set_response_status(status_);
      return misbehave(t, phase, delay);
    }
    return behave(t, phase, 3);
  }
  tlm::tlm_sync_enum behave(Payload& t, tlm::tlm_phase& phase, double after) {
    respond_in(t, after);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum misbehave(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    switch (deed_) {
      case Deed::completes_early:
        delay += cycles(4);
        return tlm::TLM_COMPLETED;
      case Deed::returns_response:
      case Deed::answers_end_response:
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
      case Deed::returns_wrong_phase:
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
      case Deed::calls_end_request_twice:
        call(t, tlm::END_REQ);
        call(t, tlm::END_REQ);
        return tlm::TLM_ACCEPTED;
      case Deed::calls_and_returns_end_request:
        call(t, tlm::END_REQ);
        return behave(t, phase, 3);
      case Deed::calls_end_request_and_completes:
        call(t, tlm::END_REQ);
        return tlm::TLM_COMPLETED;
      case Deed::implies_end_request:
        respond_in(t, 3);
        return tlm::TLM_ACCEPTED;
      case Deed::responds_twice:
        behave(t, phase, 3);
        return behave(t, phase, 3);
      case Deed::responds_and_completes:
        call(t, tlm::BEGIN_RESP);
        return tlm::TLM_COMPLETED;
      case Deed::ends_request_after_response:
        call(t, tlm::BEGIN_RESP);
        call(t, tlm::END_REQ);
        return tlm::TLM_ACCEPTED;
      case Deed::calls_wrong_phase:
        call(t, tlm::BEGIN_REQ);
        return behave(t, phase, 3);
      case Deed::calls_extended_phase:
        call(t, an_extended_phase);
        return behave(t, phase, 3);
      case Deed::responds_to_nothing:
        other_.set_response_status(tlm::TLM_OK_RESPONSE);
        call(other_, tlm::BEGIN_RESP);
        return behave(t, phase, 3);
      case Deed::is_late:
        return behave(t, phase, 3000);
      case Deed::never_responds:
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      case Deed::never_ends_request:
        return tlm::TLM_ACCEPTED;
      case Deed::nothing_else:
      case Deed::returns_end_request:
        break;
    }
    return behave(t, phase, 3);
  }
  tlm::tlm_sync_enum call(Payload& t, tlm::tlm_phase phase) {
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    const bool begins = phase == tlm::BEGIN_RESP;
    const tlm::tlm_sync_enum answer = socket->nb_transport_bw(t, phase, none);
    if (begins && answer == tlm::TLM_ACCEPTED) responding_ = &t;
    return answer;
  }
  void respond_in(Payload& t, double after) {
    agenda_.emplace(sc_core::sc_time_stamp() + cycles(after), &t);
    event_.notify(agenda_.begin()->first - sc_core::sc_time_stamp());
  }
  void act() {
    while (responding_ == nullptr && !agenda_.empty() && agenda_.begin()->first <= sc_core::sc_time_stamp()) {
      Payload* t = agenda_.begin()->second;
      agenda_.erase(agenda_.begin());
      call(*t, tlm::BEGIN_RESP);
    }
    if (responding_ != nullptr || agenda_.empty()) return;
    event_.notify(agenda_.begin()->first - sc_core::sc_time_stamp());
  }
  unsigned move(Payload& t, bool enables) {
    for (unsigned b = 0; b < t.get_data_length(); ++b) {
      if (enables && t.get_byte_enable_ptr() != nullptr &&
          t.get_byte_enable_ptr()[b % t.get_byte_enable_length()] != TLM_BYTE_ENABLED)
        continue;
      unsigned char& byte = bytes_[t.get_address() + b];
      if (t.is_read()) t.get_data_ptr()[b] = byte;
      if (t.is_write()) byte = t.get_data_ptr()[b];
    }
    return t.get_data_length();
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload& t) override { return move(t, false); }

  Deed deed_;
  tlm::tlm_response_status status_;
  tlm::tlm_command command_;
  std::vector<Payload*> kept_;
  Payload* victim_ = nullptr;
  Payload* responding_ = nullptr;
  Payload other_;
  std::multimap<sc_core::sc_time, Payload*> agenda_;
  std::map<std::uint64_t, unsigned char> bytes_;
  sc_core::sc_event event_;
};

}  // namespace subcore::test
