// Results as JSON and back, by the table of columns.
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "subcore/base/json_text.h"
#include "subcore/model/sampling/sample_estimate.h"
#include "subcore/model/statistics/result_columns.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

template <class Result>
Json object_of(const Result& r, const std::vector<const ResultColumn*>& columns);
template <class Result>
void fill_in(Result& r, const Json& in, const std::vector<const ResultColumn*>& columns,
             std::string* missing = nullptr);

// Keys of a sampled kernel's counts.
constexpr std::pair<const char*, std::uint64_t SampledKernel::*> sample_counts[] = {
    {"kernel", &SampledKernel::kernel},
    {"ctas", &SampledKernel::ctas},
    {"ctas_left_out", &SampledKernel::ctas_left_out},
    {"instructions_left_out", &SampledKernel::instructions_left_out},
    {"launches_left_out", &SampledKernel::launches_left_out},
    {"ctas_of_launches", &SampledKernel::ctas_of_launches},
    {"instructions_of_launches", &SampledKernel::instructions_of_launches},
    {"fewest_instructions", &SampledKernel::fewest_instructions},
    {"most_instructions", &SampledKernel::most_instructions},
    {"warm_up_waves", &SampledKernel::warm_up_waves}};

std::vector<const ResultColumn*> all_columns() {
  std::vector<const ResultColumn*> all;
  for (const ResultColumn& c : result_columns().all()) all.push_back(&c);
  return all;
}

template <class T>
void put(Json& out, const std::string& key, const T& value) {
  out[key] = value;
}
template <class T>
void put(Json& out, const std::string& key, const std::optional<T>& value) {
  if (value) out[key] = *value;
}
template <class T>
void put(Json& out, const std::string& key, const ByName<T>& values) {
  Json& object = out[key] = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
}
void put(Json& out, const std::string& key, const std::vector<KernelResult>& kernels) {
  const auto columns = result_columns().of_kernels();
  Json& list = out[key] = Json::array();
  for (const KernelResult& k : kernels) list.push_back(object_of(k, columns));
}

Json json_of(const SampleAmounts& a) {
  Json out = {{"cycles", a.cycles},
              {"instructions", a.instructions},
              {"source_operands", a.source_operands},
              {"cache_read_hits", a.cache_read_hits},
              {"energy_pj", a.energy_pj}};
  Json& presets = out["energy_by_preset_pj"] = Json::object();
  for (const auto& [name, pj] : a.energy_by_preset_pj) presets[name] = pj;
  return out;
}
void put(Json& out, const std::string& key, const std::optional<Sample>& sample) {
  if (!sample) return;
  const SampleEstimate estimate(*sample);
  const SampleAmounts whole = estimate.whole();
  Json& to = out[key] = Json::object();
  to["waves"] = sample->waves;
  to["fraction"] = estimate.fraction();
  to["instructions"] = estimate.instructions();
  to["instructions_left_out"] = estimate.instructions_left_out();
  to["kernels_left_out"] = estimate.kernels_left_out();
  to["ctas_left_out"] = estimate.ctas_left_out();
  if (estimate.first_uneven() == nullptr) {
    to["cycles"] = whole.cycles;
    to["energy_pj"] = whole.energy_pj;
  }
  to["source_operands"] = whole.source_operands;
  to["cache_read_hits"] = whole.cache_read_hits;
  Json& kernels = to["kernels"] = Json::array();
  for (const SampledKernel& k : sample->kernels) {
    Json& kernel = kernels.emplace_back(Json::object());
    kernel["name"] = k.name;
    for (const auto& [name, count] : sample_counts) kernel[name] = k.*count;
    kernel["simulated"] = json_of(k.simulated);
    Json& waves = kernel["waves"] = Json::array();
    for (const SampleAmounts& w : k.waves) waves.push_back(json_of(w));
  }
}

// JSON has no NaN: nlohmann writes null for it.
void take(const Json& value, double& number) {
  number = value.is_null() ? std::nan("") : value.get<double>();
}
template <class T>
void take(const Json& value, T& out) {
  value.get_to(out);
}

template <class T>
void get(const Json& in, const std::string& key, T& value) {
  take(in.at(key), value);
}
template <class T>
void get(const Json& in, const std::string& key, std::optional<T>& value) {
  if (in.contains(key)) take(in.at(key), value.emplace());
}
template <class T>
void get(const Json& in, const std::string& key, ByName<T>& values) {
  for (const auto& [name, value] : in.at(key).items()) take(value, values.emplace_back(name, T{}).second);
}
void get(const Json& in, const std::string& key, std::vector<KernelResult>& kernels) {
  const auto columns = result_columns().of_kernels();
  for (const Json& kernel : in.at(key)) fill_in(kernels.emplace_back(), kernel, columns);
}

