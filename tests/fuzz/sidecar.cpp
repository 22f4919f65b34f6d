// A kernel's sidecar with its control bits, alone and beside the trace of its instructions.
#include "subcore/model/trace/sidecar.h"

#include "subcore/program/analysis/annotate.h"
#include "tests/fuzz/read_kernel.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void sidecar(std::string_view input) {
  static const std::filesystem::path trace =
      write("kernel-1.traceg", project_file("tests/traces/off_lanes/kernel-1.traceg"));
  const auto file = write("kernel-1.sass", input);
  if (!accepts([&] { read_sidecar(file); })) return;
  if (!accepts([&] { read_kernel(trace); })) return;
  const TraceProgram program = open_trace(trace);
  accepts([&] { annotate(program, {}); });
  accepts([&] { lint_control_bits(program, {}, ControlBitsSource::sidecar, {}); });
}

}  // namespace subcore::fuzz
