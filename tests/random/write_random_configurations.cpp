// write_random_configurations SEED [COUNT]: a line for each of the seeds SEED, SEED + 1, ...: the platform's
// name, and KEY=VALUE for each parameter that it changes.
#include <cstdlib>
#include <iostream>

#include "tests/random/random_configuration.h"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: write_random_configurations SEED [COUNT]\n";
    return 2;
  }
  try {
    const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10);
    const std::uint64_t count = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 1;
    for (std::uint64_t s = seed; s < seed + count; ++s) {
      const auto c = subcore::random::random_configuration(s);
      std::cout << c.platform;
      for (const std::string& o : c.overrides) std::cout << ' ' << o;
      std::cout << '\n';
    }
  } catch (const std::exception& e) {
    std::cerr << "write_random_configurations: error: " << e.what() << '\n';
    return 1;
  }
  return 0;
}
