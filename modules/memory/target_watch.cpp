#include "subcore/modules/memory/target_watch.h"

#include <ostream>
#include <string>

#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

void TargetWatch::warn() {
  warned_ = true;
  SC_REPORT_WARNING(
      report_id::memory,
      (std::string(socket_.name()) + ": the target takes one request at a time: it has ended " +
       std::to_string(held_up) +
       " in a row only by their responses, while others waited to be sent (as a "
       "tlm_utils::simple_target_socket does of which only b_transport is registered); register "
       "an nb_transport_fw that returns END_REQ, or put an AtToLt in front of it")
          .c_str());
}

void TargetWatch::report_waiting(std::ostream& out, const char* name) const {
  if (group_ == nullptr || ended_otherwise_ || ended_on_return_ == 0) return;
  out << name << ": all " << ended_on_return_
      << " responses of the target were ended on the return path of BEGIN_RESP; if it waits for END_RESP, "
         "set "
      << group_ << ".end_resp to " << (end_response_ == EndResponse::completed ? "updated or call" : "call")
      << '\n';
}

}  // namespace subcore
