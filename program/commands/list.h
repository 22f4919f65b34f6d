// Every command of the program.
#pragma once

#include "subcore/program/commands/command.h"

namespace subcore {

Commands all_commands();

}  // namespace subcore
