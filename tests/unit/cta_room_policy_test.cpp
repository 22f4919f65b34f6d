#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/cta_room.h"
#include "subcore/model/policy/random.h"

namespace cta_room_policy_test {

using namespace subcore;

TEST_CASE("a CTA's registers come in blocks of 8 per thread") {
  CHECK(cta_needs(1, 0, 0).registers == 8 * 32);  // a header without nregs
  CHECK(cta_needs(1, 1, 0).registers == 8 * 32);
  CHECK(cta_needs(1, 8, 0).registers == 8 * 32);
  CHECK(cta_needs(1, 9, 0).registers == 16 * 32);
  CHECK(cta_needs(4, 255, 100).registers == 4 * 256 * 32);
  CHECK(cta_needs(4, 255, 100).warps == 4);
  CHECK(cta_needs(4, 255, 100).shared_memory_bytes == 100);
}

TEST_CASE("each resource alone can refuse a CTA") {
  const CtaRoom::Capacity capacity{2, 8, 1024, 4096};
  CHECK(CtaRoom(capacity).fits({8, 1024, 4096}));
  CHECK_FALSE(CtaRoom(capacity).fits({9, 0, 0}));
  CHECK_FALSE(CtaRoom(capacity).fits({1, 1025, 0}));
  CHECK_FALSE(CtaRoom(capacity).fits({1, 0, 4097}));
  CtaRoom room(capacity);
  room.take({1, 1, 1});
  CHECK(room.fits({1, 1, 1}));
  room.take({1, 1, 1});
  CHECK_FALSE(room.fits({0, 0, 0}));  // no CTA slot
}

TEST_CASE("what is given back can be taken again") {
  CtaRoom room({16, 32, 65536, 65536});
  const CtaNeeds all{32, 65536, 65536};
  room.take(all);
  CHECK_FALSE(room.fits({1, 0, 0}));
  room.give_back(all);
  CHECK(room.fits(all));
}

TEST_CASE("random arrivals and departures against sums over the resident CTAs") {
  Random r(17);
  const CtaRoom::Capacity capacity{5, 32, 40000, 49152};  // every limit binds now and then
  CtaRoom room(capacity);
  std::vector<CtaNeeds> resident;
  for (int step = 0; step < 20000; ++step) {
    if (!resident.empty() && r.below(3) == 0) {
      const unsigned leaver = r.below(static_cast<unsigned>(resident.size()));
      room.give_back(resident[leaver]);
      resident.erase(resident.begin() + leaver);
      continue;
    }
    const CtaNeeds n = cta_needs(1 + r.below(16), r.below(65), r.below(20000));
    std::uint64_t warps = n.warps, registers = n.registers, shared = n.shared_memory_bytes;
    for (const CtaNeeds& c : resident) {
      warps += c.warps;
      registers += c.registers;
      shared += c.shared_memory_bytes;
    }
    const bool expected = resident.size() < capacity.cta_slots && warps <= capacity.warps &&
                          registers <= capacity.registers && shared <= capacity.shared_memory_bytes;
    REQUIRE(room.fits(n) == expected);
    if (expected) {
      room.take(n);
      resident.push_back(n);
    }
  }
}

}  // namespace cta_room_policy_test
