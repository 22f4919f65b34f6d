#include "subcore/modules/protocol/failure.h"

#include <systemc>

namespace subcore {

void fail(const char* id, const std::string& text) {
  SC_REPORT_ERROR(id, text.c_str());
  throw Failure(text);
}

// SystemC returns the actions that are set only when others are set. The former actions are put back at once.
// Actions of the severity count before actions of the id alone.
bool ignored(const char* id) {
  using Handler = sc_core::sc_report_handler;
  const sc_core::sc_actions of_id = Handler::set_actions(id, sc_core::SC_UNSPECIFIED);
  Handler::set_actions(id, of_id);
  const sc_core::sc_actions of_errors = Handler::set_actions(id, sc_core::SC_ERROR, sc_core::SC_UNSPECIFIED);
  Handler::set_actions(id, sc_core::SC_ERROR, of_errors);
  return (of_errors == sc_core::SC_UNSPECIFIED ? of_id : of_errors) == sc_core::SC_DO_NOTHING;
}

}  // namespace subcore
