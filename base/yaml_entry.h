// The value of an entry of a YAML file, or an error that says where it is and what was expected.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "subcore/base/spelling.h"
#include "subcore/base/yaml_source.h"

namespace subcore {

// `path` is the key of the map that the entry is in; empty at the top.
std::string text_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path = "");
// The same for a number.
double number_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path);
// A list of texts; one text stands for a list of one.
std::vector<std::string> texts_of(const YamlSource& source, const YamlSource::Entry& e);
// Refuses a key that is none of the `known` ones, and proposes the nearest.
[[noreturn]] void fail_unknown(const YamlSource& source, const YamlSource::Entry& e, const std::string& path,
                               const std::vector<std::string>& known);
// The kind whose word the entry holds.
template <class Kind>
Kind choice_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path,
               const std::vector<std::pair<std::string, Kind>>& choices) {
  const std::string text = text_of(source, e, path);
  std::vector<std::string> names;
  std::string all;
  for (const auto& [name, kind] : choices) {
    if (name == text) return kind;
    names.push_back(name);
    all += (all.empty() ? "" : ", ") + name;
  }
  source.fail(e.key_node, under(path, e.key) + ": '" + text + "';" + did_you_mean(text, names) +
                              " expected one of " + all);
}

}  // namespace subcore
