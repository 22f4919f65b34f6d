// CacheControl: the control port of a cache. A base-protocol target with one register, so that whoever starts
// kernels, our dispatcher or a user's, can have the cache forget what it holds.
#pragma once

#include "modules/control_registers/control_target.h"

namespace subcore {

// Byte offset of the one register, 64 bits wide, accessed whole.
namespace cache_register {
inline constexpr std::uint64_t invalidate = 0x00;  // write of any value: everything, from the next cycle on
// Bytes of all registers.
inline constexpr std::uint64_t size = 0x08;
}  // namespace cache_register

// A read gets TLM_COMMAND_ERROR_RESPONSE, anything else that is wrong what register_access says. A debug
// access does nothing.
class CacheControl : public ControlTarget {
 public:
  CacheControl(const char* name, std::function<void()> invalidate)
      : ControlTarget(name, [invalidate = std::move(invalidate)](Payload& t, bool debug) {
          t.set_response_status(register_access(t, cache_register::size, debug));
          if (t.is_response_error()) return;
          if (t.is_write() && !debug) {
            invalidate();
          } else {
            t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
          }
        }) {}
};

}  // namespace subcore
