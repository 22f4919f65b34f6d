// What the model does about an error that it finds: it reports it once, and then does nothing more.
//
// By default a report of severity SC_ERROR throws, which ends the simulation. Who sets other actions
// (sc_report_handler::set_actions) goes on with the rest of his platform: the model then rests
// (Conductor::failed()).
#pragma once

#include <stdexcept>
#include <string>

namespace subcore {

// Leaves whatever the model was about to do, where the report itself has not thrown. Conductors catch it. Of
// what is wrong while the model is put together, they do not: there is no model to go on with.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reports an error with that id, and never returns: throws what the report throws, or else a Failure.
[[noreturn]] void fail(const char* id, const std::string& text);
// The user has said SC_DO_NOTHING for reports with that id.
bool ignored(const char* id);

}  // namespace subcore
