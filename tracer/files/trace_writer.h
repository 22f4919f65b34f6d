// Writes the execution of kernels as a trace folder: kernelslist.g, and two files for each kernel. The first
// has its lines in Accel-Sim's text format. The second is a sidecar with the encoding, control bits and
// operands of each instruction.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/base/new_folder.h"
#include "subcore/tracer/machine/cta.h"
#include "subcore/tracer/machine/kernel.h"

namespace subcore::tracer {

// The compression of the files of a trace.
enum class TracePacking : std::uint8_t { none, gz, xz };
constexpr std::array<std::string_view, 3> names(TracePacking) {
  return {"none", "gz", "xz"};
}

// The contents of lines beside PCs, lanes, opcodes, operands and addresses. Version 5 lists a result behind a
// predicate among the sources, as NVBit does, and ends with an immediate. Version 3 lists that result as a
// result, and ends with the reuse flags.
enum class TraceVersion : std::uint8_t { reuse_flags, immediates };
constexpr std::array<std::string_view, 2> names(TraceVersion) {
  return {"3", "5"};
}

// The bytes of each lane's access, as tracers write them. `instruction` must access memory.
unsigned traced_bytes(const Instruction& instruction);

// An instruction's line in a sidecar, without the line's end.
std::string sidecar_line(const Instruction& instruction);

class TraceWriter : public ExecutionObserver {
 public:
  // Throws std::runtime_error if the folder exists or cannot be made.
  TraceWriter(const std::filesystem::path& folder, TracePacking packing, TraceVersion version);
  ~TraceWriter() override;

  // Notes a copy to the GPU's memory.
  void copied_to_device(std::uint64_t address, std::uint64_t bytes);
  // A kernel begins, its CTAs run one after the other, and it ends. `grid` has the CTAs that the trace will
  // contain.
  void begin_kernel(const Launch& launch, Dimensions grid);
  void executed(const Warp& warp, const Instruction& instruction, Lanes lanes,
                const std::array<std::uint64_t, lanes_of_warp>* addresses) override;
  void end_cta(Dimensions place, const std::vector<Warp>& warps);
  void end_kernel();
  // The number of kernels written.
  unsigned kernels() const { return kernels_; }
  // Gives the folder its name.
  void publish();

 private:
  class File;
  void write_sidecar(const Launch& launch);

  NewFolder folder_;
  TracePacking packing_;
  TraceVersion version_;
  std::unique_ptr<File> file_;
  std::vector<std::string> lines_;  // by warp of the CTA
  std::string commands_;
  unsigned kernels_ = 0;
};

}  // namespace subcore::tracer
