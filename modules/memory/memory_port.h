// The two ends of a path of the memory hierarchy. The ends speak the TLM-2.0 base protocol (AT), so that
// foreign targets and initiators can be bound to them. The two ends keep the rule of this model. A transfer
// that arrives in cycle t may be looked at from t+1 on. Room that is made in t can be used from t+1 on. A
// sender therefore gets the same answer whether it calls before or after the receiver's tick of that cycle.
//
// Beside AT there is a loosely timed way (LT: b_transport, and transport_dbg), for a host CPU. An LT access
// takes the time that it would need if nothing else was under way: each level adds its own time to the delay.
// An LT access sees the tags of the caches as they are now, and changes none. An LT access waits for no other
// access, and no other access waits for it.
//
// The data of an access are those of the memory at the bottom. A write goes there, whatever the caches hold,
// and a read comes from there. The built-in DRAM has no data, so a read leaves the payload's data as they
// were. AT accesses of a user's initiator move their data likewise. Accesses of our load/store units and
// caches have none.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>

#include <tlm>

#include "subcore/base/index_set.h"
#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/memory/at_initiator.h"
#include "subcore/modules/memory/at_target.h"
#include "subcore/modules/memory/initiator_parameters.h"
#include "subcore/modules/protocol/credits.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/ring.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

// Payloads that have arrived. There is room for a number of them, and one more may wait for room.
class ArrivalQueue {
 public:
  explicit ArrivalQueue(unsigned room) : room_(room) {}

  // From now on every arrival adds the number `n` to `arrived`. The owner takes the number out of it.
  void note_in(IndexSet& arrived, unsigned n) {
    arrived_ = &arrived;
    number_ = n;
  }
  // Puts a payload in. True: it is in the queue. False: it waits for room, and grant() will tell when there
  // is some. `force`: the payload cannot wait.
  bool push(Payload& t, Cycle now, bool force = false) {
    const Entry e{&t, now + 1};
    note();
    if (force || room_.ready(now)) {
      room_.take();
      queue_.push_back(e);
      return true;
    }
    waiting_ = e;
    return false;
  }
  // Lets the payload wait even if there is room. grant() will tell that it is in the queue.
  void hold(Payload& t, Cycle now) {
    note();
    waiting_ = {&t, now + 1};
  }
  // Takes in the payload that waited, if it arrived before `now` and there is room. Only from the owner's
  // tick.
  Payload* grant(Cycle now) {
    if (!waiting() || waiting_.stamp > now || !room_.ready(now)) return nullptr;
    room_.take();
    queue_.push_back(waiting_);
    waiting_ = {};
    return queue_.back().payload;
  }
  // The oldest payload of the queue, if it may be looked at in `now`.
  Payload* front(Cycle now) const {
    if (!has_front() || queue_.front().stamp > now) return nullptr;
    return queue_.front().payload;
  }
  Cycle front_stamp() const { return queue_.front().stamp; }
  void pop(Cycle now) {
    queue_.pop_front();
    room_.give_back(now + 1);
  }
  bool empty() const { return queue_.empty() && !waiting(); }
  bool waiting() const { return waiting_.payload != nullptr; }
  Cycle waiting_stamp() const { return waiting_.stamp; }
  // When there is a payload to look at or to grant; `never` if no payload is here.
  Cycle next(Cycle now) const {
    Cycle at = has_front() ? std::max(now + 1, queue_.front().stamp) : never;
    if (waiting() && room_.any()) at = std::min(at, std::max(now + 1, waiting_.stamp));
    return at;
  }

 private:
  struct Entry {
    Payload* payload = nullptr;
    Cycle stamp = 0;
  };
  bool has_front() const { return !queue_.empty(); }
  void note() {
    if (arrived_ != nullptr) arrived_->add(number_);
  }

