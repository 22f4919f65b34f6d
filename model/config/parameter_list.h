// The declarations of platform.h as a list: one visitor of describe(), on which the YAML reader, `--set`,
// `subcore parameters`, the resolved configuration and the checks are built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/config/parameter.h"
#include "model/policy/sthld_machine.h"

namespace subcore {

struct PlatformParameters;

struct Choice {
  std::vector<std::string_view> words;
  std::function<std::size_t()> get;  // index into words
  std::function<void(std::size_t)> set;
};

// One parameter of a PlatformParameters object, which it points into.
struct Parameter {
  std::string key;  // full: "sub_core.collector.count"
  std::string help;
  std::string unit;  // numbers only
  Range range{0, 0};
  std::variant<bool*, std::string*, std::uint32_t*, std::uint64_t*, double*, Choice, SthldTable*> value;

  bool is_number() const;
};

// Every parameter in declaration order. The object must outlive the list.
std::vector<Parameter> parameter_list(PlatformParameters& parameters);

// Reads `text` into the parameter. Returns an empty string, or what is wrong with it and what was expected;
// then the parameter is unchanged. `quoted`: the YAML scalar stood in quotes, which makes it text. Tables
// have no such form.
std::string assign(const Parameter& parameter, const std::string& text, bool quoted = false);

// The value as a YAML file (and `--set`) would give it, unquoted.
std::string value_text(const Parameter& parameter);

// "1 to 64 collectors", "true or false", "one of ocu, ccu".
std::string expectation(const Parameter& parameter);

}  // namespace subcore
