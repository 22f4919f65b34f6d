// Versions, compared with a simple reference: a copy that keeps the number of the last write for each lane.
#include "subcore/model/trace/program_order.h"

#include <array>
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/random.h"
#include "subcore/model/trace/trace.h"

namespace program_order_test {

using namespace subcore;

namespace {

constexpr Register reg = 12;
constexpr std::uint32_t low = 0x0000ffff, high = 0xffff0000;

// A warp's program of writes and reads of one register, with the instructions that a trace player makes of
// it.
class Writes {
 public:
  // `before`: how many writes earlier warps in the slot have made.
  explicit Writes(std::uint32_t before = 0) : count_(before) {}

  void write(std::uint32_t mask) { add(true, false, mask); }
  void read(std::uint32_t mask) { add(false, true, mask); }
  void update(std::uint32_t mask) { add(true, true, mask); }  // reads it and writes it
  Instruction& operator[](std::size_t n) { return *all_[n]; }
  std::size_t size() const { return all_.size(); }
  bool writes(std::size_t n) const { return all_[n]->destination_count != 0; }

 private:
  void add(bool write, bool read, std::uint32_t mask) {
    const auto index = static_cast<std::uint32_t>(code_.instructions.size());
    StaticInstruction& s = code_.instructions.emplace_back();
    s.index = index;
    s.destination_count = write;
    s.source_count = read;
    s.destinations[0] = s.sources[0] = reg;
    warp_.records.push_back({index, mask});
    auto i = std::make_unique<Instruction>();
    i->code = &s;
    i->sequence = index;
    i->mask = mask;
    i->warp_slot = 3;
    i->warp = &warp_;
    i->code_table = &code_;
    i->source_count = s.source_count;
    i->destination_count = s.destination_count;
    i->operands[0].expected = count_;
    if (write) {
      i->first = i->fresh = first_ ? 1 : 0;
      i->produced[0] = ++count_;
      first_ = false;
    }
    all_.push_back(std::move(i));
  }

