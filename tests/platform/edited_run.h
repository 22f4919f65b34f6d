// Runs of copies of traces whose sidecars have faults.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include "tests/edited_sidecar.h"
#include "tests/platform/runs.h"
#include "tests/temporary_folder.h"

namespace subcore::test {

// The message of the error that ends a run of the platform on a copy of `trace` whose sidecars `edit` has
// changed; empty if the run succeeds.
inline std::string failure(const std::string& platform, const std::filesystem::path& trace,
                           const std::function<void(SidecarLine&)>& edit) {
  const TemporaryFolder folder;
  copy_trace_with_sidecars(trace, folder.path() / "copy", edit);
  try {
    run(jobs_by_trace({platform}, {folder.path() / "copy"}));
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace subcore::test
