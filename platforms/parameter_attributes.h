// Parameters as attributes of SystemC's, for whoever walks the hierarchy of a simulation and knows nothing of
// platforms: sc_core::sc_attribute<std::string>, named by its key ("gpu.sms"), the value as a platform file
// would give it.
#pragma once

#include <memory>

#include "platforms/gpu.h"

namespace subcore {

// Adds those that the platform reads to `object`. They are attributes for as long as the object lives, and
// have to be kept for as long.
std::shared_ptr<void> list_parameters(sc_core::sc_object& object, const PlatformParameters& parameters);
// Those of a GPU, which keeps them.
void list_parameters(Gpu& gpu);

}  // namespace subcore
