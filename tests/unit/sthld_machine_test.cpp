#include "model/policy/sthld_machine.h"

#include <catch2/catch.hpp>

using namespace subcore;

TEST_CASE("the STHLD machine starts in state 1 with its first value") {
  SthldMachine m(default_sthld_table(), {});
  CHECK(m.state() == 1);
  CHECK(m.sthld() == 0);
}
