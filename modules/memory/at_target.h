// AtTarget: the target's side of the base protocol (AT), for every module of ours that takes requests from an
// initiator that may be a user's. If the module says so, a request waits for its END_REQ, and no other may
// come meanwhile. One response is under way at a time. A payload that is counted (acquire() and release()) is
// kept from its request to the end of its response. A phase that the protocol does not allow is an error with
// id "/subcore/protocol"; extended phases are ignored.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>

#include <tlm>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

// The target's side of one socket.
template <class Socket = TargetSocket<>>
class AtTarget {
 public:
  // How BEGIN_REQ is answered.
  enum class Answer : std::uint8_t {
    completed,  // request and response are over (TLM_COMPLETED)
    accepted,   // the request ends (END_REQ)
    waiting     // the request waits for end_request(), or for its response
  };

  explicit AtTarget(Socket& socket) : socket_(socket) {}

  // The request that waits for its END_REQ; null if there is none.
  Payload* request() const { return request_; }
  void end_request() {
    Payload& t = *request_;
    request_ = nullptr;
    send(t, tlm::END_REQ);
  }

  // Whether a response has begun and not ended.
  bool responding() const { return response_ != nullptr; }
  bool responding(const Payload& t) const { return response_ == &t; }
  // Whether a response can begin in `now`. Only one response is under way at a time, and only one begins in a
  // cycle.
  bool ready(Cycle now) const { return response_ == nullptr && response_free_ <= now; }
  // First cycle in which a response can begin; `never`: at END_RESP.
  Cycle ready_at(Cycle now) const { return response_ != nullptr ? never : std::max(now, response_free_); }
  // Begins the response, whose status has been set. ready() counts from `now`.
  void respond(Payload& t, Cycle now = 0) {
    if (request_ == &t) request_ = nullptr;
    response_free_ = now + 1;
    response_ = &t;
    if (send(t, tlm::BEGIN_RESP) && response_ == &t) end_response();
  }

  // The owner's nb_transport_fw calls this function. `now` is the cycle of the call's time. begin() takes the
  // request and returns its Answer; ended() does what follows END_RESP.
  template <class Begin, class Ended>
  tlm::tlm_sync_enum called(Payload& t, tlm::tlm_phase& phase, Cycle now, Begin begin, Ended ended) {
    if (phase == tlm::END_RESP) {
      if (response_ != &t) refuse("END_RESP for a response that is not under way", t);
      response_free_ = now + 1;
      ended();
      end_response();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) {
      if (phase > tlm::END_RESP) return tlm::TLM_ACCEPTED;
      refuse("a phase on the forward path that is neither BEGIN_REQ nor END_RESP", t);
    }
    if (request_ != nullptr) refuse("BEGIN_REQ before the END_REQ of the request before", t);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const Answer answer = begin();
    if (answer == Answer::completed) return tlm::TLM_COMPLETED;
    if (t.has_mm()) t.acquire();
    if (answer == Answer::waiting) {
      request_ = &t;
      return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  // The same for a module of a conductor: calls neither function once the model has failed.
  template <class Begin, class Ended>
  tlm::tlm_sync_enum called(const Conductor& conductor, Payload& t, tlm::tlm_phase& phase, Cycle now,
                            Begin begin, Ended ended) {
    tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
    if (!conductor.enter([&] { answer = called(t, phase, now, begin, ended); }) && phase == tlm::BEGIN_REQ)
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return answer;
  }

 private:
  [[noreturn]] void refuse(const char* problem, const Payload& t) const {
    fail(report_id::protocol, breach_text(socket_, "the initiator", problem + (", " + request_text(t))));
  }
  // Sends a phase. Returns whether the initiator has ended the response that begins.
  bool send(Payload& t, tlm::tlm_phase phase) {
    sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = socket_.nb_transport_bw(t, phase, zero);
    return answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  }
  void end_response() {
    Payload& t = *response_;
    response_ = nullptr;
    if (t.has_mm()) t.release();
  }

  Socket& socket_;
  Payload* request_ = nullptr;   // BEGIN_REQ seen, END_REQ not sent
  Payload* response_ = nullptr;  // BEGIN_RESP sent, END_RESP not seen
  Cycle response_free_ = 0;      // first cycle in which the next response may begin
};

}  // namespace subcore
