// The nodes that libyaml's events are put together to.
#include "subcore/base/yaml_node.h"

#include <catch2/catch.hpp>

namespace yaml_node_test {

using namespace subcore;

namespace {

// A node in one line. Scalars are shown by their text, and quoted scalars in quotes.
std::string shown(const YamlNode& n) {
  if (n.is_null()) return "~";
  if (n.is_scalar()) return n.is_quoted() ? '"' + n.text() + '"' : n.text();
  std::string text;
  if (n.is_list()) {
    for (const YamlNode& item : n.items()) text += (text.empty() ? "" : ", ") + shown(item);
    return '[' + text + ']';
  }
  for (const auto& [key, value] : n.pairs())
    text += (text.empty() ? "" : ", ") + shown(key) + ": " + shown(value);
  return '{' + text + '}';
}

int line_of_error(const std::string& text) {
  try {
    YamlNode::parse(text);
    return -1;
  } catch (const YamlError& e) {
    return e.line;
  }
}

}  // namespace

TEST_CASE("a YAML text becomes a tree", "[config][yaml]") {
  CHECK(shown(YamlNode::parse("")) == "~");
  CHECK(shown(YamlNode::parse("# nothing\n")) == "~");
  CHECK(shown(YamlNode::parse("a: 1\nb: [x, 'y', \"z\"]\nc: {d: ~, e: , f: null, g: 'null'}\n")) ==
        R"({a: 1, b: [x, "y", "z"], c: {d: ~, e: ~, f: ~, g: "null"}})");
  CHECK(shown(YamlNode::parse("a:\n- b: 1\n  c: 2\n- d\na: again\n")) == "{a: [{b: 1, c: 2}, d], a: again}");
  CHECK(shown(YamlNode::parse("{[a, b]: c}")) == "{[a, b]: c}");
  CHECK(shown(YamlNode::parse("a: |\n  one\n  two\n")) == "{a: \"one\ntwo\n\"}");
  CHECK(shown(YamlNode::parse("a: &x [1, {b: 2}]\nc: *x\n")) == "{a: [1, {b: 2}], c: [1, {b: 2}]}");
}

TEST_CASE("nodes of a YAML text know their lines", "[config][yaml]") {
  const YamlNode root = YamlNode::parse("# one\na: 1\nb:\n  c: [x,\n    y]\nd: &e f\ng: *e\n");
  REQUIRE(root.pairs().size() == 4);
  CHECK(root.line() == 2);
  CHECK(root.pairs()[0].first.line() == 2);
  const YamlNode& c = root.pairs()[1].second.pairs()[0].second;
  CHECK(c.line() == 4);
  CHECK(c.items()[1].line() == 5);
  CHECK(root.pairs()[3].second.line() == 7);
  CHECK(YamlNode().line() == 0);
}

TEST_CASE("what is no YAML is an error with its line", "[config][yaml]") {
  CHECK(line_of_error("a: 1\n") == -1);
  CHECK(line_of_error("a: 1\n]\n") == 2);
  CHECK(line_of_error("a: 1\nb: *c\n") == 2);
  CHECK(line_of_error("a: 1\nb: &c [1, *c]\n") == 2);
  CHECK(line_of_error("a: 1\n---\nb: 1\n") == 2);
  CHECK(line_of_error("a: 1\nb: \"\xff\"\n") > 0);
  CHECK(line_of_error(std::string(100, '[') + std::string(100, ']')) == -1);
  CHECK(line_of_error(std::string(101, '[') + std::string(101, ']')) == 1);
}

}  // namespace yaml_node_test
