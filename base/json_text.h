// JSON as it is written everywhere: names of kernels, opcodes and paths are bytes, which need be no UTF-8.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace subcore {

// With a line end; `indent` -1 is one line. Bytes that are no UTF-8 become U+FFFD.
inline std::string json_text(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace subcore
