// Every command of the program.
#pragma once

#include "scenarios/commands/command.h"

namespace subcore {

Commands all_commands();

}  // namespace subcore
