// A kernel's trace with what the compiler passes have to say of its instructions.
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

// A set of kinds of compiler bits: a bit for each CompilerBits.
using CompilerBitsSet = std::bitset<compiler_bits_count>;

// Throws TraceError if instructions of some kernel would issue by control bits that were made for another
// machine. It reads the headers of the kernels only, so it does not find other mistakes in the trace.
void require_fitting_control_bits(const TraceProgram& program, const OperandOptions& operands,
                                  const PassOptions& options);

// Near bits are profiled over a prefix of CTAs, which is kept if it is small and read twice otherwise. Static
// near bits and every other pass look at the whole kernel first: its file is then read twice, CTA by CTA,
// unless the process has a cache that has kept what they found (trace_cache.h). That keeps a packed copy of a
// text, too. Everything that StaticInstruction::annotation points to lives as long as this object. Throws
// TraceError like KernelReader.
class AnnotatedKernel {
 public:
  // `order`: that of an earlier run, where near bits ask for it; without it next() throws there.
  AnnotatedKernel(const std::filesystem::path& file, const OperandOptions& operands,
                  const PassOptions& options, const KernelIssueOrder* order = nullptr);
  const KernelHeader& header() const { return reader_.header(); }
  const CodeTable& code() const { return reader_.code(); }
  const KernelReader& reader() const { return reader_; }
  // Null when no pass looked at the whole kernel.
  const KernelAnnotation* annotation() const { return annotation_.get(); }
  // The votes on the near bits. Null when nobody voted.
  const ReuseProfile* near_votes() const { return near_votes_ ? &*near_votes_ : nullptr; }
  // The compiler bits that were made from the trace, not by a compiler.
  CompilerBitsSet made_up() const;
  bool next(CtaTrace& cta);
  // CTA `cta` of the trace is next, counted from 0, and none before the one that would be next.
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
  std::size_t controlled_ = 0;  // instructions that are known to have control bits
  std::size_t learnt_ = 0;      // instructions that know how they run, and their near bits of a file
};

}  // namespace subcore
