#include "subcore/modules/protocol/failure.h"

#include <systemc>

namespace subcore {

void fail(const char* id, const std::string& text) {
  SC_REPORT_ERROR(id, text.c_str());
  throw Failure(text);
}

// SystemC returns the actions of an id only when others are set.
bool ignored(const char* id) {
  const sc_core::sc_actions actions = sc_core::sc_report_handler::set_actions(id, sc_core::SC_UNSPECIFIED);
  sc_core::sc_report_handler::set_actions(id, actions);
  return actions == sc_core::SC_DO_NOTHING;
}

}  // namespace subcore
