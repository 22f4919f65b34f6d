// An SM's unified memory, part of which is cache and part shared memory.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace subcore {

// Shared memory has the size of one of several carve-outs. The rest of the unified memory is cache.
class CarveOut {
 public:
  CarveOut() = default;
  // `carve_outs` are in ascending order.
  CarveOut(std::uint32_t unified_kilobytes, std::vector<std::uint32_t> carve_outs)
      : unified_kilobytes_(unified_kilobytes), carve_outs_(std::move(carve_outs)) {}

  // KB of cache while the CTAs on the SM take `shared_bytes` of shared memory. The CTAs get the smallest
  // carve-out that is enough for them, or else the largest.
  std::uint32_t cache_kilobytes(std::uint64_t shared_bytes) const {
    for (const std::uint32_t c : carve_outs_) {
      if (shared_bytes <= std::uint64_t{c} * 1024) return unified_kilobytes_ - c;
    }
    return unified_kilobytes_ - carve_outs_.back();
  }
  bool exists() const { return !carve_outs_.empty(); }

 private:
  std::uint32_t unified_kilobytes_ = 0;
  std::vector<std::uint32_t> carve_outs_;
};

// Reads a list of numbers in ascending order, as "32 64". Nothing if the text is no such list. An empty text
// is an empty list.
inline std::optional<std::vector<std::uint32_t>> carve_outs_of(const std::string& text) {
  std::vector<std::uint32_t> all;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t kilobytes = 0;
    const std::size_t begin = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && at - begin < 8; ++at)
      kilobytes = 10 * kilobytes + static_cast<std::uint32_t>(text[at] - '0');
    if (at == begin || (!all.empty() && kilobytes <= all.back())) return std::nullopt;
    all.push_back(kilobytes);
    if (at == text.size()) break;
    if (text[at++] != ' ' || at == text.size()) return std::nullopt;
  }
  return all;
}

}  // namespace subcore
