#include "subcore/base/yaml_entry.h"

#include <charconv>
#include <cmath>

#include "subcore/base/spelling.h"

namespace subcore {

std::string text_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path) {
  if (!e.value.is_scalar() || e.value.text().empty())
    source.fail(e.key_node, under(path, e.key) + ": " + node_words(e.value) + "; expected a text");
  return e.value.text();
}

double number_of(const YamlSource& source, const YamlSource::Entry& e, const std::string& path) {
  double value = 0;
  if (e.value.is_scalar()) {
    const std::string& text = e.value.text();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  }
  source.fail(e.key_node, under(path, e.key) + ": " + node_words(e.value) + "; expected a number");
}

std::vector<std::string> texts_of(const YamlSource& source, const YamlSource::Entry& e) {
  std::vector<std::string> items;
  if (e.value.is_scalar() && !e.value.text().empty()) return {e.value.text()};
  if (!e.value.is_list() || e.value.items().empty())
    source.fail(e.key_node, e.key + ": " + node_words(e.value) + "; expected a list of texts");
  for (const YamlNode& item : e.value.items()) {
    if (!item.is_scalar() || item.text().empty())
      source.fail(item, e.key + ": " + node_words(item) + "; expected a text");
    items.push_back(item.text());
  }
  return items;
}

void fail_unknown(const YamlSource& source, const YamlSource::Entry& e, const std::string& path,
                  const std::vector<std::string>& known) {
  std::string all;
  for (const std::string& key : known) all += (all.empty() ? "" : ", ") + key;
  source.fail(e.key_node,
              under(path, e.key) + ": unknown key;" + did_you_mean(e.key, known) + " expected one of " + all);
}

}  // namespace subcore
