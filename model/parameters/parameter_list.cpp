#include "subcore/model/parameters/parameter_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "subcore/base/formatted.h"
#include "subcore/base/spelling.h"

namespace subcore {
namespace {

std::string out_of_range(const Parameter& p, const std::string& text) {
  return text + " is out of range; expected " + expectation(p);
}

// Plain decimal digits only: no sign, no 0x, and no leading zero, which YAML 1.1 reads as octal.
template <class T>
std::string assign_whole(const Parameter& p, const std::string& text, T& member) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || (text.size() > 1 && text[0] == '0'))
    return "'" + text + "' is not a plain whole number; expected " + expectation(p);
  T value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || static_cast<double>(value) < p.range.low ||
      static_cast<double>(value) > p.range.high)
    return out_of_range(p, text);
  member = value;
  return {};
}

std::string assign_double(const Parameter& p, const std::string& text, double& member) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) return out_of_range(p, text);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || !std::isfinite(value))
    return "'" + text + "' is not a number; expected " + expectation(p);
  if (value < p.range.low || value > p.range.high) return out_of_range(p, text);
  member = value;
  return {};
}

std::string assign_choice(const Parameter& p, const std::string& text, const Words& choice) {
  const auto found = std::find(choice.words.begin(), choice.words.end(), text);
  if (found == choice.words.end())
    return "'" + text + "' is unknown;" + did_you_mean(text, {choice.words.begin(), choice.words.end()}) +
           " expected " + expectation(p);
  choice.set(static_cast<std::size_t>(found - choice.words.begin()));
  return {};
}

struct Assign {
  const Parameter& p;
  const std::string& text;
  bool quoted;

  std::string quoted_number() const {
    return "\"" + text + "\" is text in quotes; expected " + expectation(p) + ", unquoted";
  }
  std::string operator()(bool* member) const {
    if (quoted) return quoted_number();
    if (text != "true" && text != "false") return "'" + text + "' is not a boolean; expected true or false";
    *member = text == "true";
    return {};
  }
  std::string operator()(std::string* member) const {
    *member = text;
    return {};
  }
  std::string operator()(std::uint32_t* member) const {
    if (p.word != nullptr && !quoted && text == p.word) {
      *member = 0;
      return {};
    }
    return quoted ? quoted_number() : assign_whole(p, text, *member);
  }
  std::string operator()(std::uint64_t* member) const {
    return quoted ? quoted_number() : assign_whole(p, text, *member);
  }
  std::string operator()(double* member) const {
    return quoted ? quoted_number() : assign_double(p, text, *member);
  }
  std::string operator()(const Words& choice) const { return assign_choice(p, text, choice); }
  std::string operator()(const Structure&) const {
    return "'" + text + "' is not a table; expected " + expectation(p);
  }
};

struct ValueText {
  const Parameter& p;

  std::string operator()(const bool* member) const { return *member ? "true" : "false"; }
  std::string operator()(const std::string* member) const { return *member; }
  std::string operator()(const std::uint32_t* member) const {
    return *member == 0 && p.word != nullptr ? p.word : std::to_string(*member);
  }
  std::string operator()(const std::uint64_t* member) const { return std::to_string(*member); }
  std::string operator()(const double* member) const { return number_text(*member); }
  std::string operator()(const Words& choice) const { return std::string(choice.words.at(choice.get())); }
  std::string operator()(const Structure& structure) const { return structure.text(); }
};

struct Expectation {
  const Parameter& p;

  std::string number() const {
    std::string text = number_text(p.range.low) + " to " + number_text(p.range.high);
    if (*p.unit != '\0') text += std::string(1, ' ') + p.unit;
    return p.word == nullptr ? text : text + ", or " + p.word;
  }
  std::string operator()(const bool*) const { return "true or false"; }
  std::string operator()(const std::string*) const { return "text"; }
  std::string operator()(const std::uint32_t*) const { return number(); }
  std::string operator()(const std::uint64_t*) const { return number(); }
  std::string operator()(const double*) const { return number(); }
  std::string operator()(const Words& choice) const {
    std::string text = "one of ";
    for (std::size_t i = 0; i < choice.words.size(); ++i) {
      if (i > 0) text += ", ";
      text += choice.words[i];
    }
    return text;
  }
  std::string operator()(const Structure& structure) const { return structure.expectation; }
};

}  // namespace

bool Parameter::is_number() const {
  return std::holds_alternative<std::uint32_t*>(value) || std::holds_alternative<std::uint64_t*>(value) ||
         std::holds_alternative<double*>(value);
}

Parameter& ParameterVisitor::add(const char* key, const char* help) {
  Parameter p;
  p.key = prefix_ + key;
  p.help = help;
  p.read = scope_.read;
  p.owner = scope_.owner;
  return list_.emplace_back(std::move(p));
}

std::string assign(const Parameter& parameter, const std::string& text, bool quoted) {
  return std::visit(Assign{parameter, text, quoted}, parameter.value);
}

std::string value_text(const Parameter& parameter) {
  return std::visit(ValueText{parameter}, parameter.value);
}

std::string expectation(const Parameter& parameter) {
  return std::visit(Expectation{parameter}, parameter.value);
}

}  // namespace subcore
