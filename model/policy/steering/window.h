// BOW's steering (section IV): a result goes to the collector that has an entry of its window reserved for
// it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

#include "subcore/model/policy/steering/result_steering.h"

namespace subcore {

class WindowSteering final : public ResultSteering {
 public:
  // Options of one sub-core's windows.
  struct Options {
    bool write_back = false;   // a result that enters a window need not be written to the banks
    bool partial_safe = true;  // but a result of only some live lanes is written there, too
  };
  explicit WindowSteering(const Options& options, unsigned warp_slots)
      : options_(options), reserved_(warp_slots) {}

  void update(unsigned collector, Cycle stamp, const SteeringUpdate& update) override;
  bool steers_at_arrival() const override { return true; }
  std::uint32_t arrived(const Instruction& i, Cycle now, std::vector<SteeredResult>& steered) override;

 private:
  // Entries that are reserved for the results of one instruction. Those in `released` stay so until cycle
  // `release`.
  struct Reserved {
    const Instruction* producer;
    Cycle release;
    std::uint8_t collector, destinations, released;
  };
  Options options_;
  std::vector<std::vector<Reserved>> reserved_;  // by warp slot, of instructions whose results have not come
};

}  // namespace subcore
