#include "subcore/modules/protocol/transport_socket.h"

#include <sstream>

#include "subcore/modules/protocol/failure.h"

namespace subcore {

void refuse_width(const sc_core::sc_object& socket, const SocketWidth& width, const sc_core::sc_object* other,
                  unsigned bits) {
  fail(report_id::binding,
       (std::string(socket.name()) + ": " + width.key + " is " + std::to_string(width.bits) + " bits, but " +
        (other != nullptr ? other->name() : "what it is bound to") + " has a bus of " + std::to_string(bits) +
        "; set " + width.key + " to that"));
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
