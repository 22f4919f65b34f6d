// Texts for packages, made from the tables of the commands.
#pragma once

#include "subcore/program/commands/command.h"

namespace subcore {

// A script for bash or zsh that completes commands, options, platforms and keys of --set in the shell. The
// platforms are those that come with the program. Throws UsageError for any other `shell`.
std::string completion_script(const std::string& shell, const Commands& commands);

// The manual page subcore(1) in roff. `overview` is the program's help.
std::string man_page(const std::string& overview, const Commands& commands);
// The manual page subcore-NAME(1).
std::string man_page(const Command& command);

}  // namespace subcore
