// AtInitiator: the initiator's side of the base protocol (AT), for every module of ours that sends requests
// to a target that may be somebody else's. One rule holds for all of them: a target says about a request what
// the base protocol lets it say, each thing once, and answers TLM_OK_RESPONSE. Anything else ends the run, by
// an error with id "/subcore/protocol" or "/subcore/memory_response" that names socket, command and address,
// and what else the module knows of the request. docs/integrating.md has the table of all cases.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <vector>

#include <systemc>
#include <tlm>

#include "modules/conductor/conductor.h"
#include "modules/memory/initiator_parameters.h"
#include "modules/memory/target_watch.h"
#include "modules/protocol/transport_socket.h"

namespace subcore {

// A set of payloads, by address: open addressing, so that a run allocates only while the set grows.
class PayloadSet {
 public:
  PayloadSet() : slots_(64) {}
  void add(const Payload& t) {
    if (2 * ++count_ > slots_.size()) grow();
    put(&t);
  }
  // False: it was not there.
  bool remove(const Payload& t);
  bool has(const Payload& t) const { return slots_[place_of(&t)] != nullptr; }
  std::size_t size() const { return count_; }
  // Calls visit(payload) for each, in no order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Payload* t : slots_)
      if (t != nullptr) visit(*t);
  }

 private:
  std::size_t first_place(const Payload* t) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    return (reinterpret_cast<std::uintptr_t>(t) * golden >> 32) & (slots_.size() - 1);
  }
  // Where it is, or would be put.
  std::size_t place_of(const Payload* t) const {
    std::size_t n = first_place(t);
    while (slots_[n] != nullptr && slots_[n] != t) n = (n + 1) & (slots_.size() - 1);
    return n;
  }
  void put(const Payload* t) { slots_[place_of(t)] = t; }
  void grow();

  std::vector<const Payload*> slots_;
  std::size_t count_ = 0;
};

class AtInitiator {
 public:
  // What the target has said of a request.
  enum class News : std::uint8_t {
    none,
    request_ended,  // END_REQ
    response,       // BEGIN_RESP, which implies END_REQ; the response is to be ended
    completed       // request and response are over
  };
  // Writes what the module knows of a request of its own, as " for pc 0x40, warp 3".
  using Describe = std::function<void(std::ostream&, const Payload&)>;

  // Of `socket`. `end_response`: how responses end. `group`: that of the socket's parameters ("load_store");
  // null if it has none.
  AtInitiator(InitiatorSocket<>& socket, const Conductor& conductor, EndResponse end_response,
              const char* group, Describe describe = {})
      : socket_(socket),
        conductor_(conductor),
        end_response_(end_response),
        watch_(socket, end_response, group),
        describe_(std::move(describe)) {}

  // The target is a module of ours that keeps the protocol: nothing is looked at.
  void trust() { trusted_ = true; }
  // The request that has had no END_REQ, which excludes others; null if there is none.
  const Payload* request() const { return request_; }
  // Sends BEGIN_REQ; `delay` is then what the target has annotated. Precondition: request() is null.
  News begin(Payload& t, sc_core::sc_time& delay);
  // Sends END_RESP.
  void end(Payload& t, sc_core::sc_time delay);
  // The module's nb_transport_bw. act(request_ended, response) does what follows for the module, and returns
  // whether a response ends now; if not, end() is called later. `another_waits`: to be sent.
  template <class Act>
  tlm::tlm_sync_enum called(Payload& t, tlm::tlm_phase& phase, bool another_waits, Act act) {
    bool ended = false;
    const bool response = phase == tlm::BEGIN_RESP;
    const bool done = conductor_.enter([&] {
      const bool was_request = request_ == &t;
      if (!heard(t, phase, another_waits)) return;
      ended = act(was_request, response) && response;
      if (response && !ended) owed_ = &t;
    });
    if (!done) return response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    if (!ended) return tlm::TLM_ACCEPTED;
    watch_.response_ended_on_return();
    if (end_response_ == EndResponse::completed) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  // Of a request that has been answered: any status but TLM_OK_RESPONSE ends the run.
  void check(const Payload& t) const {
    if (!t.is_response_ok()) refused(t);
  }

  // For the watchdog's report of the module, whose name is `name`: how the target may have missed an
  // END_RESP.
  void report_waiting(std::ostream& out, const char* name) const { watch_.report_waiting(out, name); }
  // The same: which requests have had no END_REQ and no response.
  void report_requests(std::ostream& out, const char* name) const;

 private:
  // Of a call on the backward path. False: of an extended phase, which the base protocol wants to be ignored.
  bool heard(const Payload& t, const tlm::tlm_phase& phase, bool another_waits);
  // A response begins.
  void answered(const Payload& t);
  [[noreturn]] void broken(const Payload& t, const char* problem) const;
  [[noreturn]] void refused(const Payload& t) const;

  InitiatorSocket<>& socket_;
  const Conductor& conductor_;
  EndResponse end_response_;
  bool trusted_ = false;
  const Payload* request_ = nullptr;  // BEGIN_REQ sent, END_REQ not seen
  const Payload* owed_ = nullptr;     // BEGIN_RESP seen, END_RESP not sent
  PayloadSet under_way_;              // BEGIN_REQ sent, BEGIN_RESP not seen
  TargetWatch watch_;
  Describe describe_;
};

}  // namespace subcore
