// EventPort: makes known what a module does beside its transfers: accesses of a store inside it, or the cause
// of a stall. Only observers listen, as on any other port, and no part of the model. An EventPort is an
// object of SystemC's hierarchy, in which observers find it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include <systemc>

#include "subcore/modules/protocol/port.h"

namespace subcore {

template <class Event>
class EventPort : public sc_core::sc_object {
 public:
  explicit EventPort(const char* name) : sc_object(name) {}
  // Adds an observer, before the simulation starts.
  void observe(TransferObserver<Event>& observer) { observers_.push_back(&observer); }
  // Whether an observer listens, so that an event is worth the work of putting it together.
  bool observed() const { return !observers_.empty(); }
  void send(const Event& event) const {
    for (TransferObserver<Event>* o : observers_) o->transferred(event);
  }

 private:
  std::vector<TransferObserver<Event>*> observers_;
};

}  // namespace subcore
