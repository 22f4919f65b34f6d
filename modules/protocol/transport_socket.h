// Base-protocol sockets of our modules: TLM-2.0 sockets, bound like these, which can be observed:
//
//   socket.observe(observer)
//
// An observer sees the four phases of every transaction, each once and in order. A phase may be a call of its
// own, or come on the return path of a call, which counts as a call in the other direction. A phase may also
// be implied: END_REQ by a BEGIN_RESP, END_RESP by TLM_COMPLETED for a BEGIN_RESP, and all three by an early
// completion. Other phases, and b_transport, are shown as they come.
//
// TLM-2.0 makes the bus width a part of a socket's type. So sockets of different widths cannot be bound,
// though their interfaces are the same. Our sockets can be bound to sockets of others of 32, 64 and 128 bits,
// from either side (`ours.bind(theirs)`, `theirs.bind(ours)`), hierarchically, too. By `ours.bind(theirs)`
// they can be bound to sockets of any width. An initiator socket may have a width of its own
// (load_store.bus_width). Then `ours.bind(theirs)` to a socket of another width is an error with id
// "/subcore/binding". Requests do not depend on the width: they are whole sectors, which are whole words of
// every bus.
//
// Every socket is also a tlm::tlm_initiator_socket<> or a tlm::tlm_target_socket<>, which other people's
// buses take. A socket that may stay unbound (Binding::optional) is bound to a SocketEnd then. The binding
// happens in the round of before_end_of_elaboration() behind those of all other modules.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

namespace subcore {

using Payload = tlm::tlm_generic_payload;

template <unsigned Width>
using InitiatorOfWidth =
    tlm::tlm_base_initiator_socket_b<Width, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;
template <unsigned Width>
using TargetOfWidth =
    tlm::tlm_base_target_socket_b<Width, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

// A socket of another width that one of our sockets also is. SystemC 3.0 asks this base for the answers, and
// does not let the whole socket answer.
template <class Base>
class AlsoOf : public Base {
 public:
  bool is_multi_socket() const { return false; }
};

// The width that an initiator socket demands. 0 bits: any width of the target. Otherwise the target must have
// this width, and `parameter` names the parameter that says so.
struct SocketWidth {
  unsigned bits = 0;
  const char* key = "";
};
// Reports a wrong width; `other` is the socket that was to be bound.
[[noreturn]] void refuse_width(const sc_core::sc_object& socket, const SocketWidth& width,
                               const sc_core::sc_object* other, unsigned bits);

// A request in words, for example "write of 32 bytes at 0x80".
std::string request_text(const Payload& t);
// The text of an error with id "/subcore/protocol": `peer` ("the target") of a socket or module of ours has
// broken the base protocol.
std::string breach_text(const sc_core::sc_object& ours, const std::string& peer, const std::string& problem);
// Reports such an error. If the rest of a user's platform may go on, only the first one is reported.
class BreachReport {
 public:
  void report(const sc_core::sc_object& ours, const std::string& peer, const std::string& problem);
  bool reported() const { return reported_; }

