#include "subcore/base/formatted.h"
#include "subcore/model/passes/compiler_passes.h"
#include "subcore/model/passes/control_check.h"
#include "subcore/program/analysis/annotate.h"

namespace subcore {
namespace {

// The control bits of the sidecar, whose code must be that of the trace.
ControlProgram compiled_program(KernelReader& reader, const std::filesystem::path& file) {
  const std::uint32_t version = reader.header().binary_version;
  if (version != 0 && version < known_architectures[0])
    throw TraceError(file.string() + ": control bits of code for binary version " + std::to_string(version) +
                     ", whose distances are not known; expected version " +
                     std::to_string(known_architectures[0]) + " or later, or passes.control_bits=synthetic");
  for (CtaTrace cta; reader.next(cta);) {
  }
  return control_program(*sidecar_of(file), version);
}

ControlProgram synthetic_program(KernelReader& reader) {
  KernelProfile profile;
  for (CtaTrace cta; reader.next(cta);)
    for (const WarpTrace& warp : cta.warps) profile.add(warp, reader.code());
  ControlProgram program = control_program(reader.code(), profile, reader.header().binary_version);
  synthesise_control_bits(program);
  return program;
}

}  // namespace

ControlLint lint_control_bits(const TraceProgram& program, const OperandOptions& operands,
                              ControlBitsSource source, std::optional<std::uint64_t> kernel,
                              const ProgressCallback& progress) {
  if (kernel) require_kernel(program, *kernel);
  const std::size_t first = kernel ? *kernel - 1 : 0, end = kernel ? *kernel : program.kernels.size();
  ControlLint lint;
  std::uint64_t instructions = 0, synthetic = 0;
  for (std::size_t k = first; k < end; ++k) {
    if (progress) progress(static_cast<double>(k - first) / static_cast<double>(end - first));
    const std::filesystem::path& file = program.kernels[k];
    KernelReader reader(file, operands);
    const bool compiled = source != ControlBitsSource::synthetic && reader.has_sidecar();
    const ControlProgram code = compiled ? compiled_program(reader, file) : synthetic_program(reader);
    synthetic += compiled ? 0 : 1;
    instructions += code.nodes.size();
    for (const ControlViolation& v : check_control(code)) {
      lint.text += "kernel " + std::to_string(k + 1) + " " + reader.header().name + ": " +
                   violation_text(code, v) + "\n";
      ++lint.violations;
    }
  }
  if (progress) progress(1.0);
  lint.text += formatted(
      "%s: violations %llu, instructions %llu, kernels %zu, kernels with synthetic bits %llu\n",
      program.name.c_str(), static_cast<unsigned long long>(lint.violations),
      static_cast<unsigned long long>(instructions), end - first, static_cast<unsigned long long>(synthetic));
  return lint;
}

}  // namespace subcore
