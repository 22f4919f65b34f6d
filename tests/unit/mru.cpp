#include "tests/unit/mru.h"

#include "subcore/base/bits.h"

namespace subcore::test {

unsigned Mru::victim(const ReplacementView& view) {
  const std::uint64_t far = view.unlocked & ~view.near;
  const std::uint64_t candidates = keep_near_ && far != 0 ? far : view.unlocked;
  unsigned newest = bits::lowest(candidates);
  for (const unsigned i : bits::each(candidates))
    if (view.use[i] > view.use[newest]) newest = i;
  return newest;
}

void MruChoice::describe(ParameterVisitor& v) {
  v.field("mru_keeps_near", keep_near, "far values go first");
}

}  // namespace subcore::test
