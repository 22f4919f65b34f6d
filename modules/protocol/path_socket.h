// The TLM sockets under our ports. These sockets can be bound to each other and to any tlm_initiator_socket
// and tlm_target_socket of the same protocol. Their only difference from TLM's sockets is the name of the
// half that faces back. TLM's sockets ask SystemC for a name that no other object has, which takes a third of
// the time in which a GPU is put together. The names of our sockets tell the halves apart.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <typeinfo>
#include <utility>

#include <systemc>
#include <tlm>

namespace subcore {

// The protocol that a socket speaks. Its type differs between SystemC's versions, too.
using ProtocolIndex = decltype(std::declval<const tlm::tlm_base_socket_if&>().get_protocol_types());

// As in TLM's sockets, a socket hides how its port is bound to an interface, because sockets are bound to
// sockets.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"

template <class Types>
class PathInitiatorSocket : public tlm::tlm_base_initiator_socket_b<32, tlm::tlm_fw_transport_if<Types>,
                                                                    tlm::tlm_bw_transport_if<Types>>,
                            public sc_core::sc_port<tlm::tlm_fw_transport_if<Types>> {
 public:
  using Forward = tlm::tlm_fw_transport_if<Types>;
  using Backward = tlm::tlm_bw_transport_if<Types>;
  using Port = sc_core::sc_port<Forward>;
  using Target = tlm::tlm_base_target_socket_b<32, Forward, Backward>;
  using Initiator = tlm::tlm_base_initiator_socket_b<32, Forward, Backward>;

  explicit PathInitiatorSocket(const char* name)
      : Port(name), export_((std::string(name) + "_export").c_str()) {}
  const char* kind() const { return "tlm_initiator_socket"; }

  void bind(Target& target) {
    get_base_port()(target.get_base_interface());
    target.get_base_port()(get_base_interface());
  }
  // Binds to a parent's socket.
  void bind(Initiator& initiator) {
    get_base_port()(initiator.get_base_port());
    initiator.get_base_export()(get_base_export());
  }
  void bind(Backward& interface) { export_(interface); }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }

  // Functions that TLM's bases ask of a socket. The functions have no `override`, because SystemC's versions
  // differ in which of them the bases declare.
  unsigned int get_bus_width() const { return 32; }
  bool is_multi_socket() const { return false; }
  ProtocolIndex get_protocol_types() const { return typeid(Types); }
  tlm::tlm_socket_category get_socket_category() const { return tlm::TLM_INITIATOR_SOCKET; }
  sc_core::sc_port_b<Forward>& get_base_port() { return *this; }
  const sc_core::sc_port_b<Forward>& get_base_port() const { return *this; }
  sc_core::sc_export<Backward>& get_base_export() { return export_; }
  const sc_core::sc_export<Backward>& get_base_export() const { return export_; }
  Backward& get_base_interface() { return export_; }
  const Backward& get_base_interface() const { return export_; }

 private:
  sc_core::sc_export<Backward> export_;
};

// The target's end of a path of the model.
template <class Types>
class PathTargetSocket : public tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<Types>,
                                                              tlm::tlm_bw_transport_if<Types>>,
                         public sc_core::sc_export<tlm::tlm_fw_transport_if<Types>> {
 public:
  using Forward = tlm::tlm_fw_transport_if<Types>;
  using Backward = tlm::tlm_bw_transport_if<Types>;
  using Export = sc_core::sc_export<Forward>;
  using Target = tlm::tlm_base_target_socket_b<32, Forward, Backward>;
  using Initiator = tlm::tlm_base_initiator_socket_b<32, Forward, Backward>;

  explicit PathTargetSocket(const char* name) : Export(name), port_((std::string(name) + "_port").c_str()) {}
  const char* kind() const { return "tlm_target_socket"; }

  void bind(Initiator& initiator) {
    initiator.get_base_port()(get_base_interface());
    get_base_port()(initiator.get_base_interface());
  }
  // Binds to a child's socket.
  void bind(Target& target) {
    get_base_export()(target.get_base_export());
    target.get_base_port()(get_base_port());
  }
  void bind(Forward& interface) { Export::bind(interface); }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  Backward* operator->() { return port_.operator->(); }
  int size() const { return port_.size(); }

  // Functions that TLM's bases ask of a socket, as above.
  unsigned int get_bus_width() const { return 32; }
  bool is_multi_socket() const { return false; }
  ProtocolIndex get_protocol_types() const { return typeid(Types); }
  tlm::tlm_socket_category get_socket_category() const { return tlm::TLM_TARGET_SOCKET; }
  sc_core::sc_port_b<Backward>& get_base_port() { return port_; }
  const sc_core::sc_port_b<Backward>& get_base_port() const { return port_; }
  sc_core::sc_export<Forward>& get_base_export() { return *this; }
  const sc_core::sc_export<Forward>& get_base_export() const { return *this; }
  Forward& get_base_interface() { return *this; }
  const Forward& get_base_interface() const { return *this; }

 private:
  sc_core::sc_port<Backward> port_;
};

#pragma GCC diagnostic pop

}  // namespace subcore
