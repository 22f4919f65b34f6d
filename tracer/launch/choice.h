// Words and ranges in options of the program and in variables of the environment.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/base/config_error.h"
#include "subcore/base/names.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/tracer/launch/device.h"

namespace subcore::tracer {

// The value of the word `text`. `what` is the option. Throws ConfigError.
template <class E>
E choice_named(const char* what, const std::string& text) {
  std::vector<std::string> words;
  for (const auto word : names(E{})) {
    if (word == text) return static_cast<E>(words.size());
    words.emplace_back(word);
  }
  throw ConfigError(std::string(what) + " " + text + ":" + did_you_mean(text, words) + " expected one of " +
                    list_text(words));
}

// Reads "FROM:TO". An empty text is the whole range. Throws ConfigError.
Device::Range range_named(const char* what, const std::string& text);

}  // namespace subcore::tracer
