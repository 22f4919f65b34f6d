// The STHLD machine's table in YAML: `{1: {small: {next: 2, step: 1}, large: {next: 2, step: undo}}, ...}`.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

#include "subcore/model/policy/sthld/sthld_machine.h"

namespace subcore {

class YamlNode;
class YamlSource;

// The table in one line of YAML flow style.
std::string sthld_table_text(const SthldTable& table);
// Reads the table at `node`. Its key `path` stands at `at`. Throws ConfigError.
SthldTable read_sthld_table(const YamlSource& source, const YamlNode& node, const YamlNode& at,
                            const std::string& path);

}  // namespace subcore
