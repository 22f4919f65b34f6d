// The hardware of an SM's sub-cores, part by part, as the modules declare it (Module::inventory()).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/hardware/inventory.h"
#include "subcore/platforms/streaming_multiprocessor.h"

namespace subcore {

// Adds the parts of a module. A part's name has the module's name without its number, and the part's own
// name: "caching_collector.cache_table". Equal parts of all modules with that name are added up to one part.
void add_hardware(const Module& module, Inventory& all);
// Adds the parts of an SM's sub-cores.
void add_hardware(StreamingMultiprocessor& sm, Inventory& all);
// The bits of all parts that store something, which excludes crosspoints.
std::uint64_t stored_bits(const std::vector<HardwarePart>& parts);

}  // namespace subcore
