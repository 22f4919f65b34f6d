#include "subcore/program/analysis/study/rfcsim_config.h"

#include <functional>
#include <map>
#include <vector>

#include "subcore/base/file_kind.h"
#include "subcore/base/spelling.h"
#include "subcore/base/text.h"
#include "subcore/base/yaml_source.h"
#include "subcore/model/parameters/checker.h"

namespace subcore {
namespace {

using Apply = std::function<void(const YamlNode&, const std::string& path)>;
using Keys = std::vector<std::pair<std::string, Apply>>;

class ConfigReader {
 public:
  explicit ConfigReader(const std::filesystem::path& file) : source_(file) {}
  RfcsimConfig read();

 private:
  // Every entry of a map, or of the maps in a list, each key once. Optional keys start with '?'.
  void read_keys(const YamlNode& node, const YamlNode& at, const std::string& path, const Keys& keys);
  void read_map(const YamlNode& map, const YamlNode& at, const std::string& path, const Keys& keys,
                std::map<std::string, bool>& seen);
  unsigned number(const YamlNode& node, const std::string& path, unsigned low, unsigned high);
  double picojoules(const YamlNode& node, const std::string& path);
  unsigned code(const YamlNode& node, const std::string& path, const std::vector<std::string_view>& words);
  template <typename E>
  E choice(const YamlNode& node, const std::string& path, const std::vector<E>& by_code) {
    std::vector<std::string_view> words;
    for (const E e : by_code) words.push_back(names(E{})[static_cast<std::size_t>(e)]);
    return by_code[code(node, path, words)];
  }
  template <typename T>
  Apply into(T& out, T (ConfigReader::*get)(const YamlNode&, const std::string&)) {
    return [this, &out, get](const YamlNode& n, const std::string& p) { out = (this->*get)(n, p); };
  }

