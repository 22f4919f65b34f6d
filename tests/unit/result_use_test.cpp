// Counts of the results in a register cache: read there, or gone unread. Over random programs the rig of the
// operand caches (operand_cache_rig.h) and the random windows check the same.
#include "subcore/model/policy/result_use.h"

#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/ltrf.h"
#include "subcore/model/policy/operand_cache/register_cache.h"
#include "subcore/model/policy/operand_cache/rfc.h"
#include "subcore/model/policy/operand_cache/software_rfc.h"
#include "subcore/model/statistics/statistics.h"
#include "tests/unit/annotated_warp.h"
#include "tests/unit/kept_registers.h"
#include "tests/unit/operand_cache_rig.h"
#include "tests/unit/tracked_window.h"

namespace result_use_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Counts = std::vector<std::uint64_t>;  // used, unused, unread

Counts of(const OperandCachePolicy& p) {
  return {p.use().used, p.use().unused, p.unread().value()};
}

Counts of(const BypassWindow& w) {
  return {w.use().use().used, w.use().use().unused, w.use().unread()};
}

void write(OperandCachePolicy& policy, const Instruction& i) {
  for (unsigned d = 0; d < i.destination_count; ++d) CHECK(policy.written(i, d));
}

}  // namespace

TEST_CASE("a result counts once: as used when it is read first, else as unused when it goes") {
  EntryUse use;
  const auto counts = [&] { return Counts{use.use().used, use.use().unused, use.unread()}; };
  use.written(0);
  use.written(63);
  CHECK(counts() == Counts{0, 0, 2});
  use.read(63);
  use.read(63);
  use.read(1);
  use.gone(63);
  CHECK(counts() == Counts{1, 0, 1});
  use.written(0);
  use.gone(2);
  CHECK(counts() == Counts{1, 1, 1});
  use.written(5);
  use.all_gone();
  use.all_gone();
  CHECK(counts() == Counts{1, 3, 0});
}

TEST_CASE("RFC: results are used, overwritten, displaced, outdated and flushed") {
  Rfc cache(1, 2, PartialWrite::safe);
  std::vector<Register> missing;
  cache.enter(0, Instruction{}, missing);
  CachedWarp warp;
  write(cache, warp.add({1}, {}));
  write(cache, warp.add({2}, {}));
  CHECK(cache.read(warp.add({}, {1}), 0).hit);
  CHECK(cache.read(warp.add({}, {1}), 0).hit);
  CHECK(of(cache) == Counts{1, 0, 1});
  write(cache, warp.add({1}, {}));  // over a result that was read
  write(cache, warp.add({2}, {}));  // over a result that was not read
  CHECK(of(cache) == Counts{1, 1, 2});
  write(cache, warp.add({3}, {}));  // displaces R1
  CHECK(of(cache) == Counts{1, 2, 2});
  cache.issued(warp.add({2}, {}, ~0u, true));
  CHECK(of(cache) == Counts{1, 3, 1});
  cache.leave(0);
  CHECK(of(cache) == Counts{1, 4, 0});
}

TEST_CASE("LTRF: results are used, overwritten, and leave with their interval") {
  const RegisterSet first = RegisterSet{}.set(1).set(2), second = RegisterSet{}.set(2);
  Ltrf partition(1, false, PartialWrite::safe);
  CachedWarp warp;
  const auto add = [&](const RegisterSet& set, const std::vector<Register>& destinations,
                       const std::vector<Register>& sources) -> Instruction& {
    Instruction& i = warp.add(destinations, sources);
    warp.annotation(i.sequence).working_set = &set;
    return i;
  };
  std::vector<Register> missing;
  partition.enter(0, add(first, {}, {}), missing);
  partition.fetched(0, 1, {0});
  partition.fetched(0, 2, {0});
  CHECK(partition.read(add(first, {}, {1}), 0).hit);  // a fetched value is no result
  write(partition, add(first, {1}, {}));
  write(partition, add(first, {2}, {}));
  CHECK(partition.read(add(first, {}, {2}), 0).hit);
  write(partition, add(first, {2}, {}));
  write(partition, add(first, {2}, {}));
  CHECK(of(partition) == Counts{1, 1, 2});
  partition.enter(0, add(second, {}, {}), missing);
  CHECK(of(partition) == Counts{1, 2, 1});
  partition.leave(0);
  CHECK(of(partition) == Counts{1, 3, 0});
}

