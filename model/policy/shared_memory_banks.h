// Bank conflicts of shared memory: how often the banks are read for one warp instruction.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/trace/addresses.h"

namespace subcore {

struct SharedMemoryPasses {
  unsigned passes = 0;  // at least one for each part with an active lane
  unsigned parts = 0;   // parts with an active lane: the passes without conflicts
};

// Words of 4 bytes lie in turn in `banks` banks. In a pass each bank gives one word, to every lane that wants
// it. The passes of an access are the most distinct words that it wants from any one bank. A warp with lanes
// of 8 bytes is served in two halves, and a warp with larger lanes in four quarters. Each part is served on
// its own. Atomics do not share a word: lanes with the same word take turns, so each of them counts.
// `bytes_per_lane` is 1..32. `banks` is a power of two, 1..64.
SharedMemoryPasses shared_memory_passes(const LaneAddresses& lanes, unsigned bytes_per_lane, unsigned banks,
                                        bool atomic);

// The passes of an instruction that moves `matrices` (1 to 4) 8x8 matrices of 16-bit elements. Each matrix is
// a part of its own, with eight rows of 16 bytes. The first 8 x `matrices` lanes have the rows' addresses,
// and the addresses of other lanes do not count. One pass if none of the first lanes is active.
SharedMemoryPasses matrix_passes(const LaneAddresses& lanes, unsigned matrices, unsigned banks);

}  // namespace subcore
