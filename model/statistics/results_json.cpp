// Results as JSON and back, by the table of columns.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/statistics/json_text.h"
#include "model/statistics/result_columns.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

template <class Result>
Json object_of(const Result& r, const std::vector<const ResultColumn*>& columns);
template <class Result>
void fill_in(Result& r, const Json& in, const std::vector<const ResultColumn*>& columns);

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

// A member that only kernels have, or only runs.
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

void write(Json& out, const std::string& key, const RunResult& r, EnergyMembers members) {
  put(out, key, r.*members.by_event);
  put(out[key], "total", r.*members.total);
}
void read(const Json& in, const std::string& key, RunResult& r, EnergyMembers members) {
  auto& events = r.*members.by_event;
  get(in, key, events);
  get(in.at(key), "total", r.*members.total);
  events.erase(std::remove_if(events.begin(), events.end(), [](const auto& e) { return e.first == "total"; }),
               events.end());
}

void write(Json& out, const std::string& key, const RunResult& r, OptionalMembers members) {
  if (!(r.*members.values).empty()) put(out, key, r.*members.values);
}
void read(const Json& in, const std::string& key, RunResult& r, OptionalMembers members) {
  if (in.contains(key)) get(in, key, r.*members.values);
}

template <class Result>
Json object_of(const Result& r, const std::vector<const ResultColumn*>& columns) {
  Json out;
  for (const ResultColumn* c : columns) {
    if (!c->is_own())
      std::visit([&](auto member) { write(out, c->key, r, member); }, c->member(r));
    else if (const auto count = c->count(r))
      out[c->key] = *count;
  }
  return out;
}

template <class Result>
void fill_in(Result& r, const Json& in, const std::vector<const ResultColumn*>& columns) {
  for (const ResultColumn* c : columns) {
    if (!c->is_own())
      std::visit([&](auto member) { read(in, c->key, r, member); }, c->member(r));
    else if (in.contains(c->key))
      take(in[c->key], r.own.emplace_back(c->key, 0).second);
  }
}

template <class Read>
auto parsed(const std::string& text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
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

std::vector<RunResult> run_results_from_json(const std::string& text) {
  return parsed(text, [](const Json& list) {
    std::vector<RunResult> results;
    for (const Json& entry : list) results.push_back(result_of(entry));
    return results;
  });
}

}  // namespace subcore
