// A replacement policy of somebody else's: this pair of files is all of it, and one line of theirs adds it,
// ReplacementChoice::choices().add<MruChoice>("mru", "...").
#pragma once

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/replacement/replacement.h"

namespace subcore::test {

// Replaces what was used most recently, but keeps near values if it is told to and can.
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
