// Compiled GPU code as nvcc writes it: a cubin, which is an ELF file by itself or in a fat binary of a
// program.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/tracer/machine/instruction_table.h"
#include "subcore/tracer/machine/kernel.h"

namespace subcore::tracer {

// A variable of the code, from `offset` on in constant bank 3 or in global memory.
struct Variable {
  std::uint64_t offset = 0, bytes = 0;
};

// A constant of bank 4 that holds the address of a variable, or of a function of the driver.
struct AddressSlot {
  std::uint32_t offset = 0;
  std::string variable;
};

struct Cubin {
  unsigned architecture = 0;  // 80: sm_80
  std::map<std::string, Kernel> kernels;
  std::vector<std::uint8_t> user_constants;  // bank 3
  std::map<std::string, Variable> constant_variables;
  std::vector<std::uint8_t> addresses;  // bank 4
  std::vector<AddressSlot> address_slots;
  std::vector<std::uint8_t> global_data;  // initial values of variables in global memory
  std::map<std::string, Variable> global_variables;
};

// Architectures whose code the tracer understands.
inline constexpr unsigned known_architectures[] = {75, 80, 86, 89, 90};

// Reads the code in a file: a cubin, or a program, a library or a fat binary with code. If there are several
// codes, takes the largest one for `architecture` or, if that is 0, for the newest architecture. `name` is
// used in messages. Throws ConfigError if the file is damaged, has no such code, or has the code in an
// unknown compression.
Cubin read_cubin(std::string_view file, const std::string& name, unsigned architecture,
                 const InstructionTable& table);

// The same for a fat binary in memory, as programs register it. Its first 16 bytes give its length.
Cubin read_fat_binary(const void* begin, const std::string& name, const InstructionTable& table);

}  // namespace subcore::tracer
