#include "subcore/base/yaml_node.h"

#include <map>
#include <optional>

#include <yaml.h>

namespace subcore {
namespace {

constexpr std::size_t deepest = 100;

std::string printable(std::string text) {
  for (char& c : text)
    if (c >= 0 && c < ' ') c = '?';
  return text;
}

int line_of(const yaml_mark_t& mark) {
  return static_cast<int>(mark.line) + 1;
}

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

struct Event : yaml_event_t {
  Event() = default;
  ~Event() { yaml_event_delete(this); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

class Parser {
 public:
  explicit Parser(const std::string& text) {
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  void next(Event& event) {
    if (yaml_parser_parse(&parser_, &event) != 0) return;
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const bool placed = parser_.error == YAML_SCANNER_ERROR || parser_.error == YAML_PARSER_ERROR;
    throw YamlError(placed ? line_of(parser_.problem_mark) : line_of(parser_.mark),
                    parser_.problem == nullptr ? "unreadable" : printable(parser_.problem));
  }

 private:
  yaml_parser_t parser_;
};

}  // namespace

// Builds the tree from the parser's events.
class YamlTree {
 public:
  YamlNode build(const std::string& text) {
    Parser parser(text);
    for (;;) {
      Event event;
      parser.next(event);
      if (event.type == YAML_STREAM_END_EVENT) return root_;
      take(event);
    }
  }

 private:
  using Kind = YamlNode::Kind;
  // A map or list that has not ended.
  struct Open {
    YamlNode node;
    std::string anchor;
    std::optional<YamlNode> key = std::nullopt;  // in a map: the key whose value comes next
  };

  void take(const yaml_event_t& e) {
    switch (e.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (++documents_ > 1) throw YamlError(line_of(e.start_mark), "a second document begins");
        break;
      case YAML_SCALAR_EVENT:
        add(scalar(e), text_of(e.data.scalar.anchor));
        break;
      case YAML_ALIAS_EVENT:
        add(alias(e), "");
        break;
      case YAML_SEQUENCE_START_EVENT:
        open(Kind::list, e, text_of(e.data.sequence_start.anchor));
        break;
      case YAML_MAPPING_START_EVENT:
        open(Kind::map, e, text_of(e.data.mapping_start.anchor));
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT: {
        const Open closed = std::move(open_.back());
        open_.pop_back();
        add(closed.node, closed.anchor);
        break;
      }
      default:
        break;
    }
  }

  static YamlNode node(Kind kind, const yaml_event_t& e) {
    YamlNode n;
    n.kind_ = kind;
    n.line_ = line_of(e.start_mark);
    n.content_ = std::make_shared<YamlNode::Content>();
    return n;
  }
  // Plain `~`, `null` and an empty value are no scalars.
  static YamlNode scalar(const yaml_event_t& e) {
    const auto& s = e.data.scalar;
    YamlNode n = node(Kind::scalar, e);
    n.content_->text.assign(reinterpret_cast<const char*>(s.value), s.length);
    n.quoted_ = s.style != YAML_PLAIN_SCALAR_STYLE && s.tag == nullptr;
    const std::string& t = n.content_->text;
    // Paths and messages would end at a NUL.
    if (t.find('\0') != std::string::npos) throw YamlError(n.line_, "a text has a NUL in it");
    const bool null = t.empty() || t == "~" || t == "null" || t == "Null" || t == "NULL";
    if (null && s.style == YAML_PLAIN_SCALAR_STYLE && s.tag == nullptr) n.kind_ = Kind::null;
    return n;
  }
  YamlNode alias(const yaml_event_t& e) const {
    const std::string name = text_of(e.data.alias.anchor);
    const auto anchored = anchored_.find(name);
    if (anchored == anchored_.end())
      throw YamlError(line_of(e.start_mark), "the alias *" + printable(name) + " has no anchor before it");
    YamlNode n = anchored->second;
    n.line_ = line_of(e.start_mark);
    return n;
  }

  void open(Kind kind, const yaml_event_t& e, std::string anchor) {
    if (open_.size() == deepest)
      throw YamlError(line_of(e.start_mark),
                      "maps and lists are " + std::to_string(deepest + 1) + " levels deep");
    open_.push_back({node(kind, e), std::move(anchor)});
  }
  void add(const YamlNode& n, const std::string& anchor) {
    if (!anchor.empty()) anchored_[anchor] = n;
    if (open_.empty()) {
      root_ = n;
      return;
    }
    Open& parent = open_.back();
    if (parent.node.is_list()) {
      parent.node.content_->items.push_back(n);
    } else if (parent.key) {
      parent.node.content_->pairs.emplace_back(*parent.key, n);
      parent.key.reset();
    } else {
      parent.key = n;
    }
  }

  YamlNode root_;
  unsigned documents_ = 0;
  std::vector<Open> open_;
  std::map<std::string, YamlNode> anchored_;
};

YamlNode YamlNode::parse(const std::string& text) {
  return YamlTree().build(text);
}

}  // namespace subcore
