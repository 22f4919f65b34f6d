#include "model/isa/execution_class.h"

#include <array>

namespace subcore {

std::string_view name(ExecutionClass c) {
  static constexpr std::array<std::string_view, execution_class_count> names = {
      "integer",    "single", "half",    "double",  "special", "tensor_f16", "tensor_f32",
      "tensor_int", "branch", "barrier", "texture", "uniform", "load_store"};
  return names[static_cast<std::size_t>(c)];
}

std::string_view name(ExecutionUnitKind u) {
  static constexpr std::array<std::string_view, execution_unit_count> names = {
      "integer", "single", "half",    "double",  "special",
      "tensor",  "branch", "texture", "uniform", "load_store"};
  return names[static_cast<std::size_t>(u)];
}

ExecutionUnitKind unit_of(ExecutionClass c) {
  switch (c) {
    case ExecutionClass::integer:
    case ExecutionClass::barrier:
      return ExecutionUnitKind::integer;
    case ExecutionClass::single:
      return ExecutionUnitKind::single;
    case ExecutionClass::half:
      return ExecutionUnitKind::half;
    case ExecutionClass::double_:
      return ExecutionUnitKind::double_;
    case ExecutionClass::special:
      return ExecutionUnitKind::special;
    case ExecutionClass::tensor_f16:
    case ExecutionClass::tensor_f32:
    case ExecutionClass::tensor_int:
      return ExecutionUnitKind::tensor;
    case ExecutionClass::branch:
      return ExecutionUnitKind::branch;
    case ExecutionClass::texture:
      return ExecutionUnitKind::texture;
    case ExecutionClass::uniform:
      return ExecutionUnitKind::uniform;
    case ExecutionClass::load_store:
      return ExecutionUnitKind::load_store;
  }
  return ExecutionUnitKind::integer;
}

}  // namespace subcore
