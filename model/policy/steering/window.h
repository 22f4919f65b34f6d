// BOW's steering (section IV): a result goes to the collector that keeps a place for it in its window.
#pragma once

#include <cstdint>
#include <vector>

#include "subcore/model/policy/steering/result_steering.h"

namespace subcore {

class WindowSteering final : public ResultSteering {
 public:
  // Of one sub-core's windows.
  struct Options {
    bool write_back = false;   // a result that enters a window need not be written to the banks
    bool partial_safe = true;  // unless only some of the live lanes are written
  };
  explicit WindowSteering(const Options& options, unsigned warp_slots)
      : options_(options), kept_(warp_slots) {}

  void news(unsigned collector, Cycle stamp, const SteeringNews& news) override;
  bool steers_at_arrival() const override { return true; }
  std::uint32_t arrived(const Instruction& i, Cycle now, std::vector<SteeredResult>& steered) override;

 private:
  // Places for the results of one instruction. Those that are going stay until `leave`.
  struct Places {
    const Instruction* producer;
    Cycle leave;
    std::uint8_t collector, held, leaving;
  };
  Options options_;
  std::vector<std::vector<Places>> kept_;  // by warp slot, of instructions whose results have not come
};

}  // namespace subcore
