#include "subcore/program/commands/command.h"

namespace subcore {

// Each command is defined in the file that has its name.
using MakeCommand = std::unique_ptr<Command>();
MakeCommand run_command, compare_command, explain_command, report_command, figures_command, timeline_command,
    trace_info_command, annotate_command, cache_study_command, pack_command, cache_command, trace_command,
    draw_command, parameters_command, platforms_command;

// All commands, in the order of the help.
Commands all_commands() {
  Commands all;
  for (MakeCommand* const make :
       {run_command, compare_command, explain_command, report_command, figures_command, timeline_command,
        trace_info_command, annotate_command, cache_study_command, pack_command, cache_command, trace_command,
        draw_command, parameters_command, platforms_command})
    all.push_back(make());
  return all;
}

}  // namespace subcore
