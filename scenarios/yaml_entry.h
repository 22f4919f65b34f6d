// What an entry of a YAML file holds, or an error that says where it is and what was expected.
#pragma once

#include <string>
#include <vector>

#include "model/parameters/yaml_source.h"

namespace subcore {

// `path` is the key of the map that the entry is in; empty at the top.
std::string text_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path = "");
double number_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path);
// One text stands for a list of one.
std::vector<std::string> texts_of(const YamlSource& source, const YamlSource::Entry& e);
[[noreturn]] void fail_unknown(const YamlSource& source, const YamlSource::Entry& e, const std::string& path,
                               const std::vector<std::string>& known);

}  // namespace subcore
