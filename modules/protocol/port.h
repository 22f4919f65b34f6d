// The two ends of an internal data path: plain TLM sockets with a payload of our own, wrapped once so that
// every module gets stamp, credits and the observer hook from here.
//
// Rules (README, "How it is built"): what is sent in cycle t carries the stamp t+1+latency, the first cycle
// in which the receiver may use it. A path with credits answers END_REQ on the backward path, likewise
// stamped; a path without credits completes at once. Calls: nb_transport_fw(BEGIN_REQ) forward,
// nb_transport_bw (END_REQ = credit, status_phase = news from the receiver) backward. b_transport, DMI and
// debug transport are not part of the protocol. Two ports of ours that are bound to each other make these
// calls without going through the virtual bases of TLM's interfaces, which would take as long as the rest of
// a transfer.
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>

#include "modules/protocol/credits.h"
#include "modules/protocol/cycle.h"

namespace subcore {

template <class Payload>
struct TransferProtocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

// Backward phase for anything that is not a credit. Its meaning belongs to the socket.
TLM_DECLARE_EXTENDED_PHASE(status_phase);

// Sees every forward transfer of the ports it is attached to. Observers change nothing.
template <class Payload>
class TransferObserver {
 public:
  virtual ~TransferObserver() = default;
  virtual void transferred(const Payload& payload) = 0;
};

// Sees what comes back on the ports it is attached to: every credit, whether END_REQ is a call of its own or
// on the return path of the transfer, and all other news.
template <class Payload>
class BackwardObserver {
 public:
  virtual ~BackwardObserver() = default;
  virtual void credited(const Payload&) {}  // END_REQ; the payload's stamp says when it counts
  virtual void told(const Payload&) {}      // status_phase
};

// A callback bound to a member function: one indirect call, no allocation.
template <class Payload>
class Handler {
 public:
  template <auto Method, class Owner>
  void bind(Owner* owner, unsigned index) {
    owner_ = owner;
    index_ = index;
    call_ = [](void* o, unsigned i, Payload& p) { (static_cast<Owner*>(o)->*Method)(i, p); };
  }
  void operator()(Payload& p) const {
    if (call_) call_(owner_, index_, p);
  }

