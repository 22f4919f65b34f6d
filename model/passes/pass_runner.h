// The compiler passes' results for one kernel.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <optional>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/pass_options.h"
#include "subcore/model/passes/write_back.h"

namespace subcore {

// The compiler passes' results for one kernel.
struct KernelAnnotation {
  std::deque<Annotation> instructions;   // by StaticInstruction::index
  std::deque<RegisterSet> working_sets;  // by interval
  std::optional<WriteBackSummary> write_back;
  bool reuse_flags_are_synthetic = false;
  bool control_bits_are_synthetic = false;
};

// Collects from the whole trace of a kernel what the passes in `options` need, and runs the passes.
class PassRunner {
 public:
  explicit PassRunner(const PassOptions& options);
  void add(const WarpTrace& warp, const CodeTable& code);
  // put() appends everything that was collected to a text; take() reads it from there. `code` is the whole
  // kernel's.
  void put(std::string& out) const;
  void take(ByteTaker& text, const CodeTable& code);
  // Fills `annotation`, which must be empty and stay at its address, and lets every instruction of `code`
  // point into it. `has_sidecar`: the kernel's reuse flags and control bits are known, even if there are
  // none.
  void compile(CodeTable& code, bool has_sidecar, KernelAnnotation& annotation) const;
  // The profile of all warps that were added.
  const KernelProfile& profile() const { return profile_; }

 private:
  PassOptions options_;
  KernelProfile profile_;
  WindowProfile window_;
};

}  // namespace subcore
