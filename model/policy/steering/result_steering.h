// Result steering: which results go to which collectors over port D, beside the banks or instead of them. The
// arbiter asks. Each kind of collector brings its own policy, or none if its collectors keep nothing.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// A collector's message to the arbiter, on port D's backward path, on where results are to go.
struct SteeringUpdate {
  // The kind of the update.
  enum class Kind : std::uint8_t {
    holder,    // the collector holds the warp, whose last instruction came to it in cycle `issued`
    reserved,  // the collector has reserved entries for these destinations of `producer`
    released,  // the entries for these destinations are no longer reserved
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
  bool invalidate = false;  // without data: an older copy is outdated
  bool near = false;
  bool only_copy = false;     // the result is not written to the banks
  std::uint32_t lanes = ~0u;  // written lanes; the others keep an older value that is needed
};

class ResultSteering {
 public:
  virtual ~ResultSteering() = default;
  // An update from `collector`, which counts from cycle `stamp` on.
  virtual void update(unsigned collector, Cycle stamp, const SteeringUpdate& update) = 0;
  // Called first in each cycle in which the arbiter works.
  virtual void begin_cycle(Cycle) {}

  // True: results are steered when they arrive, before they are written to the banks. False: as they are
  // written.
  virtual bool steers_at_arrival() const = 0;
  // Steers at arrival, once for each instruction. Appends the results that go to collectors in this cycle.
  // Returns the destinations, one bit each, that need not be written to the banks.
  virtual std::uint32_t arrived(const Instruction&, Cycle /*now*/, std::vector<SteeredResult>&) { return 0; }
  // The number of collectors that held the warp at the last arrived() but did not get a result, summed over
  // its results.
  virtual unsigned kept_out() const { return 0; }
  // Steers as a destination is written. Appends the results that go to collectors in this cycle. Returns the
  // number of collectors that hold the warp but do not get the result.
  virtual unsigned written(const Instruction&, unsigned /*destination*/, std::vector<SteeredResult>&) {
    return 0;
  }
  // The collectors, a bit each, that may have copies of the warp's registers. A value in the banks that is no
  // result of a destination, but an accumulator of a warpgroup's product, outdates such copies.
  virtual std::uint64_t holders(std::uint32_t /*warp_uid*/) const { return 0; }
};

}  // namespace subcore
