// Barriers in the shared memory of one CTA (mbarriers, PTX ISA), which count arrivals of threads and bytes of
// bulk copies. A phase is complete when as many threads as the barrier's count have arrived and all expected
// bytes have come. The next phase then begins. A phase is named by its parity. A warp that asks for the phase
// of a parity goes on when the current phase has the other parity.
//
// A trace may not tell all of that. If the count, arrivals or parity of a barrier are unknown, a warp that
// asks for a phase waits for the bulk copies of that barrier that have begun before. If the barrier's address
// is unknown, too, the warp waits for all bulk copies that have begun before.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <optional>

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class CtaMbarriers {
 public:
  // The address of a barrier that the trace does not tell.
  static constexpr std::uint32_t unknown = AsyncRecord::no_mbarrier;

  // The effect of an arrival. An empty optional means that the trace does not tell it.
  struct Arrival {
    std::uint32_t threads = 0;
    std::int64_t expected_bytes = 0;  // below 0: bytes that have come
    bool drops = false;               // later phases wait for that many threads fewer
  };

  // Gives the barrier its count, and its first phase the parity. Nothing: the trace does not tell the count.
  void init(std::uint32_t address, std::optional<std::uint32_t> threads, bool parity) {
    if (address == unknown) return;
    barriers_[address] = {threads.has_value(), threads.value_or(0), threads.value_or(0), 0, parity};
  }
  // Threads arrive, or bytes are expected or have come. Calls go_on(warp) for each warp whose phase is
  // complete by that.
  template <class GoOn>
  void arrive(std::uint32_t address, const std::optional<Arrival>& a, GoOn&& go_on) {
    Barrier* const b = find(address);
    if (b == nullptr) return;
    if (!a) b->told = false;
    if (a) {
      b->pending -= a->threads;
      b->bytes += a->expected_bytes;
      if (a->drops) b->threads -= std::min(b->threads, a->threads);
    }
    if (b->told && b->pending <= 0 && b->bytes == 0) b->complete();
    let_go(go_on);
  }
  // A bulk copy begins. Numbers ascend. `address` is that of the barrier that counts its bytes.
  void begin_copy(std::uint32_t number, std::uint32_t address) { copies_.push_back({number, address}); }
  // The copy is over, and its bytes have come.
  template <class GoOn>
  void end_copy(std::uint32_t number, std::uint64_t bytes, GoOn&& go_on) {
    const auto c =
        std::find_if(copies_.begin(), copies_.end(), [&](const Copy& x) { return x.number == number; });
    const std::uint32_t address = c->address;
    copies_.erase(c);
    arrive(address, Arrival{0, -static_cast<std::int64_t>(bytes), false}, go_on);
    let_go(go_on);
  }
  // A warp asks for the phase of a parity, which may be unknown, and waits. Calls go_on(warp) if it need not
  // wait.
  template <class GoOn>
  void ask(std::uint32_t address, std::optional<bool> parity, unsigned warp, GoOn&& go_on) {
    waiting_.push_back({warp, address, parity, copies_.empty() ? 0 : copies_.back().number + 1});
    let_go(go_on);
  }
  // Lets all waiting warps go on, because nothing that is still to come can complete their phases. The phases
  // then count as complete. Returns how many warps have waited.
  template <class GoOn>
  unsigned give_up(GoOn&& go_on) {
    const Waiters stuck = std::move(waiting_);
    waiting_.clear();
    for (const Waiter& w : stuck) {
      Barrier* const b = find(w.address);
      if (b != nullptr && b->told && w.parity && b->parity == *w.parity) b->complete();
    }
    for (const Waiter& w : stuck) go_on(w.warp);
    return static_cast<unsigned>(stuck.size());
  }
  unsigned waiting() const { return static_cast<unsigned>(waiting_.size()); }
  // The number of bulk copies under way.
  unsigned copies() const { return static_cast<unsigned>(copies_.size()); }

 private:
  struct Barrier {
    bool told = false;
    std::uint32_t threads = 0;  // threads of a phase
    std::int64_t pending = 0;   // threads that have not arrived
    std::int64_t bytes = 0;     // expected bytes that have not come
    bool parity = false;        // parity of the current phase
    void complete() {
      parity = !parity;
      pending = threads;
      bytes = 0;
    }
  };
  struct Copy {
    std::uint32_t number, address;
  };
  struct Waiter {
    unsigned warp;
    std::uint32_t address;
    std::optional<bool> parity;
    std::uint32_t before;  // if the phase is unknown: the warp waits for copies with lower numbers
  };
  using Waiters = boost::container::small_vector<Waiter, 4>;

  Barrier* find(std::uint32_t address) {
    const auto b = barriers_.find(address);
    return b == barriers_.end() ? nullptr : &b->second;
  }
  bool is_over(const Waiter& w) {
    const Barrier* const b = find(w.address);
    if (b != nullptr && b->told && w.parity) return b->parity != *w.parity;
    return std::none_of(copies_.begin(), copies_.end(), [&](const Copy& c) {
      return c.number < w.before && (w.address == unknown || c.address == w.address);
    });
  }
  template <class GoOn>
  void let_go(GoOn& go_on) {
    for (std::size_t n = 0; n < waiting_.size();) {
      const unsigned warp = waiting_[n].warp;
      if (!is_over(waiting_[n])) {
        ++n;
        continue;
      }
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
      go_on(warp);
    }
  }

  boost::container::flat_map<std::uint32_t, Barrier> barriers_;  // by address
  boost::container::small_vector<Copy, 4> copies_;               // under way, in the order of their numbers
  Waiters waiting_;                                              // in the order in which they came
};

}  // namespace subcore
