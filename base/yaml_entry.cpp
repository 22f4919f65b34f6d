#include "subcore/base/yaml_entry.h"

#include <algorithm>

#include "subcore/base/text.h"

namespace subcore {

std::string text_of(const YamlSource& source, const YamlSource::Entry& e) {
  if (!e.value.is_scalar() || e.value.text().empty())
    source.fail(e.key_node, e.path + ": " + node_words(e.value) + "; expected a text");
  return e.value.text();
}

double number_of(const YamlSource& source, const YamlSource::Entry& e) {
  double value = 0;
  if (e.value.is_scalar() && text::parse_number(e.value.text(), value)) return value;
  source.fail(e.key_node, e.path + ": " + node_words(e.value) + "; expected a number");
}

std::uint64_t whole_of(const YamlSource& source, const YamlSource::Entry& e, std::uint64_t low,
                       std::uint64_t high, const std::string& unit) {
  std::uint64_t value = 0;
  if (e.value.is_scalar() && text::parse_unsigned(e.value.text(), value, high) && value >= low) return value;
  source.fail(e.key_node, e.path + ": " + node_words(e.value) + "; expected a whole number" +
                              (unit.empty() ? "" : " of " + unit) + " from " + std::to_string(low) + " to " +
                              std::to_string(high));
}

std::vector<std::string> texts_of(const YamlSource& source, const YamlSource::Entry& e) {
  std::vector<std::string> items;
  if (e.value.is_scalar() && !e.value.text().empty()) return {e.value.text()};
  if (!e.value.is_list() || e.value.items().empty())
    source.fail(e.key_node, e.path + ": " + node_words(e.value) + "; expected a list of texts");
  for (const YamlNode& item : e.value.items()) {
    if (!item.is_scalar() || item.text().empty())
      source.fail(item, e.path + ": " + node_words(item) + "; expected a text");
    items.push_back(item.text());
  }
  return items;
}

void YamlKeys::read(const std::vector<Entry>& entries, const YamlNode& at, const std::string& path,
                    const std::vector<std::string>& required) const {
  const auto find = [&](const std::string& name) {
    return std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == name; });
  };
  std::vector<std::string> names;
  for (const auto& [name, read_key] : keys_) names.push_back(name);
  for (const Entry& e : entries)
    if (std::find(names.begin(), names.end(), e.key) == names.end())
      source_.fail(e.key_node, e.path + ": unknown key;" + did_you_mean(e.key, names) + " expected one of " +
                                   list_text(names));
  for (const std::string& name : required)
    if (find(name) == entries.end())
      source_.fail(at,
                   under(path, name) + ": is missing; expected " +
                       (required.size() == 1 ? "a key '" + name + '\'' : "all of " + list_text(required)));
  for (const auto& [name, read_key] : keys_)
    if (const auto e = find(name); e != entries.end()) read_key(*e);
}

}  // namespace subcore