TEST_CASE("software RFC: results are used, and gone where their entry has another use") {
  SoftwareRfc cache(1, 2, 0, PartialWrite::safe);
  CachedWarp warp;
  const auto writer = [&](Register r, std::uint8_t entry) {
    Instruction& i = warp.add({r}, {});
    warp.annotation(i.sequence).write_to[0] = {OperandLevel::orf, entry};
    cache.issued(i);
    write(cache, i);
  };
  writer(1, 0);
  writer(2, 1);
  Instruction& reader = warp.add({}, {1});
  warp.annotation(reader.sequence).read_from[0] = {OperandLevel::orf, 0};
  CHECK(cache.read(reader, 0).hit);
  CHECK(of(cache) == Counts{1, 0, 1});
  writer(3, 1);
  CHECK(of(cache) == Counts{1, 1, 1});
  writer(3, 0);  // the copy in entry 1 is outdated
  CHECK(of(cache) == Counts{1, 2, 1});
  cache.leave(0);
  CHECK(of(cache) == Counts{1, 3, 0});
}

TEST_CASE("register cache: results are used, displaced, or dropped with another copy or warp") {
  RegisterCacheParameters p;
  p.entries = 2;
  p.ways = 1;
  p.allocation = RegisterCacheAllocation::write;
  RegisterCache cache(1, p, PartialWrite::safe);
  CachedWarp warp, other(2);
  const auto writer = [&](CachedWarp& w, Register r) {
    Instruction& i = w.add({r}, {});
    cache.issued(i);
    write(cache, i);
  };
  writer(warp, 2);  // set 0
  writer(warp, 1);  // set 1
  Instruction& reader = warp.add({}, {2});
  cache.read(reader, 0);
  CHECK(of(cache) == Counts{1, 0, 1});
  writer(warp, 3);
  CHECK(of(cache) == Counts{1, 1, 1});
  writer(warp, 3);
  CHECK(of(cache) == Counts{1, 2, 1});
  writer(other, 4);
  CHECK(of(cache) == Counts{1, 3, 1});
}

TEST_CASE("register cache: a waveform shows results, and whether the banks have them, set by set") {
  RegisterCacheParameters p;
  p.entries = 2;
  p.ways = 1;
  p.allocation = RegisterCacheAllocation::write;
  p.write = GENERATE(RegisterCacheWrite::write_back, RegisterCacheWrite::write_through);
  const bool is_dirty = p.write == RegisterCacheWrite::write_back;
  RegisterCache cache(2, p, PartialWrite::safe);
  CachedWarp warp;
  const auto kept = [&](unsigned warp_slot) { return test::kept_registers(cache, warp_slot, is_dirty); };
  const auto writer = [&](Register r) {
    Instruction& i = warp.add({r}, {});
    cache.issued(i);
    write(cache, i);
  };
  CHECK(kept(0).empty());
  writer(3);  // set 1
  CHECK(kept(0) == std::vector<Register>{3});
  writer(2);  // set 0
  CHECK(kept(0) == std::vector<Register>{2, 3});
  CHECK(kept(1).empty());
}

TEST_CASE("window: results are used, overwritten, or left behind") {
  BypassWindowOptions o;
  o.instructions = 2;
  o.entries = 2;
  TrackedWindow window(o);
  AnnotatedWarp warp;
  const auto whole = [&](Instruction& i) {
    window.dispatched(window.insert(i).index);
    for (unsigned d = 0; d < i.destination_count; ++d)
      CHECK(window.result(i.destination(d), RegisterWrite::of(i, d), false));
  };
  whole(warp.add({1}, {}));
  CHECK(of(window) == Counts{0, 0, 1});
  whole(warp.add({2}, {1}));
  CHECK(of(window) == Counts{1, 0, 1});
  whole(warp.add({2}, {}));  // over a result that was not read, while R1 slides out
  CHECK(of(window) == Counts{1, 1, 1});
  whole(warp.add({}, {}));
  whole(warp.add({}, {}));
  CHECK(of(window) == Counts{1, 2, 0});
  whole(warp.add({3}, {}));
  window.flush();
  CHECK(of(window) == Counts{1, 3, 0});
  whole(warp.add({4}, {}));
  window.reset();
  CHECK(of(window) == Counts{1, 4, 0});
}

TEST_CASE("a sum that does not hold within a module is named") {
  StatisticsGroup root{"root"};
  std::uint64_t writes = 5;
  ResultUse use;
  use.used = use.unused = 2;
  double left = 1;
  StatisticsGroup& module = root.group("sm_0").group("collector_1");
  module.counter("cache_writes", "operands", "", writes);
  CHECK(unequal_sum(root) == "");  // modules of this kind do not count it
  register_use(module, use, [&] { return left; });
  CHECK(unequal_sum(root) == "");
  left = 0;
  CHECK(
      unequal_sum(root) ==
      "root.sm_0.collector_1: cache_writes_used + cache_writes_unused + cache_writes_left are 4; expected 5, "
      "as cache_writes");
}

}  // namespace result_use_test
