// Completion in shells of commands, options, platforms and keys of --set, from the tables of the commands.
#pragma once

#include "subcore/program/commands/command.h"

namespace subcore {

// A script for bash or zsh, with the platforms that come with the program. Throws UsageError for any other
// `shell`.
std::string completion_script(const std::string& shell, const Commands& commands);

}  // namespace subcore
