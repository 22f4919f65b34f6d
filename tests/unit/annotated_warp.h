// One warp's instructions made by hand, with the versions and annotations that a trace player and a pass
// would give them.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "tests/exact_annotation.h"

namespace subcore::test {

class AnnotatedWarp {
 public:
  Instruction& add(const std::vector<Register>& destinations, const std::vector<Register>& sources,
                   std::uint32_t mask = ~0u) {
    StaticInstruction& code = codes_.emplace_back();
    code.source_count = static_cast<std::uint8_t>(sources.size());
    code.destination_count = static_cast<std::uint8_t>(destinations.size());
    std::copy(sources.begin(), sources.end(), code.sources.begin());
    std::copy(destinations.begin(), destinations.end(), code.destinations.begin());
    Instruction& i = all.emplace_back();
    i.code = &code;
    i.mask = mask;
    i.sequence = all.size() - 1;
    i.source_count = mask == 0 ? std::uint8_t{0} : code.source_count;
    i.destination_count = mask == 0 ? std::uint8_t{0} : code.destination_count;
    for (unsigned s = 0; s < i.source_count; ++s) i.operands[s].expected = versions_[sources[s]];
    for (unsigned d = 0; d < i.destination_count; ++d) i.produced[d] = ++versions_[destinations[d]];
    return i;
  }
  void hint(std::size_t n, unsigned to_window, unsigned to_banks) {
    Annotation& h = annotations_.emplace_back();
    h.to_window = static_cast<std::uint8_t>(to_window);
    h.to_banks = static_cast<std::uint8_t>(to_banks);
    codes_[n].annotation = &h;
  }
  void hint_exactly(unsigned window, bool partial_safe) {
    std::vector<Executed> executed;
    for (const Instruction& i : all) executed.push_back({i.code, i.mask});
    for (const Annotation& h : exact_write_back_hints(executed, window, partial_safe)) {
      annotations_.push_back(h);
      codes_[annotations_.size() - 1].annotation = &annotations_.back();
    }
  }
  std::deque<Instruction> all;

 private:
  std::deque<StaticInstruction> codes_;
  std::deque<Annotation> annotations_;
  std::array<std::uint32_t, 256> versions_{};
};

}  // namespace subcore::test
