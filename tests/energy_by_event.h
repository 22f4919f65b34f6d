// The energy of one event, for tests.
#pragma once

#include <string>

#include <catch2/catch.hpp>

#include "subcore/power/power_monitors.h"

namespace subcore::test {

inline double pj_of(const Energy& energy, const std::string& event) {
  for (const auto& [name, pj] : energy.by_event_pj)
    if (name == event) return pj;
  FAIL(event << " is not in the energy");
  return 0;
}

}  // namespace subcore::test
