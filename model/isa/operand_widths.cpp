#include <algorithm>

#include "subcore/model/isa/opcodes.h"

namespace subcore {
namespace {

// A shape: an opcode with required modifiers, and the registers of D, A, B and C.
struct TensorShape {
  std::string_view opcode;
  std::uint8_t d, a, b, c;
};

// Registers per lane, with accumulators of 32 bits. F16 accumulators take half as many, because 16 bits are
// packed in pairs. The first line that matches counts. Sparse forms name the depth before compression: A is
// stored at half of that depth, B in full. A TF32 element fills a register. The source is the fragment
// layouts of the PTX ISA.
constexpr TensorShape tensor_shapes[] = {
    {"HMMA.884", 2, 2, 2, 2},  // Volta: one step of four, accumulators in pairs
    {"HMMA.SP.1688.TF32", 4, 2, 2, 4}, {"HMMA.SP.16816.TF32", 4, 4, 4, 4}, {"HMMA.SP.16816", 4, 2, 2, 4},
    {"HMMA.SP.16832", 4, 4, 4, 4},     {"HMMA.1688.TF32", 4, 4, 2, 4},     {"HMMA.1688", 4, 2, 1, 4},
    {"HMMA.1684", 4, 2, 1, 4},         {"HMMA.16816", 4, 4, 2, 4},         {"HMMA.16832", 4, 4, 4, 4},
    {"IMMA.8816", 2, 1, 1, 2},         {"IMMA.8832", 2, 1, 1, 2},          {"IMMA.SP.168128", 4, 4, 4, 4},
    {"IMMA.SP.16864.S4", 4, 2, 2, 4},  {"IMMA.SP.16864.U4", 4, 2, 2, 4},   {"IMMA.SP.16864", 4, 4, 4, 4},
    {"IMMA.SP.16832", 4, 2, 2, 4},     {"IMMA.16816", 4, 2, 1, 4},         {"IMMA.16832.S4", 4, 2, 1, 4},
    {"IMMA.16832.U4", 4, 2, 1, 4},     {"IMMA.16832", 4, 4, 2, 4},         {"IMMA.16864", 4, 4, 2, 4},
    {"BMMA.88128", 2, 1, 1, 2},        {"BMMA.168128", 4, 2, 1, 4},        {"BMMA.168256", 4, 4, 2, 4},
    {"DMMA.884", 4, 2, 2, 4},          {"DMMA.1684", 8, 4, 2, 8},          {"DMMA.16x8x4", 8, 4, 2, 8},
    {"DMMA.1688", 8, 8, 4, 8},         {"DMMA.16x8x8", 8, 8, 4, 8},        {"DMMA.16816", 8, 16, 8, 8},
    {"DMMA.16x8x16", 8, 16, 8, 8},     {"QMMA.SP.16832", 4, 2, 2, 4},      {"QMMA.SP.16864", 4, 4, 4, 4},
    {"QMMA.16816", 4, 2, 1, 4},        {"QMMA.16832", 4, 4, 2, 4},         {"OMMA.SP.168128", 4, 4, 4, 4},
    {"OMMA.16864", 4, 4, 2, 4},
};

std::uint8_t data_registers(std::string_view opcode, unsigned memory_bytes) {
  if (has_modifier(opcode, "128")) return 4;
  if (has_modifier(opcode, "64")) return 2;
  return static_cast<std::uint8_t>(std::max(1u, memory_bytes / 4));
}

// Conversions name the result's type first: F2F.F64.F32. A type that is left out is 32 bits wide.
bool wide_type(std::string_view part) {
  return part == "F64" || part == "S64" || part == "U64";
}

void conversion(std::string_view opcode, OperandWidths& w) {
  const std::string_view base = base_of(opcode);
  unsigned types = 0;
  bool wide[2] = {false, false};
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
    const std::string_view part = opcode.substr(dot + 1, opcode.find('.', dot + 1) - dot - 1);
    const bool floating =
        part.size() == 3 && part[0] == 'F' && (part == "F64" || part == "F32" || part == "F16");
    const bool integral =
        part.size() >= 2 && (part[0] == 'S' || part[0] == 'U') && part[1] >= '0' && part[1] <= '9';
    if (!floating && !integral) continue;
    if (base == "F2F") {
      if (types < 2) wide[types++] = wide_type(part);
    } else {
      // F2I and I2F leave out a type that is S32 or F32. The kind of the named type tells on which side it
      // stands.
      wide[(base == "F2I") == integral ? 0 : 1] |= wide_type(part);
    }
  }
  if (base == "FRND") wide[0] = wide[1] = has_modifier(opcode, "F64");
  w.destination[0] = wide[0] ? 2 : 1;
  w.source[0] = wide[1] ? 2 : 1;
}

void tensor(std::string_view opcode, const OpcodeInfo& info, OperandWidths& w) {
  const auto shape = std::find_if(std::begin(tensor_shapes), std::end(tensor_shapes),
                                  [&](const TensorShape& t) { return matches_shape(opcode, t.opcode); });
  // Warpgroup forms (HGMMA, ...) have up to 128 accumulator registers, far more than one sub-core's operand
  // path carries. For such forms the registers that the trace names count.
  if (shape == std::end(tensor_shapes)) return;
  const bool half = info.execution == ExecutionClass::tensor_f16 && shape->d == 4;
  w.destination[0] = half ? shape->d / 2 : shape->d;
  w.source[0] = shape->a;
  w.source[1] = shape->b;
  w.source[2] = half ? shape->c / 2 : shape->c;
}

void memory(std::string_view opcode, std::string_view base, const OpcodeInfo& info, unsigned memory_bytes,
            unsigned source_count, OperandWidths& w) {
  // STAS writes shared memory of another SM, whose address has 64 bits.
  const bool narrow_address = base != "STAS" && base != "REDAS" &&
                              (info.space == MemorySpace::shared || info.space == MemorySpace::local ||
                               info.space == MemorySpace::constant || base.substr(0, 2) == "SU");
  const std::uint8_t address = narrow_address ? 1 : 2;
  const std::uint8_t matrices = matrices_moved(opcode);
  const std::uint8_t data = matrices != 0 ? matrices : data_registers(opcode, memory_bytes);
  w.destination[0] = data;
  if (base == "LDGSTS") {  // shared address, then global address; a uniform shared address is not listed
    w.source[0] = source_count >= 2 ? 1 : 2;
    w.source[1] = 2;
    return;
  }
  if (info.kind == InstructionKind::load) {
    w.source[0] = address;
    return;
  }
  // A store or atomic that lists one register has its address in uniform registers or a constant.
  unsigned i = 0;
  if (source_count >= 2) w.source[i++] = address;
  // Pascal's compare-and-swap takes both values as one vector. Later architectures list them separately.
  const bool paired = has_modifier(opcode, "CAS") && source_count == 2;
  for (; i < max_sources; ++i) w.source[i] = paired ? static_cast<std::uint8_t>(2 * data) : data;
}

}  // namespace

