#include "subcore/model/passes/pass_runner.h"

#include "subcore/model/passes/compiler_passes.h"

namespace subcore {

PassRunner::PassRunner(const PassOptions& options)
    : options_(options), window_(options.write_back_window, options.window_ends_at_taken_branch) {}

void PassRunner::add(const WarpTrace& warp, const CodeTable& code) {
  profile_.add(warp, code);
  if (options_.write_back) window_.add(warp, code);
}

void PassRunner::put(std::string& out) const {
  profile_.put(out);
  if (options_.write_back) window_.put(out);
}

void PassRunner::take(ByteTaker& text, const CodeTable& code) {
  profile_.take(text);
  if (options_.write_back) window_.take(text, code);
}

void PassRunner::compile(CodeTable& code, bool has_sidecar, KernelAnnotation& annotation) const {
  annotation.instructions.resize(code.instructions.size());
  for (std::size_t i = 0; i < profile_.instructions().size(); ++i)
    annotation.instructions[i].ends_older = profile_.instructions()[i].ends_older;
  const bool known = has_sidecar || has_reuse_flags(code);
  if (options_.reuse_flags == ReuseFlags::synthetic ||
      (options_.reuse_flags == ReuseFlags::automatic && !known)) {
    synthesise_reuse_flags(code, profile_);
    annotation.reuse_flags_are_synthetic = true;
  }
  if (options_.synthesises_control_bits(has_sidecar)) {
    // Control bits are made for the units on which the code runs, even if the code was compiled for others.
    ControlProgram program = control_program(code, profile_, options_.units.architecture);
    synthesise_control_bits(program);
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {
      code.instructions[i].control = program.nodes[i].control;
      code.instructions[i].controlled = true;
    }
    annotation.control_bits_are_synthetic = true;
  }
  if (options_.write_back || options_.dead || options_.liveness || options_.strands) {
    const Liveness liveness = live_registers(code, profile_);
    if (options_.write_back)
      annotation.write_back =
          window_.apply(code, profile_, liveness, options_.write_back_partial, annotation.instructions);
    if (options_.dead) {
      mark_last_uses(code, profile_, liveness, annotation.instructions);
      mark_bank_needs(code, profile_, annotation.instructions);
    }
    if (options_.liveness)
      for (std::size_t i = 0; i < liveness.in.size(); ++i)
        annotation.instructions[i].live_in = liveness.in[i];
    if (options_.strands) {
      const ProgramOrder order(code);
      allocate_levels(code, profile_, liveness, order, cut_strands(code, profile_, order), options_,
                      annotation.instructions);
    }
  }
  if (options_.intervals)
    form_intervals(code, profile_, ProgramOrder(code), options_.interval_registers, annotation.instructions,
                   annotation.working_sets);
  for (StaticInstruction& s : code.instructions) s.annotation = &annotation.instructions[s.index];
}

}  // namespace subcore
