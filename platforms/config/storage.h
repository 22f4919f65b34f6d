// How much operand storage a register system has: the buffers of its collectors and its caches.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/platforms/config/platform.h"

namespace subcore {

// Entries of a sub-core's operand cache: of every warp that may be active. 0 if there is no cache.
std::uint64_t operand_cache_entries(const SubCoreParameters& parameters);

// Bytes of data per SM (tags and state left out), at 128 bytes per warp operand: a plain collector's slots, a
// caching or bypassing collector's entries, and an operand cache's entries of every warp that may be active.
std::uint64_t operand_storage_bytes(const PlatformParameters& parameters);

}  // namespace subcore
