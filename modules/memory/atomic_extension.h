// Marks a request as an atomic. Ignorable, as the base protocol wants extensions to be: a target that does
// not know it sees the read that it always was.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <tlm>

namespace subcore {

class AtomicExtension : public tlm::tlm_extension<AtomicExtension> {
 public:
  bool returns_data = true;  // false: a reduction, done when it has been performed

  tlm_extension_base* clone() const override { return new AtomicExtension(*this); }
  void copy_from(const tlm_extension_base& other) override {
    returns_data = static_cast<const AtomicExtension&>(other).returns_data;
  }
  void free() override {}  // part of its pooled payload
};

}  // namespace subcore
