// subcore run and subcore compare.
#pragma once

#include "scenarios/options.h"

namespace subcore {

int run_command(const Arguments& arguments);

}  // namespace subcore
