// Reads values of entries of a YAML file, and checks the keys of a map. Errors say where the mistake is and
// what was expected.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "subcore/base/names.h"
#include "subcore/base/spelling.h"
#include "subcore/base/yaml_source.h"

namespace subcore {

// "a, b, c".
template <class Words>
std::string list_text(const Words& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

// The entry's text. An empty text is an error.
std::string text_of(const YamlSource& source, const YamlSource::Entry& e);
// The entry's number.
double number_of(const YamlSource& source, const YamlSource::Entry& e);
// A whole number within the bounds. `unit` is what the number counts, for the error; empty for a plain
// number.
std::uint64_t whole_of(const YamlSource& source, const YamlSource::Entry& e, std::uint64_t low,
                       std::uint64_t high, const std::string& unit);
// A list of texts. A single text counts as a list of one.
std::vector<std::string> texts_of(const YamlSource& source, const YamlSource::Entry& e);
// The value of the word that the entry holds.
template <class V>
V choice_of(const YamlSource& source, const YamlSource::Entry& e,
            const std::vector<std::pair<std::string, V>>& choices) {
  const std::string text = text_of(source, e);
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) {
    if (word == text) return value;
    words.push_back(word);
  }
  source.fail(e.key_node, e.path + ": '" + text + "';" + did_you_mean(text, words) + " expected one of " +
                              list_text(words));
}

// The keys that a map may have, each with the member that takes its value, or with a function of its entry.
// The keys are read in the order in which the code names them, wherever they stand in the file.
class YamlKeys {
 public:
  using Entry = YamlSource::Entry;
  using Read = std::function<void(const Entry&)>;

  explicit YamlKeys(const YamlSource& source) : source_(source) {}
  YamlKeys(const YamlKeys&) = delete;
  YamlKeys& operator=(const YamlKeys&) = delete;

  void key(std::string name, Read read) { keys_.emplace_back(std::move(name), std::move(read)); }
  void field(std::string name, std::string& to) {
    key(std::move(name), [&](const Entry& e) { to = text_of(source_, e); });
  }
  void field(std::string name, std::vector<std::string>& to) {
    key(std::move(name), [&](const Entry& e) { to = texts_of(source_, e); });
  }
  void field(std::string name, double& to) {
    key(std::move(name), [&](const Entry& e) { to = number_of(source_, e); });
  }
  void field(std::string name, bool& to) { choice(std::move(name), to, {{"true", true}, {"false", false}}); }
  // A whole number within the bounds.
  template <class T>
  void field(std::string name, T& to, std::uint64_t low, std::uint64_t high, const char* unit = "") {
    key(std::move(name),
        [=, &to](const Entry& e) { to = static_cast<T>(whole_of(source_, e, low, high, unit)); });
  }
  template <class V>
  void choice(std::string name, V& to, std::vector<std::pair<std::string, V>> words) {
    key(std::move(name),
        [&, words = std::move(words)](const Entry& e) { to = choice_of<V>(source_, e, words); });
  }
  // An enumeration with the words names(E).
  template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
  void choice(std::string name, E& to) {
    std::vector<std::pair<std::string, E>> words;
    for (const auto word : names(E{})) words.emplace_back(word, static_cast<E>(words.size()));
    choice(std::move(name), to, std::move(words));
  }

  // Reads the map. An unknown key is an error, and so is a missing `required` key. `path` is the map's own
  // key, for messages; empty at the top.
  void read(const YamlNode& map, const YamlNode& at, const std::string& path,
            const std::vector<std::string>& required = {}) const {
    read(source_.entries(map, at, path), at, path, required);
  }
  void read(const Entry& e, const std::vector<std::string>& required = {}) const {
    read(e.value, e.key_node, e.path, required);
  }
  void read(const std::vector<Entry>& entries, const YamlNode& at, const std::string& path,
            const std::vector<std::string>& required = {}) const;

 private:
  const YamlSource& source_;
  std::vector<std::pair<std::string, Read>> keys_;
};

}  // namespace subcore
