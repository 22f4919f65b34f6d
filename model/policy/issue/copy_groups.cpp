#include "subcore/model/policy/issue/copy_groups.h"

#include <algorithm>

namespace subcore {

void CopyGroups::take_part(const Instruction& i) {
  const CopyStep step = copy_step(i);
  if (step == CopyStep::copy) ++open_;
  if (step != CopyStep::end_group) return;
  ended_.push_back({i.sequence, open_ + 1});
  open_ = 0;
}

unsigned CopyGroups::complete(const Instruction& i) {
  const CopyStep step = copy_step(i);
  if (step != CopyStep::copy && step != CopyStep::end_group) return 0;
  const auto group =
      std::find_if(ended_.begin(), ended_.end(), [&](const Group& g) { return i.sequence <= g.end; });
  --(group != ended_.end() ? group->under_way : open_);
  const auto first =
      std::find_if(ended_.begin(), ended_.end(), [](const Group& g) { return g.under_way != 0; });
  const auto complete = static_cast<unsigned>(first - ended_.begin());
  ended_.erase(ended_.begin(), first);
  return complete;
}

}  // namespace subcore
