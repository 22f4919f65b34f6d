// The record of a warp instruction in a sub-core, from fetch to retirement. A PipelineRecorder tells it to a
// reader stage by stage and operand by operand, in order of cycles.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/container/static_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// The stages in order. Any stage but the first and the last may be missing.
enum class PipelineStage : std::uint8_t {
  fetch,       // the cycle in which the trace player sends it
  wait,        // in the instruction buffer
  issue,       // the cycle in which the scheduler sends it
  collect,     // in a collector, waits for its operands or for a latch
  ready,       // in the latch, up to the cycle of dispatch
  execute,     // in its unit
  write_back,  // waits for its banks
};

// Where a source operand is that its collector has had to ask for.
enum class Whereabouts : std::uint8_t {
  here,   // at the collector, whether it was asked for or not
  bank,   // waits; the bank serves others
  port,   // waits for port S of the collector; the bank is idle
  read,   // being read from its bank
  cache,  // being read from the operand cache
};

// A warp instruction on its way through a sub-core: what it is, and where it is now.
struct InstructionRecord {
  // A register, and the count of its writes in program order that names one value of it.
  struct Operand {
    Register reg = 0;
    std::uint32_t version = 0;
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::uint64_t id = none;      // number of the record, in the order in which records begin
  const std::string* sub_core;  // the sub-core's path: sm_0.sub_core_1
  unsigned thread = 0;          // number of the warp slot, over all sub-cores that are recorded
  std::uint64_t pc = 0, sequence = 0;
  std::string opcode;
  std::uint32_t warp_uid = 0, mask = 0;
  std::uint32_t warp = 0;  // number of the warp in its kernel
  std::uint16_t warp_slot = 0, cta_slot = 0;
  boost::container::static_vector<Operand, max_sources> sources;
  boost::container::static_vector<Operand, max_destinations> destinations;
  // By source: the record that wrote the value to be read in program order; none for values from before the
  // window.
  std::array<std::uint64_t, max_sources> producers{};
  unsigned collector = 0;  // from PipelineStage::issue on
  std::string_view unit;   // the unit that executes it
  std::string_view cause;  // in PipelineStage::wait: the cause (model/stall/stall_cause.h), or empty if other
                           // warps go first
  std::uint32_t asked = 0;  // from PipelineStage::ready on: a bit per source that was not in the collector
  PipelineStage stage = PipelineStage::fetch;          // the present stage
  Cycle since = 0;                                     // the cycle in which that stage began
  std::array<Whereabouts, max_sources> whereabouts{};  // at present, by source
  std::array<std::uint8_t, max_sources> bank{};        // by source: the bank, for Whereabouts::bank and read
};

// Each function is called once cycle `at` is known, with the record as it is from that cycle on.
class PipelineReader {
 public:
  virtual ~PipelineReader() = default;
  // `record` begins in PipelineStage::fetch, or was already under way when the window of cycles opened.
  virtual void begins(const InstructionRecord& record, Cycle at) = 0;
  // `record` enters the stage record.stage. begins() tells of the first stage.
  virtual void enters(const InstructionRecord& record, Cycle at) = 0;
  // A source operand goes from `before` to its present place.
  virtual void moves(const InstructionRecord& record, unsigned source, Whereabouts before, Cycle at) = 0;
  // `record` leaves its last stage, and ends.
  virtual void retires(const InstructionRecord& record, Cycle at) = 0;
  // The last cycle is over. Instructions that have not retired stay under way.
  virtual void ends() {}
};

// "w5 0x0120 FFMA R4v12 <- R2v3 R6v1": registers with the versions that program order gives them.
std::string name_of(const InstructionRecord& record);
// Writes that name to `to`, which has room for longest_name(). Returns the position behind the name.
char* put_name(char* to, const InstructionRecord& record);
// The most characters that put_name() writes.
inline std::size_t longest_name(const InstructionRecord& record) {
  return 64 + 20 * (max_sources + max_destinations) + record.opcode.size();
}

}  // namespace subcore
