// Memory: what stands behind the SMs' memory sockets.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/transport_socket.h"
#include "subcore/platforms/memory/memory_choice.h"

namespace subcore {

class Memory {
 public:
  virtual ~Memory() = default;
  // The socket to be bound to the SM's memory_socket; null if that is left to the user.
  virtual tlm::tlm_target_socket<>* memory_socket(unsigned sm) = 0;
  // The socket that a DRAM of the user's own is bound to (memory.dram.kind external), one for each slice of
  // the L2; null if there is no such socket.
  virtual InitiatorSocket<>* dram_socket(unsigned /*slice*/) { return nullptr; }
  // The socket by which a host of the user's own reaches the memory behind the SMs' caches, by AT or LT
  // (memory.interconnect.host_ports: so many, each to be bound); null if there is no such port.
  virtual TargetSocket<>* host_socket(unsigned /*host*/) { return nullptr; }
  // Every module that has counters or signals, in an order that does not change.
  virtual std::vector<Module*> modules() = 0;
  // Registers the counters, below the GPU's own.
  virtual void register_statistics(StatisticsGroup& root) {
    for (Module* m : modules()) m->register_statistics(root.group(m->basename()));
  }
  // The socket of registers (modules/l1_cache/cache_control.h) by which that SM's cache forgets what it
  // holds, at the start of every kernel; null if there is no such cache.
  virtual tlm::tlm_target_socket<>* control_socket(unsigned /*sm*/) { return nullptr; }
  // Modules that tick under the SM's conductor, and the conductor of the others; null if there are none.
  virtual void add_to(unsigned /*sm*/, Conductor& /*sm_conductor*/) {}
  virtual Conductor* own_conductor() { return nullptr; }
  // Hit ratios of reads in all L1s, and of all requests in all L2 slices; nothing if there were none.
  virtual std::optional<double> l1_hit_ratio() const { return std::nullopt; }
  // `cycles`: those in which requests were kept waiting, by level and cause (l1_mshr), summed over the
  // modules of a level. The others: how many places of a level can each keep one request waiting. Empty
  // without such levels.
  struct Stalls {
    std::vector<std::pair<std::string, std::uint64_t>> cycles{};
    std::uint64_t l1s = 0, l2_slices = 0, dram_queues = 0;
  };
  virtual Stalls stalls() const { return {}; }
  virtual std::optional<double> l2_hit_ratio() const { return std::nullopt; }
};

}  // namespace subcore
