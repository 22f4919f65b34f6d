// Half floats and bfloat16, against their definitions.
#include "subcore/tracer/machine/numbers.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "subcore/tracer/machine/device_memory.h"

namespace numbers_test {

using namespace subcore::tracer;

TEST_CASE("Every half float has its own value, and is the nearest to it") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<Half>(bits);
    const float value = half_value(half);
    if ((bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0)
      REQUIRE(std::isnan(value));
    else
      REQUIRE(nearest_half(static_cast<double>(value)) == half);
  }
}

TEST_CASE("Between two half floats the nearer one is taken, and of two the even one") {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    const auto half = static_cast<Half>(bits), next = static_cast<Half>(bits + 1);
    const double low = static_cast<double>(half_value(half)), high = static_cast<double>(half_value(next));
    const double middle = (low + high) / 2;
    REQUIRE(nearest_half(std::nextafter(middle, low)) == half);
    REQUIRE(nearest_half(middle) == (bits % 2 == 0 ? half : next));
    REQUIRE(nearest_half(std::nextafter(middle, high)) == next);
    REQUIRE(truncated_half(static_cast<float>(middle)) == half);
  }
  REQUIRE(nearest_half(65519.99) == 0x7bff);
  REQUIRE(nearest_half(65520) == 0x7c00);
  REQUIRE(nearest_half(-1e30) == 0xfc00);
  REQUIRE(nearest_half(std::nan("")) == 0x7fff);
}

TEST_CASE("A double between two bfloat16 is rounded once") {
  for (unsigned bits = 0; bits < 0x7f7f; ++bits) {
    const auto low = static_cast<Half>(bits), high = static_cast<Half>(bits + 1);
    const double a = static_cast<double>(bfloat_value(low)), b = static_cast<double>(bfloat_value(high));
    const double middle = (a + b) / 2;
    REQUIRE(nearest_bfloat(a) == low);
    // A float cannot tell these from the middle.
    REQUIRE(nearest_bfloat(std::nextafter(middle, a)) == low);
    REQUIRE(nearest_bfloat(middle) == (bits % 2 == 0 ? low : high));
    REQUIRE(nearest_bfloat(std::nextafter(middle, b)) == high);
  }
  REQUIRE(nearest_bfloat(std::nan("")) == 0x7fff);
  REQUIRE(nearest_bfloat(-HUGE_VAL) == 0xff80);
}

TEST_CASE("Comparisons of floats with NaN hold only in their unordered form") {
  const float nan = std::nanf("");
  for (unsigned comparison = 0; comparison < 16; ++comparison) {
    REQUIRE(compares_floats(comparison, nan, 1.0f) == (comparison >= 8));
    REQUIRE(compares_floats(comparison, 1.0f, 2.0f) == ((comparison & 1) != 0));
    REQUIRE(compares_floats(comparison, 2.0f, 2.0f) == ((comparison & 2) != 0));
    REQUIRE(compares_floats(comparison, 3.0f, 2.0f) == ((comparison & 4) != 0));
  }
}

TEST_CASE("Memory is found within one allocation only") {
  DeviceMemory memory;
  const std::uint64_t first = memory.allocate(100), second = memory.allocate(512), third = memory.allocate(0);
  REQUIRE(first == 0x7f4000100000);
  REQUIRE(second == first + 512);
  REQUIRE(third == second + 512);
  REQUIRE(memory.find(first, 100) != nullptr);
  REQUIRE(memory.find(first + 96, 4) == memory.find(first, 1) + 96);
  REQUIRE(memory.find(first + 97, 4) == nullptr);
  REQUIRE(memory.find(first + 100, 1) == nullptr);
  REQUIRE(memory.find(first - 1, 1) == nullptr);
  REQUIRE(memory.find(second, 513) == nullptr);
  REQUIRE(memory.find(second, std::numeric_limits<std::uint64_t>::max()) == nullptr);
  REQUIRE_FALSE(memory.free(second + 1));
  REQUIRE(memory.free(second));
  REQUIRE(memory.find(second, 1) == nullptr);
  REQUIRE_FALSE(memory.free(second));
  REQUIRE(memory.allocate(1) > third);
}

}  // namespace numbers_test
