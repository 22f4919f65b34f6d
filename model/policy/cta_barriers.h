// The barriers of one CTA, with names 0 to 15. A barrier with a number of warps is over when that many have
// arrived. When every running warp of the CTA waits, all barriers are over, because a trace may not tell all
// names and numbers. A barrier without a number is over only then.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class CtaBarriers {
 public:
  using Warps = boost::container::small_vector<unsigned, 8>;
  // A warp's arrival at a barrier.
  struct Arrival {
    unsigned warp = 0;
    std::uint8_t name = 0;   // the barrier's name, or unnamed_barrier
    std::uint8_t warps = 0;  // warps that meet there; 0 = all that run
    bool waits = true;       // false: the warp goes on
  };

  // A warp arrives while `live` warps of the CTA run. Calls let_go(Warps) for each barrier that is over, with
  // the warps that waited there in the order of their arrivals.
  template <class LetGo>
  void arrive(const Arrival& a, unsigned live, LetGo&& let_go) {
    Barrier& b = barriers_.try_emplace(a.name).first->second;
    ++b.arrived;
    if (a.waits) {
      b.waiting.push_back(a.warp);
      ++waiting_;
    }
    if (a.warps != 0 && b.arrived >= a.warps) open(b, let_go);
    open_if_all_wait(live, let_go);
  }
  // A warp has finished and will not arrive any more. `live` warps are left.
  template <class LetGo>
  void finished(unsigned live, LetGo&& let_go) {
    open_if_all_wait(live, let_go);
  }
  // The number of warps that wait.
  unsigned waiting() const { return waiting_; }

 private:
  struct Barrier {
    unsigned arrived = 0;
    Warps waiting;
  };
  template <class LetGo>
  void open(Barrier& b, LetGo& let_go) {
    const Barrier over = b;
    b = {};
    waiting_ -= static_cast<unsigned>(over.waiting.size());
    let_go(over.waiting);
  }
  template <class LetGo>
  void open_if_all_wait(unsigned live, LetGo& let_go) {
    if (waiting_ == 0 || waiting_ < live) return;
    for (auto& named : barriers_)
      if (!named.second.waiting.empty()) open(named.second, let_go);
  }

  boost::container::small_flat_map<std::uint8_t, Barrier, 1> barriers_;  // by name; mostly one
  unsigned waiting_ = 0;
};

}  // namespace subcore
