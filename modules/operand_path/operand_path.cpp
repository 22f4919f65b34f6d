#include "subcore/modules/operand_path/operand_path.h"

#include <ostream>
#include <sstream>

#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

void OperandPath::report_slots(const Instruction& i) const {
  std::ostringstream text;
  text << name() << ": the instruction at pc 0x" << std::hex << i.code->pc << std::dec << " has "
       << unsigned{i.source_count} << " source operands; expected at most " << slots_
       << " (sub_core.collector.slots)";
  fail(report_id::slots, text.str());
}

void OperandPath::report_collecting(std::ostream& out, const Instruction& i, unsigned missing) const {
  out << name() << ": " << warp_name(i) << ", pc 0x" << std::hex << i.code->pc << std::dec;
  if (missing != 0) {
    out << " waits for " << missing << " operands\n";
  } else {
    out << " waits for dispatch\n";
  }
}

}  // namespace subcore
