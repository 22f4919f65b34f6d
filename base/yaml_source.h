// YAML files whose errors say where: `file:line: key: problem; expected ...`. Readers of platforms, scenarios
// and energy tables share them.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "subcore/base/config_error.h"
#include "subcore/base/yaml_node.h"

namespace subcore {

// A YAML text and its origin. The origin is a file with lines, or a name without lines, such as "--set a=b".
class YamlSource {
 public:
  // Reads and parses the file. A file has exactly one document, whose top is a map.
  explicit YamlSource(const std::filesystem::path& file);
  // Parses a text. Every error starts with `origin`, which has no lines.
  YamlSource(const std::string& text, std::string origin);

  const YamlNode& root() const { return root_; }
  const std::string& name() const { return name_; }
  // "file:12", or just the origin.
  std::string where(const YamlNode& node) const;
  [[noreturn]] void fail(const YamlNode& at, const std::string& message) const;

  // The count of files that all sources of this process have read.
  static std::uint64_t files_read();

  // A key and its value, and where the key stands.
  struct Entry {
    std::string key, path;  // the path within maps: "a.b.key"
    YamlNode key_node, value;
  };
  // The entries of a map in file order. A key that is no scalar or is given twice is an error, and so is a
  // node that is no map. `path` is the map's own key, for messages; empty at the top.
  std::vector<Entry> entries(const YamlNode& map, const YamlNode& at, const std::string& path) const;
  std::vector<Entry> entries(const Entry& e) const { return entries(e.value, e.key_node, e.path); }

 private:
  std::string name_;
  bool has_lines_;
  YamlNode root_;
};

// A node in the words of an error message: "a list", "'12'", "nothing".
std::string node_words(const YamlNode& node);

// "path.key: " with an empty path left out.
std::string under(const std::string& path, const std::string& key);

}  // namespace subcore
