// A replacement policy of a user's own. This pair of files is all of it, and the user adds it by one line,
// ReplacementChoice::choices().add<MruChoice>("mru", "...").
#pragma once

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/replacement/replacement.h"

namespace subcore::test {

// Replaces the entry that was used most recently. Keeps near values if told to, as long as it can.
class Mru final : public Replacement {
 public:
  explicit Mru(bool keep_near) : keep_near_(keep_near) {}
  unsigned victim(const ReplacementView& view) override;

 private:
  bool keep_near_;
};

class MruChoice final : public ReplacementChoice {
 public:
  bool keep_near = false;

  void describe(ParameterVisitor& v) override;
  std::unique_ptr<Replacement> make(std::uint64_t) const override { return std::make_unique<Mru>(keep_near); }
};

}  // namespace subcore::test
