// A YAML text as a tree that knows its lines. Parsed by libyaml, which takes a twentieth of yaml-cpp's
// instructions: with the tables of energies, a run reads 15 KB of YAML before it begins.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

// The text is no YAML; `line` counts from 1, 0: unknown. what() is one line of printable text.
struct YamlError : std::runtime_error {
  YamlError(int at, const std::string& what) : std::runtime_error(what), line(at) {}
  int line;
};

// Copies share their content; an alias is a copy of the node that it refers to.
class YamlNode {
 public:
  using Pair = std::pair<YamlNode, YamlNode>;

  YamlNode() = default;  // says nothing
  // The only document of a text; nothing, if there is none. Throws YamlError, for two documents and for maps
  // and lists within each other beyond a depth of 100, too.
  static YamlNode parse(const std::string& text);

  bool is_null() const { return kind_ == Kind::null; }
  bool is_scalar() const { return kind_ == Kind::scalar; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_map() const { return kind_ == Kind::map; }
  // A scalar's text. A scalar in quotes is text, whatever it looks like.
  const std::string& text() const { return content_->text; }
  bool is_quoted() const { return quoted_; }
  // The items of a list; the pairs of a map in the order of the file, with keys that are there twice.
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
