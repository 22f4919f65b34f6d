// CacheControl: the control port of a cache, a base-protocol target with one register. Through it a module
// that starts kernels, our dispatcher or a user's, makes the cache forget what it holds.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstring>

#include "subcore/modules/control_registers/control_target.h"

namespace subcore {

// Byte offset of the only register, which has 64 bits and is accessed whole.
namespace cache_register {
// A write of any value empties the cache from the next cycle on. The value is the number of bytes of shared
// memory that are in use from then on. A cache that has its memory in common with shared memory leaves these
// bytes free.
inline constexpr std::uint64_t invalidate = 0x00;
// Size of all registers in bytes.
inline constexpr std::uint64_t size = 0x08;
}  // namespace cache_register

// Socket of the control port. A read gets TLM_COMMAND_ERROR_RESPONSE; other errors are those of
// register_access(). A debug access does nothing.
class CacheControl : public ControlTarget {
 public:
  CacheControl(const char* name, std::function<void(std::uint64_t shared_bytes)> invalidate)
      : ControlTarget(name, [invalidate = std::move(invalidate)](Payload& t, bool debug) {
          t.set_response_status(register_access(t, cache_register::size, debug));
          if (t.is_response_error()) return;
          if (t.is_write() && !debug) {
            std::uint64_t value = 0;
            std::memcpy(&value, t.get_data_ptr(), sizeof value);
            invalidate(value);
          } else {
            t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
          }
        }) {}
};

}  // namespace subcore
