// Parameters of the execution units (keys sub_core.execution.* of a platform file).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <iterator>
#include <stdexcept>

#include "subcore/model/isa/bulk_copies.h"
#include "subcore/model/isa/unit_table.h"
#include "subcore/model/isa/warpgroup.h"
#include "subcore/model/parameters/parameter_list.h"

namespace subcore {

// The architecture whose table (model/isa/unit_table.h) gives the timing of units, opcode by opcode.
enum class UnitArchitecture : std::uint8_t { by_class, sm_75, sm_80, sm_86, sm_89, sm_90, sm_120 };
constexpr std::array<std::string_view, 7> names(UnitArchitecture) {
  return {"by_class", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_120"};
}

static_assert(names(UnitArchitecture{}).size() == 1 + std::size(known_architectures),
              "a word for each architecture of the table, in its order, behind by_class");

// Timing of one class of instructions (sub_core.execution.CLASS.*).
struct UnitTiming {
  std::uint32_t latency = 4;
  std::uint32_t initiation_interval = 2;
  void describe(ParameterVisitor& v) {
    v.field("latency", latency, {1, 10000}, "cycles", "time from the first execution cycle to write-back");
    v.field("initiation_interval", initiation_interval, {1, 10000}, "cycles",
            "time between two instructions that the unit takes");
  }
};

class ExecutionParameters {
 public:
  UnitArchitecture architecture = UnitArchitecture::by_class;
  std::vector<UnitShape> shapes;  // the first shape that matches an opcode counts

  ExecutionParameters() {
    for (const ExecutionClassLine& line : execution_classes)
      timing_[static_cast<std::size_t>(line.execution)] = {line.latency, line.initiation_interval};
  }
  void describe(ParameterVisitor& v);
  // The options by which instructions are marked before they run. by_class has the binary version 0.
  UnitOptions units() const {
    return {architecture == UnitArchitecture::by_class
                ? 0
                : known_architectures[static_cast<std::size_t>(architecture) - 1],
            shapes};
  }
  // Whether the SM has a copy engine.
  bool has_bulk_copies() const { return subcore::has_bulk_copies(units().architecture); }
  // Whether tensor cores make matrix products of warpgroups.
  bool has_warpgroup_products() const { return subcore::has_warpgroup_products(units().architecture); }
  // The most registers that a tensor instruction reads, products of doubles left out. HMMA.1688 reads seven,
  // a sparse HMMA.16832 thirteen.
  unsigned widest_instruction() const { return architecture <= UnitArchitecture::sm_75 ? 7 : 13; }
  // The most registers that any tensor instruction reads. DMMA.16x8x16 of sm_90 reads thirty-two.
  unsigned widest_of_doubles() const {
    return architecture == UnitArchitecture::sm_90 ? max_sources : widest_instruction();
  }
  // Timing of a class. Asking for the load/store unit's throws std::logic_error: its timing is in
  // `load_store`.
  const UnitTiming& of(ExecutionClass c) const {
    if (c == ExecutionClass::load_store)
      throw std::logic_error(
          "the load/store unit has no entry in `execution`: its timing is in `load_store`");
    return timing_[static_cast<std::size_t>(c)];
  }
  UnitTiming& of(ExecutionClass c) {
    return const_cast<UnitTiming&>(static_cast<const ExecutionParameters&>(*this).of(c));
  }
  // Timing of an instruction: of its shape, if the architecture's table has one, else of its class.
  UnitTiming of(const StaticInstruction& s) const {
    return s.latency != 0 ? UnitTiming{s.latency, s.initiation_interval} : of(s.execution);
  }

 private:
  std::array<UnitTiming, execution_class_count> timing_;
};

}  // namespace subcore
