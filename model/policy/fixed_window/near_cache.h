// Malekeh's cache of near operands and results (sections III-C and IV-A), in place of the reuse cache of the
// core that ships. One cache serves all warps of a sub-core and is fully associative. Writes keep it up to
// date, so the compiler need not take care of that.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/fixed_window/window_cache.h"
#include "subcore/model/policy/replacement/near_aware.h"

namespace subcore {

class NearCache final : public WindowCache {
 public:
  // `entries` is 1 to 64.
  NearCache(unsigned entries, std::uint64_t seed);
  // An entry's tag, which is compared, has its warp and register. Its state has valid, filled, the reuse bit
  // and the order of use.
  static void inventory(Inventory& list, std::uint32_t entries, std::uint32_t result_ports) {
    list.add("near_values", HardwareKind::data, entries, operand_bits, 2 + result_ports);
    list.add("near_tags", HardwareKind::tag, entries, warp_bits + register_bits);
    list.add("near_state", HardwareKind::state, entries, 3 + width_of(entries));
  }

  // A near source that is not here gets an entry, which waits for its value. A far source that is here will
  // not be read again soon, so its entry is the first to go. An instruction that executes before a result is
  // ready finds neither the result nor the value that it replaces. Such an instruction reads the bank, and
  // leaves no copy here.
  void look_up(const Instruction& i, Cycle execution, Answers& answers) override;
  void fill(const Filler& filler, const Version& version) override;
  // A result of counted latency replaces the older value, or enters if it is near. A result of variable
  // latency removes the older value, and comes by arrived(). A result of some lanes removes the older value
  // and does not enter. A warp's entries are removed with its last instruction.
  Results passed(const Instruction& i, Cycle ready) override;
  Results arrived(const LateResult& r) override;
  const EntryUse* result_use() const override { return &use_; }

  bool holds(std::uint32_t warp_uid, Register reg) const { return find(warp_uid, reg) >= 0; }

 private:
  struct Entry {
    Filler filler;  // has the warp
    Register reg = 0;
    bool filled = false;  // the value has come, or comes by cycle `ready`
    Version version;
    Cycle ready = 0;
  };
  int find(std::uint32_t warp_uid, Register reg) const {
    for (const unsigned e : bits::each(valid_))
      if (entries_[e].filler.warp_uid == warp_uid && entries_[e].reg == reg) return static_cast<int>(e);
    return -1;
  }
  // A result to be written. write() sets bit `n` in the Results.
  struct Written {
    Filler filler;
    Register reg;
    Version version;
    Cycle ready;
    bool near, partial;
  };
  void write(const Written& w, unsigned n, Results& results);
  void outdate(std::uint32_t warp_uid, Register reg, unsigned n, Results& results);
  unsigned make_room();
  void touch(unsigned entry, bool near) {
    bits::set(near_, entry, near);
    last_[entry] = ++clock_;
  }
  void drop(unsigned entry);
  // A result of some lanes that is ready in cycle `ready`, of a register without an entry. The other path of
  // the warp may read its own lanes before that cycle. A value that was read so early lacks this result, so
  // it must not get an entry.
  struct Pending {
    std::uint32_t warp_uid;
    Register reg;
    Cycle ready;
  };
  bool is_pending(std::uint32_t warp_uid, Register reg, Cycle execution) const {
    return std::any_of(pending_.begin(), pending_.end(), [&](const Pending& p) {
      return p.warp_uid == warp_uid && p.reg == reg && p.ready > execution;
    });
  }
  void note_pending(const Pending& p);

  std::uint64_t valid_ = 0, near_ = 0, all_;
  boost::container::small_vector<Entry, 8> entries_;
  boost::container::small_vector<std::uint32_t, 8> last_;  // last use; a larger number is more recent
  boost::container::small_vector<Pending, 8> pending_;
  std::uint32_t clock_ = 0;
  NearAware replacement_;
  EntryUse use_;
};

}  // namespace subcore
