// A kernel's trace with what the compiler passes have to say of its instructions.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <bitset>
#include <deque>
#include <filesystem>
#include <memory>

#include "subcore/model/hints/hint_options.h"
#include "subcore/model/hints/kernel_hints.h"

namespace subcore {

// A set of hints: a bit for each Hint.
using HintSet = std::bitset<hint_count>;

// Throws TraceError if instructions of some kernel would issue by control bits that were made for another
// machine. It reads the headers of the kernels only, so it does not find other mistakes in the trace.
void require_fitting_control_bits(const TraceProgram& program, const OperandOptions& operands,
                                  const HintOptions& options);

// Reuse bits are profiled over a prefix of CTAs, which is kept if it is small and read twice otherwise. Every
// other pass looks at the whole kernel first: its file is then read twice, CTA by CTA. Everything that
// StaticInstruction::hints points to lives as long as this object. Throws TraceError like KernelReader.
class HintedKernel {
 public:
  HintedKernel(const std::filesystem::path& file, const OperandOptions& operands, const HintOptions& options);
  const KernelHeader& header() const { return reader_.header(); }
  const CodeTable& code() const { return reader_.code(); }
  const KernelReader& reader() const { return reader_; }
  // Null when no pass looked at the whole kernel.
  const KernelHints* hints() const { return hints_.get(); }
  // The hints that were made from the trace, not by a compiler.
  HintSet made_up() const;
  bool next(CtaTrace& cta);

 private:
  void profile_prefix();
  void profile_all();
  std::uint64_t reuse_warps() const;
  bool next_cta(CtaTrace& cta);
  void require_control_bits();

  KernelReader reader_;
  HintOptions options_;
  std::unique_ptr<KernelHints> hints_;
  std::deque<CtaTrace> lookahead_;
  bool ended_ = false;
  std::filesystem::path file_;
  std::size_t controlled_ = 0;  // instructions that are known to have control bits
};

}  // namespace subcore
