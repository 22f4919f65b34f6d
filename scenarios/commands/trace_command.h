// What the commands have in common that read one trace and simulate nothing.
#pragma once

#include "model/config/platform.h"
#include "model/trace/trace.h"
#include "scenarios/command.h"

namespace subcore {

class TraceCommand : public Command {
 protected:
  // `platform` is whose operands and hints are taken when none is given.
  TraceCommand(std::string name, std::string summary, std::string usage, const char* platform);

  TraceProgram trace() const;
  // Whose operands and hints they are; and looks at where the output will go, before the trace is read.
  PlatformParameters platform_for(const TraceProgram& trace) const;
  const std::string& json() const { return json_; }

 private:
  std::string folder() const;

  std::string otherwise_;
  std::vector<std::string> platforms_, traces_, overrides_;
  std::string json_;
};

}  // namespace subcore
