#include "tests/random/random_configuration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>

#include "subcore/model/parameters/data_files.h"
#include "subcore/model/parameters/parameter_list.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"

namespace subcore::random {
namespace {

// Parameters that stay as they are. The caller of the configuration sets them, they are no scalars, they
// switch a check off to show that it can fail, or they end runs that take their time.
constexpr std::string_view left_alone[] = {"tick_order",
                                           "description",
                                           "machine",
                                           "sthld.table",
                                           "sub_core.execution.shapes",
                                           "checks.operand_versions",
                                           "checks.watchdog_cycles",
                                           "sub_core.collector.stale_invalidate",
                                           "sub_core.collector.partial_write",
                                           "sub_core.operand_cache.partial_write"};

// Random traces have control bits and reuse flags that no compiler has made. Bits and flags that a pass makes
// from the trace are right, as long as nothing changes that they count on.
constexpr const char* compiled[] = {"passes.control_bits=synthetic", "passes.reuse_flags=synthetic"};
constexpr std::string_view flags_count_on[] = {"passes.control_bits", "passes.reuse_flags",
                                               "sub_core.collector.reuse_banks",
                                               "sub_core.operand_cache.reuse_banks"};
constexpr std::string_view control_bits_count_on[] = {
    "operands.shuffles", "sub_core.scheduler.hold", "sub_core.collector.read_window",
    "sub_core.collector.tensor_window", "sub_core.execution."};

template <std::size_t N>
bool begins_with_one_of(const std::string_view (&list)[N], const std::string& key) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view k) { return key.compare(0, k.size(), k) == 0; });
}

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

class Chooser {
 public:
  explicit Chooser(Draws& random) : random_(random) {}

  std::string value(const Parameter& p) {
    if (p.key == "name") return one_of({"x", "a/b", "", "random"});
    if (p.key == "energy.preset")
      return one_of({"cacti22", "bow_table4", "rfcsim_table3", "accelwattch_sm75", "nonsense"});
    if (p.is_file) return one_of({"", "no_such_file", "/"});
    if (p.key == "memory.l1.carve_outs") return one_of({"", "16", "0 8 16 32", "16 48", "64 32", "32,64"});
    if (chance(3)) return one_of({"", "x", "-1", "1e99", "true", "0x10", "01", "1.5", "nan", ",", "~"});
    if (p.word != nullptr && chance(20)) return p.word;
    if (std::holds_alternative<bool*>(p.value)) return chance(50) ? "true" : "false";
    if (const auto* choice = std::get_if<Words>(&p.value))
      return std::string(choice->words[random_.below(static_cast<unsigned>(choice->words.size()))]);
    if (std::holds_alternative<double*>(p.value)) return real(p);
    return whole(p);
  }

 private:
  bool chance(unsigned percent) { return random_.below(100) < percent; }
  std::string one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + random_.below(static_cast<unsigned>(words.size())));
  }
  double unit() { return static_cast<double>(random_.next() >> 11) * 0x1p-53; }

  // Small values are likelier than large ones, because with them structures run short.
  double between(double low, double high) {
    const double offset = low > 0 ? 0 : 1;
    const double span = std::log(high + offset) - std::log(low + offset);
    return std::exp(std::log(low + offset) + unit() * span) - offset;
  }
  std::string real(const Parameter& p) {
    const unsigned draw = random_.below(100);
    if (draw < 10) return text_of(p.range.low);
    if (draw < 20) return text_of(p.range.high);
    if (draw < 23) return text_of(p.range.high * 1.01);
    return text_of(std::clamp(between(p.range.low, p.range.high), p.range.low, p.range.high));
  }
  std::string whole(const Parameter& p) {
    const auto low = static_cast<std::uint64_t>(p.range.low), high = static_cast<std::uint64_t>(p.range.high);
    const unsigned draw = random_.below(100);
    if (draw < 12) return std::to_string(low);
    if (draw < 18) return std::to_string(high);
    if (draw < 21) return std::to_string(high + 1);
    if (draw < 24) return low == 0 ? "-1" : std::to_string(low - 1);
    if (draw < 55) {
      const std::uint64_t now = std::stoull(value_text(p));
      const std::uint64_t changed = chance(30)   ? now + 1
                                    : chance(40) ? now - (now != 0 ? 1 : 0)
                                    : chance(50) ? now * 2
                                                 : now / 2;
      return std::to_string(changed);
    }
    const auto v = static_cast<std::uint64_t>(between(p.range.low, p.range.high));
    return std::to_string(std::clamp(v, low, high));
  }

  Draws& random_;
};