  Ring<Entry> queue_;
  Credits room_;
  Entry waiting_;                // the payload that waits for room
  IndexSet* arrived_ = nullptr;  // null: the owner does not ask for numbers
  unsigned number_ = 0;
};

// A module of the hierarchy as LT accesses see it (see the top of this file).
class LooselyTimed {
 public:
  virtual ~LooselyTimed() = default;
  // b_transport: the access is done when it returns; `delay` grows by the time that the access takes.
  virtual void access(Payload& t, sc_core::sc_time& delay) = 0;
  // transport_dbg: returns how many bytes were read or written. No counter and no state but data changes.
  virtual unsigned debug(Payload& t) = 0;
};

// The port where requests come in. In its tick the owner first calls admit(), then takes requests with
// front() and pop(), and answers each with respond().
class MemoryInPort : public TargetSocket<>, private tlm::tlm_fw_transport_if<> {
 public:
  // Wakes `owner` in the cycle in which it has something to do on this port.
  MemoryInPort(const char* name, TickingModule& owner, const Conductor& conductor, unsigned room)
      : TargetSocket(name, *this), owner_(owner), conductor_(conductor), requests_(room) {}

  // For an owner with many ports: see ArrivalQueue. The owner may take the number out when is_quiet().
  void note_in(IndexSet& arrived, unsigned n) { requests_.note_in(arrived, n); }
  // Whether no request is here.
  bool is_quiet() const { return requests_.empty(); }
  // Lets the port take LT accesses. Without it, b_transport is answered TLM_GENERIC_ERROR_RESPONSE, and
  // transport_dbg moves nothing.
  void on_loosely_timed(LooselyTimed& owner) { loosely_timed_ = &owner; }
  // Ends a request that has waited for room. Returns how many cycles the request has waited.
  Cycle admit(Cycle now) {
    const Cycle since = requests_.waiting_stamp();
    if (requests_.grant(now) == nullptr) return 0;
    initiator_.end_request();
    return now + 1 - since;
  }
  Payload* front(Cycle now) const { return requests_.front(now); }
  Cycle front_stamp() const { return requests_.front_stamp(); }
  void pop(Cycle now) {
    requests_.pop(now);
    if (requests_.waiting()) owner_.wake(now + 1);
  }
  // Whether a response can begin: one is under way at a time, and one begins in a cycle.
  bool ready(Cycle now) const { return initiator_.ready(now); }
  Cycle ready_at(Cycle now) const { return initiator_.ready_at(now); }
  // Begins the response of a payload whose status has been set.
  void respond(Payload& t, Cycle now) { initiator_.respond(t, now); }
  Cycle next(Cycle now) const { return requests_.next(now); }
  bool empty() const { return requests_.empty() && !initiator_.responding(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    // A call with an annotated delay counts as if it came that much later.
    const Cycle now = conductor_.cycle_after(delay);
    const auto begin = [&] {
      const bool queued = requests_.push(t, now);
      owner_.wake(now + 1);
      return queued ? AtTarget<>::Answer::accepted : AtTarget<>::Answer::waiting;
    };
    return initiator_.called(conductor_, t, phase, now, begin, [&] { owner_.wake(now + 1); });
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) override {
    if (loosely_timed_ != nullptr) {
      loosely_timed_->access(t, delay);
    } else {
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    t.set_dmi_allowed(false);
  }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload& t) override {
    return loosely_timed_ != nullptr ? loosely_timed_->debug(t) : 0;
  }

  TickingModule& owner_;
  const Conductor& conductor_;
  ArrivalQueue requests_;
  AtTarget<> initiator_{*this};
  LooselyTimed* loosely_timed_ = nullptr;
};

// The port where requests go out and responses come back.
class MemoryOutPort : public InitiatorSocket<>, private tlm::tlm_bw_transport_if<> {
 public:
  // For a path between modules of ours. Or for a path to what a user binds, with `initiator`, the `group` of
  // these parameters, and the key of their bus width.
  MemoryOutPort(const char* name, TickingModule& owner, const Conductor& conductor, unsigned room,
                const InitiatorParameters& initiator = {}, const char* group = nullptr,
                const char* width_key = "")
      : InitiatorSocket(name, *this, {group == nullptr ? 0 : bits_of(initiator.bus_width), width_key}),
        owner_(owner),
        conductor_(conductor),
        responses_(room),
        end_response_(initiator.end_resp),
        at_(*this, conductor, end_response_, group) {}