 private:
  bool reported_ = false;
};

// Whether a socket must be bound by the end of elaboration, or may stay unbound.
enum class Binding : std::uint8_t { required, optional };

// The peer of an optional socket to which no other socket has been bound. SystemC calls modules that are made
// in before_end_of_elaboration() last, when all modules that bind sockets there have done so. Nothing is ever
// sent to a SocketEnd.
class SocketEnd final : public sc_core::sc_module,
                        private tlm::tlm_fw_transport_if<>,
                        private tlm::tlm_bw_transport_if<> {
 public:
  // The end of `port`, which is the port within the socket called `socket`.
  SocketEnd(const std::string& socket, sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>& port);
  SocketEnd(const std::string& socket, sc_core::sc_port_b<tlm::tlm_bw_transport_if<>>& port);
  // Whether the socket is bound to this end, and so to no other socket.
  bool is_used() const { return is_used_; }

 private:
  void before_end_of_elaboration() override;
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override;
  void b_transport(Payload& t, sc_core::sc_time&) override;
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(Payload&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>* forward_ = nullptr;
  sc_core::sc_port_b<tlm::tlm_bw_transport_if<>>* backward_ = nullptr;
  bool is_used_ = false;
};

// Marks target sockets of ours, which take an initiator of any width.
class TakesAnyWidth {
 public:
  virtual ~TakesAnyWidth() = default;
};

// Answer of get_direct_mem_ptr() of a target that has no memory to point to. No initiator may access any
// address directly, so none need ask again.
inline bool refuse_direct_memory(Payload& t, tlm::tlm_dmi& dmi) {
  t.set_dmi_allowed(false);
  dmi.init();  // the whole address space
  dmi.allow_none();
  return false;
}

// Sees the phases of a socket and changes nothing. `delay` is annotated: the phase begins that much later.
class TransportObserver {
 public:
  virtual ~TransportObserver() = default;
  virtual void forward(const Payload&, const tlm::tlm_phase&, const sc_core::sc_time& /*delay*/) {}
  virtual void backward(const Payload&, const tlm::tlm_phase&, const sc_core::sc_time& /*delay*/) {}
  // Called when b_transport has returned.
  virtual void blocking(const Payload&, const sc_core::sc_time& /*delay*/) {}
};

// The observers of a socket. Each function makes the call that it is given and tells the observers of it.
class TransportObservers {
 public:
  bool none() const { return observers_.empty(); }
  void add(TransportObserver& observer) { observers_.push_back(&observer); }

  template <class Call>
  tlm::tlm_sync_enum forward(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay, Call call) {
    const bool request = phase == tlm::BEGIN_REQ;
    tell_forward(t, phase, delay);
    const Kept kept(t);
    const tlm::tlm_sync_enum answer = call();
    if (answer == tlm::TLM_UPDATED) tell_backward(t, phase, delay);
    if (answer == tlm::TLM_COMPLETED && request) {
      tell_backward(t, tlm::BEGIN_RESP, delay);
      tell_forward(t, tlm::END_RESP, delay);
    }
    return answer;
  }
  template <class Call>
  tlm::tlm_sync_enum backward(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay, Call call) {
    const bool response = phase == tlm::BEGIN_RESP;
    tell_backward(t, phase, delay);
    const Kept kept(t);
    const tlm::tlm_sync_enum answer = call();
    if (answer == tlm::TLM_UPDATED) tell_forward(t, phase, delay);
    if (answer == tlm::TLM_COMPLETED && response) tell_forward(t, tlm::END_RESP, delay);
    return answer;
  }
  void blocking(const Payload& t, const sc_core::sc_time& delay) const {
    for (TransportObserver* o : observers_) o->blocking(t, delay);
  }

 private:
  // Keeps the payload, which may be given back within the call: observers still hear of it afterwards.
  class Kept {
   public:
    explicit Kept(Payload& t) : t_(t.has_mm() ? &t : nullptr) {
      if (t_ != nullptr) t_->acquire();
    }
    ~Kept() {
      if (t_ != nullptr) t_->release();
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

   private:
    Payload* t_;
  };
  void tell_forward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) request_ = &t;
    for (TransportObserver* o : observers_) o->forward(t, phase, delay);
  }
  void tell_backward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    // By the exclusion rule at most one request has not ended.
    if (phase == tlm::BEGIN_RESP && request_ == &t) tell_backward(t, tlm::END_REQ, delay);
    if (phase == tlm::END_REQ) request_ = nullptr;
    for (TransportObserver* o : observers_) o->backward(t, phase, delay);
  }

  std::vector<TransportObserver*> observers_;
  const Payload* request_ = nullptr;  // BEGIN_REQ seen, END_REQ not seen
};

// No function says `override`, because SystemC's versions differ in which functions TLM's bases declare.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif

