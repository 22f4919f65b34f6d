#include "subcore/model/isa/warpgroup.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/base/text.h"
#include "subcore/model/isa/opcodes.h"

namespace subcore {
namespace {

constexpr unsigned a_registers = 4;  // of a warp's part of A, for every type
constexpr unsigned most_columns = 256;

void make_product(StaticInstruction& s, std::string_view opcode) {
  s.warpgroup = WarpgroupStep::product;
  s.columns = static_cast<std::uint16_t>(product_columns(opcode));
  if (s.destination_count == 0 || s.destinations[0] == rz) return;
  const auto info = opcode_info(opcode);
  const bool half = info && info->execution == ExecutionClass::tensor_f16;
  const Register first = s.destinations[0];
  s.accumulators.first = first;
  s.accumulators.count =
      static_cast<std::uint8_t>(std::min<unsigned>(s.columns / (half ? 4 : 2), rz - first));
  s.accumulators.read = s.reads(first);
  s.destinations.fill(0);
  s.destination_count = 0;
  const auto a = std::find_if(s.slots.begin(), s.slots.end(),
                              [&](Register r) { return r != rz && !s.accumulators.has(r); });
  s.a_in_registers = a != s.slots.end();
  const Register first_of_a = s.a_in_registers ? *a : rz;
  s.sources.fill(0);
  s.source_slots.fill(0);
  s.source_count = s.duplicate_sources = 0;
  for (unsigned n = 0; s.a_in_registers && n < a_registers && first_of_a + n < rz; ++n) {
    s.sources[s.source_count] = static_cast<Register>(first_of_a + n);
    s.source_slots[s.source_count++] = 1;
  }
}

}  // namespace

bool is_warpgroup_product(std::string_view opcode) {
  return base_of(opcode).find("GMMA") == 1;
}

unsigned product_columns(std::string_view opcode) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
    const std::string_view part = opcode.substr(dot + 1, opcode.find('.', dot + 1) - dot - 1);
    const std::size_t x = part.find('x'), end = part.find('x', x + 1);
    std::uint64_t columns = 0;
    if (end != std::string_view::npos && text::parse_unsigned(part.substr(x + 1, end - x - 1), columns))
      return columns <= most_columns ? static_cast<unsigned>(columns) : 0;
  }
  return 0;
}

void set_warpgroup_step(StaticInstruction& s, std::string_view opcode) {
  if (is_warpgroup_product(opcode)) make_product(s, opcode);
  const std::string_view base = base_of(opcode);
  if (base == "USETMAXREG") s.warpgroup = WarpgroupStep::registers;
  if (base != "WARPGROUP") return;
  if (has_modifier(opcode, "ARRIVE")) s.warpgroup = WarpgroupStep::arrive;
  if (has_modifier(opcode, "DEPBAR")) s.warpgroup = WarpgroupStep::wait;
}

}  // namespace subcore