// Whether a run of some milliseconds can build the modules of the simulation and the contents of its caches.
bool affordable(const PlatformParameters& p) {
  const SubCoreParameters& s = p.sub_core;
  const double sub_cores = double{1} * p.gpu.sms * p.multiprocessor.sub_cores;
  const double modules =
      sub_cores * (s.warp_slots * (4 + s.scheduler.instruction_buffer) +
                   s.collector.count * (8 + s.collector.entries) + 4 * s.register_file.banks);
  const HierarchyParameters& caches = p.memory.kind.as<HierarchyChoice>().parameters;
  const bool simple = p.memory.kind.word() == "simple";
  const double kilobytes =
      double{1} * p.gpu.sms *
          (simple ? p.memory.kind.as<SimpleMemoryChoice>().parameters.cache_kilobytes : caches.l1.kilobytes) +
      (simple ? 0 : caches.l2.kilobytes);
  return modules <= 60000 && kilobytes <= 65536 && p.interval_cycles >= 100 && p.gpu.start_cycle <= 100000;
}

// The parameters, or nothing if the reader refuses them. Each platform's file is read once.
std::optional<PlatformParameters> loaded(const Configuration& c) {
  static std::map<std::string, PlatformFile> files;
  try {
    auto known = files.find(c.platform);
    if (known == files.end()) known = files.emplace(c.platform, find_platform(c.platform)).first;
    return known->second.with(c.overrides);
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

}  // namespace

Configuration random_configuration(std::uint64_t seed) {
  Draws draws(seed);
  return random_configuration(draws);
}

Configuration random_configuration(Draws& draws) {
  Configuration c;
  std::vector<std::string> names;
  for (const std::string& n : shipped_names("platforms"))
    if (n.find('/') == std::string::npos) names.push_back(n);
  c.platform = names[draws.below(static_cast<unsigned>(names.size()))];
  const std::vector<std::string> machines = shipped_names("platforms/gpus");
  if (draws.below(2) == 0)
    c.platform = machines[draws.below(static_cast<unsigned>(machines.size()))] + '/' + c.platform;
  PlatformParameters base = loaded(c).value();
  c.overrides.assign(std::begin(compiled), std::end(compiled));
  const bool goes_by_control_bits = base.sub_core.scheduler.issue->needs_control_bits();
  if (base.gpu.sms > 1) c.overrides.push_back("gpu.sms=" + std::to_string(2 + draws.below(2)));
  // Half of the parameters of memory mean something only with the hierarchy.
  if (base.memory.kind.word() == "simple" && draws.below(100) < 35)
    c.overrides.emplace_back("memory.kind=hierarchy");
  const std::vector<Parameter> list = parameter_list(base);
  const bool acceptable = draws.below(100) < 80;
  Chooser chooser(draws);
  std::vector<std::string> used;
  for (unsigned wanted = 1 + draws.below(12), tries = 0; wanted > 0 && tries < 100; ++tries) {
    const Parameter& p = list[draws.below(static_cast<unsigned>(list.size()))];
    if (std::find(std::begin(left_alone), std::end(left_alone), p.key) != std::end(left_alone)) continue;
    if (begins_with_one_of(flags_count_on, p.key)) continue;
    if (goes_by_control_bits && begins_with_one_of(control_bits_count_on, p.key)) continue;
    if (std::find(used.begin(), used.end(), p.key) != used.end()) continue;
    c.overrides.push_back(p.key + "=" + chooser.value(p));
    const auto parameters = loaded(c);
    if (parameters ? !affordable(*parameters) : acceptable) {
      c.overrides.pop_back();
      continue;
    }
    used.push_back(p.key);
    --wanted;
  }
  return c;
}

}  // namespace subcore::random
