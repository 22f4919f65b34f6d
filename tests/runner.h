// The call that every test program's main makes.
#pragma once

namespace subcore::test {

// Runs the test cases that the arguments name. Returns the exit status.
int run_tests(int argc, char* argv[]);

}  // namespace subcore::test
