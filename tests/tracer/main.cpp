#include "tests/runner.h"

int main(int argc, char* argv[]) {
  return subcore::test::run_tests(argc, argv);
}