// The initiator's end of a path of the base protocol. Calls go out through `->`, as on any socket; calls that
// come in reach the owner. The bases of 64 and 128 bits have no state. Sockets of others, for example
// tlm_utils' multi-sockets, look for these bases in ours.
template <Binding Need = Binding::required>
class InitiatorSocket : public tlm::tlm_initiator_socket<>,
                        public AlsoOf<InitiatorOfWidth<64>>,
                        public AlsoOf<InitiatorOfWidth<128>> {
  using Socket = tlm::tlm_initiator_socket<>;
  using ProtocolTypes = decltype(std::declval<const Socket&>().get_protocol_types());
  using Forward = tlm::tlm_fw_transport_if<>;
  using Backward = tlm::tlm_bw_transport_if<>;

 public:
  InitiatorSocket(const char* name, tlm::tlm_bw_transport_if<>& owner, SocketWidth width = {})
      : Socket(name), relay_(owner, observers_), width_(width) {
    Socket::bind(relay_);
  }
  void observe(TransportObserver& observer) { observers_.add(observer); }

  using Socket::bind;
  void bind(TargetOfWidth<32>& target) {
    check_width(target);
    Socket::bind(target);
  }
  void bind(InitiatorOfWidth<32>& around) {
    check_width(around);
    Socket::bind(around);
  }
  template <unsigned Width>
  void bind(TargetOfWidth<Width>& target) {
    check_width(target);
    get_base_port()(target.get_base_interface());
    target.get_base_port()(get_base_interface());
  }
  template <unsigned Width>
  void bind(InitiatorOfWidth<Width>& around) {
    check_width(around);
    get_base_port()(around.get_base_port());
    around.get_base_export()(get_base_export());
  }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  // Functions that TLM's bases ask of a socket.
  unsigned get_bus_width() const { return width_.bits != 0 ? width_.bits : bound_width_; }
  ProtocolTypes get_protocol_types() const { return Socket::get_protocol_types(); }
  tlm::tlm_socket_category get_socket_category() const { return Socket::get_socket_category(); }
  sc_core::sc_port_b<Forward>& get_base_port() { return Socket::get_base_port(); }
  const sc_core::sc_port_b<Forward>& get_base_port() const { return Socket::get_base_port(); }
  Backward& get_base_interface() { return Socket::get_base_interface(); }
  const Backward& get_base_interface() const { return Socket::get_base_interface(); }
  sc_core::sc_export<Backward>& get_base_export() { return Socket::get_base_export(); }
  const sc_core::sc_export<Backward>& get_base_export() const { return Socket::get_base_export(); }

  // Whether a socket has been bound to this one. Known from the end of elaboration on.
  bool is_bound() const { return end_ == nullptr || !end_->is_used(); }

  InitiatorSocket* operator->() { return this; }
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return observers_.none() ? target().nb_transport_fw(t, phase, delay) : observed(t, phase, delay);
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) {
    target().b_transport(t, delay);
    observers_.blocking(t, delay);
  }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) { return target().get_direct_mem_ptr(t, dmi); }
  unsigned transport_dbg(Payload& t) { return target().transport_dbg(t); }

 private:
  class Relay : public tlm::tlm_bw_transport_if<> {
   public:
    Relay(tlm::tlm_bw_transport_if<>& owner, TransportObservers& observers)
        : owner_(owner), observers_(observers) {}

   private:
    tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
      if (observers_.none()) return owner_.nb_transport_bw(t, phase, delay);
      return observers_.backward(t, phase, delay, [&] { return owner_.nb_transport_bw(t, phase, delay); });
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override {
      owner_.invalidate_direct_mem_ptr(begin, end);
    }
    tlm::tlm_bw_transport_if<>& owner_;
    TransportObservers& observers_;
  };
  // Not inlined, so that a call without observers is inlined.
  [[gnu::noinline]] tlm::tlm_sync_enum observed(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return observers_.forward(t, phase, delay, [&] { return target().nb_transport_fw(t, phase, delay); });
  }
  tlm::tlm_fw_transport_if<>& target() { return *static_cast<Socket*>(this)->operator->(); }
  void before_end_of_elaboration() override {
    if (Need == Binding::optional && get_base_port().bind_count() == 0)
      end_ = std::make_unique<SocketEnd>(this->basename(), get_base_port());
  }

  template <class Other>
  void check_width(const Other& other) {
    // In older versions of SystemC another base of the same socket has the width.
    bound_width_ = dynamic_cast<const tlm::tlm_base_socket_if&>(other).get_bus_width();
    if (width_.bits != 0 && width_.bits != bound_width_ &&
        dynamic_cast<const TakesAnyWidth*>(&other) == nullptr)
      refuse_width(*this, width_, dynamic_cast<const sc_core::sc_object*>(&other), bound_width_);
  }

  TransportObservers observers_;
  Relay relay_;
  SocketWidth width_;
  unsigned bound_width_ = 32;
  std::unique_ptr<SocketEnd> end_;
};

