// A kernel that can run, which is decoded code and facts from its file, and a launch of it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "subcore/tracer/machine/instruction.h"

namespace subcore::tracer {

// A kernel did something forbidden. The message is one line, with kernel, PC, CTA and warp.
class ExecutionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The windows of generic addresses for shared memory and for local memory.
inline constexpr std::uint64_t shared_window = 0x7f3000000000, local_window = 0x7f2000000000,
                               window_bytes = std::uint64_t{1} << 24;

// Functions that code calls but does not contain, because the driver has them. A function has an address
// without code.
enum class SystemCall : std::uint32_t { print, fail, allocate, release, total };
// The address of the first function. The others follow at the distance of instructions.
inline constexpr std::uint32_t first_system_call = 0xffff0000;
// The address of a function.
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
  std::uint32_t shared_bytes = 0;  // per CTA, without the bytes that a launch adds
  std::uint32_t local_bytes = 0;   // per thread
  std::uint32_t parameter_base = 0x160, parameter_bytes = 0;
  std::vector<Parameter> parameters;
  std::uint64_t cluster_ctas = 1;                   // CTAs that run together, by __cluster_dims__
  std::vector<std::uint8_t> constants, immediates;  // banks 0 and 2
};

struct Launch {
  const Kernel* kernel = nullptr;
  unsigned architecture = 75;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;                      // per CTA
  std::uint64_t most_warp_instructions = 200'000'000;  // a warp that executes more has an endless loop
  std::uint64_t executed_before = 0;  // warp instructions of earlier launches, which clocks count
  // Bank 0 with the launch's parameters. The other banks belong to all kernels of the file.
  std::vector<std::uint8_t> constants;
  const std::vector<std::uint8_t>* user_constants = nullptr;  // bank 3
  const std::vector<std::uint8_t>* addresses = nullptr;       // bank 4
  std::function<void(const std::string&)> print;  // takes the text that code prints; empty: it is lost
};

}  // namespace subcore::tracer