  YamlSource source_;
};

std::string listed(const Keys& keys) {
  std::string all;
  for (const auto& [key, apply] : keys) all += (all.empty() ? "" : ", ") + key.substr(key[0] == '?' ? 1 : 0);
  return all;
}

unsigned ConfigReader::number(const YamlNode& node, const std::string& path, unsigned low, unsigned high) {
  std::uint64_t value = 0;
  if (!node.is_scalar() || node.is_quoted() || !text::parse_unsigned(node.text(), value, high) || value < low)
    source_.fail(node, path + ": " + node_words(node) + "; expected a whole number from " +
                           std::to_string(low) + " to " + std::to_string(high));
  return static_cast<unsigned>(value);
}

double ConfigReader::picojoules(const YamlNode& node, const std::string& path) {
  double value = 0;
  if (!node.is_scalar() || node.is_quoted() || !text::parse_number(node.text(), value) || value < 0)
    source_.fail(node, path + ": " + node_words(node) + "; expected picojoules, 0 or more");
  return value;
}

unsigned ConfigReader::code(const YamlNode& node, const std::string& path,
                            const std::vector<std::string_view>& words) {
  std::uint64_t value = 0;
  if (node.is_scalar() && !node.is_quoted() && text::parse_unsigned(node.text(), value, words.size() - 1))
    return static_cast<unsigned>(value);
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i)
    all += (i == 0 ? "" : ", ") + std::to_string(i) + " (" + std::string(words[i]) + ")";
  source_.fail(node, path + ": " + node_words(node) + " is no code of RFC-sim; expected " + all);
}

void ConfigReader::read_map(const YamlNode& map, const YamlNode& at, const std::string& path,
                            const Keys& keys, std::map<std::string, bool>& seen) {
  for (const YamlSource::Entry& e : source_.entries(map, at, path)) {
    const Apply* apply = nullptr;
    std::vector<std::string> known;
    for (const auto& [key, a] : keys) {
      known.push_back(key.substr(key[0] == '?' ? 1 : 0));
      if (known.back() == e.key) apply = &a;
    }
    const std::string where = under(path, e.key);
    if (apply == nullptr)
      source_.fail(e.key_node, where + ": unknown key;" + did_you_mean(e.key, known) + " expected one of " +
                                   listed(keys));
    if (seen[e.key]) source_.fail(e.key_node, where + ": given twice; expected each key once");
    seen[e.key] = true;
    (*apply)(e.value, where);
  }
}

void ConfigReader::read_keys(const YamlNode& node, const YamlNode& at, const std::string& path,
                             const Keys& keys) {
  std::map<std::string, bool> seen;
  if (node.is_list()) {
    for (const YamlNode& item : node.items()) read_map(item, item, path, keys, seen);
  } else {
    read_map(node, at, path, keys, seen);
  }
  for (const auto& [key, apply] : keys)
    if (key[0] != '?' && !seen[key])
      source_.fail(at, under(path, key) + ": missing; expected all of " + listed(keys));
}

RfcsimConfig ConfigReader::read() {
  RfcsimConfig c;
  RegisterCacheParameters& p = c.parameters;
  p.rfcsim_compat = true;
  const auto whole = [this](unsigned& out, unsigned low, unsigned high) -> Apply {
    return
        [this, &out, low, high](const YamlNode& n, const std::string& k) { out = number(n, k, low, high); };
  };
  const Keys policy = {
      {"alloc",
       [&](const YamlNode& n, const std::string& k) {
         using A = RegisterCacheAllocation;
         p.allocation = choice<A>(n, k, {A::read, A::write, A::compiler_aided, A::look_ahead});
       }},
      {"repl",
       [&](const YamlNode& n, const std::string& k) {
         using R = RegisterCacheReplacement;
         p.replacement = choice<R>(n, k, {R::lru, R::fifo});
       }},
      {"evict",
       [&](const YamlNode& n, const std::string& k) {
         using W = RegisterCacheWrite;
         p.write = choice<W>(n, k, {W::write_back, W::write_through});
       }},
      {"dest_map",
       [&](const YamlNode& n, const std::string& k) {
         using M = DestinationMap;
         p.map = choice<M>(n, k, {M::linear, M::interleaved});
       }},
  };
  const Keys energies = {
      {"rfc.r", into(c.energy.cache_read, &ConfigReader::picojoules)},
      {"rfc.w", into(c.energy.cache_write, &ConfigReader::picojoules)},
      {"mrf.r", into(c.energy.file_read, &ConfigReader::picojoules)},
      {"mrf.w", into(c.energy.file_write, &ConfigReader::picojoules)},
  };
  const auto group = [this](const Keys& keys) -> Apply {
    return [this, &keys](const YamlNode& n, const std::string& k) { read_keys(n, n, k, keys); };
  };
  bool has_window = false;
  const Keys top = {
      {"arch",
       [&](const YamlNode& n, const std::string& k) {
         code(n, k, {"sm_75", "sm_80"});
       }},
      {"assoc", whole(p.ways, 0, 256)},
      {"n_block", whole(p.entries, 1, 256)},
      {"n_dw", whole(p.words, 1, 256)},
      {"policy", group(policy)},
      {"bitwidth",
       [&](const YamlNode& n, const std::string& k) {
         c.bank_bits = number(n, k, 32, 1024);
         if (!power_of_two(c.bank_bits))
           source_.fail(n,
                        k + ": " + std::to_string(c.bank_bits) + "; expected 32, 64, 128, 256, 512 or 1024");
       }},
      {"energy_model", group(energies)},
      {"?window_len",
       [&](const YamlNode& n, const std::string& k) {
         p.window = number(n, k, 0, 4096);
         has_window = true;
       }},
  };
  const YamlNode& root = source_.root();
  require_kind(source_, source_.entries(root, root, ""), FileKind::rfcsim_configuration);
  read_keys(root, root, "", top);
  if (p.allocation == RegisterCacheAllocation::look_ahead && !has_window)
    source_.fail(root, "window_len: missing; expected it with alloc 3 (look_ahead)");
  if (p.allocation != RegisterCacheAllocation::look_ahead) p.window = 0;
  return c;
}

}  // namespace

RfcsimConfig read_rfcsim_config(const std::filesystem::path& file) {
  return ConfigReader(file).read();
}

}  // namespace subcore
