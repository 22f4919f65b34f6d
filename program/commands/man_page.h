// Manual pages in roff, from the texts of --help.
#pragma once

#include "subcore/program/commands/command.h"

namespace subcore {

// subcore(1): `overview` is the help of the program.
std::string man_page(const std::string& overview, const Commands& commands);
// subcore-NAME(1)
std::string man_page(const Command& command);

}  // namespace subcore
