#include "modules/collector/collector.h"

#include <ostream>
#include <sstream>

namespace subcore {

void check_slots(const sc_core::sc_module& collector, const Instruction& i, unsigned slots) {
  if (i.source_count <= slots) return;
  std::ostringstream text;
  text << collector.name() << ": the instruction at pc 0x" << std::hex << i.code->pc << std::dec << " has "
       << unsigned{i.source_count} << " source operands; expected at most " << slots
       << " (sub_core.collector.slots)";
  SC_REPORT_ERROR("/subcore/slots", text.str().c_str());
}

void report_collecting(std::ostream& out, const sc_core::sc_module& collector, const Instruction& i,
                       unsigned missing) {
  out << collector.name() << ": warp " << i.warp_uid << ", pc 0x" << std::hex << i.code->pc << std::dec;
  if (missing != 0) {
    out << " waits for " << missing << " operands\n";
  } else {
    out << " waits for dispatch\n";
  }
}

}  // namespace subcore
