#include <stdexcept>

#include "model/config/sub_core_parameters.h"

namespace subcore {

const UnitTiming& ExecutionParameters::of(ExecutionClass c) const {
  switch (c) {
    case ExecutionClass::integer:
      return integer;
    case ExecutionClass::single:
      return single;
    case ExecutionClass::half:
      return half;
    case ExecutionClass::double_:
      return double_;
    case ExecutionClass::special:
      return special;
    case ExecutionClass::tensor_f16:
      return tensor_f16;
    case ExecutionClass::tensor_f32:
      return tensor_f32;
    case ExecutionClass::tensor_int:
      return tensor_int;
    case ExecutionClass::branch:
      return branch;
    case ExecutionClass::barrier:
      return barrier;
    case ExecutionClass::texture:
      return texture;
    case ExecutionClass::uniform:
      return uniform;
    case ExecutionClass::load_store:
      break;
  }
  throw std::logic_error("the load/store unit has no entry in `execution`: its timing is in `load_store`");
}

}  // namespace subcore
