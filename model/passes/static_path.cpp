#include "subcore/model/passes/static_path.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace subcore {
namespace {

// The first position to which lanes went back from the instruction; nothing if they only went forward.
std::optional<std::size_t> loop_begin(const InstructionProfile& instruction, const ProgramOrder& order,
                                      std::size_t at) {
  std::optional<std::size_t> begin;
  for (const std::uint32_t to : instruction.lane_successors)
    if (order.position[to] <= at) begin = std::min<std::size_t>(begin.value_or(at), order.position[to]);
  return begin;
}

}  // namespace

WarpTrace static_path(const CodeTable& code, const KernelProfile& profile, std::uint32_t loops) {
  const ProgramOrder order(code);
  const std::size_t size = order.instructions.size(), most = std::max<std::size_t>(200000, 4 * size);
  std::vector<std::uint32_t> went_back(size, 0);
  WarpTrace path;
  for (std::size_t at = 0; at < size && path.records.size() < most;) {
    const std::uint32_t index = order.instructions[at];
    path.records.push_back({index, ~0u});
    const std::optional<std::size_t> begin = loop_begin(profile.instructions()[index], order, at);
    if (!begin || went_back[at] + 1 >= loops) {
      ++at;
      continue;
    }
    ++went_back[at];
    // Loops inside this one begin anew.
    std::fill(went_back.begin() + static_cast<std::ptrdiff_t>(*begin),
              went_back.begin() + static_cast<std::ptrdiff_t>(at), 0u);
    at = *begin;
  }
  return path;
}

}  // namespace subcore
