#include <catch2/catch.hpp>

#include "subcore/model/policy/carve_out.h"
#include "subcore/model/policy/cta_room.h"

namespace carve_out_policy_test {

using namespace subcore;

TEST_CASE("the smallest carve-out that is enough for shared memory leaves the rest to the cache") {
  const CarveOut turing(96, {32, 64});
  CHECK(turing.cache_kilobytes(0) == 64);
  CHECK(turing.cache_kilobytes(32768) == 64);
  CHECK(turing.cache_kilobytes(32769) == 32);
  CHECK(turing.cache_kilobytes(65536) == 32);
  CHECK(turing.cache_kilobytes(1 << 20) == 32);  // no more can be had
  const CarveOut volta(128, {0, 8, 96});
  CHECK(volta.cache_kilobytes(0) == 128);
  CHECK(volta.cache_kilobytes(1) == 120);
  CHECK(volta.cache_kilobytes(8193) == 32);
  CHECK_FALSE(CarveOut().exists());
}

TEST_CASE("a list of carve-outs ascends, with one blank between two") {
  using List = std::vector<std::uint32_t>;
  CHECK(carve_outs_of("") == List{});
  CHECK(carve_outs_of("64") == List{64});
  CHECK(carve_outs_of("0 8 16 32 64 96") == List{0, 8, 16, 32, 64, 96});
  for (const char* wrong :
       {" ", "32 ", " 32", "32  64", "64 32", "32 32", "32,64", "a", "-1", "32 64 x", "1.5", "123456789"})
    CHECK_FALSE(carve_outs_of(wrong).has_value());
}

TEST_CASE("as many CTAs as fit at once, by what there is least of") {
  const CtaRoom sm({16, 32, 65536, 65536});
  CHECK(sm.count(cta_needs(4, 100, 20480)) == 3);  // shared memory
  CHECK(sm.count(cta_needs(4, 216, 0)) == 2);      // registers
  CHECK(sm.count(cta_needs(8, 16, 100)) == 4);     // warps
  CHECK(sm.count(cta_needs(1, 8, 0)) == 16);       // places
  CHECK(sm.count(cta_needs(64, 8, 0)) == 0);
}

}  // namespace carve_out_policy_test
