// A random instruction that a row of the tracer's table is for.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "subcore/tracer/machine/decoder.h"

namespace tracer_test {

inline std::array<std::uint64_t, 2> random_encoding(const subcore::tracer::InstructionRow& row,
                                                    std::mt19937_64& random) {
  std::array<std::uint64_t, 2> words{random(), random()};
  const auto set = [&](unsigned at, unsigned width, std::uint64_t value) {
    for (unsigned n = 0; n < width; ++n) {
      std::uint64_t& word = words[(at + n) / 64];
      const std::uint64_t bit = std::uint64_t{1} << (at + n) % 64;
      word = (value >> n & 1) != 0 ? word | bit : word & ~bit;
    }
  };
  set(0, 9, row.opcodes[random() % row.opcodes.size()]);
  for (const subcore::tracer::Match& match : row.matches) set(match.bit, match.width, match.value);
  return words;
}

}  // namespace tracer_test
