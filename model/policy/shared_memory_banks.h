// Bank conflicts of shared memory: how often the banks have to be read for one warp instruction.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/trace/addresses.h"

namespace subcore {

struct SharedMemoryPasses {
  unsigned passes = 0;  // at least one per part that has an active lane
  unsigned parts = 0;   // parts with an active lane: the passes of an access without conflicts
};

// Words of 4 bytes lie in turn in `banks` banks. In a pass each bank gives one word, to every lane that wants
// it: the passes of an access are the most distinct words that any bank holds of it. A warp with lanes of 8
// bytes is served in two halves, one with more in four quarters, each part on its own. Atomics do not
// share a word: lanes that want the same one take turns, so each of them counts. `bytes_per_lane` is 1..32,
// `banks` 1..64, a power of two.
SharedMemoryPasses shared_memory_passes(const LaneAddresses& lanes, unsigned bytes_per_lane, unsigned banks,
                                        bool atomic);

// The passes of an instruction that moves `matrices` (1 to 4) 8x8 matrices of 16-bit elements: each is a part
// of its own, of eight rows of 16 bytes. The rows' addresses are those of the first 8 x `matrices` lanes;
// other lanes' do not count. One pass if none of these lanes is active.
SharedMemoryPasses matrix_passes(const LaneAddresses& lanes, unsigned matrices, unsigned banks);

}  // namespace subcore
