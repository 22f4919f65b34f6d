#include "subcore/modules/protocol/transport_socket.h"

#include <sstream>

#include "subcore/modules/protocol/failure.h"

namespace subcore {

void refuse_width(const sc_core::sc_object& socket, const SocketWidth& width, const sc_core::sc_object* other,
                  unsigned bits) {
  fail(report_id::binding,
       (std::string(socket.name()) + ": " + width.key + " is " + std::to_string(width.bits) + " bits, but " +
        (other != nullptr ? other->name() : "the socket at the other end") + " has a bus of " +
        std::to_string(bits) + "; set " + width.key + " to that width"));
}

SocketEnd::SocketEnd(const std::string& socket, sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>& port)
    : sc_module(sc_core::sc_module_name((socket + "_end").c_str())), forward_(&port) {}

SocketEnd::SocketEnd(const std::string& socket, sc_core::sc_port_b<tlm::tlm_bw_transport_if<>>& port)
    : sc_module(sc_core::sc_module_name((socket + "_end").c_str())), backward_(&port) {}

void SocketEnd::before_end_of_elaboration() {
  is_used_ = (forward_ != nullptr ? forward_->bind_count() : backward_->bind_count()) == 0;
  if (!is_used_) return;
  if (forward_ != nullptr)
    forward_->bind(*this);
  else
    backward_->bind(*this);
}

tlm::tlm_sync_enum SocketEnd::nb_transport_fw(Payload& t, tlm::tlm_phase&, sc_core::sc_time&) {
  t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum SocketEnd::nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_COMPLETED;
}

void SocketEnd::b_transport(Payload& t, sc_core::sc_time&) {
  t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

bool SocketEnd::get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) {
  return refuse_direct_memory(t, dmi);
}

std::string request_text(const Payload& t) {
  std::ostringstream text;
  text << (t.is_write() ? "write" : "read") << " of " << t.get_data_length() << " bytes at 0x" << std::hex
       << t.get_address();
  return text.str();
}

std::string breach_text(const sc_core::sc_object& ours, const std::string& peer, const std::string& problem) {
  return std::string(ours.name()) + ": " + peer + " broke the base protocol: " + problem;
}

void BreachReport::report(const sc_core::sc_object& ours, const std::string& peer,
                          const std::string& problem) {
  if (reported_) return;
  reported_ = true;
  SC_REPORT_ERROR(report_id::protocol, breach_text(ours, peer, problem).c_str());
}

}  // namespace subcore
