// The common part of commands that read one trace and simulate nothing.
#pragma once

#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/program/commands/command.h"

namespace subcore {

class TraceCommand : public Command {
 protected:
  // `platform`: the platform whose operands and compiler passes count if the user names none.
  TraceCommand(std::string name, std::string summary, std::string usage, const char* platform);

  // Opens the trace. From now on the user's cache is used for it.
  TraceProgram trace() const;
  // The platform whose operands and compiler passes count. Also checks where the output will go, before the
  // trace is read. `settings`: overrides of the command's own, before those of the command line.
  PlatformParameters platform_for(const TraceProgram& trace, std::vector<std::string> settings = {}) const;
  const std::string& json() const { return json_; }

 private:
  TracePath path() const;

  std::string otherwise_, gpu_;
  std::vector<std::string> platforms_, traces_, overrides_;
  std::string json_;
  bool no_cache_ = false;
};

}  // namespace subcore