// The target's end of a path of the base protocol.
template <Binding Need = Binding::required>
class TargetSocket : public tlm::tlm_target_socket<>,
                     public AlsoOf<TargetOfWidth<64>>,
                     public AlsoOf<TargetOfWidth<128>>,
                     public TakesAnyWidth {
  using Socket = tlm::tlm_target_socket<>;
  using ProtocolTypes = decltype(std::declval<const Socket&>().get_protocol_types());
  using Forward = tlm::tlm_fw_transport_if<>;
  using Backward = tlm::tlm_bw_transport_if<>;

 public:
  TargetSocket(const char* name, tlm::tlm_fw_transport_if<>& owner)
      : Socket(name), relay_(owner, observers_) {
    Socket::bind(relay_);
  }
  void observe(TransportObserver& observer) { observers_.add(observer); }

  using Socket::bind;
  template <unsigned Width>
  void bind(InitiatorOfWidth<Width>& initiator) {
    initiator.get_base_port()(get_base_interface());
    get_base_port()(initiator.get_base_interface());
  }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  // The width does not matter, because any width will do. TLM asks for it as in InitiatorSocket.
  unsigned get_bus_width() const { return Socket::get_bus_width(); }
  ProtocolTypes get_protocol_types() const { return Socket::get_protocol_types(); }
  tlm::tlm_socket_category get_socket_category() const { return Socket::get_socket_category(); }
  sc_core::sc_port_b<Backward>& get_base_port() { return Socket::get_base_port(); }
  const sc_core::sc_port_b<Backward>& get_base_port() const { return Socket::get_base_port(); }
  Forward& get_base_interface() { return Socket::get_base_interface(); }
  const Forward& get_base_interface() const { return Socket::get_base_interface(); }
  sc_core::sc_export<Forward>& get_base_export() { return Socket::get_base_export(); }
  const sc_core::sc_export<Forward>& get_base_export() const { return Socket::get_base_export(); }

  // Whether a socket has been bound to this one. Known from the end of elaboration on.
  bool is_bound() const { return end_ == nullptr || !end_->is_used(); }

  TargetSocket* operator->() { return this; }
  tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return observers_.none() ? initiator().nb_transport_bw(t, phase, delay) : observed(t, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) {
    initiator().invalidate_direct_mem_ptr(begin, end);
  }

 private:
  class Relay : public tlm::tlm_fw_transport_if<> {
   public:
    Relay(tlm::tlm_fw_transport_if<>& owner, TransportObservers& observers)
        : owner_(owner), observers_(observers) {}

   private:
    tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
      if (observers_.none()) return owner_.nb_transport_fw(t, phase, delay);
      return observers_.forward(t, phase, delay, [&] { return owner_.nb_transport_fw(t, phase, delay); });
    }
    void b_transport(Payload& t, sc_core::sc_time& delay) override {
      owner_.b_transport(t, delay);
      observers_.blocking(t, delay);
    }
    bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override {
      return owner_.get_direct_mem_ptr(t, dmi);
    }
    unsigned transport_dbg(Payload& t) override { return owner_.transport_dbg(t); }
    tlm::tlm_fw_transport_if<>& owner_;
    TransportObservers& observers_;
  };
  // Not inlined, so that a call without observers is inlined.
  [[gnu::noinline]] tlm::tlm_sync_enum observed(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return observers_.backward(t, phase, delay, [&] { return initiator().nb_transport_bw(t, phase, delay); });
  }
  tlm::tlm_bw_transport_if<>& initiator() { return *static_cast<Socket*>(this)->operator->(); }
  void before_end_of_elaboration() override {
    if (Need == Binding::optional && get_base_port().bind_count() == 0)
      end_ = std::make_unique<SocketEnd>(this->basename(), get_base_port());
  }

  TransportObservers observers_;
  Relay relay_;
  std::unique_ptr<SocketEnd> end_;
};
#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace subcore
