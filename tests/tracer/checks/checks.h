// Checks of the emulator that need code which nvcc compiles. A check returns a line for each mistake that it
// finds.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "subcore/tracer/machine/instruction_table.h"

namespace subcore::tracer {

using Problems = std::vector<std::string>;
using Numbers = std::vector<double>;

// A check of the contents of a buffer after a description's launches.
struct Reference {
  std::string buffer;
  Numbers expected;
  double tolerance;  // of the difference; relative if the value is beyond 1
};
// The results that the shipped kernel must have, from the first contents of its buffers. These results are
// computed in plain C++ that does not know GPUs.
std::vector<Reference> references_of(const std::string& kernel, const std::map<std::string, Numbers>& before);
// The kernels that have references.
std::vector<std::string> kernels_with_references();

// Checks a shipped kernel against its references. Its description is executed with the cubin, once with
// copies at their wait and once with copies at once.
Problems check_kernel(const std::string& name, const std::string& cubin, const InstructionTable& table);
// cuda/expressions.cu against the host's compiler; exchanges, atomics and divergence against plain loops.
Problems check_expressions(const std::string& cubin, const InstructionTable& table);
Problems check_warp_exchanges(const std::string& cubin, const InstructionTable& table);
Problems check_uniform_bits(const std::string& cubin, const InstructionTable& table);
Problems check_uniform_leading_one(const InstructionTable& table);
Problems check_synchronize_all(const InstructionTable& table);
// Checks instructions of which compiled code needs only a part, by themselves: UIADD3, BMOV.
Problems check_single_instructions(const InstructionTable& table);
// Checks texts of instructions that are in no sidecar.
Problems check_texts(const InstructionTable& table);
Problems check_split_warp(const std::string& cubin, const InstructionTable& table);
// cuda/features.cu against plain loops.
Problems check_features(const std::string& cubin, const InstructionTable& table);
// The same for cuda/modern_expressions.cu.
Problems check_modern_expressions(const std::string& cubin, const InstructionTable& table);
// Matrix products against loops over PTX's layouts of fragments.
Problems check_matrix_forms(const std::string& cubin, const InstructionTable& table);
// Checks a kernel that forgets to wait for its asynchronous copies. The kernel is right if copies take effect
// at once, and found to be wrong if they take effect at their wait.
Problems check_copies(const std::string& cubin, const InstructionTable& table);
// The text and operands of a cubin's kernels against shipped sidecars.
Problems check_sidecar(const std::string& cubin, const std::string& sidecar, const InstructionTable& table);

}  // namespace subcore::tracer
