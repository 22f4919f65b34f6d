// Parameters of the dispatch scheduler (keys sub_core.dispatch.* of a platform file).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// The complete collector that dispatches (sub_core.dispatch.order).
enum class DispatchOrder : std::uint8_t { oldest, round_robin };

constexpr std::array<std::string_view, 2> names(DispatchOrder) {
  return {"oldest", "round_robin"};
}

// How instructions leave complete collectors (sub_core.dispatch.*).
struct DispatchParameters {
  DispatchOrder order = DispatchOrder::oldest;
  void describe(ParameterVisitor& v) {
    v.choice("order", order,
             "choice among complete collectors: the longest complete one dispatches, or each in turn");
  }
};

}  // namespace subcore
