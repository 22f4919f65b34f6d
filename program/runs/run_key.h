// RunKey: hashes of all that decides the files of a run, so that a finished run can stand in for a run that
// is asked for.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <tuple>

#include "subcore/base/hash.h"
#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/power/energy_table.h"

namespace subcore {

// Hashes of the program, the platform and the trace.
struct RunKey {
  std::string program, platform, trace;
  bool operator==(const RunKey& other) const { return parts() == other.parts(); }
  bool operator<(const RunKey& other) const { return parts() < other.parts(); }
  std::tuple<const std::string&, const std::string&, const std::string&> parts() const {
    return {program, platform, trace};
  }
  // The hash of all three.
  std::string text() const { return Hash().add(program).add(platform).add(trace).text(); }
};

// The hash of the program and the libraries that it is linked to, without the system's own libraries.
std::string program_hash();
// Hashes of many platforms. Each energy table is read once.
class PlatformHashes {
 public:
  // The hash of all parameters, and of the contents of each energy table.
  std::string of(const PlatformParameters& platform);

 private:
  const std::string& of_table(const std::string& preset);
  EnergyTables tables_;
  std::map<std::string, std::string> of_tables_;
};
// The hash of what a run reads of a trace: kernels and their sidecars as they are, and what the result says
// about the list. The trace's name is not in it.
std::string trace_hash(const TraceProgram& trace);

}  // namespace subcore
