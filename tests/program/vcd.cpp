#include "tests/program/vcd.h"

#include <sstream>

#include <catch2/catch.hpp>

namespace subcore::test {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : in_(text) {}

  Vcd read() {
    declarations();
    for (std::string word; in_ >> word;) {
      if (word[0] == '#') {
        vcd_.times.push_back(std::stoull(word.substr(1)));
        if (vcd_.times.size() > 1) REQUIRE(vcd_.times.back() > vcd_.times[vcd_.times.size() - 2]);
      } else if (word[0] == '$') {
        section(word);
      } else {
        value(word);
      }
    }
    REQUIRE_FALSE(in_section_);
    return std::move(vcd_);
  }

 private:
  std::string skip_to_end() {
    std::string all, w;
    while (in_ >> w && w != "$end") all += (all.empty() ? "" : " ") + w;
    REQUIRE(w == "$end");
    return all;
  }

  void declarations() {
    std::vector<std::string> path;
    for (std::string word; in_ >> word;) {
      if (word == "$scope") {
        std::string kind, name;
        in_ >> kind >> name;
        REQUIRE(kind == "module");
        path.push_back(name);
        skip_to_end();
      } else if (word == "$upscope") {
        REQUIRE_FALSE(path.empty());
        path.pop_back();
        skip_to_end();
      } else if (word == "$var") {
        REQUIRE_FALSE(path.empty());
        variable(path);
      } else {
        REQUIRE(word[0] == '$');
        const std::string body = skip_to_end();
        if (word == "$timescale") vcd_.timescale = body;
        if (word != "$enddefinitions") continue;
        REQUIRE(path.empty());
        return;
      }
    }
    FAIL("no $enddefinitions");
  }

  void variable(const std::vector<std::string>& path) {
    Vcd::Variable v;
    in_ >> v.type >> v.bits >> v.code >> v.name;
    REQUIRE((v.type == "wire" || v.type == "string" || v.type == "real"));
    REQUIRE(v.bits >= 1);
    REQUIRE(vcd_.codes.insert(v.code).second);
    for (const std::string& p : path) v.scope += (v.scope.empty() ? "" : ".") + p;
    const std::string range = skip_to_end();
    const bool vector = v.type == "wire" && v.bits > 1;
    REQUIRE(range == (vector ? "[" + std::to_string(v.bits - 1) + ":0]" : ""));
    REQUIRE(paths_.insert(v.path()).second);
    vcd_.scopes.insert(v.scope);
    by_code_[v.code] = vcd_.variables.size();
    vcd_.variables.push_back(std::move(v));
  }

  void section(const std::string& word) {
    REQUIRE_FALSE(vcd_.times.empty());
    if (word == "$comment") {
      skip_to_end();
      return;
    }
    if (word == "$end") {
      REQUIRE(in_section_);
      in_section_ = false;
      return;
    }
    REQUIRE_FALSE(in_section_);
    in_section_ = true;
    if (word == "$dumpoff") {
      vcd_.ends.push_back(vcd_.times.back());
      return;
    }
    REQUIRE(word == (vcd_.dumps.empty()                                           ? "$dumpvars"
                     : !vcd_.ends.empty() && vcd_.ends.back() > vcd_.dumps.back() ? "$dumpon"
                                                                                  : "$dumpall"));
    vcd_.dumps.push_back(vcd_.times.back());
  }

  void value(const std::string& word) {
    REQUIRE_FALSE(vcd_.times.empty());
    std::string text = word.substr(1), code;
    if (word[0] == 'b' || word[0] == 's' || word[0] == 'r') {
      in_ >> code;
    } else {
      code = text;
      text = word.substr(0, 1);
    }
    const auto it = by_code_.find(code);
    REQUIRE(it != by_code_.end());
    Vcd::Variable& v = vcd_.variables[it->second];
    if (v.type == "string") {
      REQUIRE(word[0] == 's');
      REQUIRE_FALSE(text.empty());
    } else if (v.type == "real") {
      REQUIRE(word[0] == 'r');
      REQUIRE_NOTHROW(std::stod(text));
    } else {
      REQUIRE((word[0] == 'b') == (v.bits > 1));
      if (text != "x") {
        REQUIRE(text.find_first_not_of("01") == std::string::npos);
        REQUIRE(text.size() <= v.bits);
        REQUIRE((text.size() == 1 || text[0] == '1'));
      }
    }
    if (!in_section_) ++vcd_.changes;
    if (!v.values.empty() && v.values.back().first == vcd_.times.back())
      v.values.back().second = text;
    else
      v.values.emplace_back(vcd_.times.back(), text);
  }

  std::istringstream in_;
  Vcd vcd_;
  std::map<std::string, std::size_t> by_code_;
  std::set<std::string> paths_;
  bool in_section_ = false;
};

}  // namespace

Vcd read_vcd(const std::string& text) {
  return Reader(text).read();
}

std::string Vcd::Variable::at(std::uint64_t time) const {
  std::string value;
  for (const auto& [t, text] : values) {
    if (t > time) break;
    value = text;
  }
  return value;
}

std::uint64_t Vcd::Variable::number_at(std::uint64_t time) const {
  const std::string text = at(time);
  REQUIRE_FALSE((text.empty() || text == "x"));
  return std::stoull(text, nullptr, 2);
}

const Vcd::Variable& Vcd::find(const std::string& path) const {
  const Variable* found = nullptr;
  for (const Variable& v : variables) {
    const std::string whole = '.' + v.path(), tail = '.' + path;
    if (whole.size() < tail.size() || whole.compare(whole.size() - tail.size(), tail.size(), tail) != 0)
      continue;
    INFO(path);
    REQUIRE(found == nullptr);
    found = &v;
  }
  INFO(path);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace subcore::test
