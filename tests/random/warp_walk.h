// Runs a random program with the lanes of one warp and writes a tracer's lines. A line is an instruction,
// with the lanes that were active and had their predicate, and the addresses that these lanes accessed.
#pragma once

#include <cstdint>
#include <string>

#include "tests/random/structured_program.h"

namespace subcore::random {

struct LineFormat {
  bool prefix = false;     // thread block and warp before every line
  bool line_info = false;  // then also the source line
  bool immediates = false;
  bool bare_when_off = false;  // nothing behind the access width of an instruction without lanes
};

// The regions in which a kernel's accesses lie; the sizes are powers of two.
struct Regions {
  std::uint64_t global = 0, shared_window = 0, local_window = 0;
  std::uint32_t global_bytes = 4096, shared_bytes = 1024;
};

struct WalkOptions {
  std::string prefix;
  unsigned lines = 100;           // loops end early once the warp has run so many
  std::uint64_t common_seed = 0;  // for choices that are the same in all warps of a CTA
  std::uint64_t own_seed = 0;
  bool keep_a_lane = false;  // for barriers: not all lanes leave
  bool final_exit = true;
};

struct WarpText {
  std::string lines;
  unsigned count = 0;
};

WarpText walk(const Program& program, std::uint32_t lanes, const LineFormat& format, const Regions& regions,
              const WalkOptions& options);

}  // namespace subcore::random
