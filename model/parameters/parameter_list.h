// Parameters, each declared once: a struct's describe() tells a ParameterVisitor key, member (whose initial
// value is the default), range, unit and help. The list that the visitor makes of them is what the
// YAML reader, `--set`, `subcore parameters`, the resolved configuration and the checks are built on.
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

// Inclusive range of a numeric parameter, in its unit.
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
  // Reads what stands at `node`, or throws ConfigError. `at`: its key, for messages; `path`: the full key.
  std::function<void(const YamlSource&, const YamlNode& node, const YamlNode& at, const std::string& path)>
      read;
  std::string expectation;
};

// One parameter, with a pointer into the object that holds its value.
struct Parameter {
  std::string key;  // full: "sub_core.collector.count"
  const char* help = "";
  const char* unit = "";  // numbers only
  Range range{0, 0};
  std::variant<bool*, std::string*, std::uint32_t*, std::uint64_t*, double*, Words, Structure> value;
  // Whether anything reads it, as the other values are now; and what makes that so or not so, such as
  // "sub_core.collector.kind boc"; empty for what is always read.
  bool read = true;
  std::string owner;
  bool is_file = false;  // text that may name a file, which a platform file looks for beside itself first
  const char* word = nullptr;  // a uint32_t's word for 0, where that is a number that follows from others

  bool is_number() const;
};

// Makes the list of Parameters: describe() of whatever has parameters is called with it, and names each.
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
  // A number, or a word for "as many as follows from other parameters", which the member has as 0.
  void field_or_word(const char* key, std::uint32_t& member, const char* word, Range range, const char* unit,
                     const char* help) {
    field(key, member, range, unit, help);
    list_.back().word = word;
  }
  void field(const char* key, Structure value, const char* help) { add(key, help).value = std::move(value); }
  // An enumeration, whose words are names(E).
  template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
  void choice(const char* key, E& member, const char* help) {
    const auto words = names(E{});
    add(key, help).value = Words{{words.begin(), words.end()},
                                 {},
                                 [&member] { return static_cast<std::size_t>(member); },
                                 [&member](std::size_t i) { member = static_cast<E>(i); }};
  }
  // A choice from a table, and the parameters of each implementation in it, which only that one reads.
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
  // Parameters that `describe` declares are read only if the condition holds; `condition` says which that is.
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

// Every parameter of a described object, in declaration order. The object must outlive the list; which
// parameters are read is true of its values now. Implementations that have a parameter of one key have one
// entry each.
template <class D>
std::vector<Parameter> parameter_list(D& described) {
  std::vector<Parameter> list;
  ParameterVisitor visitor(list);
  described.describe(visitor);
  return list;
}

// Reads `text` into the parameter. Returns an empty string, or what is wrong with it and what was expected;
// then the parameter is unchanged. `quoted`: the YAML scalar stood in quotes, which makes it text. Structures
// have no such form.
std::string assign(const Parameter& parameter, const std::string& text, bool quoted = false);

// The value as a YAML file (and `--set`) would give it, unquoted.
std::string value_text(const Parameter& parameter);

// "1 to 64 collectors", "true or false", "one of ocu, ccu".
std::string expectation(const Parameter& parameter);

}  // namespace subcore
