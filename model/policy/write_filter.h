// The write filter on port D: which results enter the collector that holds their warp (Malekeh, section
// IV-A2). The banks are always written.
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/kinds.h"

namespace subcore {

enum class PortDAction : std::uint8_t { none, write, invalidate };

class WriteFilter {
 public:
  struct Options {
    bool cache_results = true;     // results may enter at all
    bool near_filter = true;       // far results do not
    bool stale_invalidate = true;  // a result kept out outdates the copy that may be there
    std::uint32_t ports = 1;       // results per collector and cycle; 0 = unlimited
  };
  WriteFilter(const Options& options, unsigned collectors) : options_(options), used_(collectors, 0) {}

  void begin_cycle() {
    for (; touched_ != 0; touched_ &= touched_ - 1)
      used_[static_cast<unsigned>(__builtin_ctzll(touched_))] = 0;
  }
  // A result for a warp that collector `c` holds, in write-back order. `newest`: c is where the warp issued
  // last; an older collector of the same warp never takes results.
  PortDAction decide(unsigned c, bool near, bool newest) {
    const bool wanted = options_.cache_results && newest && (near || !options_.near_filter);
    if (wanted && (options_.ports == 0 || used_[c] < options_.ports)) {
      ++used_[c];
      touched_ |= std::uint64_t{1} << c;
      return PortDAction::write;
    }
    return options_.stale_invalidate ? PortDAction::invalidate : PortDAction::none;
  }

 private:
  Options options_;
  std::vector<std::uint32_t> used_;
  std::uint64_t touched_ = 0;  // collectors whose used_ is not 0
};

}  // namespace subcore
