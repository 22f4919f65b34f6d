#include "subcore/modules/protocol/transport_socket.h"

#include <string>

#include "subcore/modules/protocol/failure.h"

namespace subcore {

void refuse_width(const sc_core::sc_object& socket, const SocketWidth& width, const sc_core::sc_object* other,
                  unsigned bits) {
  fail(report_id::binding,
       (std::string(socket.name()) + ": " + width.key + " is " + std::to_string(width.bits) + " bits, but " +
        (other != nullptr ? other->name() : "what it is bound to") + " has a bus of " + std::to_string(bits) +
        "; set " + width.key + " to that"));
}

}  // namespace subcore
