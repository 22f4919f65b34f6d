#include "subcore/observers/pipeline.h"

#include "subcore/observers/text.h"

namespace subcore {

char* put_name(char* to, const InstructionRecord& record) {
  const auto operand = [&to](const InstructionRecord::Operand& o) {
    to = put(put(put(put(to, " R"), std::uint64_t{o.reg}), 'v'), std::uint64_t{o.version});
  };
  to = put(put(put(to, 'w'), std::uint64_t{record.warp}), " 0x");
  to = put(put(put_hex(to, record.pc, 4), ' '), record.opcode);
  for (const InstructionRecord::Operand& o : record.destinations) operand(o);
  if (!record.sources.empty()) to = put(to, " <-");
  for (const InstructionRecord::Operand& o : record.sources) operand(o);
  return to;
}

std::string name_of(const InstructionRecord& record) {
  std::string text(longest_name(record), ' ');
  text.resize(static_cast<std::size_t>(put_name(text.data(), record) - text.data()));
  return text;
}

}  // namespace subcore