std::uint8_t matrices_moved(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  if (base != "LDSM" && base != "STSM") return 0;
  return has_modifier(opcode, "4") ? 4 : has_modifier(opcode, "2") ? 2 : 1;
}

// Addresses and descriptors of global memory are pairs, as are the results of UIMAD.WIDE and ULDC.64. A
// matrix product of a warpgroup reads two descriptors of shared memory.
UniformWidths uniform_widths(std::string_view opcode, const OpcodeInfo& info) {
  UniformWidths w;
  w.written = has_modifier(opcode, "128")                                  ? 4
              : has_modifier(opcode, "64") || has_modifier(opcode, "WIDE") ? 2
                                                                           : 1;
  const bool wide_address =
      info.accesses_memory() && (info.space == MemorySpace::global || info.space == MemorySpace::generic ||
                                 info.space == MemorySpace::local);
  if (wide_address || (info.execution == ExecutionClass::uniform && w.written != 1)) w.read = 2;
  if (opcode.find("GMMA") != std::string_view::npos) w.read = 4;
  return w;
}

OperandWidths operand_widths(std::string_view opcode, const OpcodeInfo& info, unsigned memory_bytes,
                             const Register* sources, unsigned source_count) {
  OperandWidths w;
  w.source.fill(1);
  w.destination.fill(1);
  const std::string_view base = base_of(opcode);
  if (info.is_tensor()) {
    tensor(opcode, info, w);
  } else if (info.accesses_memory()) {
    memory(opcode, base, info, memory_bytes, source_count, w);
  } else if (info.execution == ExecutionClass::double_) {
    w.source.fill(2);
    w.destination[0] = base == "DSET" ? 1 : 2;
  } else if (base == "IMAD" && (has_modifier(opcode, "WIDE") || has_modifier(opcode, "HI"))) {
    if (has_modifier(opcode, "WIDE")) w.destination[0] = 2;
    w.source[2] = 2;
    // With two registers, either B or C is a constant. A 64-bit C starts at an even register, so an odd
    // register is B.
    if (source_count == 2 && sources[1] % 2 == 0) w.source[1] = 2;
  } else if (base == "F2F" || base == "F2I" || base == "I2F" || base == "FRND") {
    conversion(opcode, w);
  } else if (base == "FADD2" || base == "FMUL2" || base == "FFMA2" ||
             ((base == "IADD" || base == "MOV" || base == "SEL") && has_modifier(opcode, "64"))) {
    w.source.fill(2);  // pairs, from sm_100 on
    w.destination[0] = 2;
  } else if (base == "MOVM" && (has_modifier(opcode, "M832") || has_modifier(opcode, "M864"))) {
    w.destination[0] = 2;
  } else if (base == "CS2R") {
    w.destination[0] = has_modifier(opcode, "32") ? 1 : 2;
  } else if (base == "LEPC") {
    w.destination[0] = 2;
  } else if (base == "MATCH") {
    w.source[0] = has_modifier(opcode, "U64") ? 2 : 1;
  } else if (base == "QSPC" || base == "RET" || base == "BRX" || base == "JMX" || base == "CALL" ||
             base == "CCTL") {
    w.source[0] = 2;  // a 64-bit code or memory address
  }
  return w;
}

}  // namespace subcore
