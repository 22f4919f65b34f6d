// AtInitiator: the initiator's side of the base protocol (AT), for every module of ours that sends requests
// to a target that may be a user's. One rule holds for all these modules. For each request a target sends the
// phases that the base protocol allows, each once, and answers TLM_OK_RESPONSE. Anything else ends the run by
// an error with id "/subcore/protocol" or "/subcore/memory_response". The error names socket, command and
// address, and what else the module knows of the request. docs/integrating.md has the table of all cases.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <vector>

#include <systemc>
#include <tlm>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/memory/initiator_parameters.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

// Watches what a user would want to know of the target behind an initiator of ours.
class TargetWatch {
 public:
  // `group`: the group of the socket's parameters ("load_store"); null if the socket has none.
  TargetWatch(const sc_core::sc_object& socket, EndResponse end_response, const char* group)
      : socket_(socket), end_response_(end_response), group_(group) {}

  // A request of ours has ended by an END_REQ, or by an early answer.
  void request_ended() { in_a_row_ = 0; }
  // The request has ended because its response began. A target that always does so gets one request at a
  // time. When such ends have held up many requests in a row, warns once, with id "/subcore/memory".
  void request_end_implied(bool another_waits) {
    if (another_waits && ++in_a_row_ >= held_up && !warned_) warn();
  }
  // A response has ended on the return path of BEGIN_RESP; or by a call, or with its request.
  void response_ended_on_return() { ++ended_on_return_; }
  void response_ended_otherwise() { ended_otherwise_ = true; }

  // For the watchdog's report, when more responses are expected. A target that does not look at the return
  // path of its calls waits for an END_RESP that has already come.
  void report_waiting(std::ostream& out, const char* name) const;

 private:
  static constexpr unsigned held_up = 64;
  void warn();

  const sc_core::sc_object& socket_;
  EndResponse end_response_;
  const char* group_;
  unsigned in_a_row_ = 0;
  bool warned_ = false;
  bool ended_otherwise_ = false;
  std::uint64_t ended_on_return_ = 0;
};

// A set of payloads, by their addresses, with open addressing, so that the set allocates only while it grows.
class PayloadSet {
 public:
  PayloadSet() : slots_(64) {}
  void add(const Payload& t) {
    if (2 * ++count_ > slots_.size()) grow();
    put(&t);
  }
  // Returns false if the payload was not in the set.
  bool remove(const Payload& t);
  std::size_t size() const { return count_; }
  // Calls visit(payload) for each payload, in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Payload* t : slots_)
      if (t != nullptr) visit(*t);
  }

 private:
  std::size_t home_slot(const Payload* t) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    return (reinterpret_cast<std::uintptr_t>(t) * golden >> 32) & (slots_.size() - 1);
  }
  // The slot that has the payload, or that would get it.
  std::size_t slot_of(const Payload* t) const {
    std::size_t n = home_slot(t);
    while (slots_[n] != nullptr && slots_[n] != t) n = (n + 1) & (slots_.size() - 1);
    return n;
  }
  void put(const Payload* t) { slots_[slot_of(t)] = t; }
  void grow();

  std::vector<const Payload*> slots_;
  std::size_t count_ = 0;
};

// The initiator's side of one socket.
class AtInitiator {
 public:
  // How far a request has come.
  enum class Progress : std::uint8_t {
    none,
    request_ended,  // END_REQ
    response,       // BEGIN_RESP, which implies END_REQ; the response is to be ended
    completed       // request and response are over
  };
  // Writes what the module knows of its own request, for example " for pc 0x40, warp 3".
  using Describe = std::function<void(std::ostream&, const Payload&)>;

  // `end_response`: how responses end. `group`: the group of the socket's parameters ("load_store"); null if
  // the socket has none.
  AtInitiator(InitiatorSocket<>& socket, const Conductor& conductor, EndResponse end_response,
              const char* group, Describe describe = {})
      : socket_(socket),
        conductor_(conductor),
        end_response_(end_response),
        watch_(socket, end_response, group),
        describe_(std::move(describe)) {}