 private:
  void* owner_ = nullptr;
  void (*call_)(void*, unsigned, Payload&) = nullptr;
  unsigned index_ = 0;
};

template <class Payload>
class InPort;

template <class Payload>
class OutPort final : public tlm::tlm_initiator_socket<32, TransferProtocol<Payload>>,
                      public tlm::tlm_bw_transport_if<TransferProtocol<Payload>> {
  using Socket = tlm::tlm_initiator_socket<32, TransferProtocol<Payload>>;

 public:
  // `credits` transfers may be under way before the receiver answers; 0 = no back-pressure on this path.
  explicit OutPort(const char* name, unsigned credits = 0)
      : Socket(name), credits_(credits), limited_(credits > 0) {
    Socket::bind(*static_cast<tlm::tlm_bw_transport_if<TransferProtocol<Payload>>*>(this));
  }
  using Socket::bind;
  using Socket::operator();

  // Called at each END_REQ, after the credit is counted; the payload's stamp says when it counts.
  template <auto Method, class Owner>
  void on_credit(Owner* owner, unsigned index = 0) {
    credit_handler_.template bind<Method>(owner, index);
  }
  template <auto Method, class Owner>
  void on_status(Owner* owner, unsigned index = 0) {
    status_handler_.template bind<Method>(owner, index);
  }
  void observe(TransferObserver<Payload>& observer) { observers_.push_back(&observer); }
  void observe_backward(BackwardObserver<Payload>& observer) { backward_observers_.push_back(&observer); }

  bool ready(Cycle now) { return !limited_ || credits_.ready(now); }
  // Cycle at which ready() turns true without further news; `never` when only a credit to come can help.
  Cycle ready_at(Cycle now) { return limited_ ? credits_.ready_at(now) : now; }

  // Precondition: ready(cycle of sending). payload.stamp is set by the caller.
  void send(Payload& payload) {
    if (limited_) credits_.take();
    for (TransferObserver<Payload>* o : observers_) o->transferred(payload);
    tlm::tlm_sync_enum answer;
    if (peer_ != nullptr) {
      answer = peer_->receive(payload);
    } else {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      answer = (*this)->nb_transport_fw(payload, phase, zero_);
    }
    if (answer == tlm::TLM_ACCEPTED) return;
    // An END_REQ on the return path is a credit like any other.
    for (BackwardObserver<Payload>* o : backward_observers_) o->credited(payload);
    if (limited_) credits_.give_back(payload.stamp);
  }

 private:
  friend class InPort<Payload>;
  void end_of_elaboration() override { peer_ = dynamic_cast<InPort<Payload>*>(Socket::get_interface()); }
  void receive_credit(Payload& payload) {
    for (BackwardObserver<Payload>* o : backward_observers_) o->credited(payload);
    if (limited_) credits_.give_back(payload.stamp);
    credit_handler_(payload);
  }
  void receive_status(Payload& payload) {
    for (BackwardObserver<Payload>* o : backward_observers_) o->told(payload);
    status_handler_(payload);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override {
    if (phase == tlm::END_REQ) {
      receive_credit(payload);
    } else {
      receive_status(payload);
    }
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  InPort<Payload>* peer_ = nullptr;  // null: somebody else's socket
  Credits credits_;
  bool limited_;
  sc_core::sc_time zero_ = sc_core::SC_ZERO_TIME;
  Handler<Payload> credit_handler_, status_handler_;
  std::vector<TransferObserver<Payload>*> observers_;
  std::vector<BackwardObserver<Payload>*> backward_observers_;
};

template <class Payload>
class InPort final : public tlm::tlm_target_socket<32, TransferProtocol<Payload>>,
                     public tlm::tlm_fw_transport_if<TransferProtocol<Payload>> {
  using Socket = tlm::tlm_target_socket<32, TransferProtocol<Payload>>;

 public:
  explicit InPort(const char* name) : Socket(name) {
    Socket::bind(*static_cast<tlm::tlm_fw_transport_if<TransferProtocol<Payload>>*>(this));
  }
  using Socket::bind;
  using Socket::operator();

  template <auto Method, class Owner>
  void on_receive(Owner* owner, unsigned index = 0) {
    handler_.template bind<Method>(owner, index);
  }
  // From within the receive handler: this transfer's credit returns at payload.stamp (which the handler
  // sets).
  void accept_now() { answer_ = tlm::TLM_UPDATED; }
  // Later: returns one credit, effective at payload.stamp.
  void credit(Payload& payload) {
    if (peer_ != nullptr) return peer_->receive_credit(payload);
    for (BackwardObserver<Payload>* o : backward_observers_) o->credited(payload);
    backward(payload, tlm::END_REQ);
  }
  void status(Payload& payload) {
    if (peer_ != nullptr) return peer_->receive_status(payload);
    for (BackwardObserver<Payload>* o : backward_observers_) o->told(payload);
    backward(payload, status_phase);
  }
  // What crosses the path is the same at both of its ends, and seen at the other one if that is ours, too.
  void observe(TransferObserver<Payload>& observer) {
    if (peer_ != nullptr) return peer_->observe(observer);
    observers_.push_back(&observer);
  }
  void observe_backward(BackwardObserver<Payload>& observer) {
    if (peer_ != nullptr) return peer_->observe_backward(observer);
    backward_observers_.push_back(&observer);
  }

 private:
  friend class OutPort<Payload>;
  void end_of_elaboration() override {
    peer_ = dynamic_cast<OutPort<Payload>*>(Socket::get_base_port().get_interface());
    if (peer_ == nullptr) return;
    for (TransferObserver<Payload>* o : observers_) peer_->observe(*o);
    for (BackwardObserver<Payload>* o : backward_observers_) peer_->observe_backward(*o);
    observers_.clear();
    backward_observers_.clear();
  }
  void backward(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
    (*this)->nb_transport_bw(payload, phase, zero);
  }
  // TLM_UPDATED: the credit has returned at once.
  tlm::tlm_sync_enum receive(Payload& payload) {
    answer_ = tlm::TLM_ACCEPTED;
    handler_(payload);
    return answer_;
  }
  // From somebody else's socket.
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override {
    for (TransferObserver<Payload>* o : observers_) o->transferred(payload);
    if (receive(payload) == tlm::TLM_ACCEPTED) return tlm::TLM_ACCEPTED;
    for (BackwardObserver<Payload>* o : backward_observers_) o->credited(payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("/subcore/protocol", "b_transport on an internal socket; use nb_transport_fw(BEGIN_REQ)");
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload&) override { return 0; }

  OutPort<Payload>* peer_ = nullptr;  // null: somebody else's socket
  Handler<Payload> handler_;
  tlm::tlm_sync_enum answer_ = tlm::TLM_ACCEPTED;
  std::vector<TransferObserver<Payload>*> observers_;  // while the other end is not known, or not ours
  std::vector<BackwardObserver<Payload>*> backward_observers_;
};

}  // namespace subcore
