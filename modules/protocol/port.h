// The two ends of an internal data path. Ports are TLM sockets with a payload of our own, wrapped once, so
// that every module gets stamp, credits and the observer hook from here.
//
// Rules (docs/design.md): what is sent in cycle t carries the stamp t+1+latency, the first cycle in which the
// receiver may use it. A path with credits answers END_REQ on the backward path, stamped in the same way. A
// path without credits completes at once. Calls: nb_transport_fw(BEGIN_REQ) forward, and nb_transport_bw
// backward (END_REQ = credit, status_phase = a status of the receiver). b_transport, DMI and debug transport
// are not part of the protocol.
//
// If two ports of ours are bound to each other, they make these calls without the virtual bases of TLM's
// interfaces. Calls through these bases would take as long as the rest of a transfer.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/iterator/indirect_iterator.hpp>
#include <systemc>
#include <tlm>

#include "subcore/modules/protocol/credits.h"
#include "subcore/modules/protocol/cycle.h"
#include "subcore/modules/protocol/observer.h"
#include "subcore/modules/protocol/path_socket.h"
#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

template <class Payload>
struct TransferProtocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

// Backward phase for anything that is not a credit. Each socket defines its meaning.
TLM_DECLARE_EXTENDED_PHASE(status_phase);

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
  void operator()(Payload& p) const { call_(owner_, index_, p); }

 private:
  void* owner_ = nullptr;
  void (*call_)(void*, unsigned, Payload&) = [](void*, unsigned, Payload&) {};  // until it is bound
  unsigned index_ = 0;
};

template <class Payload>
class InPort;

// The port behind an interface, or null if the port is not of this class, which is final. A dynamic_cast
// walks through the bases of TLM's sockets and takes some hundred times as long. A GPU has thousands of
// paths.
template <class Port, class Interface>
Port* as(Interface* interface) {
  return typeid(*interface) == typeid(Port) ? static_cast<Port*>(interface) : nullptr;
}

// The observers of one path. Most observed paths have one observer, which is called directly, without a list.
template <class Payload>
class PathObservers final : public TransferObserver<Payload>, public BackwardObserver<Payload> {
 public:
  // Returns the observer to call from now on: the only one, or this object, which calls all.
  TransferObserver<Payload>* add(TransferObserver<Payload>& o) {
    forward_.push_back(&o);
    return forward_.size() == 1 ? &o : this;
  }
  BackwardObserver<Payload>* add(BackwardObserver<Payload>& o) {
    backward_.push_back(&o);
    return backward_.size() == 1 ? &o : this;
  }
  void transferred(const Payload& p) override {
    for (TransferObserver<Payload>* o : forward_) o->transferred(p);
  }
  void credited(const Payload& p) override {
    for (BackwardObserver<Payload>* o : backward_) o->credited(p);
  }
  void told(const Payload& p) override {
    for (BackwardObserver<Payload>* o : backward_) o->told(p);
  }
  // Moves the observers to the other end of the path.
  template <class Port>
  void move_to(Port& port) {
    for (TransferObserver<Payload>* o : forward_) port.observe(*o);
    for (BackwardObserver<Payload>* o : backward_) port.observe_backward(*o);
    forward_.clear();
    backward_.clear();
  }

 private:
  std::vector<TransferObserver<Payload>*> forward_;
  std::vector<BackwardObserver<Payload>*> backward_;
};

