#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/random.h"
#include "subcore/model/policy/replacement/cache_table.h"

namespace cache_table_policy_test {

using namespace subcore;

namespace {

std::unique_ptr<Replacement> replacement(const char* word, std::uint64_t seed) {
  return Chosen<ReplacementChoice>(word)->make(seed);
}

// Allocates as a collector does: entry, then touch with the operand's reuse bit.
unsigned put(CacheTable& t, Register r, bool near) {
  const unsigned i = t.allocate(r);
  t.touch(i, near);
  return i;
}

// A plain list of the values that the table must have, the most recently used last, without stamps or
// indices.
struct Reference {
  struct Line {
    Register tag;
    bool near, lock;
  };
  std::size_t capacity;
  std::vector<Line> lines;

  Line* find(Register tag) {
    for (Line& l : lines) {
      if (l.tag == tag) return &l;
    }
    return nullptr;
  }
  bool has_unlocked_or_room() const {
    return lines.size() < capacity ||
           std::any_of(lines.begin(), lines.end(), [](const Line& l) { return !l.lock; });
  }
  // The registers among which a replacement may choose.
  std::set<Register> victims(const std::string& kind) const {
    if (lines.size() < capacity) return {};
    std::set<Register> far;
    for (const Line& l : lines) {
      if (!l.lock && !l.near) far.insert(l.tag);
    }
    if (kind == "near_aware" && !far.empty()) return far;
    for (const Line& l : lines) {
      if (!l.lock) return {l.tag};
    }
    return {};
  }
  void erase(Register tag) {
    lines.erase(std::remove_if(lines.begin(), lines.end(), [&](const Line& l) { return l.tag == tag; }),
                lines.end());
  }
  void touch(Register tag, bool near) {
    Line l = *find(tag);
    l.near = near;
    erase(tag);
    lines.push_back(l);
  }
};

}  // namespace

TEST_CASE("an empty cache table holds nothing") {
  CacheTable t(8, replacement("lru", 1));
  CHECK(t.size() == 8);
  CHECK(t.find(0) == -1);  // though the tags are 0
  CHECK_FALSE(t.has_near());
}

TEST_CASE("invalid entries go first, even when there is a far one") {
  for (const auto kind : {"near_aware", "lru"}) {
    CacheTable t(4, replacement(kind, 1));
    std::set<unsigned> used;
    for (Register r = 10; r < 14; ++r) used.insert(put(t, r, false));
    CHECK(used.size() == 4);
    const int hole = t.find(12);
    REQUIRE(hole >= 0);
    t.invalidate(static_cast<unsigned>(hole));
    CHECK(t.find(12) == -1);
    CHECK(t.allocate(20) == static_cast<unsigned>(hole));
    for (const Register r : {Register{10}, Register{11}, Register{13}, Register{20}}) CHECK(t.find(r) >= 0);
  }
}

TEST_CASE("a new entry starts unlocked, far and without the old one's data") {
  CacheTable t(1, replacement("lru", 1));
  const unsigned i = put(t, 5, true);
  t.set_version(i, {77});
  CHECK(t.version(i).write == 77);
  t.allocate(6);
  CHECK(t.tag(i) == 6);
  CHECK(t.version(i).write == 0);
  CHECK_FALSE(t.near(i));
  CHECK_FALSE(t.locked(i));
}

TEST_CASE("lru takes the least recently touched") {
  CacheTable t(3, replacement("lru", 1));
  put(t, 1, true);
  put(t, 2, false);
  put(t, 3, false);
  t.touch(static_cast<unsigned>(t.find(1)), true);
  put(t, 4, false);
  CHECK(t.find(2) == -1);
  put(t, 5, false);
  CHECK(t.find(3) == -1);
  CHECK(t.find(1) >= 0);
}

TEST_CASE("near_aware evicts any of the far entries, whatever their age") {
  std::set<Register> evicted;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    CacheTable t(4, replacement("near_aware", seed));
    put(t, 1, true);
    put(t, 2, false);
    put(t, 3, false);
    put(t, 4, true);
    put(t, 5, true);
    CHECK(t.find(1) >= 0);
    CHECK(t.find(4) >= 0);
    for (const Register r : {Register{2}, Register{3}}) {
      if (t.find(r) < 0) evicted.insert(r);
    }
  }
  CHECK(evicted == std::set<Register>{2, 3});
}

TEST_CASE("near_aware falls back on LRU when all are near") {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    CacheTable t(3, replacement("near_aware", seed));
    for (Register r = 1; r <= 3; ++r) put(t, r, true);
    t.touch(static_cast<unsigned>(t.find(1)), true);
    put(t, 4, true);
    CHECK(t.find(2) == -1);
  }
}

TEST_CASE("locked entries stay, far or oldest") {
  CacheTable t(3, replacement("near_aware", 1));
  t.lock(put(t, 1, false));
  t.lock(put(t, 2, true));
  put(t, 3, true);
  put(t, 4, true);
  CHECK(t.find(1) >= 0);
  CHECK(t.find(2) >= 0);
  CHECK(t.find(3) == -1);
  t.unlock_all();
  put(t, 5, true);
  CHECK(t.find(1) == -1);  // far, and free to go now
}

TEST_CASE("a table with every entry locked has no victim") {
  CacheTable t(2, replacement("lru", 1));
  t.lock(put(t, 1, false));
  t.lock(put(t, 2, false));
  CHECK_THROWS_AS(t.allocate(3), std::logic_error);
}

TEST_CASE("has_near looks at valid entries and at the latest reuse bit") {
  CacheTable t(4, replacement("near_aware", 1));
  const unsigned i = put(t, 1, true);
  CHECK(t.has_near());
  t.touch(i, false);
  CHECK_FALSE(t.has_near());
  t.touch(i, true);
  t.invalidate(i);
  CHECK_FALSE(t.has_near());
}