  // Turns the checks off, for a target of ours, which keeps the protocol.
  void trust() { trusted_ = true; }
  // Whether a request may be sent in `now`, because the request before has ended.
  bool ready(Cycle now) const { return request_ == nullptr && free_ <= now; }
  // First cycle in which a request may be sent; `never`: at END_REQ.
  Cycle ready_at(Cycle now) const { return request_ != nullptr ? never : std::max(now, free_); }
  void wait_until(Cycle free) { free_ = free; }
  // The request that waits for its END_REQ, and meanwhile keeps others from being sent. Null if there is
  // none.
  const Payload* request() const { return request_; }
  // Sends BEGIN_REQ. Afterwards `delay` is what the target has annotated. `next`: the first cycle in which
  // another request may be sent, if this one has ended by then. Precondition: ready().
  Progress begin(Payload& t, sc_core::sc_time& delay, Cycle next);
  // Sends END_RESP.
  void end(Payload& t, sc_core::sc_time delay);
  // The module's nb_transport_bw calls this function. act(request_ended, response, at) does what follows for
  // the module from cycle `at` on, and returns whether a response ends now. If it does not, the module calls
  // end() later. `another_waits`: whether another request waits to be sent.
  template <class Act>
  tlm::tlm_sync_enum called(Payload& t, tlm::tlm_phase& phase, const sc_core::sc_time& delay,
                            bool another_waits, Act act) {
    bool ended = false;
    const Cycle at = conductor_.cycle_after(delay) + 1;
    const bool response = phase == tlm::BEGIN_RESP;
    const bool done = conductor_.enter([&] {
      const bool was_request = request_ == &t;
      if (!heard(t, phase, another_waits)) return;
      if (was_request) free_ = at;
      ended = act(was_request, response, at) && response;
      if (response && !ended) owed_ = &t;
    });
    if (!done) return response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    if (!ended) return tlm::TLM_ACCEPTED;
    watch_.response_ended_on_return();
    if (end_response_ == EndResponse::completed) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  // An annotated delay in cycles, rounded up.
  Cycle whole_cycles(const sc_core::sc_time& delay) const {
    return conductor_.cycle_of(delay + conductor_.period() - sc_core::sc_get_time_resolution());
  }
  // Checks a request that has been answered: any status but TLM_OK_RESPONSE ends the run.
  void check(const Payload& t) const {
    if (!t.is_response_ok()) refused(t);
  }

  // For the watchdog's report of the module `name`: how the target may have missed an END_RESP.
  void report_waiting(std::ostream& out, const char* name) const { watch_.report_waiting(out, name); }
  // For the same report: the request that has had no END_REQ, and all requests that have had no response.
  void report_request(std::ostream& out, const char* name) const;
  void report_requests(std::ostream& out, const char* name) const;

 private:
  // Checks a call on the backward path. False: the phase is an extended one, which the module ignores.
  bool heard(const Payload& t, const tlm::tlm_phase& phase, bool another_waits);
  // Notes that a response begins.
  void answered(const Payload& t);
  [[noreturn]] void broken(const Payload& t, const char* problem) const;
  [[noreturn]] void refused(const Payload& t) const;

  InitiatorSocket<>& socket_;
  const Conductor& conductor_;
  EndResponse end_response_;
  bool trusted_ = false;
  const Payload* request_ = nullptr;  // BEGIN_REQ sent, END_REQ not seen
  Cycle free_ = 0;                    // first cycle in which the next request may be sent
  const Payload* owed_ = nullptr;     // BEGIN_RESP seen, END_RESP not sent
  PayloadSet under_way_;              // BEGIN_REQ sent, BEGIN_RESP not seen
  TargetWatch watch_;
  Describe describe_;
};

}  // namespace subcore
