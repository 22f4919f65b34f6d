// write_random_traces FOLDER SEED [COUNT]: for each of the seeds SEED, SEED + 1, ... a random trace in
// FOLDER/random_SEED, and divergent_trace() in FOLDER/divergent_SEED.
#include <cstdlib>
#include <iostream>

#include "tests/random/divergent_trace.h"
#include "tests/random/random_trace.h"

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: write_random_traces FOLDER SEED [COUNT]\n";
    return 2;
  }
  try {
    const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t count = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 1;
    const std::filesystem::path folder = argv[1];
    for (std::uint64_t s = seed; s < seed + count; ++s) {
      using namespace subcore::random;
      write_trace(random_trace(s), folder / ("random_" + std::to_string(s)));
      write_trace(divergent_trace(s), folder / ("divergent_" + std::to_string(s)));
    }
  } catch (const std::exception& e) {
    std::cerr << "write_random_traces: error: " << e.what() << '\n';
    return 1;
  }
  return 0;
}