TEST_CASE("an invalidated entry loses its lock") {
  CacheTable t(1, replacement("lru", 1));
  t.lock(put(t, 1, true));
  t.invalidate(0);
  CHECK_FALSE(t.valid(0));
  put(t, 2, true);
  CHECK_FALSE(t.locked(0));
  CHECK_NOTHROW(put(t, 3, true));
}

TEST_CASE("flush drops everything, locks included") {
  CacheTable t(4, replacement("near_aware", 1));
  for (Register r = 1; r <= 4; ++r) t.lock(put(t, r, true));
  t.flush();
  CHECK_FALSE(t.has_near());
  for (Register r = 1; r <= 4; ++r) CHECK(t.find(r) == -1);
  for (Register r = 5; r <= 8; ++r) CHECK_NOTHROW(put(t, r, false));
}

// Knows by the table's events alone which entries are taken and how often each was hit.
class Listener final : public Replacement {
 public:
  unsigned victim(const ReplacementView& view) override {
    CHECK((view.unlocked & ~taken) == 0);
    return bits::lowest(view.unlocked);
  }
  void inserted(unsigned entry) override {
    CHECK_FALSE(bits::has(taken, entry));
    bits::add(taken, entry);
    hits[entry] = 0;
  }
  void hit(unsigned entry, bool near) override {
    CHECK(bits::has(taken, entry));
    ++hits[entry];
    last_near = near;
  }
  void removed(unsigned entry) override {
    CHECK(bits::has(taken, entry));
    bits::remove(taken, entry);
  }

  std::uint64_t taken = 0;
  std::array<unsigned, 16> hits{};
  bool last_near = false;
};

TEST_CASE("a replacement policy hears of every insertion, hit and removal, once") {
  auto owned = std::make_unique<Listener>();
  Listener& heard = *owned;
  CacheTable t(2, std::move(owned));
  const unsigned a = put(t, 1, false);
  CHECK(heard.taken == bits::one<std::uint64_t>(a));
  CHECK(heard.hits[a] == 0);  // the entry was inserted for its first use
  t.touch(a, true);
  CHECK(heard.hits[a] == 1);
  CHECK(heard.last_near);
  const unsigned b = put(t, 2, false);
  t.lock(b);
  CHECK(put(t, 3, true) == a);
  CHECK(heard.hits[a] == 0);
  t.invalidate(a);
  t.invalidate(a);  // the entry is empty
  CHECK(heard.taken == bits::one<std::uint64_t>(b));
  t.flush();
  CHECK(heard.taken == 0);
}

TEST_CASE("by its events a replacement policy knows the table, whatever the traffic") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random r(seed);
    const unsigned entries = 1 + r.below(16);
    auto owned = std::make_unique<Listener>();
    Listener& heard = *owned;
    CacheTable t(entries, std::move(owned));
    std::array<unsigned, 16> hits{};
    for (int step = 0; step < 2000; ++step) {
      const auto tag = static_cast<Register>(r.below(2 * entries + 2));
      const unsigned what = r.below(100);
      const int i = t.find(tag);
      if (what < 2) {
        t.flush();
      } else if (i < 0) {
        hits[put(t, tag, what % 2 == 0)] = 0;
      } else if (what < 15) {
        t.invalidate(static_cast<unsigned>(i));
      } else {
        t.touch(static_cast<unsigned>(i), what % 2 == 0);
        ++hits[static_cast<unsigned>(i)];
      }
      REQUIRE(heard.taken == t.valid_mask());
      for (const unsigned e : bits::each(t.valid_mask())) REQUIRE(heard.hits[e] == hits[e]);
    }
  }
}

TEST_CASE("random traffic against a list in order of use") {
  for (const auto kind : {"near_aware", "lru"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random r(seed);
      const unsigned entries = 1 + r.below(16);
      CacheTable t(entries, replacement(kind, seed));
      Reference reference{entries, {}};
      for (int step = 0; step < 3000; ++step) {
        const auto tag = static_cast<Register>(r.below(2 * entries + 2));
        const unsigned what = r.below(100);
        if (what < 2) {
          t.flush();
          reference.lines.clear();
        } else if (what < 12) {
          t.unlock_all();
          for (auto& l : reference.lines) l.lock = false;
        } else if (const int i = t.find(tag); i >= 0) {
          REQUIRE(reference.find(tag) != nullptr);
          if (what < 20) {
            t.invalidate(static_cast<unsigned>(i));
            reference.erase(tag);
          } else {
            const bool near = what % 2 == 0;
            t.touch(static_cast<unsigned>(i), near);
            reference.touch(tag, near);
            if (what < 50) {
              t.lock(static_cast<unsigned>(i));
              reference.find(tag)->lock = true;
            }
          }
        } else {
          REQUIRE(reference.find(tag) == nullptr);
          if (!reference.has_unlocked_or_room()) {
            REQUIRE_THROWS_AS(t.allocate(tag), std::logic_error);
            continue;
          }
          const std::set<Register> candidates = reference.victims(kind);
          const bool near = what % 3 == 0;
          put(t, tag, near);
          std::set<Register> gone;
          for (const auto& l : reference.lines) {
            if (t.find(l.tag) < 0) gone.insert(l.tag);
          }
          REQUIRE(gone.size() == (candidates.empty() ? 0u : 1u));
          for (const Register g : gone) {
            REQUIRE(candidates.count(g) == 1);
            reference.erase(g);
          }
          reference.lines.push_back({tag, near, false});
        }
        bool any_near = false;
        for (const auto& l : reference.lines) any_near |= l.near;
        REQUIRE(t.has_near() == any_near);
      }
    }
  }
}

}  // namespace cache_table_policy_test
