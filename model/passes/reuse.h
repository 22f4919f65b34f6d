// The compiler's near bit of an operand: its register is worth keeping until it is read again. By the
// distance to that (Malekeh, section III-A), or by what Belady's replacement would keep.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/base/byte_text.h"
#include "subcore/model/passes/belady.h"
#include "subcore/model/passes/issue_order.h"
#include "subcore/model/passes/near_bits_file.h"

namespace subcore {

// How the near bits of a static operand are found.
enum class NearBitsSource : std::uint8_t {
  none,           // every operand is far
  threshold,      // the distances that the first warps of the kernel have, by majority
  of_code,        // what Belady's replacement keeps on a path through the code alone, by majority
  trained,        // what it keeps of the first warps of the kernel, by majority
  of_file,        // a file's, which were made with another input
  oracle,         // what it keeps of each dynamic operand (a limit: no compiler knows)
  shared_oracle,  // the same of a store that warps share, on the order in which a first run issued
  precise,        // each dynamic operand's own distance (an upper bound, for comparison)
};

constexpr std::array<std::string_view, 8> names(NearBitsSource) {
  return {"none", "threshold", "static", "trained", "file", "oracle", "shared_oracle", "precise"};
}

// How near bits are made (passes.*).
struct NearBitOptions {
  NearBitsSource source = NearBitsSource::threshold;
  std::uint32_t threshold = 12;  // RTHLD: a distance of 0..threshold instructions is near
  WarpStore store{0, true};  // of static, trained and oracle bits; 0 entries: those of the platform's store
  std::uint32_t loops = 4;   // how often static bits follow a loop
  std::shared_ptr<const NearBitsFile> file{};  // the bits of a file
  std::uint32_t profile_warps = 4;             // at least so many warps of each kernel
  double profile_fraction = 0.0001;            // or this share of the kernel's warps, if that is more
  // Whether the first warps of the kernel vote.
  bool asks_warps() const { return source == NearBitsSource::threshold || source == NearBitsSource::trained; }
  // Whether what is asked is what a store keeps.
  bool asks_store() const {
    return source == NearBitsSource::of_code || source == NearBitsSource::trained ||
           source == NearBitsSource::oracle || source == NearBitsSource::shared_oracle;
  }
  // Whether each dynamic operand has a bit of its own, which nobody can know before it runs.
  bool knows_the_future() const {
    return source == NearBitsSource::oracle || source == NearBitsSource::precise || asks_order();
  }
  // Whether the order in which a first run issued has to be known (TraceProgram::issue_order).
  bool asks_order() const { return source == NearBitsSource::shared_oracle; }
};

// Votes near/far per static operand. Feed whole warps, then apply.
class ReuseProfile {
 public:
  explicit ReuseProfile(const NearBitOptions& options) : options_(options) {}
  void add(const WarpTrace& warp, const CodeTable& code);
  // Appends all votes to a text, and takes them from there.
  void put(std::string& out) const;
  void take(ByteTaker& text);
  // Sets source_near / destination_near of every static instruction; ties and unseen operands are far.
  void apply(CodeTable& code) const;

  // The executions of an operand that were near, and those that were not.
  struct Vote {
    std::uint32_t near = 0, far = 0;
    bool is_near() const { return near > far; }
  };
  // The vote on an operand of an instruction: sources from 0, destinations from max_sources.
  Vote vote(const StaticInstruction& instruction, unsigned operand) const {
    return instruction.index < votes_.size() ? votes_[instruction.index][operand] : Vote{};
  }

 private:
  NearBitOptions options_;
  std::vector<std::array<Vote, max_sources + max_destinations>> votes_;  // by instruction
};

// Fills warp.near with a bit for each dynamic operand, of the kind that the options name: oracle or precise.
void annotate_dynamic(WarpTrace& warp, const CodeTable& code, const NearBitOptions& options);
// Returns such bits of a kernel's warps, by WarpTrace::number, of the kind shared_oracle. Throws TraceError
// if the order is that of another kernel.
std::vector<std::vector<NearBits>> shared_near_bits(const std::vector<WarpTrace>& warps,
                                                    const CodeTable& code, const KernelIssueOrder& order,
                                                    const WarpStore& store);

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
