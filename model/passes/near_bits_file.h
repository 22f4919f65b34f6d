// Near bits that were found with another input, from a file that `subcore annotate --json` has written.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "subcore/model/trace/trace.h"

namespace subcore {

class NearBitsFile {
 public:
  // Throws ConfigError if the file cannot be read, or was not written by annotate.
  explicit NearBitsFile(const std::filesystem::path& file);
  // Throws TraceError if the file has no kernel of this name.
  void require_kernel(const std::string& kernel) const;
  // Sets the near bits of an instruction of the kernel. If several kernels of the file have the name, the
  // majority decides. An operand that the file does not have is far.
  void apply(const std::string& kernel, std::string_view opcode, StaticInstruction& instruction) const;

 private:
  // For each register, the number of kernels that call it near minus the number that call it far.
  using Votes = std::map<Register, int>;
  struct Operands {
    Votes sources, destinations;
  };
  using Kernel = std::map<std::pair<std::uint64_t, std::string>, Operands>;  // by PC and opcode

  std::string file_;
  std::map<std::string, Kernel> kernels_;
};

}  // namespace subcore
