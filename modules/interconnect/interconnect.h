// Interconnect: a crossbar between the SMs' L1 caches and the slices of the L2. Each port moves
// `bytes_per_cycle` in each direction. A packet occupies the port where it enters and the port where it
// leaves. Packets of bulk copies have a bandwidth of their own at the ports of SMs. If several packets want
// one port, the packet that came first goes; of those of one cycle, the packet of the lowest SM (or slice).
//
// Hosts of the user's own have ports after those of the SMs. An AT packet of a host is like an SM's. An LT
// packet (memory_port.h) takes its transfer and the latency each way. A request lies within a line of 128
// bytes; a debug access need not.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "subcore/base/index_set.h"
#include "subcore/model/policy/index_function.h"
#include "subcore/modules/memory/memory_lines.h"
#include "subcore/modules/memory/memory_parameters.h"
#include "subcore/modules/memory/memory_port.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"

namespace subcore {

class Interconnect final : public TickingModule, private LooselyTimed {
 public:
  sc_core::sc_vector<MemoryInPort> sm_socket;  // sockets of the SMs, then those of hosts
  sc_core::sc_vector<MemoryOutPort> slice_socket;

  struct Counters {
    CounterList& list;
    std::string direction;
    const char* what;
    Counter packets{list, direction + "_packets", "packets", what};
    Counter bytes{list, direction + "_bytes", "bytes", "their bytes, headers included"};
    Counter wait_cycles{list, direction + "_wait_cycles", "cycles", "time they waited at their port"};
  };

  Interconnect(const sc_core::sc_module_name& name, unsigned sms, unsigned slices,
               const InterconnectParameters& parameters, const Conductor& conductor,
               IndexFunction slice_index = IndexFunction::hashed);

  Cycle tick(Cycle now) override;

  MemoryInPort& host_socket(unsigned host) { return sm_socket[sms_ + host]; }
  const Counters& requests() const { return request_.counters; }
  const Counters& responses() const { return response_.counters; }
  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  // The SM that a packet belongs to. The extension is set while the packet is behind the interconnect, and
  // ignorable there. The packet owns the extension meanwhile, because at the end of a simulation either the
  // packet or the interconnect may be destroyed first.
  struct Origin : tlm::tlm_extension<Origin> {
    unsigned sm = 0;
    tlm_extension_base* clone() const override { return new Origin(*this); }
    void copy_from(const tlm_extension_base& other) override { sm = static_cast<const Origin&>(other).sm; }
    void free() override { delete this; }
  };
  struct Flight {
    Payload* payload = nullptr;
    Cycle stamp = 0;  // cycle in which the packet leaves
  };
  struct Direction {
    Direction(unsigned sources, unsigned destinations, CounterList& list, const char* name, const char* what)
        : source_free(sources),
          destination_free(destinations),
          arrived(sources),
          wanted(destinations),
          best(destinations),
          flying(destinations),
          flights(destinations),
          counters{list, name, what} {}
    std::vector<Cycle> source_free, destination_free;
    IndexSet arrived;                                // sources with packets
    IndexSet wanted;                                 // scratch: destinations that have a chosen source
    std::vector<unsigned> best;                      // the chosen source of each
    IndexSet flying;                                 // destinations with flights
    std::vector<PayloadEventQueue<Flight>> flights;  // a queue per destination
    Counters counters;
  };

  template <class In, class Target, class Bytes, class Entered>
  Cycle enter(Direction& d, In& in, Cycle now, Target target, Bytes bytes, Entered entered);
  template <class Out, class Send>
  Cycle leave(Direction& d, Out& out, Cycle now, Send send);
  unsigned request_bytes(const Payload& t) const;
  unsigned response_bytes(const Payload& t) const;
  Cycle cycles_for(unsigned bytes) const {
    return std::max(1u, (bytes + p_.bytes_per_cycle - 1) / p_.bytes_per_cycle);
  }
  Cycle bulk_cycles(unsigned bytes) const {
    return std::max(1u, (bytes + p_.bulk_bytes_per_cycle - 1) / p_.bulk_bytes_per_cycle);
  }
  MemoryOutPort& slice_of(std::uint64_t address) { return slice_socket[map_.slice(address / line_bytes)]; }
  void access(Payload& t, sc_core::sc_time& delay) override;
  unsigned debug(Payload& t) override;
  Cycle move_requests(Cycle now);
  Cycle move_responses(Cycle now);

  InterconnectParameters p_;
  unsigned sms_;
  sc_core::sc_time period_;
  SliceMap map_;
  Direction request_, response_;
  std::vector<std::unique_ptr<Origin>> spare_origins_;
  std::uint64_t under_way_ = 0;  // packets with an origin
};

}  // namespace subcore
