// The kinds of YAML files, known by their keys at the top. An error can say which kind a file is.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/base/yaml_source.h"

namespace subcore {

// The kind of a YAML file.
enum class FileKind { platform, scenario, energy_table, rfcsim_configuration };

// The keys at the top of a file of this kind.
const std::vector<std::string>& keys_of(FileKind kind);

// `kind` is the kind as which the file is read. Throws ConfigError if another kind has more of the file's
// keys.
void require_kind(const YamlSource& source, const std::vector<YamlSource::Entry>& entries, FileKind kind);

// Words for a message about a YAML file that stands where another kind of file is expected: ", but a scenario
// by its keys, which is for subcore run SCENARIO.yaml". Empty if `file` is no such YAML file.
std::string kind_words(const std::filesystem::path& file);

}  // namespace subcore
