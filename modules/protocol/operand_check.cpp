#include "modules/protocol/operand_check.h"

#include <sstream>

namespace subcore {

void OperandCheck::report(const sc_core::sc_module& unit, const Instruction& i, unsigned s, Cycle cycle) {
  std::ostringstream text;
  text << unit.name() << ": cycle " << cycle << ": warp " << i.warp_uid << " (slot " << i.warp_slot
       << "), pc 0x" << std::hex << i.code->pc << std::dec << ", instruction " << i.sequence << ": R"
       << unsigned{i.source(s)} << " is version " << i.operands[s].collected << ", program order demands "
       << i.operands[s].expected;
  if (bits::has(i.bypassed, s)) text << " (bypassed from a result)";
  if (bits::has(i.reused, s)) text << " (from the reuse cache)";
  SC_REPORT_ERROR("/subcore/stale_operand", text.str().c_str());
}

}  // namespace subcore
