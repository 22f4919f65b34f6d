// The record of a warp instruction, as a PipelineRecorder tells it to a reader: stage by stage and operand by
// operand, in order of cycles, in a sub-core from fetch to retirement.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/container/static_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// Stages in their order; any but the first and the last may be missing.
enum class PipelineStage : std::uint8_t {
  fetch,       // the cycle in which the trace player sends it
  wait,        // in the instruction buffer
  issue,       // the cycle in which the scheduler sends it
  collect,     // in a collector, for its operands or for the latch behind
  ready,       // in the latch, up to the cycle of dispatch
  execute,     // in its unit
  write_back,  // for its banks
};

// The whereabouts of a source operand that its collector has had to ask for.
enum class Whereabouts : std::uint8_t {
  here,   // at the collector, whether it was asked for or not
  bank,   // waits while its bank serves others
  port,   // waits for port S of the collector while its bank is idle
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

  std::uint64_t id = none;      // counts the records that are told, in the order in which they begin
  const std::string* sub_core;  // the sub-core's path: sm_0.sub_core_1
  unsigned thread = 0;          // number of the warp slot, over all sub-cores that are recorded
  std::uint64_t pc = 0, sequence = 0;
  std::string opcode;
  std::uint32_t warp_uid = 0, mask = 0;
  std::uint32_t warp = 0;  // number of the warp in its kernel
  std::uint16_t warp_slot = 0, cta_slot = 0;
  boost::container::static_vector<Operand, max_sources> sources;
  boost::container::static_vector<Operand, max_destinations> destinations;
  // By source: the record that wrote what program order has it read; none for what was there before.
  std::array<std::uint64_t, max_sources> producers{};
  unsigned collector = 0;   // from PipelineStage::issue on
  std::string_view unit;    // the unit that executes it
  std::string_view cause;   // PipelineStage::wait's cause (model/stall/stall_cause.h); empty: others go first
  std::uint32_t asked = 0;  // bit per source that was not in the collector, from PipelineStage::ready on
  PipelineStage stage = PipelineStage::fetch;          // now
  Cycle since = 0;                                     // when that began
  std::array<Whereabouts, max_sources> whereabouts{};  // now
  std::array<std::uint8_t, max_sources> bank{};        // banks of Whereabouts::bank and read
};

// Each function is told when `at` comes, with the record as it is from that cycle on.
class PipelineReader {
 public:
  virtual ~PipelineReader() = default;
  // `record` begins in PipelineStage::fetch, or was under way when the window of cycles opened.
  virtual void begins(const InstructionRecord& record, Cycle at) = 0;
  // `record` enters the stage record.stage, other than by begins().
  virtual void enters(const InstructionRecord& record, Cycle at) = 0;
  // A source operand goes from `before` to where it is now.
  virtual void moves(const InstructionRecord& record, unsigned source, Whereabouts before, Cycle at) = 0;
  // `record` leaves its last stage, and ends.
  virtual void retires(const InstructionRecord& record, Cycle at) = 0;
  // The last cycle is over; instructions that have not retired by then are under way.
  virtual void ends() {}
};

// "w5 0x0120 FFMA R4v12 <- R2v3 R6v1": registers with the versions that program order gives them.
std::string name_of(const InstructionRecord& record);
// Puts that name to where there is room for longest_name(); returns the position behind it.
char* put_name(char* to, const InstructionRecord& record);
// Characters that put_name() takes at most.
inline std::size_t longest_name(const InstructionRecord& record) {
  return 64 + 20 * (max_sources + max_destinations) + record.opcode.size();
}

}  // namespace subcore
