// Configuration files of RFC-sim, with its own codes.
#pragma once

#include <filesystem>

#include "subcore/program/analysis/study/energy.h"
#include "subcore/program/analysis/study/thread_register_cache.h"

namespace subcore {

struct RfcsimConfig {
  RegisterCacheParameters parameters;  // rfcsim_compat is always set
  unsigned bank_bits = 128;
  StudyEnergy energy;
};

// Reads a configuration. All keys are demanded, `window_len` only with `alloc: 3`. Unknown keys and codes are
// errors. Throws ConfigError: `file:line: key: problem; expected ...`.
RfcsimConfig read_rfcsim_config(const std::filesystem::path& file);

}  // namespace subcore
