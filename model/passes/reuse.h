// The compiler's near bit of an operand: its register is worth keeping until it is read again. The bit comes
// from the distance to that read (Malekeh, section III-A), or from what Belady's replacement would keep.
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

// The source of the near bits of a static operand.
enum class NearBitsSource : std::uint8_t {
  none,           // every operand is far
  threshold,      // the majority of the distances in the first warps of the kernel
  of_code,        // the majority of Belady's choices on a path through the code alone
  trained,        // the majority of Belady's choices in the first warps of the kernel
  of_file,        // from a file, made with another input
  oracle,         // Belady's choice for each dynamic operand (a limit: no compiler knows it)
  shared_oracle,  // as oracle, for a store that warps share, in the order in which a first run issued
  precise,        // each dynamic operand's own distance (an upper bound, for comparison)
};

constexpr std::array<std::string_view, 8> names(NearBitsSource) {
  return {"none", "threshold", "static", "trained", "file", "oracle", "shared_oracle", "precise"};
}

// Options for near bits (passes.*).
struct NearBitOptions {
  NearBitsSource source = NearBitsSource::threshold;
  std::uint32_t threshold = 12;  // RTHLD: a distance of 0..threshold instructions is near
  WarpStore store{0, true};      // for of_code, trained and oracle; 0 entries: the platform's store
  std::uint32_t loops = 4;       // how often of_code bits follow a loop
  std::shared_ptr<const NearBitsFile> file{};  // the file, for of_file bits
  std::uint32_t profile_warps = 4;             // the least number of warps of each kernel
  double profile_fraction = 0.0001;            // the share of the kernel's warps, if that is more
  // Whether the first warps of the kernel vote.
  bool asks_warps() const { return source == NearBitsSource::threshold || source == NearBitsSource::trained; }
  // Whether the bits depend on what a store keeps.
  bool asks_store() const {
    return source == NearBitsSource::of_code || source == NearBitsSource::trained ||
           source == NearBitsSource::oracle || source == NearBitsSource::shared_oracle;
  }
  // Whether each dynamic operand has its own bit, which no compiler can know before the run.
  bool knows_the_future() const {
    return source == NearBitsSource::oracle || source == NearBitsSource::precise || asks_order();
  }
  // Whether the order in which a first run issued must be known (TraceProgram::issue_order).
  bool asks_order() const { return source == NearBitsSource::shared_oracle; }
};

// Votes near or far per static operand. Add whole warps, then apply.
class ReuseProfile {
 public:
  explicit ReuseProfile(const NearBitOptions& options) : options_(options) {}
  void add(const WarpTrace& warp, const CodeTable& code);
  // put() appends all votes to a text; take() reads them from there.
  void put(std::string& out) const;
  void take(ByteTaker& text);
  // Sets source_near and destination_near of every static instruction. Ties and unseen operands are far.
  void apply(CodeTable& code) const;

  // How many executions of an operand were near, and how many were not.
  struct Vote {
    std::uint32_t near = 0, far = 0;
    bool is_near() const { return near > far; }
  };
  // The vote on an operand of an instruction. Sources count from 0, destinations from max_sources.
  Vote vote(const StaticInstruction& instruction, unsigned operand) const {
    return instruction.index < votes_.size() ? votes_[instruction.index][operand] : Vote{};
  }

 private:
  NearBitOptions options_;
  std::vector<std::array<Vote, max_sources + max_destinations>> votes_;  // by instruction
};

// Fills warp.near with a bit for each dynamic operand. The options say oracle or precise.
void annotate_dynamic(WarpTrace& warp, const CodeTable& code, const NearBitOptions& options);
// The bits of the kind shared_oracle of a kernel's warps, by WarpTrace::number. Throws TraceError if the
// order is that of another kernel.
std::vector<std::vector<NearBits>> shared_near_bits(const std::vector<WarpTrace>& warps,
                                                    const CodeTable& code, const KernelIssueOrder& order,
                                                    const WarpStore& store);

// Distances between successive touches of a register by one warp, as in Fig. 1 of Malekeh's paper.
struct ReuseHistogram {
  static constexpr unsigned bins = 33;  // 0..31, and 32 = 32 or more
  std::array<std::uint64_t, bins> reuses{};
  std::uint64_t never = 0;  // values overwritten or left unread
  void add(const WarpTrace& warp, const CodeTable& code);
  std::uint64_t total() const;
  double share_beyond(unsigned distance) const;  // share of reuses (not `never`) farther than `distance`
};

}  // namespace subcore
