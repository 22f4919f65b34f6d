// The kinds of YAML files, told apart by their keys at the top: one that is given for another is named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/parameters/yaml_source.h"

namespace subcore {

// What a YAML file can be.
enum class FileKind { platform, scenario, energy_table, rfcsim_configuration };

// Its keys at the top.
const std::vector<std::string>& keys_of(FileKind kind);

// Throws ConfigError if another kind has more of the file's keys than `kind`, as which it is read.
void require_kind(const YamlSource& source, const std::vector<YamlSource::Entry>& entries, FileKind kind);

}  // namespace subcore
