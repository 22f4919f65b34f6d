// The form in which all JSON is written. Names of kernels, opcodes and paths are bytes, which need not be
// UTF-8.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace subcore {

// The JSON text with a line end. An `indent` of -1 puts it on one line. Bytes that are not UTF-8 become
// U+FFFD.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

// The object at a key, which is made if it is not there. Where null becomes an object or a list, nlohmann
// 3.11 ends the program if memory runs out just then. So each value that gets keys or entries is made as
// Json::object() or Json::array(), or here.
inline nlohmann::ordered_json& object_in(nlohmann::ordered_json& parent, const char* key) {
  nlohmann::ordered_json& child = parent[key];
  if (child.is_null()) child = nlohmann::ordered_json::object();
  return child;
}

// The beginning of a value, for messages.
inline std::string excerpt_of(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).substr(0, 40);
}

// Whether a value is a whole number of 0 to 2^64 - 1, without sign or fraction.
inline bool is_count(const nlohmann::ordered_json& value) {
  return value.is_number_unsigned();
}
// The whole number, if a T can hold it.
template <class T>
std::optional<T> count_in(const nlohmann::ordered_json& value) {
  if (!is_count(value) || value.get<std::uint64_t>() > std::numeric_limits<T>::max()) return std::nullopt;
  return value.get<T>();
}

}  // namespace subcore
