// Accesses of the stores inside a module: searches of tags, reads and writes of arrays. No socket carries
// these accesses, so a module makes them known here, under the names by which energy tables charge them.
//   AccessPort accesses_{*this, "accesses", {"tag_search", "fwd_rd"}};
//   accesses_.access(0, reg);
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "subcore/modules/protocol/event_port.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/module.h"

namespace subcore {

// One access to a store inside a module.
struct StoreAccess {
  std::uint8_t event = 0;  // place in AccessPort::events()
  Register reg = 0;
};

class AccessPort final : public EventPort<StoreAccess> {
 public:
  // A member of `owner`. `events`: names of energy events (power/energy_events.h), at most 256.
  AccessPort(Module& owner, const char* name, std::vector<std::string> events)
      : EventPort(name), events_(std::move(events)) {
    if (get_parent_object() != &owner)
      fail(report_id::protocol, std::string(owner.name()) + ": " + name +
                                    " is not under construction within its module; expected the module's "
                                    "constructors to take a const sc_core::sc_module_name&");
    owner.access_ports_.push_back(this);
  }
  const std::vector<std::string>& events() const { return events_; }

  void access(unsigned event, Register reg) const { send({static_cast<std::uint8_t>(event), reg}); }

 private:
  std::vector<std::string> events_;
};

}  // namespace subcore
