// Software RFC: by example, and with every operand right over random plans.
#include <optional>

#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/software_rfc.h"
#include "tests/unit/kept_registers.h"
#include "tests/unit/operand_cache_rig.h"

namespace software_rfc_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr OperandPlace orf(unsigned entry) {
  return {OperandLevel::orf, static_cast<std::uint8_t>(entry)};
}
constexpr OperandPlace lrf(unsigned entry) {
  return {OperandLevel::lrf, static_cast<std::uint8_t>(entry)};
}

}  // namespace

TEST_CASE("software RFC: a value is read from where the compiler put it, and from nowhere else") {
  SoftwareRfc levels(1, 3, 1, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& i = warp.add({1, 2, 3}, {});
  const Instruction& reader = warp.add({}, {1, 2, 3});
  Annotation& h = warp.annotation(0);
  h.write_to = {orf(2), lrf(0), {}};
  h.write_banks = 0b101;
  warp.annotation(1).read_from = {orf(2), lrf(0), {}};
  levels.issued(i);
  CHECK(levels.to_banks(i) == 0b101);  // R1 and R3, and R2 nowhere else
  CHECK(levels.written(i, 0));
  CHECK(levels.written(i, 1));
  CHECK_FALSE(levels.written(i, 2));
  CHECK(levels.read(reader, 0).hit);
  CHECK(levels.read(reader, 0).version.write == 1);
  CHECK(levels.read(reader, 1).hit);
  CHECK_FALSE(levels.read(reader, 2).hit);
  CHECK_FALSE(levels.read(reader, 0).searched);  // tags are not compared
  CHECK(levels.fallbacks() == 0);
  warp.annotation(1).read_from = {orf(1), orf(0), {}};
  CHECK_FALSE(levels.read(reader, 0).hit);  // not there: the banks
  CHECK_FALSE(levels.read(reader, 1).hit);
  CHECK(levels.fallbacks() == 2);
}

TEST_CASE("software RFC: a waveform shows values that have come, those of the ORF first") {
  SoftwareRfc levels(2, 3, 1, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& i = warp.add({1, 2}, {});
  warp.annotation(0).write_to = {lrf(0), orf(2), {}};
  const auto kept = [&](unsigned warp_slot) { return test::kept_registers(levels, warp_slot); };
  levels.issued(i);
  CHECK(kept(0).empty());
  CHECK(levels.written(i, 0));
  CHECK(kept(0) == std::vector<Register>{1});
  CHECK(levels.written(i, 1));
  CHECK(kept(0) == std::vector<Register>{2, 1});
  CHECK(kept(1).empty());
}

TEST_CASE("software RFC: what a level does not have goes to the banks, and without hints everything does") {
  SoftwareRfc levels(1, 1, 0, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& i = warp.add({1, 2, 3}, {4});
  CHECK(levels.to_banks(i) == 0xff);
  CHECK_FALSE(levels.read(i, 0).hit);
  levels.issued(i);
  CHECK_FALSE(levels.written(i, 0));
  CHECK_FALSE(levels.filled(i, 0, {0}));
  Annotation& h = warp.annotation(0);
  h.write_to = {orf(0), orf(1), lrf(0)};
  h.write_banks = 0;
  levels.issued(i);
  CHECK(levels.to_banks(i) == 0b110);
  CHECK(levels.written(i, 0));
  CHECK_FALSE(levels.written(i, 1));
  CHECK_FALSE(levels.written(i, 2));
}

TEST_CASE("software RFC: a strand starts with nothing, and so does another warp") {
  SoftwareRfc levels(2, 2, 1, PartialWrite::safe);
  CachedWarp warp(5), other(6), beside(7, 1);
  const auto fill = [&] {
    const Instruction& i = warp.add({1}, {});
    warp.annotation(i.sequence).write_to[0] = orf(0);
    levels.issued(i);
    CHECK(levels.written(i, 0));
  };
  const auto found = [&](CachedWarp& w, bool strand) {
    const Instruction& i = w.add({}, {1});
    w.annotation(i.sequence).read_from[0] = orf(0);
    w.annotation(i.sequence).strand_start = strand;
    return levels.read(i, 0).hit;
  };
  fill();
  CHECK(found(warp, false));
  CHECK_FALSE(found(beside, false));
  CHECK(found(warp, false));
  CHECK_FALSE(found(warp, true));
  CHECK_FALSE(found(warp, false));
  fill();
  CHECK_FALSE(found(other, false));
  CHECK_FALSE(found(warp, false));
  fill();
  levels.leave(0);
  CHECK_FALSE(found(warp, false));
  CHECK(levels.dirty().empty());
}

TEST_CASE("software RFC: the instruction that starts a strand keeps what it puts there itself") {
  SoftwareRfc levels(1, 1, 1, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& first = warp.add({2}, {1, 3});
  Annotation& h = warp.annotation(0);
  h.strand_start = true;
  h.keep_source = 0b01;
  h.write_to[0] = lrf(0);
  CHECK_FALSE(levels.read(first, 0).hit);
  CHECK_FALSE(levels.read(first, 1).hit);
  levels.issued(first);
  CHECK(levels.filled(first, 0, {4}));
  CHECK_FALSE(levels.filled(first, 1, {4}));
  CHECK(levels.written(first, 0));
  const Instruction& second = warp.add({}, {1, 2});
  warp.annotation(1).read_from = {orf(0), lrf(0)};
  CHECK(levels.read(second, 0).version.write == 4);
  CHECK(levels.read(second, 1).hit);
}

TEST_CASE("software RFC: of two writers of one entry the younger fills it, whoever is first") {
  SoftwareRfc levels(1, 1, 0, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& older = warp.add({1}, {});
  const Instruction& younger = warp.add({2}, {});
  for (std::size_t n = 0; n < 2; ++n) warp.annotation(n).write_to[0] = orf(0);
  levels.issued(older);
  levels.issued(younger);
  CHECK_FALSE(levels.written(older, 0));
  CHECK(levels.written(younger, 0));
  CHECK_FALSE(levels.written(older, 0));
  const Instruction& reader = warp.add({}, {1, 2});
  warp.annotation(2).read_from = {orf(0), orf(0)};
  CHECK_FALSE(levels.read(reader, 0).hit);
  CHECK(levels.read(reader, 1).hit);
}

TEST_CASE("software RFC: a kept source that is still on its way is read from the banks") {
  SoftwareRfc levels(1, 1, 0, PartialWrite::safe);
  CachedWarp warp;
  const Instruction& keeper = warp.add({}, {1});
  warp.annotation(0).keep_source = 1;
  const Instruction& reader = warp.add({}, {1});
  warp.annotation(1).read_from[0] = orf(0);
  const Instruction& taker = warp.add({}, {2});
  warp.annotation(2).keep_source = 1;
  levels.read(keeper, 0);
  levels.issued(keeper);
  CHECK_FALSE(levels.read(reader, 0).hit);
  CHECK(levels.fallbacks() == 1);
  CHECK(levels.filled(keeper, 0, {3}));
  CHECK(levels.read(reader, 0).version.write == 3);
  levels.issued(taker);
  CHECK_FALSE(levels.read(reader, 0).hit);
  CHECK_FALSE(levels.filled(keeper, 0, {3}));  // too late: the entry belongs to another register by now
  CHECK(levels.filled(taker, 0, {1}));
}

TEST_CASE("software RFC: a newer result takes older copies of its register away, wherever it goes itself") {
  for (const bool to_level : {true, false}) {
    SoftwareRfc levels(1, 2, 0, PartialWrite::safe);
    CachedWarp warp;
    const Instruction &older = warp.add({1}, {}), &newer = warp.add({1}, {}), &other = warp.add({}, {1}),
                      &merges = warp.add({1}, {}, 0xff);
    warp.annotation(0).write_to[0] = orf(0);
    if (to_level) warp.annotation(1).write_to[0] = orf(1);
    warp.annotation(2).read_from[0] = orf(0);
    warp.annotation(3).write_to[0] = orf(0);
    levels.issued(older);
    CHECK(levels.written(older, 0));
    CHECK(levels.read(other, 0).hit);
    levels.issued(newer);
    CHECK_FALSE(levels.read(other, 0).hit);
    CHECK(levels.written(newer, 0) == to_level);
    // Some lanes of a third one are not merged with the first one's.
    levels.issued(merges);
    CHECK_FALSE(levels.written(merges, 0));
    CHECK_FALSE(levels.read(other, 0).hit);
  }
}

TEST_CASE("software RFC: what comes for a warp that is gone is dropped") {
  SoftwareRfc levels(1, 2, 0, PartialWrite::safe);
  CachedWarp warp(1), next(2);
  const Instruction& old = warp.add({1}, {2});
  warp.annotation(0).write_to[0] = orf(0);
  warp.annotation(0).keep_source = 1;
  warp.annotation(0).keep_entry[0] = 1;
  levels.issued(old);
  const Instruction& young = next.add({1}, {2});  // the same sequence number
  next.annotation(0) = *old.code->annotation;
  levels.issued(young);
  CHECK_FALSE(levels.written(old, 0));
  CHECK_FALSE(levels.filled(old, 0, {9}));
  CHECK(levels.written(young, 0));
  CHECK(levels.filled(young, 0, {0}));
}

TEST_CASE("software RFC: a partial result goes to the banks, and to a level only where the others are") {
  for (const PartialWrite p : {PartialWrite::safe, PartialWrite::ignore}) {
    const bool safe = p == PartialWrite::safe;
    SoftwareRfc levels(1, 2, 0, p);
    CachedWarp warp;
    const Instruction& whole = warp.add({1}, {});
    const Instruction& merges = warp.add({1}, {}, 0xff);
    const Instruction& alone = warp.add({2}, {}, 0xff);
    for (std::size_t n = 0; n < 3; ++n) {
      warp.annotation(n).write_to[0] = orf(n == 2 ? 1 : 0);
      warp.annotation(n).write_banks = 0;
    }
    levels.issued(whole);
    CHECK(levels.to_banks(whole) == 0);
    CHECK(levels.written(whole, 0));
    levels.issued(merges);
    CHECK(levels.to_banks(merges) == (safe ? 0xff : 0));
    CHECK(levels.written(merges, 0));
    levels.issued(alone);
    CHECK(levels.to_banks(alone) == (safe ? 0xff : 0));
    CHECK(levels.written(alone, 0) != safe);
  }
}

namespace {

// A program and a plan for it, drawn together. A value is read only if it can be read somewhere, and from
// there.
class Plan {
 public:
  Plan(CachedWarp& warp, Random& random, unsigned orf_entries, unsigned lrf_entries, unsigned registers)
      : warp_(warp), random_(random), orf_(orf_entries), entries_(orf_entries + lrf_entries) {
    in_banks_.assign(registers, true);
    holds_.resize(entries_);
  }
  void add() {
    const bool strand = warp_.all.empty() || random_.below(12) == 0;
    if (strand) holds_.assign(entries_, std::nullopt);
    std::set<Register> sources, destinations;
    const auto any = [&] { return static_cast<Register>(random_.below(registers())); };
    for (unsigned s = random_.below(4); s > 0; --s) {
      const Register r = any();
      if (in_banks_[r] || entry_of(r) < entries_) sources.insert(r);
    }
    for (unsigned d = random_.below(3); d > 0; --d) destinations.insert(any());
    const unsigned lanes = random_.below(12);
    const std::uint32_t mask = lanes == 0 ? 0u : lanes < 3 ? 0xffu : ~0u;
    warp_.add({destinations.begin(), destinations.end()}, {sources.begin(), sources.end()}, mask,
              random_.below(5) == 0);
    Annotation& h = warp_.annotation(warp_.all.size() - 1);
    h.strand_start = strand;
    if (mask == 0) return;
    unsigned n = 0;
    std::vector<std::optional<Register>> kept(orf_);
    for (const Register r : sources) read(h, n++, r, kept);
    for (unsigned e = 0; e < orf_; ++e) {
      if (kept[e]) holds_[e] = kept[e];
    }
    n = 0;
    h.write_banks = 0;
    unsigned used = 0;  // levels are sets of entries here
    for (const Register r : destinations) write(h, n++, r, mask != ~0u, used);
  }

 private:
  unsigned registers() const { return static_cast<unsigned>(in_banks_.size()); }
  OperandPlace place(unsigned entry) const { return entry < orf_ ? orf(entry) : lrf(entry - orf_); }
  unsigned entry_of(Register r) const {
    unsigned e = 0;
    while (e < entries_ && holds_[e] != r) ++e;
    return e;
  }
  void read(Annotation& h, unsigned s, Register r, std::vector<std::optional<Register>>& kept) {
    const unsigned e = entry_of(r);
    if (e < entries_ && (!in_banks_[r] || random_.below(3) != 0)) {
      h.read_from[s] = place(e);
    } else if (e == entries_ && orf_ != 0 && random_.below(3) == 0) {
      const unsigned entry = random_.below(orf_);
      if (kept[entry]) return;
      kept[entry] = r;
      h.keep_source = h.keep_source | 1u << s;
      h.keep_entry[s] = static_cast<std::uint8_t>(entry);
    }
  }
  void write(Annotation& h, unsigned d, Register r, bool partial, unsigned& used) {
    const unsigned old = entry_of(r), any = random_.below(entries_ + 1);
    const auto bit = static_cast<std::uint8_t>(1u << d);
    if (partial) {  // into the entry that has the other lanes; the banks merge, if they can
      h.write_banks = static_cast<std::uint8_t>(h.write_banks | bit);
      if (old < entries_) h.write_to[d] = place(old);
      return;
    }
    if (old < entries_) holds_[old] = std::nullopt;
    const bool has_entry = any < entries_ && (used >> any & 1u) == 0;
    in_banks_[r] = !has_entry || random_.below(2) == 0;
    if (in_banks_[r]) h.write_banks = static_cast<std::uint8_t>(h.write_banks | bit);
    if (!has_entry) return;
    used |= 1u << any;
    h.write_to[d] = place(any);
    holds_[any] = r;
  }

  CachedWarp& warp_;
  Random& random_;
  unsigned orf_, entries_;
  std::vector<bool> in_banks_;
  std::vector<std::optional<Register>> holds_;
};

}  // namespace

TEST_CASE("software RFC: every operand is right, whatever comes when") {
  CacheRig::Counters sum;
  std::uint64_t fallbacks = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const unsigned orf_entries = 1 + random.below(4), lrf_entries = random.below(3);
    SoftwareRfc levels(1, orf_entries, lrf_entries, PartialWrite::safe);
    CacheRig rig(levels, random, true);
    for (std::uint32_t uid = 1; uid <= 3; ++uid) {
      INFO("seed " << seed << ", warp " << uid);
      CachedWarp warp(uid);
      Plan plan(warp, random, orf_entries, lrf_entries, 4 + random.below(12));
      for (unsigned n = 0; n < 100; ++n) plan.add();
      rig.run(warp);
    }
    CHECK(rig.counters.write_backs == 0);
    fallbacks += levels.fallbacks();
    sum.hits += rig.counters.hits;
    sum.kept_from_banks += rig.counters.kept_from_banks;
    sum.leaves += rig.counters.leaves;
    sum.fills += rig.counters.fills;
  }
  CHECK(sum.hits > 5000);
  CHECK(sum.kept_from_banks > 5000);
  CHECK(sum.leaves > 700);
  CHECK(sum.fills > 1000);
  CHECK(fallbacks > 50);
}

}  // namespace software_rfc_policy_test
