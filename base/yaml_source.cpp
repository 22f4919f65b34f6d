#include "subcore/base/yaml_source.h"

#include <atomic>
#include <map>

#include "subcore/base/files.h"
#include "subcore/base/input_file.h"
#include "subcore/base/spelling.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_text = std::size_t{1} << 20;
std::atomic<std::uint64_t> all_files{0};

std::string text_of(const fs::path& file) {
  if (is_folder(file)) throw ConfigError(file.string() + ": is a directory; expected a YAML file");
  all_files.fetch_add(1, std::memory_order_relaxed);
  std::string text;
  try {
    text = read_input(file, longest_text);
  } catch (const InputError& e) {
    if (e.is_missing())
      throw ConfigError(file.string() + ": no such file;" + did_you_mean_file(file) +
                        " expected a YAML file");
    throw ConfigError(file.string() + ": cannot be read (" + e.what() + "); expected a YAML file");
  }
  if (text.size() > longest_text)
    throw ConfigError(file.string() + ": is longer than 1 MiB; expected a YAML file of at most that");
  return text;
}

// where(line) names the place of an error. Lines count from 1; 0 is an unknown line.
template <class Where>
YamlNode parse(const std::string& text, const Where& where) {
  try {
    return YamlNode::parse(text);
  } catch (const YamlError& e) {
    throw ConfigError(where(e.line) + ": YAML syntax error: " + e.what() + "; expected a YAML map");
  }
}

}  // namespace

YamlSource::YamlSource(const fs::path& file) : name_(file.string()), has_lines_(true) {
  root_ =
      parse(text_of(file), [&](int line) { return line == 0 ? name_ : name_ + ':' + std::to_string(line); });
  if (!root_.is_map())
    throw ConfigError(name_ + ":1: the top level is " + node_words(root_) + "; expected a map of keys");
}

YamlSource::YamlSource(const std::string& text, std::string origin)
    : name_(std::move(origin)), has_lines_(false) {
  root_ = parse(text, [&](int) { return name_; });
}

std::uint64_t YamlSource::files_read() {
  return all_files.load(std::memory_order_relaxed);
}

std::string YamlSource::where(const YamlNode& node) const {
  if (!has_lines_ || node.line() == 0) return name_;
  return name_ + ':' + std::to_string(node.line());
}

void YamlSource::fail(const YamlNode& at, const std::string& message) const {
  throw ConfigError(where(at) + ": " + message);
}

std::vector<YamlSource::Entry> YamlSource::entries(const YamlNode& map, const YamlNode& at,
                                                   const std::string& path) const {
  if (!map.is_map()) fail(at, path + ": is " + node_words(map) + "; expected a map of keys");
  std::vector<Entry> list;
  std::map<std::string, int> seen;
  for (const auto& [key_node, value] : map.pairs()) {
    if (!key_node.is_scalar())
      fail(key_node, under(path, "a key is " + node_words(key_node) + "; expected a word"));
    const std::string& key = key_node.text();
    const auto [first, is_new] = seen.emplace(key, key_node.line());
    if (!is_new)
      fail(key_node, under(path, key) + ": duplicate key" +
                         (has_lines_ ? " (first in line " + std::to_string(first->second) + ")" : "") +
                         "; expected it once");
    list.push_back({key, under(path, key), key_node, value});
  }
  return list;
}

std::string node_words(const YamlNode& node) {
  if (node.is_null()) return "empty";
  if (node.is_map()) return node.pairs().empty() ? "an empty map" : "a map";
  if (node.is_list()) return node.items().empty() ? "an empty list" : "a list";
  return "'" + node.text() + "'";
}

std::string under(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + '.' + key;
}

}  // namespace subcore
