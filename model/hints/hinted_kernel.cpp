#include "model/hints/hinted_kernel.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace subcore {
namespace {

// What the prefix may take up in memory; beyond, reading it again is the lesser evil.
constexpr std::size_t most_lookahead_bytes = std::size_t{4} << 20;

std::size_t bytes_of(const CtaTrace& cta) {
  std::size_t bytes = 0;
  for (const WarpTrace& warp : cta.warps)
    bytes += warp.records.size() * sizeof(TraceRecord) + warp.addresses.size();
  return bytes;
}

}  // namespace

HintedKernel::HintedKernel(const std::filesystem::path& file, const OperandOptions& operands,
                           const HintOptions& options)
    : reader_(file, operands), options_(options) {
  if (options_.needs_profile())
    profile_all();
  else if (options_.reuse.mode == HintMode::profile)
    profile_prefix();
}

// How many warps vote on the reuse bits.
std::uint64_t HintedKernel::reuse_warps() const {
  const double warps = static_cast<double>(header().grid.count()) * header().warps_per_cta();
  const double share = std::ceil(options_.reuse.profile_fraction * warps);
  return std::max<std::uint64_t>(options_.reuse.profile_warps,
                                 static_cast<std::uint64_t>(std::max(share, 0.0)));
}

void HintedKernel::profile_prefix() {
  const std::uint64_t wanted = reuse_warps();
  ReuseProfile profile(options_.reuse.threshold);
  bool keep = true;
  std::size_t kept = 0;
  CtaTrace cta;
  for (std::uint64_t seen = 0; seen < wanted;) {
    if (!reader_.next(cta)) {
      ended_ = true;
      break;
    }
    for (const WarpTrace& warp : cta.warps) {
      if (seen == wanted) break;
      profile.add(warp, reader_.code());
      ++seen;
    }
    kept += bytes_of(cta);
    if (kept > most_lookahead_bytes) {
      keep = false;
      lookahead_.clear();
    }
    if (keep) lookahead_.push_back(std::exchange(cta, {}));
  }
  if (!keep) {
    reader_.rewind();
    ended_ = false;
  }
  profile.apply(reader_.code());
}

void HintedKernel::profile_all() {
  const std::uint64_t wanted = options_.reuse.mode == HintMode::profile ? reuse_warps() : 0;
  ReuseProfile profile(options_.reuse.threshold);
  HintCompiler compiler(options_);
  CtaTrace cta;
  for (std::uint64_t seen = 0; reader_.next(cta);)
    for (const WarpTrace& warp : cta.warps) {
      if (seen++ < wanted) profile.add(warp, reader_.code());
      compiler.add(warp, reader_.code());
    }
  if (wanted != 0) profile.apply(reader_.code());
  hints_ = std::make_unique<KernelHints>();
  compiler.compile(reader_.code(), reader_.has_sidecar(), *hints_);
  reader_.rewind();
}

bool HintedKernel::next(CtaTrace& cta) {
  if (!lookahead_.empty()) {
    std::swap(cta, lookahead_.front());
    lookahead_.pop_front();
    return true;
  }
  if (ended_ || !reader_.next(cta)) return false;
  if (options_.reuse.mode == HintMode::precise)
    for (WarpTrace& warp : cta.warps) annotate_precise(warp, reader_.code(), options_.reuse.threshold);
  return true;
}

}  // namespace subcore
