// A kernel's trace, with the compiler passes' results for its instructions.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <bitset>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "subcore/model/passes/pass_options.h"
#include "subcore/model/passes/pass_runner.h"

namespace subcore {

// A set of kinds of compiler bits, with a bit for each CompilerBits.
using CompilerBitsSet = std::bitset<compiler_bits_count>;

// Throws TraceError if instructions of some kernel would issue by control bits that were made for another
// machine. The function reads only the headers of the kernels, so it does not find other mistakes in the
// trace.
void require_fitting_control_bits(const TraceProgram& program, const OperandOptions& operands,
                                  const PassOptions& options);

// Reads a kernel's CTAs with annotated instructions. Near bits are profiled over a prefix of CTAs, which is
// kept if it is small and read twice otherwise. Static near bits and all other passes look at the whole
// kernel first, so its file is read twice, CTA by CTA. If the process has a cache (trace_cache.h), the cache
// keeps the passes' results, and also a packed copy of a kernel that is text. The targets of
// StaticInstruction::annotation live as long as this object. Throws TraceError like KernelReader.
class AnnotatedKernel {
 public:
  // `order` is the order of an earlier run, if near bits need one. Without it next() throws in that case.
  AnnotatedKernel(const std::filesystem::path& file, const OperandOptions& operands,
                  const PassOptions& options, const KernelIssueOrder* order = nullptr);
  const KernelHeader& header() const { return reader_.header(); }
  const CodeTable& code() const { return reader_.code(); }
  const KernelReader& reader() const { return reader_; }
  // Null if no pass looked at the whole kernel.
  const KernelAnnotation* annotation() const { return annotation_.get(); }
  // The votes on the near bits. Null if no warp voted.
  const ReuseProfile* near_votes() const { return near_votes_ ? &*near_votes_ : nullptr; }
  // The compiler bits that were made from the trace, not by a compiler.
  CompilerBitsSet made_up() const;
  bool next(CtaTrace& cta);
  // Makes CTA `cta` of the trace the next one; CTAs count from 0. `cta` must not be before the present next
  // one.
  void seek(std::uint64_t cta);

 private:
  void profile_prefix();
  void profile_all();
  void read_profile(PassRunner& compiler, std::uint64_t voters);
  bool take_kept_profile(PassRunner& compiler, const std::string& name);
  std::string profile_name(std::uint64_t voters) const;
  void ask_shared_oracle(const KernelIssueOrder& order);
  std::uint64_t reuse_warps() const;
  bool next_cta(CtaTrace& cta);
  void require_control_bits();
  void learn_instructions();

  KernelReader reader_;
  PassOptions options_;
  std::unique_ptr<KernelAnnotation> annotation_;
  std::optional<ReuseProfile> near_votes_;
  std::optional<std::vector<std::vector<NearBits>>> shared_near_;  // by warp
  std::uint32_t warps_ = 0;                                        // so far
  std::deque<CtaTrace> lookahead_;
  std::uint64_t place_ = 0;  // the place of the next CTA
  bool ended_ = false;
  std::filesystem::path file_;
  OperandOptions operands_;
  std::size_t controlled_ = 0;  // instructions whose control bits have been checked
  std::size_t learnt_ = 0;      // instructions that have their timing and their near bits of a file
};

}  // namespace subcore
