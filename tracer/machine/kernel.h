// A kernel that can run: decoded code and what its file says of it, and a launch of it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "subcore/tracer/machine/instruction.h"

namespace subcore::tracer {

// A kernel that did something it may not do. what() is one line, with kernel, PC, CTA and warp.
class ExecutionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where generic addresses are those of shared and of local memory.
inline constexpr std::uint64_t shared_window = 0x7f3000000000, local_window = 0x7f2000000000,
                               window_bytes = std::uint64_t{1} << 24;

// Functions that code calls and does not have, because the driver has them: each at an address at which there
// is no code.
enum class SystemCall : std::uint32_t { print, fail, allocate, release, total };
// The address of the first one; they follow each other as instructions do.
inline constexpr std::uint32_t first_system_call = 0xffff0000;
// The address of one of them.
inline constexpr std::uint32_t address_of(SystemCall call) {
  return first_system_call + 16 * static_cast<std::uint32_t>(call);
}

struct Dimensions {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// The place of a parameter among a kernel's parameters.
struct Parameter {
  std::uint32_t offset = 0, bytes = 0;
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;
  unsigned registers = 0;
  std::uint32_t shared_bytes = 0;  // of each CTA, without what a launch adds
  std::uint32_t local_bytes = 0;   // of each thread
  std::uint32_t parameter_base = 0x160, parameter_bytes = 0;
  std::vector<Parameter> parameters;
  std::uint64_t cluster_ctas = 1;                   // that run together, as __cluster_dims__ says
  std::vector<std::uint8_t> constants, immediates;  // banks 0 and 2
};

struct Launch {
  const Kernel* kernel = nullptr;
  unsigned architecture = 75;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;                      // of each CTA
  std::uint64_t most_warp_instructions = 200'000'000;  // a warp that executes more has a loop without an end
  std::uint64_t executed_before = 0;  // warp instructions of launches before, which clocks count
  // Bank 0 with the launch's parameters, and the banks of all kernels of the file.
  std::vector<std::uint8_t> constants;
  const std::vector<std::uint8_t>* user_constants = nullptr;  // bank 3
  const std::vector<std::uint8_t>* addresses = nullptr;       // bank 4
  std::function<void(const std::string&)> print;  // takes what the code prints; it is lost, if empty
};

}  // namespace subcore::tracer
