// TargetWatch: notices what a user would want to know of the target behind an initiator of ours.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <iosfwd>

#include <systemc>

#include "subcore/modules/memory/initiator_parameters.h"

namespace subcore {

class TargetWatch {
 public:
  // `group`: that of the socket's parameters ("load_store"); null if it has none.
  TargetWatch(const sc_core::sc_object& socket, EndResponse end_response, const char* group)
      : socket_(socket), end_response_(end_response), group_(group) {}

  // A request of ours ended by an END_REQ, or an early answer.
  void request_ended() { in_a_row_ = 0; }
  // The request ended because its response began. A target that always does so gets one request at a time:
  // warns once, with id "/subcore/memory", when that has held up so many in a row.
  void request_end_implied(bool another_waits) {
    if (another_waits && ++in_a_row_ >= held_up && !warned_) warn();
  }
  // A response ended on the return path of BEGIN_RESP; or by a call, or with its request.
  void response_ended_on_return() { ++ended_on_return_; }
  void response_ended_otherwise() { ended_otherwise_ = true; }

  // For the watchdog's report, when more responses are expected: a target that does not look at the return
  // path of its calls waits for an END_RESP that has been.
  void report_waiting(std::ostream& out, const char* name) const;

 private:
  static constexpr unsigned held_up = 64;
  void warn();

  const sc_core::sc_object& socket_;
  EndResponse end_response_;
  const char* group_;
  unsigned in_a_row_ = 0;
  bool warned_ = false;
  bool ended_otherwise_ = false;
  std::uint64_t ended_on_return_ = 0;
};

}  // namespace subcore
