// Accellera CCI, for platforms that CCI configures. A broker's presets are read before a platform is loaded.
// From then on every parameter that the platform reads is an immutable CCI parameter.
//
//   auto broker = cci::cci_get_global_broker(cci::cci_originator("sc_main"));
//   broker.set_preset_cci_value("gpu.sub_core.collector.count", cci::cci_value(4));
//   const PlatformParameters p = cci_platform(find_platform("malekeh"), "gpu", broker);
//   Gpu gpu("gpu", p);
//   list_cci_parameters(gpu, broker);
//
// The library does not depend on CCI. A program that includes this header needs CCI's headers and library.
// Without CCI, overrides do what presets do (platforms/config/reader.h), parameter_list() lists the
// parameters (model/parameters/parameter_list.h), and sc_attributes show them
// (platforms/parameter_attributes.h).
#pragma once

#if !__has_include(<cci_configuration>)
#error \
    "subcore/platforms/cci_bridge.h: no <cci_configuration>; expected Accellera CCI's headers among the include paths"
#endif

#include <cci_configuration>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "subcore/base/config_error.h"
#include "subcore/model/parameters/parameter_list.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

// Whether CCI has the parameter's present value as a text: a word, a text or a list. Numbers and booleans are
// numbers and booleans in CCI, too.
inline bool is_cci_text(const Parameter& p) {
  if (p.word != nullptr && value_text(p) == p.word) return true;
  return std::holds_alternative<std::string*>(p.value) || std::holds_alternative<Words>(p.value) ||
         std::holds_alternative<Structure>(p.value);
}

// The broker's presets for a GPU called `gpu`, as overrides ("sub_core.collector.count=4"). A preset belongs
// to a parameter of ours if its name is `gpu`, a dot, and a key's first word. If no key has the whole name,
// the preset becomes an override, too, which load_platform() refuses. Throws ConfigError for a preset that is
// a text where a number or a boolean is expected, or the other way round.
inline std::vector<std::string> cci_overrides(const std::string& gpu, const cci::cci_broker_handle& broker) {
  PlatformParameters known;
  std::map<std::string, Parameter> parameters;
  std::set<std::string> groups, wanted;
  for (const Parameter& p : parameter_list(known)) {
    parameters.emplace(p.key, p);
    groups.insert(p.key.substr(0, p.key.find('.')));
    if (broker.has_preset_value(gpu + '.' + p.key)) wanted.insert(p.key);
  }
  const std::string begin = gpu + '.';
  for (const auto& preset : broker.get_unconsumed_preset_values()) {
    if (preset.first.compare(0, begin.size(), begin) != 0) continue;
    const std::string key = preset.first.substr(begin.size());
    if (groups.count(key.substr(0, key.find('.'))) != 0) wanted.insert(key);
  }
  std::vector<std::string> overrides;
  for (const std::string& key : wanted) {
    const cci::cci_value value = broker.get_preset_cci_value(begin + key);
    std::string text;
    const bool is_text = value.try_get<std::string>(text);
    if (const auto found = parameters.find(key); found != parameters.end()) {
      const Parameter& p = found->second;
      const bool wants_text = p.word != nullptr ? text == p.word : is_cci_text(p);
      if (is_text != wants_text)
        throw ConfigError("preset " + begin + key + " is " + value.to_json() + "; expected " +
                          (is_text ? expectation(p) + " (a number or a boolean is not a text)" : "a text"));
    }
    overrides.push_back(key + '=' + (is_text ? text : value.to_json()));
  }
  return overrides;
}

// The platform, loaded with the broker's presets for a GPU called `gpu`. Throws ConfigError, which names the
// preset.
inline PlatformParameters cci_platform(const PlatformChoice& choice, const std::string& gpu,
                                       const cci::cci_broker_handle& broker) {
  try {
    return load_platform(choice, cci_overrides(gpu, broker));
  } catch (const ConfigError& e) {
    const std::string text = e.what(), option = "--set ";
    if (text.compare(0, option.size(), option) != 0) throw;
    throw ConfigError("preset " + gpu + '.' + text.substr(option.size()));
  }
}

// The parameters of one GPU, as CCI parameters called GPU.KEY ("gpu.gpu.sms"). Each parameter has a
// description. Its metadata are `unit`, for numbers `lowest` and `highest`, and for words `words`. The
// parameters are immutable: CCI refuses to set one.
class CciParameters {
 public:
  // Adds the parameters that the platform reads to the broker, which has them until this object is destroyed.
  // Throws ConfigError if a preset differs from the platform's value: the platform was loaded without
  // presets.
  CciParameters(const Gpu& gpu, const cci::cci_broker_handle& broker) {
    PlatformParameters copy = gpu.parameters();
    for (const Parameter& p : parameter_list(copy)) {
      if (!p.read) continue;
      // The platform may have the number that a word stands for, but CCI has the preset as a text.
      std::string preset;
      const bool has_word =
          p.word != nullptr &&
          broker.get_preset_cci_value(std::string(gpu.name()) + '.' + p.key).try_get<std::string>(preset) &&
          preset == p.word;
      if (has_word)
        add<std::string>(gpu, broker, p, preset);
      else if (is_cci_text(p))
        add<std::string>(gpu, broker, p, value_text(p));
      else if (const auto* flag = std::get_if<bool*>(&p.value))
        add<bool>(gpu, broker, p, **flag);
      else if (const auto* small = std::get_if<std::uint32_t*>(&p.value))
        add<std::uint32_t>(gpu, broker, p, **small);
      else if (const auto* large = std::get_if<std::uint64_t*>(&p.value))
        add<std::uint64_t>(gpu, broker, p, **large);
      else
        add<double>(gpu, broker, p, *std::get<double*>(p.value));
    }
  }
  CciParameters(const CciParameters&) = delete;
  CciParameters& operator=(const CciParameters&) = delete;

 private:
  template <class T>
  void add(const Gpu& gpu, const cci::cci_broker_handle& broker, const Parameter& p, const T& value) {
    const std::string name = std::string(gpu.name()) + '.' + p.key;
    const auto parameter = std::make_shared<cci::cci_param<T, cci::CCI_IMMUTABLE_PARAM>>(
        name, value, broker, std::string(p.help) + " (" + expectation(p) + ')', cci::CCI_ABSOLUTE_NAME,
        cci::cci_originator(gpu));
    parameters_.push_back(parameter);
    if (!(parameter->get_value() == value))
      throw ConfigError("preset " + name + " is " + parameter->get_cci_value().to_json() +
                        ", but the platform was put together with " + value_text(p) +
                        "; expected a platform that cci_platform() has loaded");
    if (p.is_number()) {
      parameter->add_metadata("unit", cci::cci_value(std::string(p.unit)));
      parameter->add_metadata("lowest", cci::cci_value(p.range.low));
      parameter->add_metadata("highest", cci::cci_value(p.range.high));
    }
    if (const auto* choice = std::get_if<Words>(&p.value)) {
      std::string words;
      for (const std::string_view w : choice->words) words += (words.empty() ? "" : ", ") + std::string(w);
      parameter->add_metadata("words", cci::cci_value(words));
    }
  }

  std::vector<std::shared_ptr<void>> parameters_;  // in the order of the keys' declaration
};

// Adds the parameters of a GPU to the broker. The GPU keeps them.
inline void list_cci_parameters(Gpu& gpu, const cci::cci_broker_handle& broker) {
  gpu.keep(std::make_shared<CciParameters>(gpu, broker));
}

}  // namespace subcore
