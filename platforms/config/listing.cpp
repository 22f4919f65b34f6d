#include <algorithm>

#include "subcore/base/formatted.h"
#include "subcore/base/json_text.h"
#include "subcore/base/spelling.h"
#include "subcore/base/text_width.h"
#include "subcore/model/parameters/parameter_list.h"
#include "subcore/platforms/config/reader.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

// Double-quoted YAML, from which a reader gets the same text back, whatever the text holds.
std::string quoted_text(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string yaml_value(const Parameter& p) {
  const std::string text = value_text(p);
  if (std::holds_alternative<std::string*>(p.value)) return quoted_text(text);
  // YAML 1.1 readers take a bare `off` for a boolean.
  if (text == "off") return quoted_text(text);
  return text;
}

const char* type_word(const Parameter& p) {
  if (std::holds_alternative<bool*>(p.value)) return "boolean";
  if (std::holds_alternative<std::string*>(p.value)) return "text";
  if (std::holds_alternative<double*>(p.value)) return "number";
  if (std::holds_alternative<Words>(p.value)) return "choice";
  if (std::holds_alternative<Structure>(p.value)) return "table";
  return "integer";
}

// The value as JSON. Numbers are numbers, so that a script need not parse them.
Json json_value(const Parameter& p) {
  if (const auto* member = std::get_if<bool*>(&p.value)) return **member;
  if (const auto* member = std::get_if<std::uint32_t*>(&p.value);
      member != nullptr && **member >= p.range.low)
    return **member;  // below the range, a word stands for the number
  if (const auto* member = std::get_if<std::uint64_t*>(&p.value)) return **member;
  if (const auto* member = std::get_if<double*>(&p.value)) return **member;
  return value_text(p);
}

// Lists every parameter once. Parameters of several implementations that differ in nothing else become one,
// which has all their owners.
std::vector<Parameter> merged(std::vector<Parameter> list) {
  std::vector<Parameter> all;
  for (Parameter& p : list) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Parameter& a) {
      return a.key == p.key && std::string_view(a.help) == p.help && expectation(a) == expectation(p);
    });
    if (same == all.end())
      all.push_back(std::move(p));
    else
      same->owner += " or " + p.owner;
  }
  return all;
}

// The words of the listing about a parameter, without its default.
std::string words_of(const Parameter& p) {
  std::string text = p.key + '\n' + p.help + '\n' + p.owner + '\n' + p.unit;
  if (const auto* choice = std::get_if<Words>(&p.value)) {
    for (const std::string_view word : choice->words) (text += '\n') += word;
    for (const std::string_view help : choice->help) (text += '\n') += help;
  }
  return in_small_letters(text);
}

// The parameters whose entries have all of the words.
std::vector<Parameter> chosen(std::vector<Parameter> list, const std::vector<std::string>& words) {
  std::vector<Parameter> all = merged(std::move(list));
  std::vector<std::string> known;  // parts of keys
  for (const Parameter& p : all)
    for (std::string& part : split(p.key, '.')) known.push_back(std::move(part));
  for (const std::string& word : words) {
    const std::string wanted = in_small_letters(word);
    all.erase(
        std::remove_if(all.begin(), all.end(),
                       [&](const Parameter& p) { return words_of(p).find(wanted) == std::string::npos; }),
        all.end());
    if (all.empty())
      throw ConfigError("no parameter with '" + word + "'" +
                        (words.size() > 1 ? " and all other words;" : ";") + did_you_mean(wanted, known) +
                        " expected a word of a parameter's key or of its description");
  }
  return all;
}

}  // namespace

std::string resolved_yaml(const PlatformParameters& parameters) {
  PlatformParameters copy = parameters;
  std::string out;
  std::vector<std::string> open;  // groups whose header line is written
  for (const Parameter& p : parameter_list(copy)) {
    if (!p.read) continue;
    std::vector<std::string> parts = split(p.key, '.');
    const std::string leaf = parts.back();
    parts.pop_back();
    std::size_t common = 0;
    while (common < open.size() && common < parts.size() && open[common] == parts[common]) ++common;
    for (std::size_t i = common; i < parts.size(); ++i) out += std::string(2 * i, ' ') + parts[i] + ":\n";
    open = parts;
    out += std::string(2 * parts.size(), ' ') + leaf + ": " + yaml_value(p) + '\n';
  }
  return out;
}

std::string parameters_text(const std::vector<std::string>& words) {
  PlatformParameters defaults = defaults_of_files();
  std::string out;
  for (const Parameter& p : chosen(parameter_list(defaults), words)) {
    const std::string value =
        std::holds_alternative<std::string*>(p.value) ? quoted_text(value_text(p)) : value_text(p);
    std::string line = p.key;
    // A long default goes to a line below, because it would push the range out of sight.
    const bool is_long = value.size() > 40;
    if (!is_long) line += " = " + value;
    const std::string expected = expectation(p);
    const std::string both = padded(line, std::max<std::size_t>(line.size() + 2, 52)) + expected;
    const auto add = [&](std::size_t indent, const std::string& text) {
      out += folded(text, indent, usual_width);
    };
    if (text_width(both) <= usual_width) {
      out += both + '\n';
    } else {
      out += line + '\n';
      add(4, expected);
    }
    add(4, p.help);
    if (const auto* choice = std::get_if<Words>(&p.value))
      for (std::size_t i = 0; i < choice->help.size(); ++i)
        add(6, std::string(choice->words[i]) + ": " + std::string(choice->help[i]));
    if (!p.owner.empty()) add(4, "read with " + p.owner);
    if (is_long) add(4, "default: " + value);
  }
  return out;
}

std::string parameters_json(const std::vector<std::string>& words) {
  PlatformParameters defaults = defaults_of_files();
  Json out = Json::array();
  for (const Parameter& p : chosen(parameter_list(defaults), words)) {
    Json entry = Json::object();
    entry["key"] = p.key;
    entry["type"] = type_word(p);
    entry["default"] = json_value(p);
    if (p.is_number()) {
      entry["unit"] = p.unit;
      entry["minimum"] = p.range.low;
      entry["maximum"] = p.range.high;
      if (!std::holds_alternative<double*>(p.value)) {
        entry["minimum"] = static_cast<std::uint64_t>(p.range.low);
        entry["maximum"] = static_cast<std::uint64_t>(p.range.high);
      }
    }
    if (const auto* choice = std::get_if<Words>(&p.value)) entry["choices"] = choice->words;
    entry["help"] = p.help;
    if (!p.owner.empty()) entry["read_with"] = p.owner;
    out.push_back(std::move(entry));
  }
  return json_text(out);
}

}  // namespace subcore
