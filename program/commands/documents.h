// Texts that packages are made of, from the tables of the commands.
#pragma once

#include "subcore/program/commands/command.h"

namespace subcore {

// Completion in a shell of commands, options, platforms and keys of --set: a script for bash or zsh, with the
// platforms that come with the program. Throws UsageError for any other `shell`.
std::string completion_script(const std::string& shell, const Commands& commands);

// The manual page subcore(1) in roff: `overview` is the help of the program.
std::string man_page(const std::string& overview, const Commands& commands);
// The manual page subcore-NAME(1).
std::string man_page(const Command& command);

}  // namespace subcore
