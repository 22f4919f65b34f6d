// The compiler passes' results for one kernel.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <deque>
#include <optional>

#include "subcore/model/hints/compiler_hints.h"
#include "subcore/model/hints/hint_options.h"
#include "subcore/model/hints/write_back.h"

namespace subcore {

struct KernelHints {
  std::deque<CompilerHints> instructions;  // by StaticInstruction::index
  std::deque<RegisterSet> working_sets;    // by interval
  std::optional<WriteBackSummary> write_back;
  bool reuse_flags_are_synthetic = false;
  bool control_bits_are_synthetic = false;
};

// Collects what the passes in `options` need from the whole trace of a kernel, and runs them.
class HintCompiler {
 public:
  explicit HintCompiler(const HintOptions& options);
  void add(const WarpTrace& warp, const CodeTable& code);
  // Fills `hints`, which must be empty and stay where it is, and makes every instruction of `code` point into
  // it. `has_sidecar`: the kernel's reuse flags and control bits are known, even if there are none.
  void compile(CodeTable& code, bool has_sidecar, KernelHints& hints) const;

 private:
  HintOptions options_;
  KernelProfile profile_;
  WindowProfile window_;
};

}  // namespace subcore