  CodeTable code_;
  WarpTrace warp_;
  std::vector<std::unique_ptr<Instruction>> all_;
  std::uint32_t count_;
  bool first_ = true;
};

std::uint32_t wrong(Instruction& reader, const Version& copy) {
  reader.operands[0].collected = copy;
  return wrong_lanes(reader, 0);
}

}  // namespace

TEST_CASE("a reader asks for its own lanes only") {
  Writes w;
  w.write(~0u);  // 1
  w.write(low);  // 2, the other path's
  w.read(high);
  w.read(low);
  w.read(~0u);
  const Version first = w[0].result(0), both = merged(first, w[1], 0);
  CHECK(wrong(w[2], first) == 0);
  CHECK(wrong(w[2], both) == 0);
  CHECK(wrong(w[3], first) == low);
  CHECK(wrong(w[3], both) == 0);
  CHECK(wrong(w[4], first) == low);
  CHECK(wrong(w[4], both) == 0);
}

TEST_CASE("a late result of one path is merged with what the other has written meanwhile") {
  Writes w;
  w.write(~0u);   // 1
  w.write(low);   // 2, late
  w.write(high);  // 3
  w.write(high);  // 4
  w.read(low);
  w.read(high);
  w.read(~0u);
  Version bank = merged(w[0].result(0), w[2], 0);
  bank = merged(bank, w[3], 0);
  CHECK(wrong(w[4], bank) == low);
  CHECK(wrong(w[5], bank) == 0);
  CHECK(wrong(w[6], bank) == low);
  bank = merged(bank, w[1], 0);
  for (const std::size_t reader : {4, 5, 6}) CHECK(wrong(w[reader], bank) == 0);
}

TEST_CASE("a late result that covers a younger one is seen in the lanes that it covers") {
  Writes w;
  w.write(~0u);
  w.write(low);   // late
  w.write(0xff);  // and not waited for
  w.read(~0u);
  w.read(0xff);
  Version bank = merged(w[0].result(0), w[2], 0);
  CHECK(wrong(w[3], bank) == (low & ~0xffu));
  CHECK(wrong(w[4], bank) == 0);  // the older write does not need lanes that the younger one covers
  bank = merged(bank, w[1], 0);
  CHECK(wrong(w[3], bank) == 0xff);
  bank = merged(w[2].result(0), w[0], 0);  // the same with a result of all lanes
  CHECK(wrong(w[3], bank) == low);
}

TEST_CASE(
    "a reader that is late may find what the other path has written behind it, but nothing of its own") {
  Writes w;
  w.write(~0u);
  w.read(low);
  w.write(high);
  w.write(low);
  const Version others = merged(w[0].result(0), w[2], 0);
  CHECK(wrong(w[1], others) == 0);
  CHECK(wrong(w[1], merged(others, w[3], 0)) == low);
}

TEST_CASE("a version is that of one register of one warp slot") {
  Writes w;
  w.write(~0u);
  w.read(~0u);
  const Version own = w[0].result(0);
  CHECK(wrong(w[1], own) == 0);
  for (const std::uint32_t other : {register_id(0, 3, 13), register_id(0, 2, reg), register_id(1, 3, reg)})
    CHECK(wrong(w[1], {own.write, 0, other, 0}) == ~0u);
  w[1].mask = 0;  // even where no lane is read
  CHECK(wrong(w[1], {own.write, 0, register_id(0, 2, reg), 0}) != 0);
}

TEST_CASE("lanes that a warp has not written hold what was there before it, and nothing newer") {
  Writes w(7);
  w.read(~0u);
  w.write(low);  // 8
  w.read(high);
  w.read(~0u);
  w.write(high);  // 9
  const std::uint32_t place = w[0].register_id(reg);
  const Version before{7, 0, place, 0}, older{2, low, place, 0}, torn{7, high, place, 5};
  for (const Version& v : {Version{}, before, older, torn}) {
    CHECK(wrong(w[0], v) == 0);
    CHECK(wrong(w[2], merged(v, w[1], 0)) == 0);
    CHECK(wrong(w[3], merged(v, w[1], 0)) == 0);
    CHECK(wrong(w[3], v) == low);
  }
  const Version first = merged(before, w[1], 0);
  CHECK(wrong(w[0], first) == low);
  CHECK(wrong(w[2], merged(first, w[4], 0)) == high);
  // Later writes than this warp has are another's, even if there is only one. The warp's last write is 9.
  for (const std::uint32_t later : {10u, 12u}) CHECK(wrong(w[3], {later, 0, place, 0}) == ~0u);
  CHECK(wrong(w[0], {7, 0, register_id(0, 4, reg), 0}) ==
        ~0u);  // a copy from another slot never has the value from before the warp
  CHECK(w[1].result_alone(0).lost == 0);
  CHECK(w[4].result_alone(0).lost == low);
}

// A version names missing writes up to 32 back. The version of write 34 can still name write 2, and that of
// write 35 cannot.
TEST_CASE("a result that is more than 32 writes late counts as lost in its lanes until it comes") {
  Writes w;
  w.write(~0u);  // 1
  w.write(low);  // 2, late
  for (unsigned n = 3; n <= 35; ++n) w.write(high);
  w.read(low);
  w.read(high);
  Version bank = w[0].result(0);
  for (std::size_t n = 2; n < 35; ++n) bank = merged(bank, w[n], 0);
  CHECK(wrong(w[35], bank) == low);
  CHECK(wrong(w[36], bank) == 0);
  bank = merged(bank, w[1], 0);
  for (const std::size_t reader : {35, 36}) CHECK(wrong(w[reader], bank) == 0);
}

TEST_CASE("without a program, lanes that may have been written meanwhile count as behind") {
  Writes w;
  w.write(~0u), w.write(low), w.write(high), w.read(low), w.read(high);
  for (std::size_t n = 0; n < w.size(); ++n) w[n].warp = nullptr;
  CHECK(merged(w[0].result(0), w[1], 0) == w[1].result(0));
  const Version gap = merged(w[0].result(0), w[2], 0);
  CHECK(wrong(w[3], gap) == low);
  CHECK(wrong(w[4], gap) == 0);
}

namespace {

// By lane: the number of its last write; 0: the lane has the value from before the warp.
using Lanes = std::array<std::uint32_t, warp_lanes>;

void put(Lanes& lanes, std::uint32_t mask, std::uint32_t write) {
  for (const unsigned l : bits::each(mask)) lanes[l] = write;
}

std::uint32_t different(const Lanes& a, const Lanes& b) {
  std::uint32_t mask = 0;
  for (unsigned l = 0; l < warp_lanes; ++l)
    if (a[l] != b[l]) bits::add(mask, l);
  return mask;
}

std::uint32_t any_mask(Random& random) {
  constexpr std::uint32_t some[] = {~0u, ~0u, low, high, 0x55555555, 0xaaaaaaaa, 1, 0xf0};
  const unsigned n = random.below(10);
  return n < 8 ? some[n] : static_cast<std::uint32_t>(random.next() >> 32);
}

}  // namespace

TEST_CASE("copies that are merged in any order hold, lane by lane, what their versions say") {
  Random random(30);
  unsigned right = 0, stale = 0, late = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    const std::uint32_t before = random.below(3);
    Writes w(before);
    const unsigned length = 2 + random.below(14);
    for (unsigned n = 0; n < length; ++n) switch (random.below(3)) {
        case 0:
          w.write(any_mask(random));
          break;
        case 1:
          w.read(any_mask(random));
          break;
        default:
          w.update(any_mask(random));
      }
    // The lanes that program order demands of each reader.
    std::vector<Lanes> demanded;
    Lanes now{};
    for (std::size_t n = 0; n < w.size(); ++n) {
      demanded.push_back(now);
      if (w.writes(n)) put(now, w[n].mask, w[n].produced[0]);
    }
    // The warp executes in order, but holds some results back; if `safe`, only while no reader needs their
    // lanes.
    const bool safe = random.below(2) == 0;
    std::vector<std::size_t> held;
    Version copy{before, 0, w[0].register_id(reg), 0};
    Lanes truth{};
    const auto perform = [&](std::size_t n) {
      if (w[n].source_count != 0) {
        const std::uint32_t found = wrong(w[n], copy), really = different(truth, demanded[n]) & w[n].mask;
        CAPTURE(round, n, safe);
        REQUIRE((found & really) == really);  // every lane that is wrong is found
        if (safe) REQUIRE(found == 0);
        if (safe) REQUIRE(really == 0);
        ++(really == 0 ? right : stale);
      }
      if (!w.writes(n)) return;
      copy = merged(copy, w[n], 0);
      put(truth, w[n].mask, w[n].produced[0]);
    };
    // Whether instruction `n` has to wait for a result that is held back.
    const auto waits = [&](std::size_t n) {
      for (const std::size_t h : held)
        if ((w[h].mask & w[n].mask) != 0 && (w.writes(h) || w.writes(n))) return true;
      return false;
    };
    for (std::size_t n = 0; n < w.size(); ++n) {
      while (safe && waits(n)) {
        perform(held.front());
        held.erase(held.begin());
      }
      if (random.below(3) == 0) {
        held.push_back(n);
        ++late;
      } else {
        perform(n);
      }
      if (!safe && !held.empty() && random.below(3) == 0) {
        const auto any = held.begin() + random.below(static_cast<unsigned>(held.size()));
        const std::size_t next = *any;
        held.erase(any);
        perform(next);
      }
    }
    for (const std::size_t n : held) perform(n);
  }
  INFO(right << " right, " << stale << " stale, " << late << " late");
  CHECK(right > 5000);
  CHECK(stale > 1000);
  CHECK(late > 5000);
}

}  // namespace program_order_test
