// Parameters, each declared once. A struct's describe() tells a ParameterVisitor the key, member, range, unit
// and help of each parameter. The member's initial value is the default. The visitor makes a list. The YAML
// reader, `--set`, `subcore parameters`, the resolved configuration and the checks use that list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "subcore/model/parameters/choice.h"

namespace subcore {

class YamlNode;
class YamlSource;

// The inclusive range of a numeric parameter, in the parameter's unit.
struct Range {
  double low;
  double high;
};

// A value that is one of a few words.
struct Words {
  std::vector<std::string_view> words;
  std::vector<std::string_view> help;  // a line for each word; empty if words have none
  std::function<std::size_t()> get;    // index into words
  std::function<void(std::size_t)> set;
};

// A value that is no scalar.
struct Structure {
  std::function<std::string()> text;  // in one line of YAML
  // Reads the value at `node`, or throws ConfigError. `at` is its key, for messages; `path` is the full key.
  std::function<void(const YamlSource&, const YamlNode& node, const YamlNode& at, const std::string& path)>
      read;
  std::string expectation;
};

// One parameter, with a pointer into the object that holds its value.
struct Parameter {
  std::string key;  // full: "sub_core.collector.count"
  const char* help = "";
  const char* unit = "";  // for numbers only
  Range range{0, 0};
  std::variant<bool*, std::string*, std::uint32_t*, std::uint64_t*, double*, Words, Structure> value;
  // Whether any module reads the parameter, given the present values of the others. `condition` says on what
  // that depends, such as "sub_core.collector.kind boc"; empty for a parameter that is always read.
  bool read = true;
  std::string owner;
  bool is_file = false;        // a text that may name a file; a platform file looks beside itself first
  const char* word = nullptr;  // a uint32_t's word for 0, if other parameters then give the number

  bool is_number() const;
};

// Makes the list of Parameters. describe() of each struct with parameters is called with the visitor, and
// names each.
class ParameterVisitor {
 public:
  explicit ParameterVisitor(std::vector<Parameter>& list) : list_(list) {}

  void field(const char* key, bool& member, const char* help) { add(key, help).value = &member; }
  void field(const char* key, std::string& member, const char* help) { add(key, help).value = &member; }
  void file(const char* key, std::string& member, const char* help) {
    Parameter& p = add(key, help);
    p.value = &member;
    p.is_file = true;
  }
  template <class T>
  void field(const char* key, T& member, Range range, const char* unit, const char* help) {
    Parameter& p = add(key, help);
    p.value = &member;
    p.unit = unit;
    p.range = range;
  }
  // A number, or a word for "as many as follows from other parameters". The member is 0 for the word.
  void field_or_word(const char* key, std::uint32_t& member, const char* word, Range range, const char* unit,
                     const char* help) {
    field(key, member, range, unit, help);
    list_.back().word = word;
  }
  void field(const char* key, Structure value, const char* help) { add(key, help).value = std::move(value); }
  // An enumeration with the words names(E).
  template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
  void choice(const char* key, E& member, const char* help) {
    const auto words = names(E{});
    add(key, help).value = Words{{words.begin(), words.end()},
                                 {},
                                 [&member] { return static_cast<std::size_t>(member); },
                                 [&member](std::size_t i) { member = static_cast<E>(i); }};
  }
  // A choice from a table, and the parameters of each implementation in it. Only that implementation reads
  // them.
  template <class C>
  void choice(const char* key, Chosen<C>& member, const char* help) {
    const auto& table = member.table();
    Words w{table.words(),
            {},
            [&member] { return member.index(); },
            [&member, &table](std::size_t i) { member.choose(table[i].word); }};
    for (std::size_t i = 0; i < table.size(); ++i) w.help.emplace_back(table[i].help);
    add(key, help).value = std::move(w);
    const auto& all = member.all();
    for (std::size_t i = 0; i < all.size(); ++i)
      only_if(i == member.index(), prefix_ + key + ' ' + table[i].word, [&] { all[i]->describe(*this); });
  }
  template <class G>
  void group(const char* key, G& member) {
    const std::size_t length = prefix_.size();
    prefix_ += key;
    prefix_ += '.';
    member.describe(*this);
    prefix_.resize(length);
  }
  // Parameters that `describe` declares are read only if `holds`. `condition` states that condition in words.
  template <class F>
  void only_if(bool holds, const std::string& condition, F describe) {
    const Scope outer = scope_;
    if (scope_.read) scope_ = {holds, condition};
    describe();
    scope_ = outer;
  }

 private:
  struct Scope {
    bool read = true;
    std::string owner;
  };
  Parameter& add(const char* key, const char* help);

  std::vector<Parameter>& list_;
  std::string prefix_;
  Scope scope_;
};

// Every parameter of a described object, in declaration order. The object must outlive the list. `read`
// reflects the object's present values. If several implementations have a parameter with the same key, each
// has an entry.
template <class D>
std::vector<Parameter> parameter_list(D& described) {
  std::vector<Parameter> list;
  ParameterVisitor visitor(list);
  described.describe(visitor);
  return list;
}

// Reads `text` into the parameter. Returns an empty string, or the mistake and what was expected; the
// parameter is then unchanged. `quoted`: the YAML scalar stood in quotes, so it is a text. Structures cannot
// be assigned.
std::string assign(const Parameter& parameter, const std::string& text, bool quoted = false);

// The value as a YAML file (and `--set`) would give it, without quotes.
std::string value_text(const Parameter& parameter);

// "1 to 64 collectors", "true or false", "one of ocu, ccu".
std::string expectation(const Parameter& parameter);

}  // namespace subcore
