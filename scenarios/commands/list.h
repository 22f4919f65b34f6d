// Every command of the program.
#pragma once

#include "scenarios/command.h"

namespace subcore {

Commands all_commands();

}  // namespace subcore
