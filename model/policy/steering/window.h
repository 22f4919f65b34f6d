// BOW's steering (section IV): a result goes to the collector that keeps a place for it in its window.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

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
      : options_(options), kept_(warp_slots) {}

  void news(unsigned collector, Cycle stamp, const SteeringNews& news) override;
  bool steers_at_arrival() const override { return true; }
  std::uint32_t arrived(const Instruction& i, Cycle now, std::vector<SteeredResult>& steered) override;

 private:
  // Places for the results of one instruction. The leaving ones stay until cycle `leave`.
  struct Places {
    const Instruction* producer;
    Cycle leave;
    std::uint8_t collector, held, leaving;
  };
  Options options_;
  std::vector<std::vector<Places>> kept_;  // by warp slot, of instructions whose results have not come
};

}  // namespace subcore
