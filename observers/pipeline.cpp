#include "subcore/observers/pipeline.h"

#include "subcore/observers/text.h"

namespace subcore {

char* put_name(char* to, const InstructionRecord& life) {
  const auto operand = [&to](const InstructionRecord::Operand& o) {
    to = put(put(put(put(to, " R"), std::uint64_t{o.reg}), 'v'), std::uint64_t{o.version});
  };
  to = put(put(put(to, 'w'), std::uint64_t{life.warp_uid}), " 0x");
  to = put(put(put_hex(to, life.pc, 4), ' '), life.opcode);
  for (const InstructionRecord::Operand& o : life.destinations) operand(o);
  if (!life.sources.empty()) to = put(to, " <-");
  for (const InstructionRecord::Operand& o : life.sources) operand(o);
  return to;
}

std::string name_of(const InstructionRecord& life) {
  std::string text(longest_name(life), ' ');
  text.resize(static_cast<std::size_t>(put_name(text.data(), life) - text.data()));
  return text;
}

}  // namespace subcore
