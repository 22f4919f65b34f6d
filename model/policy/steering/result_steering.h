// Result steering: which results go to which collectors over port D, beside or instead of the banks. The
// arbiter asks; a kind of collector brings the policy that it wants, or none (collectors that keep nothing).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// A collector tells the arbiter by it, on port D's backward path, where results are to go.
struct SteeringUpdate {
  // The kind of the update.
  enum class Kind : std::uint8_t {
    holder,    // the collector belongs to the warp, whose last instruction has come to it in cycle `issued`
    reserved,  // the collector has reserved entries for these destinations of the producer
    released,  // the collector's entries for them are no longer reserved
  };
  Kind kind = Kind::holder;
  std::uint8_t destinations = 0;          // reserved, released: one bit each
  std::uint32_t warp_uid = 0;             // holder
  Cycle issued = 0;                       // holder
  const Instruction* producer = nullptr;  // reserved, released
};

// A result on its way to a collector.
struct SteeredResult {
  unsigned destination = 0;  // the instruction's destination, by its index
  unsigned collector = 0;
  bool invalidate = false;  // no data: an older copy is outdated
  bool near = false;
  bool only_copy = false;     // the result is not written to the banks
  std::uint32_t lanes = ~0u;  // written; the others keep an older value that is needed
};

class ResultSteering {
 public:
  virtual ~ResultSteering() = default;
  // An update by `collector`, which counts from cycle `stamp` on.
  virtual void update(unsigned collector, Cycle stamp, const SteeringUpdate& update) = 0;
  // Called before anything else in a cycle in which the arbiter works.
  virtual void begin_cycle(Cycle) {}

  // Results are steered either when they come, before they are written to the banks, or as they are written.
  virtual bool steers_at_arrival() const = 0;
  // Steering at arrival, once for each instruction. Appends what goes to collectors in this cycle, and
  // returns the destinations, one bit each, that need not be written to the banks.
  virtual std::uint32_t arrived(const Instruction&, Cycle /*now*/, std::vector<SteeredResult>&) { return 0; }
  // Collectors that held the warp at the last arrived() and did not get a result, summed over its results.
  virtual unsigned kept_out() const { return 0; }
  // Steering as a destination is written. Appends what goes to collectors in this cycle, and returns how many
  // collectors hold the warp but do not get the result.
  virtual unsigned written(const Instruction&, unsigned /*destination*/, std::vector<SteeredResult>&) {
    return 0;
  }
  // The collectors, a bit each, that may have copies of the warp's registers which a value in the banks
  // outdates that is no result of an instruction's destination: an accumulator of a warpgroup's product.
  virtual std::uint64_t holders(std::uint32_t /*warp_uid*/) const { return 0; }
};

}  // namespace subcore
