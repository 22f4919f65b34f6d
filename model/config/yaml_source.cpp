#include "model/config/yaml_source.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace subcore {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw ConfigError(file.string() + ": no such file; expected a YAML file");
  if (fs::is_directory(file, error))
    throw ConfigError(file.string() + ": is a directory; expected a YAML file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in.is_open() || in.bad())
    throw ConfigError(file.string() + ": cannot be read (" + std::strerror(errno) +
                      "); expected a YAML file");
  return text.str();
}

// The first document; where(line) names the place of an error, counting lines from 0, -1 = unknown.
template <class Where>
YAML::Node parse(const std::string& text, const Where& where) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    // yaml-cpp would silently ignore all but the first.
    if (documents.size() > 1)
      throw ConfigError(where(-1) + ": holds " + std::to_string(documents.size()) +
                        " YAML documents; expected one");
    return documents.empty() ? YAML::Node() : documents[0];
  } catch (const YAML::Exception& e) {
    throw ConfigError(where(e.mark.is_null() ? -1 : e.mark.line) + ": YAML syntax error: " + e.msg +
                      "; expected a YAML map");
  }
}

}  // namespace

YamlSource::YamlSource(const fs::path& file) : name_(file.string()), has_lines_(true) {
  root_ = parse(text_of(file),
                [&](int line) { return line < 0 ? name_ : name_ + ':' + std::to_string(line + 1); });
  if (!root_.IsMap())
    throw ConfigError(name_ + ":1: the top level is " + node_words(root_) + "; expected a map of keys");
}

YamlSource::YamlSource(const std::string& text, std::string origin)
    : name_(std::move(origin)), has_lines_(false) {
  root_ = parse(text, [&](int) { return name_; });
}

std::string YamlSource::where(const YAML::Node& node) const {
  const YAML::Mark mark = node.Mark();
  if (!has_lines_ || mark.is_null()) return name_;
  return name_ + ':' + std::to_string(mark.line + 1);
}

void YamlSource::fail(const YAML::Node& at, const std::string& message) const {
  throw ConfigError(where(at) + ": " + message);
}

std::vector<YamlSource::Entry> YamlSource::entries(const YAML::Node& map, const YAML::Node& at,
                                                   const std::string& path) const {
  if (!map.IsMap()) fail(at, path + ": is " + node_words(map) + "; expected a map of keys");
  std::vector<Entry> list;
  std::map<std::string, int> seen;
  for (const auto& pair : map) {
    if (!pair.first.IsScalar())
      fail(pair.first.IsDefined() ? pair.first : at,
           under(path, "a key is " + node_words(pair.first) + "; expected a word"));
    const std::string key = pair.first.Scalar();
    const int line = pair.first.Mark().line + 1;
    const auto [first, is_new] = seen.emplace(key, line);
    if (!is_new)
      fail(pair.first, under(path, key) + ": duplicate key" +
                           (has_lines_ ? " (first in line " + std::to_string(first->second) + ")" : "") +
                           "; expected it once");
    list.push_back({key, pair.first, pair.second});
  }
  return list;
}

std::string node_words(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) return "empty";
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  return "'" + node.Scalar() + "'";
}

bool is_quoted(const YAML::Node& scalar) {
  return scalar.Tag() == "!";
}

std::string under(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + '.' + key;
}

}  // namespace subcore
