// BOW's write-back hints (BOW, section IV-B): whether a result goes to the window, to the banks, or to both.
//
// The hints are optimistic, because they come from a profile: a value counts as dead if no warp of this trace
// read it again. A compiler must think of every path and could not always promise that. `unconfirmed` counts
// the window-only definitions for which liveness over the observed control flow cannot promise it either.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "subcore/base/byte_text.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/kernel_profile.h"
#include "subcore/model/passes/pass_options.h"

namespace subcore {

struct Liveness;  // compiler_passes.h

// The fates of results, counted by static destination (of instructions that ran) or by dynamic write.
struct WriteBackCounts {
  std::uint64_t banks_only = 0;   // first read beyond the window, or none
  std::uint64_t window_only = 0;  // every read inside the window
  std::uint64_t both = 0;
  std::uint64_t total() const { return banks_only + window_only + both; }
};

// The summary of WindowProfile::apply().
struct WriteBackSummary {
  WriteBackCounts destinations;    // static
  WriteBackCounts writes;          // dynamic, by the hint of the destination
  std::uint64_t unconfirmed = 0;   // static; part of destinations.window_only
  std::uint64_t reads = 0;         // dynamic
  std::uint64_t window_reads = 0;  // reads with a touch of the register inside the window
};

// Follows every value from its definition to its end. The window slides by instructions of the warp,
// predicated off or not. Each touch of a register keeps it for another `window` instructions.
class WindowProfile {
 public:
  // `ends_at_branch`: nothing stays in the window across a jump that some lane takes, nor across any other
  // step to an instruction that does not follow in memory. Hints for more flushes are also safe for a window
  // that is flushed less often.
  WindowProfile(std::uint32_t window, bool ends_at_branch)
      : window_(window), ends_at_branch_(ends_at_branch) {}

  void add(const WarpTrace& warp, const CodeTable& code);
  // put() appends the whole profile to a text; take() reads it from there. `code` is the whole kernel's.
  void put(std::string& out) const;
  void take(ByteTaker& text, const CodeTable& code);
  // Sets to_window and to_banks. Some destinations go to both:
  // * A destination that never ran.
  // * A destination that ever wrote under a partial mask. With `partial` covering, only if a lane that it
  //   left out read the register before that lane was written, too. A collector that does not allocate for a
  //   partial write must send it to the banks, whatever the hint says.
  // * A whole value on top of which a result of some lanes came that does not end the older value
  //   (Annotation::ends_older). Such a result is merged in the banks, so the banks need the older value even
  //   if no lane reads it again.
  WriteBackSummary apply(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                         PartialWriteBack partial, std::deque<Annotation>& annotations) const;

 private:
  struct StaticDestination {
    std::uint32_t instruction;
    std::uint32_t destination;
  };
  struct Fates {
    std::uint64_t unread = 0, beyond = 0, inside = 0, mixed = 0;
    std::uint64_t partial = 0;  // counted in addition to the others
    std::vector<StaticDestination>
        partly_over;  // destinations that next wrote some lanes of the register, on top of a whole value
  };
  struct Definition {  // a value that some lane may still read
    std::uint32_t instruction;
    std::uint32_t destination;
    std::uint32_t lanes;  // lanes that hold it
    std::uint64_t touched;
    std::uint64_t epoch;
    bool left;  // the value is no longer in the window
    bool inside, beyond;
  };
  struct RegisterState {
    std::vector<Definition> definitions;  // several only after partial writes; at most 32
    std::uint64_t touched = 0, epoch = 0;
    bool seen = false;
  };
  void read(Register r, std::uint32_t mask, std::uint64_t now);
  void write(Register r, std::uint32_t instruction, std::uint32_t destination, std::uint32_t mask,
             std::uint64_t now);
  void accumulate(Register r, bool reads, std::uint32_t mask);
  void close(const Definition& d);
  void note_partial(const Definition& whole, StaticDestination over);
  static bool is_merged(const Fates& fates, const KernelProfile& profile);
  void know_jumps(const CodeTable& code);
  bool confirmed(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                 std::uint32_t instruction, unsigned destination) const;

  std::uint32_t window_;
  bool ends_at_branch_;
  std::vector<std::array<Fates, max_destinations>> fates_;  // by static instruction
  std::vector<bool> jumps_;
  std::array<RegisterState, 256> registers_;
  std::uint64_t epoch_ = 0;  // counts the window's ends
  std::uint64_t reads_ = 0, window_reads_ = 0;
};

}  // namespace subcore