SampleAmounts amounts_of(const Json& in) {
  SampleAmounts a;
  take(in.at("cycles"), a.cycles);
  take(in.at("instructions"), a.instructions);
  take(in.at("source_operands"), a.source_operands);
  take(in.at("cache_read_hits"), a.cache_read_hits);
  take(in.at("energy_pj"), a.energy_pj);
  for (const auto& [name, pj] : in.at("energy_by_preset_pj").items())
    take(pj, a.energy_by_preset_pj.emplace_back(name, 0).second);
  return a;
}
// Estimates are made again from the simulated part.
void get(const Json& in, const std::string& key, std::optional<Sample>& sample) {
  if (!in.contains(key)) return;
  const Json& from = in.at(key);
  sample.emplace().waves = from.at("waves").get<std::uint64_t>();
  for (const Json& kernel : from.at("kernels")) {
    SampledKernel& k = sample->kernels.emplace_back();
    k.name = kernel.at("name").get<std::string>();
    for (const auto& [name, count] : sample_counts) k.*count = kernel.at(name).get<std::uint64_t>();
    k.simulated = amounts_of(kernel.at("simulated"));
    for (const Json& wave : kernel.at("waves")) k.waves.push_back(amounts_of(wave));
  }
}

// A member that only kernels or only runs have.
template <class Result>
void write(Json&, const std::string&, const Result&, std::monostate) {}
template <class Result>
void read(const Json&, const std::string&, Result&, std::monostate) {}

template <class Result, class T>
void write(Json& out, const std::string& key, const Result& r, T Result::*member) {
  put(out, key, r.*member);
}
template <class Result, class T>
void read(const Json& in, const std::string& key, Result& r, T Result::*member) {
  get(in, key, r.*member);
}

void write(Json& out, const std::string& key, const RunResult& r, SumMembers members) {
  put(out, key, r.*members.by_name);
  put(out[key], "total", r.*members.total);
}
void read(const Json& in, const std::string& key, RunResult& r, SumMembers members) {
  auto& values = r.*members.by_name;
  get(in, key, values);
  get(in.at(key), "total", r.*members.total);
  values.erase(std::remove_if(values.begin(), values.end(), [](const auto& v) { return v.first == "total"; }),
               values.end());
}

// OptionalMembers and OptionalTexts.
template <class Members, class = decltype(Members::values)>
void write(Json& out, const std::string& key, const RunResult& r, Members members) {
  if (!(r.*members.values).empty()) put(out, key, r.*members.values);
}
template <class Members, class = decltype(Members::values)>
void read(const Json& in, const std::string& key, RunResult& r, Members members) {
  if (in.contains(key)) get(in, key, r.*members.values);
}

template <class Result>
Json object_of(const Result& r, const std::vector<const ResultColumn*>& columns) {
  Json out = Json::object();
  for (const ResultColumn* c : columns) {
    if (!c->is_own())
      std::visit([&](auto member) { write(out, c->key, r, member); }, c->member(r));
    else if (const auto count = c->count(r))
      out[c->key] = *count;
  }
  return out;
}

// The message has the mistake, and what was expected.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool is_number(const Json& j) {
  return j.is_number() || j.is_null();  // null is a NaN
}
// No count, time or energy of a run is larger.
constexpr double largest = 1e18;
bool is_quantity(const Json& j) {
  return j.is_null() || (j.is_number() && j.get<double>() >= 0 && j.get<double>() <= largest);
}
bool is_share(const Json& j) {
  return is_quantity(j) && (j.is_null() || j.get<double>() <= 1);
}
bool is_text(const Json& j) {
  return j.is_string();
}
template <class Is>
bool is_map(const Json& j, const Is& is) {
  return j.is_object() && std::all_of(j.begin(), j.end(), is);
}
template <class Is>
bool is_list(const Json& j, const Is& is) {
  return j.is_array() && std::all_of(j.begin(), j.end(), is);
}

// The form of a column's value in JSON: its name in messages, a test of a value, and whether the value may be
// missing.
struct Form {
  const char* words;
  bool fits;
  bool is_optional = false;
};

struct FormOf {
  const Json& value;
  const std::string& unit;  // the column's

  Form of_number(bool is_optional) const {
    if (unit == "+%") return {"a number", is_number(value), is_optional};
    if (unit == "%") return {"a number from 0 to 1", is_share(value), is_optional};
    return {"a number from 0 to 1e18", is_quantity(value), is_optional};
  }