  // For an owner with many ports: see ArrivalQueue. The owner may take the number out when is_quiet().
  void note_in(IndexSet& arrived, unsigned n) { responses_.note_in(arrived, n); }
  // Whether no response is here.
  bool is_quiet() const { return responses_.empty(); }

  using InitiatorSocket::bind;
  void bind(TargetOfWidth<32>& target) override {
    to_ours_ = dynamic_cast<const MemoryInPort*>(&target) != nullptr;
    if (to_ours_) at_.trust();
    InitiatorSocket::bind(target);
  }
  // Whether a request can begin: one is under way at a time, and one begins in a cycle.
  bool ready(Cycle now) const { return at_.ready(now); }
  // First cycle in which the next request may be sent; `never`: at END_REQ. Only for an owner with another
  // request.
  Cycle ready_at(Cycle now) {
    another_waits_ = another_waits_ || at_.request() != nullptr;
    return at_.ready_at(now);
  }
  void send(Payload& t, Cycle now) {
    ++under_way_;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const AtInitiator::Progress progress = at_.begin(t, delay, now + 1);
    if (progress == AtInitiator::Progress::none || progress == AtInitiator::Progress::request_ended) return;
    const Cycle at = conductor_.cycle_after(delay);
    if (progress == AtInitiator::Progress::completed) {
      responses_.push(t, at, true);  // the response is over, so it cannot be made to wait
    } else if (takes_response(t, at)) {
      at_.end(t, delay);  // the response begins then, so it cannot end earlier
    }
    owner_.wake(at + 1);
  }
  // Checks a request that has been answered: any status but TLM_OK_RESPONSE ends the run.
  void check(const Payload& t) const { at_.check(t); }
  // Ends a response that has waited for room.
  void admit(Cycle now) {
    if (Payload* t = responses_.grant(now)) at_.end(*t, sc_core::SC_ZERO_TIME);
  }
  Payload* front(Cycle now) const { return responses_.front(now); }
  Cycle front_stamp() const { return responses_.front_stamp(); }
  void pop(Cycle now) {
    --under_way_;
    responses_.pop(now);
    if (responses_.waiting()) owner_.wake(now + 1);
  }
  Cycle next(Cycle now) const { return responses_.next(now); }
  bool empty() const { return under_way_ == 0; }
  // For the watchdog's report of the owner, whose name is `name`.
  void report_waiting(std::ostream& out, const char* name) const {
    if (empty() || to_ours_) return;
    at_.report_waiting(out, name);
    at_.report_requests(out, name);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return at_.called(t, phase, delay, another_waits_, [&](bool request_ended, bool response, Cycle at) {
      if (request_ended) another_waits_ = false;
      owner_.wake(at);
      return response && takes_response(t, at - 1);
    });
  }
  // Takes a response. True: there is room, and the response ends. False: admit() will end it.
  bool takes_response(Payload& t, Cycle now) {
    if (end_response_ != EndResponse::call) return responses_.push(t, now);
    responses_.hold(t, now);
    return false;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  TickingModule& owner_;
  const Conductor& conductor_;
  ArrivalQueue responses_;
  EndResponse end_response_;
  bool to_ours_ = false;         // the other end takes every way to end a response
  bool another_waits_ = false;   // for the END_REQ of the request before
  std::uint32_t under_way_ = 0;  // requests that are sent and whose response is not taken
  AtInitiator at_;
};

}  // namespace subcore
