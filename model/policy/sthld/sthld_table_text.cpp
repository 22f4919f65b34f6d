#include "subcore/model/policy/sthld/sthld_table_text.h"

#include <array>
#include <charconv>

#include "subcore/base/yaml_entry.h"

namespace subcore {
namespace {

std::string transition_text(const SthldTransition& t) {
  return "{next: " + std::to_string(unsigned{t.next}) +
         ", step: " + (t.undo ? "undo" : std::to_string(int{t.steps})) + "}";
}

// Reads a plain decimal integer within the bounds. The text must have nothing else.
bool read_integer(const YamlNode& node, int low, int high, int& value) {
  if (!node.is_scalar() || node.is_quoted()) return false;
  const std::string& text = node.text();
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc{} && result.ptr == text.data() + text.size() && value >= low && value <= high;
}

SthldTransition read_transition(const YamlSource& source, const YamlSource::Entry& edge) {
  SthldTransition t;
  YamlKeys keys(source);
  keys.key("next", [&](const YamlSource::Entry& e) {
    int value = 0;
    if (!read_integer(e.value, 1, int{sthld_states}, value))
      source.fail(e.key_node, e.path + ": " + node_words(e.value) + " is not a state; expected 1 to 6");
    t.next = static_cast<std::uint8_t>(value);
  });
  keys.key("step", [&](const YamlSource::Entry& e) {
    int value = 0;
    t.undo = e.value.is_scalar() && e.value.text() == "undo";
    if (!t.undo && !read_integer(e.value, -128, 127, value))
      source.fail(e.key_node, e.path + ": " + node_words(e.value) +
                                  " is not a step; expected a whole number from -128 to 127, or undo");
    t.steps = static_cast<std::int8_t>(value);
  });
  keys.read(edge, {"next", "step"});
  return t;
}

// A hold without an edge `expired` never expires.
SthldState read_state(const YamlSource& source, const YamlSource::Entry& node, bool hold) {
  SthldState state;
  if (hold) state.expired.next = sthld_hold;
  YamlKeys keys(source);
  const auto edge = [&](const char* name, SthldTransition& to) {
    keys.key(name, [&source, &to](const YamlSource::Entry& e) { to = read_transition(source, e); });
  };
  edge("small", state.small);
  edge("large", state.large);
  if (hold) edge("expired", state.expired);
  keys.read(node, {"small", "large"});
  return state;
}

}  // namespace

std::string sthld_table_text(const SthldTable& table) {
  std::string text = "{";
  for (unsigned i = 0; i < sthld_states; ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(i + 1) + ": {small: " + transition_text(table[i].small) +
            ", large: " + transition_text(table[i].large);
    if (i + 1 == sthld_hold) text += ", expired: " + transition_text(table[i].expired);
    text += "}";
  }
  return text + "}";
}

SthldTable read_sthld_table(const YamlSource& source, const YamlNode& node, const YamlNode& at,
                            const std::string& path) {
  SthldTable table{};
  std::array<bool, sthld_states> seen{};
  for (const auto& e : source.entries(node, at, path)) {
    int state = 0;
    if (!read_integer(e.key_node, 1, int{sthld_states}, state))
      source.fail(e.key_node, under(path, e.key) + ": unknown state; expected 1 to 6");
    const auto index = static_cast<std::size_t>(state - 1);
    // "1" and "01" are different keys to YAML but the same state.
    if (seen[index]) source.fail(e.key_node, under(path, e.key) + ": duplicate state; expected it once");
    seen[index] = true;
    table[index] = read_state(source, e, index + 1 == sthld_hold);
  }
  for (unsigned i = 0; i < sthld_states; ++i)
    if (!seen[i])
      source.fail(at, path + ": has no state " + std::to_string(i + 1) + "; expected all of 1 to 6");
  return table;
}

}  // namespace subcore
