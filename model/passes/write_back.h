// BOW's write-back hints (BOW, section IV-B): does a result go to the window, the banks or both?
//
// Profile-optimistic: a value counts as dead when no warp of this trace read it again, which a compiler, who
// must think of every path, could not always promise. `unconfirmed` counts the window-only definitions for
// which liveness over the observed control flow would not promise it either.
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

// The fates of results, by static destination (of instructions that ran) or by dynamic write.
struct WriteBackCounts {
  std::uint64_t banks_only = 0;   // first read beyond the window, or none
  std::uint64_t window_only = 0;  // every read inside the window
  std::uint64_t both = 0;
  std::uint64_t total() const { return banks_only + window_only + both; }
};

// The summary of WindowProfile::apply().
struct WriteBackSummary {
  WriteBackCounts destinations;    // static
  WriteBackCounts writes;          // dynamic, by the hint of their destination
  std::uint64_t unconfirmed = 0;   // static, of destinations.window_only
  std::uint64_t reads = 0;         // dynamic
  std::uint64_t window_reads = 0;  // reads with a touch of the register inside the window
};

// Follows every value from its definition to its end. The window slides by instructions of the warp,
// predicated off or not; each touch of a register keeps it for `window` instructions more.
class WindowProfile {
 public:
  // `ends_at_branch`: nothing stays in the window across a jump that some lane takes, nor across any other
  // step to an instruction that does not follow in memory. A window that is flushed less often is safe, too.
  WindowProfile(std::uint32_t window, bool ends_at_branch)
      : window_(window), ends_at_branch_(ends_at_branch) {}

  void add(const WarpTrace& warp, const CodeTable& code);
  // Appends all that it knows to a text, and takes it from there; `code` is the whole kernel's.
  void put(std::string& out) const;
  void take(ByteTaker& text, const CodeTable& code);
  // Sets to_window and to_banks. A destination that never ran is both, and so is one that ever wrote under a
  // partial mask, unless `partial` is covering and no lane that it left out read the register before it was
  // written there, too. A collector that does not allocate for a partial write must then send it to the banks
  // whatever the hint says. A whole value goes to the banks, too, if a result of some lanes ever came on top
  // of it that does not end the older value (Annotation::ends_older): such a result is merged in the
  // banks, so the banks need what it is merged with, also where no lane reads that again.
  WriteBackSummary apply(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                         PartialWriteBack partial, std::deque<Annotation>& annotations) const;

 private:
  struct StaticDestination {
    std::uint32_t instruction;
    std::uint32_t destination;
  };
  struct Fates {
    std::uint64_t unread = 0, beyond = 0, inside = 0, mixed = 0;
    std::uint64_t partial = 0;  // counted besides the others
    std::vector<StaticDestination>
        partly_over;  // destinations that wrote some lanes of a whole value's register next
  };
  struct Definition {  // a value that some lane may still read
    std::uint32_t instruction;
    std::uint32_t destination;
    std::uint32_t lanes;  // lanes that hold it
    std::uint64_t touched;
    std::uint64_t epoch;
    bool left;  // the value is no more in the window
    bool inside, beyond;
  };
  struct RegisterState {
    std::vector<Definition> definitions;  // several only behind partial writes; 32 at most
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
