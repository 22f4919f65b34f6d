// The compiler's near/far reuse bit (Malekeh, section III-A), from dynamic traces.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "subcore/model/trace/trace.h"

namespace subcore {

enum class ReuseMode : std::uint8_t {
  none,     // every operand far
  profile,  // per static operand, majority vote over the first warps of the kernel
  precise,  // each dynamic operand's own distance (an upper bound, for comparison)
};

constexpr std::array<std::string_view, 3> names(ReuseMode) {
  return {"none", "profile", "precise"};
}

// How near bits are made (passes.*).
struct ReuseOptions {
  ReuseMode mode = ReuseMode::profile;
  std::uint32_t threshold = 12;      // RTHLD: a distance of 0..threshold instructions is near
  std::uint32_t profile_warps = 4;   // at least so many warps of each kernel
  double profile_fraction = 0.0001;  // or this share of the kernel's warps, if that is more
};

// Votes near/far per static operand. Feed whole warps, then apply.
class ReuseProfile {
 public:
  explicit ReuseProfile(std::uint32_t threshold) : threshold_(threshold) {}
  void add(const WarpTrace& warp, const CodeTable& code);
  // Sets source_near / destination_near of every static instruction; ties and unseen operands are far.
  void apply(CodeTable& code) const;

 private:
  struct Votes {
    std::array<std::int32_t, max_sources> source{};  // near minus far
    std::array<std::int32_t, max_destinations> destination{};
  };
  std::uint32_t threshold_;
  std::vector<Votes> votes_;
};

// Fills warp.near with the precise bits.
void annotate_precise(WarpTrace& warp, const CodeTable& code, std::uint32_t threshold);

// Distances between successive touches of a register by one warp: the paper's Fig. 1.
struct ReuseHistogram {
  static constexpr unsigned bins = 33;  // 0..31, and 32 = 32 or more
  std::array<std::uint64_t, bins> reuses{};
  std::uint64_t never = 0;  // values overwritten or left unread
  void add(const WarpTrace& warp, const CodeTable& code);
  std::uint64_t total() const;
  double share_beyond(unsigned distance) const;  // share of reuses (not `never`) farther than `distance`
};

}  // namespace subcore