  Form operator()(std::monostate) const { return {"", true, true}; }
  template <class Result>
  Form operator()(std::string Result::*) const {
    return {"text", is_text(value)};
  }
  template <class Result>
  Form operator()(std::uint64_t Result::*) const {
    return {"a whole number from 0", is_count(value)};
  }
  template <class Result>
  Form operator()(double Result::*) const {
    return of_number(false);
  }
  Form operator()(std::optional<double> RunResult::*) const { return of_number(true); }
  Form operator()(std::optional<std::string> RunResult::*) const { return {"text", is_text(value), true}; }
  Form operator()(ByName<std::uint64_t> RunResult::*) const {
    return {"an object of whole numbers", is_map(value, is_count)};
  }
  Form operator()(ByName<double> RunResult::*) const {
    return {"an object of numbers from 0 to 1e18", is_map(value, is_quantity)};
  }
  Form operator()(SumMembers) const {
    return {"an object of numbers from 0 to 1e18 with a total",
            is_map(value, is_quantity) && value.contains("total")};
  }
  Form operator()(OptionalMembers) const { return {"an object of numbers", is_map(value, is_number), true}; }
  Form operator()(OptionalTexts) const { return {"an object of texts", is_map(value, is_text), true}; }
  Form operator()(std::vector<KernelResult> RunResult::*) const {
    return {"a list of objects", is_list(value, [](const Json& j) { return j.is_object(); })};
  }
  Form operator()(std::map<std::string, std::uint64_t> RunResult::*) const {
    return {"an object of whole numbers", is_map(value, is_count)};
  }
  Form operator()(std::optional<Sample> RunResult::*) const {
    return {"an object with waves and kernels",
            value.is_object() && value.contains("waves") && value.contains("kernels"), true};
  }
  Form operator()(std::vector<std::string> RunResult::*) const {
    return {"a list of texts", is_list(value, is_text)};
  }
};

const char* const form_of_results = "; expected results as --results and --json write them";

// Every result has these keys. All other keys are later additions, which results of older versions may lack.
const char* const needed_keys[] = {
    "platform",   "trace",       "cycles",          "instructions_retired", "ipc",      "read_hit_ratio",
    "bank_reads", "bank_writes", "cache_read_hits", "cache_writes",         "energy_pj"};

// `missing` gets the names of later keys that are not there. If `missing` is null, every key must be there.
template <class Result>
void fill_in(Result& r, const Json& in, const std::vector<const ResultColumn*>& columns,
             std::string* missing) {
  if (!in.is_object()) throw Unreadable(std::string("is not a JSON object") + form_of_results);
  const Json nothing;
  for (const ResultColumn* c : columns) {
    const auto found = in.find(c->key);
    const bool is_there = found != in.end();
    const Json& value = is_there ? *found : nothing;
    if (c->is_own()) {
      if (is_there && !is_count(value))
        throw Unreadable("'" + c->key + "' is " + excerpt_of(value) + "; expected a whole number from 0");
      if (is_there) take(value, r.own.emplace_back(c->key, 0).second);
      continue;
    }
    const Form form = std::visit(FormOf{value, c->unit}, c->member(r));
    if (is_there && !form.fits)
      throw Unreadable("'" + c->key + "' is " + excerpt_of(value) + "; expected " + form.words);
    if (is_there) {
      std::visit([&](auto member) { read(in, c->key, r, member); }, c->member(r));
    } else if (!form.is_optional) {
      if (missing == nullptr ||
          std::find(std::begin(needed_keys), std::end(needed_keys), c->key) != std::end(needed_keys))
        throw Unreadable("no key '" + c->key + "'" + form_of_results);
      *missing += (missing->empty() ? "" : ", ") + c->key;
    }
  }
}

template <class Read>
auto parsed(const std::string& text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw std::runtime_error(std::string("not a run result: ") + e.what() + form_of_results);
  } catch (const Unreadable& e) {
    throw std::runtime_error(std::string("not a run result: ") + e.what());
  }
}

RunResult result_of(const Json& in) {
  RunResult r;
  fill_in(r, in, all_columns());
  return r;
}

}  // namespace

std::string to_json(const RunResult& result, bool compact) {
  return json_text(object_of(result, all_columns()), compact ? -1 : 2);
}

std::string to_json(const std::vector<RunResult>& results) {
  Json list = Json::array();
  for (const RunResult& r : results) list.push_back(object_of(r, all_columns()));
  return json_text(list);
}

RunResult run_result_from_json(const std::string& text) {
  return parsed(text, result_of);
}

RunResult saved_run_result_from_json(const std::string& text, std::string& missing) {
  Json in = Json::parse(text);
  RunResult r;
  if (in.is_object()) in["per_kernel"] = Json::array();
  fill_in(r, in, all_columns(), &missing);
  if (r.cycles == 0 && r.counts.empty()) throw Unreadable("'cycles' is 0; expected at least 1");
  return r;
}

std::vector<RunResult> run_results_from_json(const std::string& text) {
  return parsed(text, [](const Json& list) {
    if (!list.is_array()) throw Unreadable("is not a list; expected a list of runs");
    std::vector<RunResult> results;
    for (const Json& entry : list) results.push_back(result_of(entry));
    return results;
  });
}

}  // namespace subcore
