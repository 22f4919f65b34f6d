#include "model/parameters/yaml_source.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include <yaml-cpp/eventhandler.h>

namespace subcore {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_text = std::size_t{1} << 20;

std::string text_of(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw ConfigError(file.string() + ": no such file; expected a YAML file");
  if (fs::is_directory(file, error))
    throw ConfigError(file.string() + ": is a directory; expected a YAML file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  // One byte more than is allowed, so that a device that never ends is refused, too.
  std::string text(longest_text + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad())
    throw ConfigError(file.string() + ": cannot be read (" + std::strerror(errno) +
                      "); expected a YAML file");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > longest_text)
    throw ConfigError(file.string() + ": is longer than 1 MiB; expected a YAML file of at most that");
  return text;
}

// Sees a text go by before anything is built of it. The library's parser begins a new document at a token
// that it cannot place and leaves the token where it is, for ever: here that is a syntax error.
class Survey : public YAML::EventHandler {
 public:
  unsigned documents() const { return documents_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ != 0 && mark.pos <= last_.pos)
      throw YAML::ParserException(mark, "something that begins nothing");
    last_ = mark;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}

 private:
  unsigned documents_ = 0;
  YAML::Mark last_;
};

// The only document; where(line) names the place of an error, counting lines from 0, -1 = unknown.
template <class Where>
YAML::Node parse(const std::string& text, const Where& where) {
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    Survey survey;
    while (parser.HandleNextDocument(survey)) {
    }
    if (survey.documents() > 1)  // the library would silently ignore all but the first
      throw ConfigError(where(-1) + ": holds " + std::to_string(survey.documents()) +
                        " YAML documents; expected one");
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    std::string what = e.msg;  // which quotes the text, line ends and all
    for (char& c : what)
      if (c >= 0 && c < ' ') c = '?';
    throw ConfigError(where(e.mark.is_null() ? -1 : e.mark.line) + ": YAML syntax error: " + what +
                      "; expected a YAML map");
  }
}

}  // namespace

YamlSource::YamlSource(const fs::path& file) : name_(file.string()), has_lines_(true) {
  root_ = parse(text_of(file),
                [&](int line) { return line < 0 ? name_ : name_ + ':' + std::to_string(line + 1); });
  if (!root_.IsMap())
    throw ConfigError(name_ + ":1: the top level is " + node_words(root_) + "; expected a map of keys");
}

YamlSource::YamlSource(const std::string& text, std::string origin)
    : name_(std::move(origin)), has_lines_(false) {
  root_ = parse(text, [&](int) { return name_; });
}

std::string YamlSource::where(const YAML::Node& node) const {
  const YAML::Mark mark = node.Mark();
  if (!has_lines_ || mark.is_null()) return name_;
  return name_ + ':' + std::to_string(mark.line + 1);
}

void YamlSource::fail(const YAML::Node& at, const std::string& message) const {
  throw ConfigError(where(at) + ": " + message);
}

std::vector<YamlSource::Entry> YamlSource::entries(const YAML::Node& map, const YAML::Node& at,
                                                   const std::string& path) const {
  if (!map.IsMap()) fail(at, path + ": is " + node_words(map) + "; expected a map of keys");
  std::vector<Entry> list;
  std::map<std::string, int> seen;
  for (const auto& pair : map) {
    if (!pair.first.IsScalar())
      fail(pair.first.IsDefined() ? pair.first : at,
           under(path, "a key is " + node_words(pair.first) + "; expected a word"));
    const std::string key = pair.first.Scalar();
    const int line = pair.first.Mark().line + 1;
    const auto [first, is_new] = seen.emplace(key, line);
    if (!is_new)
      fail(pair.first, under(path, key) + ": duplicate key" +
                           (has_lines_ ? " (first in line " + std::to_string(first->second) + ")" : "") +
                           "; expected it once");
    list.push_back({key, pair.first, pair.second});
  }
  return list;
}

std::string node_words(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) return "empty";
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  return "'" + node.Scalar() + "'";
}

bool is_quoted(const YAML::Node& scalar) {
  return scalar.Tag() == "!";
}

std::string under(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + '.' + key;
}

}  // namespace subcore
