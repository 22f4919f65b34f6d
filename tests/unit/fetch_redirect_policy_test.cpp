#include <catch2/catch.hpp>

#include "subcore/model/policy/fetch_redirect.h"
#include "tests/unit/made_instruction.h"

namespace fetch_redirect_policy_test {

using namespace subcore;
using subcore::test::MadeInstruction;

TEST_CASE("the next instruction is 16 bytes on, before Volta 8, over a control word every three") {
  for (const unsigned version : {0u, 70u, 75u, 90u}) {
    CHECK(falls_through(0x20, 0x30, version));
    CHECK_FALSE(falls_through(0x20, 0x28, version));
    CHECK_FALSE(falls_through(0x20, 0x10, version));
    CHECK_FALSE(falls_through(0x20, 0x20, version));
  }
  for (const unsigned version : {60u, 61u}) {
    CHECK(falls_through(0x08, 0x10, version));
    CHECK(falls_through(0x10, 0x18, version));
    CHECK(falls_through(0x18, 0x28, version));
    CHECK_FALSE(falls_through(0x08, 0x18, version));
    CHECK_FALSE(falls_through(0x28, 0x08, version));
  }
}

TEST_CASE("jumps redirect fetching, and so do changes of the mask by branches and exits") {
  constexpr std::uint32_t full = ~0u, half = 0xffff;
  const auto redirects = [](InstructionKind kind, std::uint32_t mask, std::uint64_t next,
                            std::uint32_t next_mask) {
    MadeInstruction one({}, {}, kind), two;
    one.code.pc = 0x40;
    two.code.pc = next;
    return redirects_fetch({one.code, mask}, {two.code, next_mask}, 75);
  };
  using K = InstructionKind;
  for (const K kind : {K::control, K::exit}) {
    CHECK(redirects(kind, full, 0x90, full));
    CHECK(redirects(kind, half, 0x50, full));
    CHECK_FALSE(redirects(kind, full, 0x50, full));
    CHECK_FALSE(redirects(kind, 0, 0x50, full));  // no lane takes the branch
  }
  CHECK_FALSE(redirects(K::arithmetic, half, 0x50, full));  // a predicate
  CHECK(redirects(K::arithmetic, full, 0x90, full));        // another path of a divergent warp
}

}  // namespace fetch_redirect_policy_test
