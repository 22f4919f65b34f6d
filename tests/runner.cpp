// The tests' framework, compiled once for all test programs.
#include "tests/runner.h"

#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

namespace subcore::test {

int run_tests(int argc, char* argv[]) {
  return Catch::Session().run(argc, argv);
}

}  // namespace subcore::test
