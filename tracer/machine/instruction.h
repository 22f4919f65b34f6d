// One decoded instruction of compiled GPU code (SASS of sm_75 to sm_90: 128 bits each).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace subcore::tracer {

// A bit for each lane of a warp.
using Lanes = std::uint32_t;
inline constexpr Lanes all_lanes = ~Lanes{0};
inline constexpr unsigned lanes_of_warp = 32;

// Registers that are always zero, and a predicate that is always true.
inline constexpr unsigned zero_register = 255, zero_uniform = 63, true_predicate = 7;

// Modifiers of instructions, by name. Each row of the table gives the bits of its modifiers.
enum class Field : std::uint8_t {
  none,
  comparison,   // F, LT, EQ, ...
  combine,      // AND, OR, XOR, of a comparison with a predicate
  is_signed,    //
  extended,     // .X, .EX: with the carry of an earlier instruction
  high,         // .HI
  sign_extend,  // .SX32
  flush,        // .FTZ: subnormal numbers count as zero
  saturate,     // .SAT: clamped to 0..1, or to the type's range
  rounding,     // nearest, down, up, to zero
  lut,          // the function of three bits, of LOP3 and PLOP3
  second_lut,   //
  mode,         // PRMT, SHFL, VOTE, BRA, MEMBAR, ...
  right,        // SHF
  wrap,         // .W: shift amounts are taken modulo the width
  type,         // of SHF, I2IP, VIMNMX, atomics
  shift,        // of LEA
  size,         // of a memory access: U8, S8, U16, S16, 32, 64, 128
  to,           // type of a conversion's result
  from,         // type of a conversion's source
  part,         // byte or half of that source
  function,     // MUFU, REDUX, atomics
  bfloat,       // .BF16
  relu,         // .RELU
  single,       // .F32: the result of a half instruction is a float
  both,         // HSETP2.AND: one result of both halves; HSET2.BF
  scale,        // FMUL
  a_signed,     // of IDP and IMMA: the type of A
  b_signed,     // of IDP and IMMA: the type of B
  barrier,      // BSSY, BSYNC, BREAK, BMOV: the convergence barrier
  special,      // S2R, CS2R: the special register
  bank,         // LDC: the constant bank
  clear,        // BMOV.CLEAR
  transposed,   // LDSM.MT88
  zero_fill,    // LDGSTS.ZFILL
  reduction,    // BAR.RED: POPC, AND, OR
  inverted,     // BRA.DIV ~UR4
  absolute,     // RET.ABS
  scoreboard,   // DEPBAR
  count,        // DEPBAR: groups that may stay open
  total
};

// The source of an operand of an instruction.
struct Operand {
  enum class Kind : std::uint8_t { none, vector, uniform, immediate, constant };
  Kind kind = Kind::none;
  std::uint8_t number = zero_register;  // of a register
  bool negated = false, absolute = false, inverted = false;
  std::uint8_t halves =
      0;  // of a half instruction: 0 both, 1 a float, 2 the low half twice, 3 the high half twice
  std::uint8_t slot = 0;    // of the collector: 0, 1, 2 = A, B, C
  std::uint8_t bank = 0;    // of a constant
  std::uint32_t value = 0;  // of an immediate; of a constant, its offset in bytes
};

// A predicate that an instruction reads.
struct Condition {
  std::uint8_t number = true_predicate;
  bool negated = false, uniform = false;
};

// Registers that an instruction reads or writes, from `number` on.
struct RegisterUse {
  std::uint8_t number, width;
  bool is_destination, is_uniform;
  std::uint8_t slot;  // 3: a destination
  bool is_reused;
};

enum class Space : std::uint8_t { global, generic, local, shared };

// The address of a memory instruction: base register, uniform register and offset.
struct Address {
  Space space = Space::global;
  std::uint8_t base = zero_register, uniform = zero_uniform;
  bool has_uniform = false;    // a uniform register is added, or describes the memory
  bool is_descriptor = false;  // the uniform register describes the memory
  bool is_wide = false;        // the base is a pair of registers
  std::uint8_t scale = 0;      // of shared memory: the base counts words of 2 << scale bytes
  std::int64_t offset = 0;
  std::uint8_t copy_to = zero_register;  // LDGSTS: the base of the address in shared memory
  std::int64_t copy_offset = 0;          // LDGSTS: the offset of that address
};

struct InstructionRow;

struct Instruction {
  std::uint64_t low = 0, high = 0;      // the encoding
  std::uint32_t pc = 0;                 // in bytes, from the beginning of the kernel
  const InstructionRow* row = nullptr;  // null if no row of the table matches
  std::uint8_t form = 0;                // bits 9 to 11, which say which operand is no register
  Condition guard;
  std::uint8_t destination = zero_register;
  std::uint8_t destination_width = 0;  // in registers; 0: there is none
  bool destination_is_first = true;    // first among the operands in the text
  std::array<Operand, 3> operands;
  std::array<std::uint8_t, 2> predicates{true_predicate, true_predicate};  // predicates that are written
  std::array<Condition, 3> conditions;  // predicates that are read, without the guard
  Address address;
  std::uint8_t data = zero_register, second_data = zero_register;  // of stores and atomics
  std::uint32_t target = 0;                                        // of a branch
  std::array<std::uint8_t, static_cast<std::size_t>(Field::total)> fields{};

  std::string opcode, text;  // as a disassembler writes them
  std::vector<RegisterUse> registers;
  std::int32_t immediate = 0;  // the number that tracers of version 5 write behind the line

  // The control word of the compiler.
  std::uint8_t stall = 0, write_barrier = 7, read_barrier = 7, wait_mask = 0, reuse = 0;
  bool yields = false;

  unsigned field(Field f) const { return fields[static_cast<std::size_t>(f)]; }
  // The `count` bits from bit `at` on.
  std::uint64_t bits(unsigned at, unsigned count) const {
    std::uint64_t value = at >= 64 ? high >> (at - 64) : low >> at;
    if (at > 0 && at < 64 && at + count > 64) value |= high << (64 - at);
    return count == 64 ? value : value & ((std::uint64_t{1} << count) - 1);
  }
  bool bit(unsigned at) const { return bits(at, 1) != 0; }
  // The same bits as a signed number.
  std::int64_t signed_bits(unsigned at, unsigned count) const {
    return static_cast<std::int64_t>(bits(at, count) << (64 - count)) >> (64 - count);
  }
};

// The bytes that a lane accesses, by the size field of the encoding.
inline unsigned access_bytes(unsigned size) {
  constexpr std::array<unsigned, 8> bytes{1, 1, 2, 2, 4, 8, 16, 16};
  return bytes[size];
}
// The registers that hold those bytes.
inline unsigned access_registers(unsigned size) {
  return access_bytes(size) < 4 ? 1 : access_bytes(size) / 4;
}

}  // namespace subcore::tracer
