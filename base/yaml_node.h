// A YAML text as a tree that knows its lines, parsed by libyaml. libyaml takes a twentieth of yaml-cpp's
// instructions. With the tables of energies, a run reads 15 KB of YAML before it begins.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

// The text is no YAML. `line` counts from 1, or is 0 if it is unknown. The message is one line of printable
// text.
struct YamlError : std::runtime_error {
  YamlError(int at, const std::string& what) : std::runtime_error(what), line(at) {}
  int line;
};

// A node of the tree. Copies share their content. An alias is a copy of the node that it refers to.
class YamlNode {
 public:
  using Pair = std::pair<YamlNode, YamlNode>;

  YamlNode() = default;  // without a value
  // The only document of a text, or nothing if there is none. Throws YamlError, also for two documents, and
  // for maps and lists nested deeper than 100.
  static YamlNode parse(const std::string& text);

  bool is_null() const { return kind_ == Kind::null; }
  bool is_scalar() const { return kind_ == Kind::scalar; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_map() const { return kind_ == Kind::map; }
  // A scalar's text. A scalar in quotes is a text, even if it looks like a number.
  const std::string& text() const { return content_->text; }
  bool is_quoted() const { return quoted_; }
  // The items of a list, or the pairs of a map in the order of the file. A key that is there twice has two
  // pairs.
  const std::vector<YamlNode>& items() const { return content_->items; }
  const std::vector<Pair>& pairs() const { return content_->pairs; }
  int line() const { return line_; }  // counts from 1; 0: unknown

 private:
  friend class YamlTree;
  enum class Kind : unsigned char { null, scalar, list, map };
  struct Content {
    std::string text;
    std::vector<YamlNode> items;
    std::vector<Pair> pairs;
  };

  Kind kind_ = Kind::null;
  bool quoted_ = false;
  int line_ = 0;
  std::shared_ptr<Content> content_;
};

}  // namespace subcore
