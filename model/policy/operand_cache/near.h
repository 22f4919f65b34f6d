// A near cache between collectors and banks: a few registers of each warp, or a pool of registers for all
// warps of a sub-core. Only operands and results with a near bit enter (Malekeh's bits, section III-A, in a
// cache of their own). A far operand that is found there gives its entry up. The least recently used entry is
// replaced. Results always go to the banks as well, so that nothing has to be written back.
//
// Entries are taken in program order, when an instruction issues, and wait for their value. The content of a
// warp's cache therefore does not depend on time. With the bits of Belady's replacement (passes/belady.h) the
// cache keeps exactly what that replacement keeps.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <string_view>
#include <vector>

#include "subcore/model/policy/operand_cache/operand_cache_policy.h"

namespace subcore {

// The warps that share the entries of a near cache.
enum class NearScope : std::uint8_t { warp, pool };

constexpr std::array<std::string_view, 2> names(NearScope) {
  return {"warp", "pool"};
}

class NearOperandCache final : public OperandCachePolicy {
 public:
  // `entries`, at least 1, of each warp or of the pool.
  NearOperandCache(unsigned warp_slots, unsigned entries, NearScope scope);

  Lookup read(const Instruction& i, unsigned source) override;
  void issued(const Instruction& i) override;
  bool keeps_fills() const override { return true; }
  bool filled(const Instruction& i, unsigned source, const Version& version) override;
  std::uint8_t to_banks(const Instruction&) const override { return 0xff; }
  bool written(const Instruction& i, unsigned destination) override;
  void contents(unsigned warp_slot, std::vector<Kept>& kept) const override;
  std::optional<std::uint64_t> unread() const override { return unread_in(stores_); }
  std::optional<std::uint64_t> taken_from_others() const override {
    return scope_ == NearScope::pool ? std::optional<std::uint64_t>(taken_from_others_) : std::nullopt;
  }

 private:
  enum class State : std::uint8_t {
    empty,
    awaits_source,  // the banks are to bring the value to the instruction that took the entry
    awaits_result,  // that instruction is to write the value; a partial result completes `version`
    filled,
  };
  struct Entry {
    Version version;
    std::uint64_t use = 0;       // a larger number is more recent
    std::uint64_t sequence = 0;  // of the instruction that fills the entry, and its operand, sources from 0
    std::uint32_t warp_uid = 0;
    std::uint16_t warp_slot = 0;
    std::uint8_t operand = 0;
    Register reg = 0;
    State state = State::empty;
    bool completes = false;  // the awaited result keeps other lanes of `version`
    bool unread = false;     // a result that has not been read here
  };
  struct Store {
    std::vector<Entry> entries;
  };

  std::size_t store_of(unsigned warp_slot) const { return scope_ == NearScope::pool ? 0 : warp_slot; }
  std::vector<Entry>& entries_of(unsigned warp_slot) { return stores_[store_of(warp_slot)].entries; }
  Entry* find(const Instruction& i, Register r);
  Entry& take(const Instruction& i, Register r);
  void await_result(const Instruction& i, unsigned destination);
  void drop_all(const Instruction& i);

  NearScope scope_;
  std::vector<Store> stores_;
  std::uint64_t clock_ = 0, taken_from_others_ = 0;
};

class NearOperandCacheChoice final : public OperandCacheChoice {
 public:
  NearScope scope = NearScope::warp;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters& p,
                                           unsigned warp_slots) const override;
  bool writes_back() const override { return false; }
  std::uint64_t entries_of_all(std::uint32_t warps, std::uint32_t entries) const override {
    return scope == NearScope::pool ? entries : OperandCacheChoice::entries_of_all(warps, entries);
  }
  void inventory(Inventory& list, std::uint32_t warps, std::uint32_t entries,
                 std::uint32_t ports) const override;
};

}  // namespace subcore