// The sending end of a path: a TLM initiator socket with credits.
template <class Payload>
class OutPort final : public PathInitiatorSocket<TransferProtocol<Payload>>,
                      public tlm::tlm_bw_transport_if<TransferProtocol<Payload>> {
  using Socket = PathInitiatorSocket<TransferProtocol<Payload>>;

 public:
  // `credits`: how many transfers may be under way before the receiver answers; 0 = no back-pressure on this
  // path.
  explicit OutPort(const char* name, unsigned credits = 0) : Socket(name) {
    hot_.credits = Credits(credits);
    hot_.limited = credits > 0;
    Socket::bind(*static_cast<tlm::tlm_bw_transport_if<TransferProtocol<Payload>>*>(this));
  }
  using Socket::bind;
  using Socket::operator();

  // Sets the handler of END_REQ, before the end of elaboration. The handler is called after the credit is
  // counted. The payload's stamp says from when on the credit counts.
  template <auto Method, class Owner>
  void on_credit(Owner* owner, unsigned index = 0) {
    credit_handler_.template bind<Method>(owner, index);
  }
  template <auto Method, class Owner>
  void on_status(Owner* owner, unsigned index = 0) {
    status_handler_.template bind<Method>(owner, index);
  }
  void observe(TransferObserver<Payload>& observer) { hot_.forward = observers().add(observer); }
  void observe_backward(BackwardObserver<Payload>& observer) { hot_.backward = observers().add(observer); }

  bool ready(Cycle now) { return !hot_.limited || hot_.credits.ready(now); }
  // Cycle at which ready() turns true by itself; `never`: only a credit that is still to come can help.
  Cycle ready_at(Cycle now) { return hot_.limited ? hot_.credits.ready_at(now) : now; }

  // Sends a payload, whose stamp the caller has set. Precondition: ready(cycle of sending). This function and
  // InPort's credit() and status() are inlined everywhere, because together they are 1 % of what a simulation
  // executes.
  [[gnu::always_inline]] void send(Payload& payload) {
    if (hot_.limited) hot_.credits.take();
    if (hot_.forward != nullptr) hot_.forward->transferred(payload);
    if (!hot_.ours) return send_to_another(payload);
    hot_.accepted_now = false;
    hot_.receiver(payload);
    // An END_REQ on the return path is a credit like any other.
    if (hot_.accepted_now) take_credit(payload);
  }

 private:
  friend class InPort<Payload>;
  void end_of_elaboration() override {
    if (Socket::Port::get_interface() == nullptr) return;
    auto* const peer = as<InPort<Payload>>(Socket::Port::operator->());
    if (peer == nullptr) return;
    hot_.receiver = peer->handler_;
    hot_.ours = true;
  }
  // Sends to a socket that is not ours.
  [[gnu::noinline]] void send_to_another(Payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
    if ((*this)->nb_transport_fw(payload, phase, zero) != tlm::TLM_ACCEPTED) take_credit(payload);
  }
  PathObservers<Payload>& observers() {
    if (observers_ == nullptr) observers_ = std::make_unique<PathObservers<Payload>>();
    return *observers_;
  }
  void take_credit(Payload& payload) {
    if (hot_.backward != nullptr) hot_.backward->credited(payload);
    if (hot_.limited) hot_.credits.give_back(payload.stamp);
  }
  void take_status(Payload& payload) {
    if (hot_.backward != nullptr) hot_.backward->told(payload);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override {
    if (phase == tlm::END_REQ) {
      take_credit(payload);
      credit_handler_(payload);
    } else {
      take_status(payload);
      status_handler_(payload);
    }
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // Members that a transfer needs of both ends of the path, in one line of a cache. An SM has more ports than
  // its share of a first-level cache has lines.
  struct alignas(64) Hot {
    Handler<Payload> receiver;  // the other end's handler, if that end is ours
    Credits credits;
    TransferObserver<Payload>* forward = nullptr;   // null: no observer
    BackwardObserver<Payload>* backward = nullptr;  // null: no observer
    bool ours = false;
    bool limited = false;
    bool accepted_now = false;  // the receiver has given the credit back within the call
  };
  Hot hot_;
  static_assert(sizeof(Hot) == 64);
  Handler<Payload> credit_handler_, status_handler_;
  std::unique_ptr<PathObservers<Payload>> observers_;
};

// The receiving end of a path: a TLM target socket, which calls the owner's handler for each transfer.
template <class Payload>
class InPort final : public PathTargetSocket<TransferProtocol<Payload>>,
                     public tlm::tlm_fw_transport_if<TransferProtocol<Payload>> {
  using Socket = PathTargetSocket<TransferProtocol<Payload>>;

 public:
  explicit InPort(const char* name) : Socket(name) {
    Socket::bind(*static_cast<tlm::tlm_fw_transport_if<TransferProtocol<Payload>>*>(this));
  }
  using Socket::bind;
  using Socket::operator();

  // Sets the handler of transfers, before the end of elaboration.
  template <auto Method, class Owner>
  void on_receive(Owner* owner, unsigned index = 0) {
    handler_.template bind<Method>(owner, index);
  }
  // To be called from within the receive handler: this transfer's credit returns at payload.stamp, which the
  // handler sets.
  void accept_now() { (hot_.peer != nullptr ? hot_.peer->hot_.accepted_now : accepted_now_) = true; }
  // Returns one credit later. The credit counts from payload.stamp on.
  [[gnu::always_inline]] void credit(Payload& payload) {
    if (hot_.peer == nullptr) {
      observers_.credited(payload);
      return backward(payload, tlm::END_REQ);
    }
    hot_.peer->take_credit(payload);
    hot_.credited(payload);
  }
  [[gnu::always_inline]] void status(Payload& payload) {
    if (hot_.peer == nullptr) {
      observers_.told(payload);
      return backward(payload, status_phase);
    }
    hot_.peer->take_status(payload);
    hot_.told(payload);
  }
  // Adds an observer, at the other end if that end is ours: transfers are the same at both ends of the path.
  void observe(TransferObserver<Payload>& observer) {
    if (hot_.peer != nullptr) return hot_.peer->observe(observer);
    observers_.add(observer);
  }
  void observe_backward(BackwardObserver<Payload>& observer) {
    if (hot_.peer != nullptr) return hot_.peer->observe_backward(observer);
    observers_.add(observer);
  }

 private:
  friend class OutPort<Payload>;
  void end_of_elaboration() override {
    if (Socket::get_base_port().get_interface() == nullptr) return;
    auto* const peer = as<OutPort<Payload>>(Socket::operator->());
    if (peer == nullptr) return;
    hot_ = {peer, peer->credit_handler_, peer->status_handler_};
    observers_.move_to(*peer);
  }
  void backward(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
    (*this)->nb_transport_bw(payload, phase, zero);
  }
  // Receives from a socket that is not ours.
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override {
    observers_.transferred(payload);
    accepted_now_ = false;
    handler_(payload);
    if (!accepted_now_) return tlm::TLM_ACCEPTED;
    observers_.credited(payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {
    SC_REPORT_ERROR(report_id::protocol, "b_transport on an internal socket; use nb_transport_fw(BEGIN_REQ)");
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload&) override { return 0; }

  // The other end, and its handlers of what goes back, in one line of a cache.
  struct alignas(64) Hot {
    OutPort<Payload>* peer = nullptr;  // null: a socket that is not ours
    Handler<Payload> credited, told;
  };
  Hot hot_;
  Handler<Payload> handler_;
  bool accepted_now_ = false;         // the credit has returned at once (TLM_UPDATED)
  PathObservers<Payload> observers_;  // used while the other end is not known, or not ours
};

// Ports of one kind, by number. Their names are socket_0, socket_1 and so on, as in an sc_vector. An
// sc_vector asks SystemC for each name, which costs a twelfth of the time in which a GPU is put together.
template <class Port>
class PortVector {
 public:
  // `arguments`: those of the port's constructor, after its name.
  template <class... Arguments>
  PortVector(const char* name, std::size_t count, const Arguments&... arguments) : name_(name) {
    while (ports_.size() < count) add(arguments...);
  }
  // Adds one port.
  template <class... Arguments>
  void add(const Arguments&... arguments) {
    const std::string name = name_ + '_' + std::to_string(ports_.size());
    ports_.push_back(std::make_unique<Port>(name.c_str(), arguments...));
  }

  std::size_t size() const { return ports_.size(); }
  Port& operator[](std::size_t n) { return *ports_[n]; }
  const Port& operator[](std::size_t n) const { return *ports_[n]; }
  auto begin() { return boost::make_indirect_iterator(ports_.begin()); }
  auto end() { return boost::make_indirect_iterator(ports_.end()); }
  auto begin() const { return boost::make_indirect_iterator(ports_.begin()); }
  auto end() const { return boost::make_indirect_iterator(ports_.end()); }

 private:
  // Most modules have up to eight ports of a kind, which are found without another line of a cache.
  boost::container::small_vector<std::unique_ptr<Port>, 8> ports_;
  std::string name_;
};

}  // namespace subcore
