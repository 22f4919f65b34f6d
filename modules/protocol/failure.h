// The model reports an error that it finds once, and then does nothing more.
//
// By default a report of severity SC_ERROR throws, which ends the simulation. With other actions
// (sc_report_handler::set_actions) the rest of a user's platform goes on, while the model rests
// (Conductor::failed()).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <stdexcept>
#include <string>

#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

// Thrown if the report itself has not thrown, so that the model leaves whatever it was about to do.
// Conductors catch a Failure. Nothing catches it while the model is put together, because no model can rest
// yet.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reports an error with that id and never returns: throws what the report throws, or else a Failure.
[[noreturn]] void fail(const char* id, const std::string& text);
// Whether the user has set SC_DO_NOTHING for reports with that id.
bool ignored(const char* id);

}  // namespace subcore
