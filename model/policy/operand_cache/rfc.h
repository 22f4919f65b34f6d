// RFC (the hardware register file cache, ISCA 2011): a small, fully associative, write-allocate cache per
// active warp. Results of short latency go to the cache instead of the banks. Reads never allocate. When a
// warp becomes pending, its results go to the banks.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/model/policy/partial_write.h"

namespace subcore {

// Whether a result whose register has an entry keeps that entry's place in the FIFO, or becomes the newest
// entry.
enum class Overwrite : std::uint8_t { keeps_place, counts_as_new };

constexpr std::array<std::string_view, 2> names(Overwrite) {
  return {"keeps_place", "counts_as_new"};
}

class Rfc final : public OperandCachePolicy {
 public:
  // `entries` per active warp, 1..64.
  Rfc(unsigned warp_slots, unsigned entries, PartialWrite partial_write,
      Overwrite overwrite = Overwrite::keeps_place);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  std::uint8_t to_banks(const Instruction& i) const override;
  bool written(const Instruction& i, unsigned destination) override;
  void enter(unsigned warp_slot, const Instruction&, std::vector<Register>&) override {
    warps_[warp_slot].active = true;
  }
  // Live values go to the banks. The other values end with their warp.
  void leave(unsigned warp_slot) override;

  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override {
    for (const Entry& e : warps_[warp_slot].entries) kept.push_back({e.reg, !e.dead});
  }
  std::optional<std::uint64_t> unread() const override { return unread_in(warps_); }

  unsigned size(unsigned warp_slot) const { return static_cast<unsigned>(warps_[warp_slot].entries.size()); }

 private:
  struct Entry {
    Register reg;
    Version version;
    bool dead;            // read for the last time
    bool unread = false;  // a result that has not been read here
  };
  struct Warp {
    std::vector<Entry> entries;  // oldest first
    bool active = false;
  };

  // The position of a register's entry, or the end.
  std::vector<Entry>::iterator find(unsigned warp_slot, Register reg);
  void evict(unsigned warp_slot, const Entry& e);
  void give_up(unsigned warp_slot, Register reg);

  std::vector<Warp> warps_;
  unsigned entries_;
  bool partial_safe_;
  Overwrite overwrite_;
};

class RfcChoice final : public OperandCacheChoice {
 public:
  Overwrite overwrite = Overwrite::keeps_place;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override { require_active_warps(c, "rfc"); }
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
};

}  // namespace subcore
