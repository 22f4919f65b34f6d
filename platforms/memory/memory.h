// Memory: the modules behind the SMs' memory sockets.
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
  // The socket to be bound to the SM's memory_socket; null if the user binds one.
  virtual tlm::tlm_target_socket<>* memory_socket(unsigned sm) = 0;
  // The socket to which a user's own DRAM is bound (memory.dram.kind external), one for each slice of the L2;
  // null if there is no such socket.
  virtual InitiatorSocket<>* dram_socket(unsigned /*slice*/) { return nullptr; }
  // The socket by which a user's own host reaches the memory behind the SMs' caches, by AT or LT; null if
  // there is no such port. The key `memory.interconnect.host_ports` is their number, and each must be bound.
  virtual TargetSocket<>* host_socket(unsigned /*host*/) { return nullptr; }
  // Every module that has counters or signals, always in the same order.
  virtual std::vector<Module*> modules() = 0;
  // Registers the counters, below the GPU's own.
  virtual void register_statistics(StatisticsGroup& root) {
    for (Module* m : modules()) m->register_statistics(root.group(m->basename()));
  }
  // The socket of registers (modules/l1_cache/cache_control.h) by which an SM's cache is emptied at the start
  // of every kernel; null if there is no such cache.
  virtual tlm::tlm_target_socket<>* control_socket(unsigned /*sm*/) { return nullptr; }
  // add_to() adds the modules that tick under the SM's conductor. own_conductor() is the conductor of the
  // others; null if there are none.
  virtual void add_to(unsigned /*sm*/, Conductor& /*sm_conductor*/) {}
  virtual Conductor* own_conductor() { return nullptr; }
  // Hit ratios of reads in all L1s, and of all requests in all L2 slices; nothing if there were no requests.
  virtual std::optional<double> l1_hit_ratio() const { return std::nullopt; }
  // `cycles`: cycles in which requests were kept waiting, by level and cause (l1_mshr), summed over the
  // modules of a level. The other members: how many places of a level can each keep one request waiting.
  // Empty without such levels.
  struct Stalls {
    std::vector<std::pair<std::string, std::uint64_t>> cycles{};
    std::uint64_t l1s = 0, l2_slices = 0, dram_queues = 0;
  };
  virtual Stalls stalls() const { return {}; }
  virtual std::optional<double> l2_hit_ratio() const { return std::nullopt; }
};

}  // namespace subcore
