// The STHLD machine's table in YAML: `{1: {small: {next: 2, step: 1}, large: {next: 2, step: undo}}, ...}`.
#pragma once

#include <string>

#include "model/policy/sthld_machine.h"

namespace subcore {

// One line, in YAML flow style.
std::string sthld_table_text(const SthldTable& table);

}  // namespace subcore
