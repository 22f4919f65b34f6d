#include "subcore/modules/protocol/operand_check.h"

#include <iomanip>
#include <sstream>

#include "subcore/base/bits.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

void OperandCheck::report(const sc_core::sc_module& unit, const Instruction& i, const Read& read,
                          std::uint32_t wrong, Cycle cycle) {
  const Version& found = read.found;
  std::ostringstream text;
  text << unit.name() << ": cycle " << cycle << ": " << warp_name(i) << " (" << slot_name(i.warp_slot)
       << "), pc 0x" << std::hex << i.code->pc << std::dec << ", instruction " << i.sequence << ": R"
       << unsigned{read.reg} << " is version " << found.write;
  if (found.write != 0 && found.place != i.register_id(read.reg))
    text << " of R" << (found.place & 0xff) << " of " << slot_name(found.place >> 8 & 0xffff)
         << " of sub-core " << (found.place >> 24);
  text << ", program order demands " << read.expected;
  if ((wrong & i.mask) != i.mask)
    text << " in lanes 0x" << std::hex << std::setfill('0') << std::setw(8) << wrong << std::dec;
  if (found.missing != 0) text << " (older writes are missing)";
  for (unsigned s = 0; s < i.source_count; ++s) {  // accumulators are not among the sources and come from
                                                   // their banks
    if (i.source(s) != read.reg) continue;
    if (bits::has(i.bypassed, s)) text << " (bypassed from a result)";
    if (bits::has(i.reused, s)) text << " (from the reuse cache)";
  }
  if (!ignored(report_id::stale_operand)) fail(report_id::stale_operand, text.str());
}

}  // namespace subcore
