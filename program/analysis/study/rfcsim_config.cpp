#include "subcore/program/analysis/study/rfcsim_config.h"

#include <algorithm>
#include <vector>

#include "subcore/base/file_kind.h"
#include "subcore/base/text.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/model/parameters/checker.h"

namespace subcore {
namespace {

using Entry = YamlSource::Entry;

class ConfigReader {
 public:
  explicit ConfigReader(const std::filesystem::path& file) : source_(file) {}
  RfcsimConfig read() {
    using A = RegisterCacheAllocation;
    using R = RegisterCacheReplacement;
    using W = RegisterCacheWrite;
    RfcsimConfig c;
    RegisterCacheParameters& p = c.parameters;
    p.rfcsim_compat = true;
    bool has_window = false;
    YamlKeys keys(source_);
    keys.key("arch", [&](const Entry& e) { code(e, {"sm_75", "sm_80"}); });
    keys.key("assoc", [&](const Entry& e) { p.ways = whole(e, 0, 256); });
    keys.key("n_block", [&](const Entry& e) { p.entries = whole(e, 1, 256); });
    keys.key("n_dw", [&](const Entry& e) { p.words = whole(e, 1, 256); });
    keys.key("policy", [&](const Entry& e) {
      YamlKeys policy(source_);
      choice(policy, "alloc", p.allocation, {A::read, A::write, A::compiler_aided, A::look_ahead});
      choice(policy, "repl", p.replacement, {R::lru, R::fifo});
      choice(policy, "evict", p.write, {W::write_back, W::write_through});
      choice(policy, "dest_map", p.map, {DestinationMap::linear, DestinationMap::interleaved});
      policy.read(entries(e), e.value, e.path, {"alloc", "repl", "evict", "dest_map"});
    });
    keys.key("bitwidth", [&](const Entry& e) {
      c.bank_bits = whole(e, 32, 1024);
      if (!power_of_two(c.bank_bits))
        source_.fail(e.value, e.path + ": " + std::to_string(c.bank_bits) +
                                  "; expected 32, 64, 128, 256, 512 or 1024");
    });
    keys.key("energy_model", [&](const Entry& e) {
      YamlKeys energies(source_);
      picojoules(energies, "rfc.r", c.energy.cache_read);
      picojoules(energies, "rfc.w", c.energy.cache_write);
      picojoules(energies, "mrf.r", c.energy.file_read);
      picojoules(energies, "mrf.w", c.energy.file_write);
      energies.read(entries(e), e.value, e.path, {"rfc.r", "rfc.w", "mrf.r", "mrf.w"});
    });
    keys.key("window_len", [&](const Entry& e) {
      p.window = whole(e, 0, 4096);
      has_window = true;
    });
    const YamlNode& root = source_.root();
    const auto top = source_.entries(root, root, "");
    require_kind(source_, top, FileKind::rfcsim_configuration);
    keys.read(top, root, "", {"arch", "assoc", "n_block", "n_dw", "policy", "bitwidth", "energy_model"});
    if (p.allocation == A::look_ahead && !has_window)
      source_.fail(root, "window_len: missing; expected a value with alloc 3 (look_ahead)");
    if (p.allocation != A::look_ahead) p.window = 0;
    return c;
  }

 private:
  // The entries of a map, or of the maps in a list, each key once.
  std::vector<Entry> entries(const Entry& e) const {
    if (!e.value.is_list()) return source_.entries(e);
    std::vector<Entry> all;
    for (const YamlNode& item : e.value.items())
      for (Entry& entry : source_.entries(item, item, e.path)) {
        if (std::any_of(all.begin(), all.end(), [&](const Entry& other) { return other.key == entry.key; }))
          source_.fail(entry.key_node, entry.path + ": given twice; expected each key once");
        all.push_back(std::move(entry));
      }
    return all;
  }

  void picojoules(YamlKeys& keys, const char* name, double& to) const {
    keys.key(name, [this, &to](const Entry& e) {
      const YamlNode& node = e.value;
      if (!node.is_scalar() || node.is_quoted() || !text::parse_number(node.text(), to) || to < 0)
        source_.fail(node, e.path + ": " + node_words(node) + "; expected picojoules, 0 or more");
    });
  }

  // RFC-sim takes a quoted number for a text.
  std::uint32_t whole(const Entry& e, std::uint32_t low, std::uint32_t high) const {
    if (e.value.is_quoted())
      source_.fail(e.value,
                   e.path + ": " + node_words(e.value) + " is in quotes; expected a plain whole number");
    return static_cast<std::uint32_t>(whole_of(source_, e, low, high, ""));
  }

  unsigned code(const Entry& e, const std::vector<std::string_view>& words) const {
    std::uint64_t value = 0;
    const YamlNode& node = e.value;
    if (node.is_scalar() && !node.is_quoted() && text::parse_unsigned(node.text(), value, words.size() - 1))
      return static_cast<unsigned>(value);
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i)
      all += (i == 0 ? "" : ", ") + std::to_string(i) + " (" + std::string(words[i]) + ")";
    source_.fail(node, e.path + ": " + node_words(node) + " is not a code of RFC-sim; expected " + all);
  }

  template <class E>
  void choice(YamlKeys& keys, const char* name, E& to, std::vector<E> by_code) const {
    keys.key(name, [this, &to, by_code = std::move(by_code)](const Entry& e) {
      std::vector<std::string_view> words;
      for (const E each : by_code) words.push_back(name_of(each));
      to = by_code[code(e, words)];
    });
  }

  YamlSource source_;
};

}  // namespace

RfcsimConfig read_rfcsim_config(const std::filesystem::path& file) {
  return ConfigReader(file).read();
}

}  // namespace subcore
