// The patience of the guard in wall time. Its thread is tested with the program.
#include "subcore/program/runs/wall_guard.h"

#include <catch2/catch.hpp>

namespace wall_guard_test {

using subcore::Patience;

TEST_CASE("patience ends after so many looks at the same sign, and says so once") {
  Patience p(3);
  CHECK_FALSE(p.exhausted(0));  // the first look: nothing to compare with
  CHECK_FALSE(p.exhausted(0));
  CHECK_FALSE(p.exhausted(0));
  CHECK(p.exhausted(0));
  CHECK_FALSE(p.exhausted(0));
}

TEST_CASE("every sign of life renews patience") {
  Patience p(2);
  for (unsigned sign = 0; sign < 10; ++sign) {
    CHECK_FALSE(p.exhausted(sign));
    CHECK_FALSE(p.exhausted(sign));
  }
  CHECK(p.exhausted(9));
}

}  // namespace wall_guard_test
