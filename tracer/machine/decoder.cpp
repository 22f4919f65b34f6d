#include "subcore/tracer/machine/decoder.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "subcore/base/bits.h"
#include "subcore/base/formatted.h"
#include "subcore/base/text.h"

namespace subcore::tracer {
namespace {

bool matches(const InstructionRow& row, const Instruction& i, unsigned architecture) {
  if (architecture < row.since || architecture > row.until) return false;
  for (const Match& match : row.matches)
    if (i.bits(match.bit, match.width) != match.value) return false;
  const auto opcode = i.bits(0, 9);
  for (const std::uint16_t own : row.opcodes)
    if (own == opcode) return true;
  return false;
}

// Part number `n` of a list "a|b|c".
std::string_view part(std::string_view words, std::uint64_t n) {
  for (; n > 0; --n) {
    const std::size_t end = words.find('|');
    if (end == std::string_view::npos) return {};
    words.remove_prefix(end + 1);
  }
  return words.substr(0, words.find('|'));
}

const char* special_register(unsigned number) {
  switch (number) {
    case 0x00:
      return "LANEID";
    case 0x02:
      return "VIRTCFG";
    case 0x03:
      return "VIRTID";
    case 0x20:
      return "TID";
    case 0x21:
      return "TID.X";
    case 0x22:
      return "TID.Y";
    case 0x23:
      return "TID.Z";
    case 0x25:
      return "CTAID.X";
    case 0x26:
      return "CTAID.Y";
    case 0x27:
      return "CTAID.Z";
    case 0x28:
      return "NTID";
    case 0x2f:
      return "SWINHI";
    case 0x38:
      return "EQMASK";
    case 0x39:
      return "LTMASK";
    case 0x3a:
      return "LEMASK";
    case 0x3b:
      return "GTMASK";
    case 0x3c:
      return "GEMASK";
    case 0x43:
      return "VIRTUALSMID";
    case 0x50:
      return "CLOCKLO";
    case 0x51:
      return "CLOCKHI";
    case 0x52:
      return "GLOBALTIMERLO";
    case 0x53:
      return "GLOBALTIMERHI";
    case 0x88:
      return "CgaCtaId";
    default:
      return nullptr;
  }
}

// Decodes one instruction whose row is known.
class RowDecoder {
 public:
  RowDecoder(Instruction& i, const InstructionRow& row, unsigned architecture)
      : i_(i), row_(row), architecture_(architecture), uniform_(row.has(is_uniform)) {}

  void decode() {
    if (row_.has(no_reuse)) i_.reuse = 0;
    i_.opcode = row_.name;
    read_operands();
    if (row_.has(renames_moves) && !uniform_) rename_move();
    for (const Modifier& modifier : row_.modifiers) read(modifier);
    if (row_.has(inverts_if_extended) && i_.field(Field::extended))
      for (Operand& o : i_.operands) invert(o);
    if (row_.has(inverts_c_if_extended) && i_.field(Field::extended)) invert(i_.operands[2]);
    std::string_view words = row_.operands;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      read(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  }
  const std::string& operands_text() const { return text_; }

 private:
  static void invert(Operand& o) {
    o.inverted = o.negated;
    o.negated = false;
  }
  void set(Field f, std::uint64_t value) {
    i_.fields[static_cast<std::size_t>(f)] = static_cast<std::uint8_t>(value);
  }
  void read(const Modifier& modifier) {
    if (architecture_ < modifier.since || architecture_ > modifier.until) return;
    const std::uint64_t value = modifier.width == 0 ? 0 : i_.bits(modifier.bit, modifier.width);
    if (modifier.field != Field::none) set(modifier.field, value);
    if (const std::string_view word = part(modifier.words, value); !word.empty()) (i_.opcode += '.') += word;
  }

  // Sources A, B and C. The instruction's form says which of B and C is no vector register. If that is C, B's
  // register stands in C's usual place.
  void read_operands() {
    const auto source = [&](unsigned at, bool uniform, std::uint8_t slot) {
      Operand o;
      o.kind = uniform ? Operand::Kind::uniform : Operand::Kind::vector;
      o.number = static_cast<std::uint8_t>(i_.bits(at, uniform ? 6 : 8));
      o.slot = slot;
      return o;
    };
    const bool halves = row_.has(has_halves);
    Operand a = source(24, uniform_, 0), c = source(64, uniform_, 2), variable;
    switch (i_.form) {
      case 1:
        variable = source(32, uniform_, 1);
        break;
      case 2:
      case 4:
        variable.kind = Operand::Kind::immediate;
        variable.value = static_cast<std::uint32_t>(i_.bits(32, 32));
        break;
      case 3:
      case 5:
        variable.kind = Operand::Kind::constant;
        variable.value = static_cast<std::uint32_t>(i_.bits(38, 16));
        variable.bank = static_cast<std::uint8_t>(i_.bits(54, 5));
        break;
      case 6:
      case 7:
        variable = source(32, true, 1);
        break;
      default:
        break;
    }
    const auto sign = [&](Signs s, unsigned at) { return (row_.signs & s) != 0 && i_.bit(at); };
    a.negated = sign(negated_a, 72);
    a.absolute = sign(absolute_a, 73);
    if (variable.kind != Operand::Kind::immediate) {
      variable.negated = sign(negated_b, 63);
      variable.absolute = sign(absolute_b, 62);
      variable.inverted = sign(inverted_b, 63);
      if (halves) variable.halves = static_cast<std::uint8_t>(i_.bits(60, 2));
    }
    c.negated = sign(negated_c, halves ? 84 : 75);
    c.absolute = sign(absolute_c, halves ? 83 : 74);
    if (halves) {
      a.halves = static_cast<std::uint8_t>(i_.bits(74, 2));
      c.halves = static_cast<std::uint8_t>(i_.bits(81, 2));
    }
    variable_is_c_ = i_.form == 2 || i_.form == 3 || i_.form == 7;
    i_.operands = {a, variable, c};
    if (variable_is_c_) {
      c.slot = 1;
      variable.slot = 2;
      i_.operands = {a, c, variable};
    }
  }

  // Moves, additions and shifts that are encoded as IMAD get names of their own.
  void rename_move() {
    const auto& [a, b, c] = i_.operands;
    if (i_.bit(74)) return;
    if (b.kind == Operand::Kind::immediate) {
      if (b.value == 0)
        i_.opcode += c.kind != Operand::Kind::uniform ? ".MOV" : "";
      else if (b.value == 1)
        i_.opcode += ".IADD";
      else if (c.kind == Operand::Kind::vector && c.number == zero_register &&
               (b.value & (b.value - 1)) == 0 && b.value != 0x10000)
        i_.opcode += ".SHL";
    } else if (a.number == zero_register && b.kind == Operand::Kind::vector && b.number == zero_register &&
               c.kind != Operand::Kind::uniform) {
      i_.opcode += ".MOV";
    }
  }

  // ---- The text of operands, and the registers in them.

  void add(const std::string& word) {
    if (!text_.empty()) text_ += ", ";
    text_ += word;
  }
  // A number that is an operand by itself. Tracers write the last such number behind the line. For a float
  // instruction they write a whole number, if it is one, and for a half instruction 0.
  void add_number(std::int64_t value) {
    add(hex_text(value));
    const char first = i_.opcode[0];
    if (first == 'F' && i_.opcode.compare(0, 3, "FLO") != 0) {
      float number;
      const auto word = static_cast<std::uint32_t>(value);
      std::memcpy(&number, &word, sizeof number);
      set_immediate(static_cast<double>(number));
    } else if (first == 'D' && i_.opcode.compare(0, 3, "DEP") != 0) {
      double number;
      const std::uint64_t word = static_cast<std::uint64_t>(value) << 32;
      std::memcpy(&number, &word, sizeof number);
      set_immediate(number);
    } else {
      i_.immediate = first == 'H' ? 0 : static_cast<std::int32_t>(value);
    }
  }
  void set_immediate(double number) {
    if (std::fabs(number) < 2e9 && number == std::trunc(number))
      i_.immediate = static_cast<std::int32_t>(number);
  }
  static std::string register_name(unsigned number, bool uniform) {
    if (uniform) return number == zero_uniform ? "URZ" : "UR" + std::to_string(number);
    return number == zero_register ? "RZ" : "R" + std::to_string(number);
  }
  static std::string predicate_name(unsigned number, bool negated, bool uniform) {
    return std::string(negated ? "!" : "") + (uniform ? "U" : "") +
           (number == true_predicate ? "PT" : "P" + std::to_string(number));
  }
  bool reused(unsigned slot) const { return slot < 3 && bits::has<unsigned>(i_.reuse, slot); }
  void use(unsigned number, unsigned width, bool destination, bool uniform, unsigned slot) {
    i_.registers.push_back({static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(width), destination,
                            uniform, static_cast<std::uint8_t>(slot),
                            !destination && !uniform && reused(slot)});
  }
  // A source register, and its text.
  std::string source_register(unsigned number, unsigned width, unsigned slot) {
    use(number, width, false, false, slot);
    return register_name(number, false) + (reused(slot) ? ".reuse" : "");
  }
  std::string operand_text(const Operand& o) const {
    static constexpr const char* halves[] = {"", ".F32", ".H0_H0", ".H1_H1"};
    std::string word;
    switch (o.kind) {
      case Operand::Kind::vector:
        word = register_name(o.number, false);
        break;
      case Operand::Kind::uniform:
        word = register_name(o.number, true);
        break;
      case Operand::Kind::constant:
        word = "c[" + hex_text(o.bank) + "][" + hex_text(o.value) + "]";
        break;
      default:
        break;
    }
    const bool in_bars = o.absolute && o.kind == Operand::Kind::constant;
    if (in_bars) word += halves[o.halves];
    if (o.absolute) word = "|" + word + "|";
    if (o.negated) word = "-" + word;
    if (o.inverted) word = "~" + word;
    if (o.kind == Operand::Kind::vector && reused(o.slot)) word += ".reuse";
    return in_bars ? word : word + halves[o.halves];
  }
  void add_operand(unsigned n, unsigned width, bool unsigned_number, const std::string& suffix = "") {
    const Operand& o = i_.operands[n];
    if (o.kind == Operand::Kind::immediate)
      return add_number(unsigned_number ? static_cast<std::int64_t>(o.value)
                                        : static_cast<std::int64_t>(static_cast<std::int32_t>(o.value)));
    if (o.kind == Operand::Kind::vector || o.kind == Operand::Kind::uniform)
      use(o.number, width, false, o.kind == Operand::Kind::uniform, o.slot);
    add(operand_text(o) + suffix);
  }

  // The width of an operand, by the letter or digit in its word. The letter m stands for the size of the
  // access, t and f for the types of a conversion, and a for the type of an atomic.
  unsigned width_of(std::string_view word) const {
    for (const char c : word) {
      if (c >= '1' && c <= '9') return static_cast<unsigned>(c - '0');
      switch (c) {
        case 'm':
          return access_registers(i_.field(Field::size));
        case 't':
          return i_.field(Field::to) == 3 ? 2 : 1;
        case 'f':
          return i_.field(Field::from) == 3 ? 2 : 1;
        case 'a': {
          const unsigned type = i_.field(Field::type);
          return type == 2 || type == 5 || type == 6 ? 2 : 1;
        }
        default:
          break;
      }
    }
    return 1;
  }
  static bool has(std::string_view word, char c) { return word.find(c) != std::string_view::npos; }

  // The words of a row's operands. Behind the letter there may be a width, h (numbers are unsigned) or ?
  // (optional).
  //   D U         the destination; U: the uniform destination of a vector instruction
  //   A B C V     sources; V: the source that is no register, or B; Vc: in slot C
  //   p0 p1       predicates that are written
  //   q87 q77 q68 predicates that are read; x: only with .X; v: of the warp; u: bit 67 names the file
  //   M S         an address; S: the address of LDGSTS in shared memory
  //   d e         data of stores and atomics at bits 32 and 64; n: generic, at bit 64 without a uniform one
  //   b24 b16     a convergence barrier
  //   iL iS       a field as a number
  // Other words belong to one instruction each. read() names them.
  void read(std::string_view word) {
    const unsigned width = width_of(word.substr(1));
    const bool is_hex = has(word, 'h'), optional = has(word, '?');
    switch (word[0]) {
      case 'D':
        return destination(width, uniform_, optional);
      case 'U':
        return destination(1, true, false);
      case 'A':
        return add_operand(0, width, is_hex, has(word, 'r') ? ".ROW" : has(word, 'k') ? byte_suffix() : "");
      case 'B':
        if (optional && i_.operands[1].kind == Operand::Kind::immediate && i_.operands[1].value == 0xff)
          return;
        return add_operand(1, width, is_hex, has(word, 'c') ? ".COL" : has(word, 'k') ? part_suffix() : "");
      case 'C':
        return add_operand(2, width, is_hex);
      case 'V':
        if (variable_is_c_) i_.operands[1] = i_.operands[2];
        if (has(word, 'c')) i_.operands[1].slot = 2;
        return add_operand(1, width, is_hex);
      case 'p':
        return written_predicate(word[1] == '0' ? 0 : 1, optional);
      case 'q':
        return read_predicate(word);
      case 'i':
        return number(word);
      case 'M':
        return address(word.substr(1));
      case 'S':
        return copy_address();
      case 'd':
        return data(i_.data, 32, width, 1);
      case 'e':
        return data(i_.second_data, 64, width, 2);
      case 'n':
        return data(i_.data, i_.address.has_uniform ? 32 : 64, width, 1);
      case 'b':
        return convergence_barrier(word == "b16" ? 16 : 24, word == "b24" ? 8 : 4);
      default:
        return special(word);
    }
  }
  void destination(unsigned width, bool uniform, bool optional) {
    i_.destination = static_cast<std::uint8_t>(i_.bits(16, uniform ? 6 : 8));
    if (optional && i_.destination == (uniform ? zero_uniform : zero_register)) return;
    i_.destination_is_first = uniform || text_.empty();
    i_.destination_width = static_cast<std::uint8_t>(width);
    use(i_.destination, width, true, uniform, 3);
    add(register_name(i_.destination, uniform));
  }
  void written_predicate(unsigned which, bool optional) {
    const auto number = static_cast<std::uint8_t>(i_.bits(which == 0 ? 81 : 84, 3));
    i_.predicates[which] = number;
    if (!optional || number != true_predicate) add(predicate_name(number, false, uniform_));
  }
  void read_predicate(std::string_view word) {
    std::uint64_t at = 0;
    text::parse_unsigned(word.substr(1, 2), at);
    Condition& c = i_.conditions[at == 87 ? 0 : at == 77 ? 1 : 2];
    c.number = static_cast<std::uint8_t>(i_.bits(static_cast<unsigned>(at), 3));
    c.negated = i_.bit(static_cast<unsigned>(at) + 3);
    c.uniform = (uniform_ && !has(word, 'v')) || (has(word, 'u') && i_.bit(67));
    if (has(word, 'x') && !i_.field(Field::extended)) return;
    if (has(word, '?') && c.number == true_predicate && !c.negated) return;
    add(predicate_name(c.number, c.negated, c.uniform));
  }
  // A field that is a number: "iL" is the function of LOP3, "iS" the shift of LEA.
  void number(std::string_view word) {
    switch (word[1]) {
      case 'L':
        add_number(static_cast<std::int64_t>(i_.field(Field::lut)));
        break;
      case 'l':
        add_number(static_cast<std::int64_t>(i_.field(Field::second_lut)));
        break;
      default:
        add_number(static_cast<std::int64_t>(i_.field(Field::shift)));
        break;
    }
  }
  std::string byte_suffix() const {
    return i_.field(Field::part) ? ".B" + std::to_string(i_.field(Field::part)) : "";
  }
  std::string part_suffix() const {
    const unsigned chosen = i_.field(Field::part);
    if (chosen == 0 || i_.operands[1].kind != Operand::Kind::vector) return "";
    return i_.field(Field::from) == 0 && i_.opcode[0] == 'I' ? ".B" + std::to_string(chosen) : ".H1";
  }
  void data(std::uint8_t& number, unsigned at, unsigned width, unsigned slot) {
    number = static_cast<std::uint8_t>(i_.bits(at, 8));
    add(source_register(number, width, slot));
  }
  void convergence_barrier(unsigned at, unsigned width) {
    const std::uint64_t number = i_.bits(at, width);
    set(Field::barrier, number);
    add(number == 0x1a ? "MACTIVE" : "B" + std::to_string(number));
  }

  // "Mg": the letter behind M gives the memory. o: an atomic. S: the uniform register is at bit 64, otherwise
  // at bit 32. x: scaled.
  void address(std::string_view kind) {
    Address& a = i_.address;
    switch (kind[0]) {
      case 'g':
        a.space = Space::global;
        break;
      case 'e':
        a.space = Space::generic;
        break;
      case 'l':
        a.space = Space::local;
        break;
      default:
        a.space = Space::shared;
        break;
    }
    const bool in_wide_space = a.space == Space::global || a.space == Space::generic, atomic = has(kind, 'o');
    a.base = static_cast<std::uint8_t>(i_.bits(24, 8));
    a.has_uniform = i_.bit(91);
    a.offset = i_.signed_bits(40, 24);
    if (a.space == Space::generic && !a.has_uniform && !atomic) a.offset = i_.signed_bits(32, 32);
    const bool by_descriptor = i_.bit(atomic ? 71 : 76);
    if (in_wide_space) {
      // Atomics with a result have their operation at bit 90.
      const unsigned with_uniform = atomic && !has(kind, 'S') ? 70 : 90;
      a.is_wide = i_.bit(a.has_uniform ? with_uniform : 72);
      a.is_descriptor = architecture_ >= 80 && a.has_uniform && by_descriptor;
    }
    if (atomic && !has(kind, 'S')) {
      if (a.is_descriptor || a.space == Space::shared || i_.form == 4)
        a.uniform = static_cast<std::uint8_t>(i_.bits(64, 6));
    } else if (a.has_uniform) {
      a.uniform = static_cast<std::uint8_t>(i_.bits(has(kind, 'S') ? 64 : 32, 6));
    }
    if (has(kind, 'x')) a.scale = static_cast<std::uint8_t>(i_.bits(78, 2));
    address_text();
  }
  void address_text() {
    const Address& a = i_.address;
    if (a.is_descriptor) {
      use(a.uniform, 2, false, true, 1);
      const std::string base = source_register(a.base, a.is_wide ? 2 : 1, 0) + (a.is_wide ? ".64" : "");
      return add((architecture_ >= 90 ? "desc[" + register_name(a.uniform, true) + "]" : "") + "[" + base +
                 (a.offset ? "+" + hex_text(a.offset) : "") + "]");
    }
    const bool in_wide_space = a.space == Space::global || a.space == Space::generic;
    std::string inner;
    if (a.base != zero_register || !a.has_uniform) {
      const std::string base = source_register(a.base, in_wide_space && a.is_wide ? 2 : 1, 0);
      if (a.base != zero_register || a.offset == 0) inner = base;
      if (in_wide_space && a.has_uniform) inner += a.is_wide ? ".64" : ".U32";
      static constexpr const char* scales[] = {"", ".X4", ".X8", ".X16"};
      inner += scales[a.scale];
    }
    if (a.has_uniform) {
      inner += (inner.empty() ? "" : "+") + register_name(a.uniform, true);
      use(a.uniform, in_wide_space ? 2 : 1, false, true, 1);
    }
    if (a.offset) inner += (inner.empty() ? "" : "+") + hex_text(a.offset);
    add("[" + (inner.empty() ? "RZ" : inner) + "]");
  }
  // LDGSTS has two addresses, and fewer bits for each offset.
  void copy_address() {
    Address& a = i_.address;
    a.copy_to = static_cast<std::uint8_t>(i_.bits(16, 8));
    a.copy_offset = i_.signed_bits(44, 20);
    use(a.copy_to, 1, false, false, 1);
    add("[" + register_name(a.copy_to, false) + (a.copy_offset ? "+" + hex_text(a.copy_offset) : "") + "]");
    a.is_wide = true;
    a.has_uniform = a.is_descriptor = i_.bit(91);
    a.uniform = static_cast<std::uint8_t>(i_.bits(64, 6));
    a.base = static_cast<std::uint8_t>(i_.bits(24, 8));
    a.offset = i_.signed_bits(32, 12);
    address_text();
  }

  std::uint32_t relative_target(std::int64_t words) const {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(i_.pc) + 16 + words * 4);
  }
  std::uint32_t branch_target() const {
    if (architecture_ >= 90)
      return relative_target(i_.signed_bits(34, 46) * 256 + static_cast<std::int64_t>(i_.bits(16, 8)));
    return relative_target(i_.signed_bits(34, 48));
  }
  // A constant: c[bank][register + offset].
  void constant(bool uniform) {
    Address& a = i_.address;
    a.offset = i_.signed_bits(38, 16);
    const unsigned none = uniform ? zero_uniform : zero_register;
    a.base = static_cast<std::uint8_t>(uniform ? (i_.bits(0, 9) == 0x0bb ? i_.bits(24, 6) : zero_uniform)
                                               : i_.bits(24, 8));
    const bool indexed = uniform ? i_.bits(0, 9) == 0x0bb : a.base != none;
    if (!indexed) a.offset &= 0xffff;
    std::string inner;
    if (!uniform) {
      inner = source_register(a.base, 1, 0);
    } else if (indexed) {
      use(a.base, 1, false, true, 1);
      inner = register_name(a.base, true);
    }
    if (!indexed) inner = hex_text(a.offset);
    if (indexed && a.offset) inner += "+" + hex_text(a.offset);
    add("c[" + hex_text(static_cast<std::int64_t>(i_.field(Field::bank))) + "][" + inner + "]");
  }
  // A shuffle's lane and clamp are registers or numbers.
  void shuffle_operands() {
    const bool lane_is_register = i_.form == 1 || i_.form == 2,
               clamp_is_register = i_.form == 1 || i_.form == 4;
    const auto take = [&](unsigned n, bool is_register, unsigned at, unsigned number_at, unsigned width) {
      Operand& o = i_.operands[n];
      o = {};
      o.kind = is_register ? Operand::Kind::vector : Operand::Kind::immediate;
      o.number = static_cast<std::uint8_t>(i_.bits(at, 8));
      o.value = static_cast<std::uint32_t>(i_.bits(number_at, width));
      o.slot = static_cast<std::uint8_t>(n);
    };
    take(1, lane_is_register, 32, 53, 5);
    take(2, clamp_is_register, 64, 40, 13);
    add_operand(1, 1, false);
    add_operand(2, 1, false);
  }
  // The number of a barrier, and the number of threads that meet there. The two are numbers or registers, or
  // one register holds both.
  void barrier_operands() {
    const bool number_is_known = i_.form == 4 || i_.form == 5, is_register = i_.form < 5;
    Operand &number = i_.operands[1], &threads = i_.operands[2];
    Operand by_register;
    by_register.kind = Operand::Kind::vector;
    by_register.number = static_cast<std::uint8_t>(i_.bits(32, 8));
    by_register.slot = 1;
    number = threads = {};
    if (number_is_known) {
      number.kind = Operand::Kind::immediate;
      number.value = static_cast<std::uint32_t>(i_.bits(54, 4));
      add_number(number.value);
    } else {
      number = by_register;
      add_operand(1, 1, false);
    }
    if (is_register && number_is_known) {
      threads = by_register;
      add_operand(2, 1, false);
    } else if (i_.form != 1) {
      threads.kind = Operand::Kind::immediate;
      threads.value = static_cast<std::uint32_t>(i_.bits(42, 12));
      if (threads.value != 0) add_number(threads.value);
    }
  }
  // Words that belong to one instruction each.
  void special(std::string_view word) {
    if (word == "PR") return add("PR");  // P2R, R2P: all predicates
    if (word == "sr") {
      const unsigned number = i_.field(Field::special);
      const char* const name = special_register(number);
      if (number == 0xff) return add("SRZ");
      if (number >= 0x64 && number < 0x6c) return add("SR_PM" + std::to_string((number - 0x64) / 2));
      return add(std::string("SR_") + (name ? name : std::to_string(number)));
    }
    if (word == "zero-mask") {  // LDG: the predicate with the lanes that load
      const auto number = static_cast<unsigned>(i_.bits(81, 3));
      if (number != true_predicate) add(predicate_name(number, false, false));
      return;
    }
    if (word == "lutP") {  // the two functions of PLOP3
      set(Field::lut, i_.bits(64, 3) | i_.bits(72, 5) << 3);
      set(Field::second_lut, i_.bits(16, 8));
      return;
    }
    if (word == "const") return constant(uniform_);
    if (word == "shuffle") return shuffle_operands();
    if (word == "wait") {
      add("SB" + std::to_string(i_.field(Field::scoreboard)));
      return add_number(static_cast<std::int64_t>(i_.field(Field::count)));
    }
    if (word == "sync") return barrier_operands();
    if (word == "target" || word == "reconvergence") {
      i_.target = word == "target" ? branch_target() : relative_target(i_.signed_bits(34, 30));
      return add_number(i_.target);
    }
    if (word == "here") {  // LEPC: its own address or, from sm_90 on, the address behind it
      i_.target =
          architecture_ < 90 ? i_.pc : static_cast<std::uint32_t>(i_.pc + 16 + i_.signed_bits(24, 40));
      return architecture_ < 90 ? void() : add_number(i_.target);
    }
    if (word == "lanes") {  // BRA.DIV, from sm_80 on: the lanes that it asks about
      if (i_.field(Field::mode) < 2 || architecture_ < 80) return;
      i_.address.uniform = static_cast<std::uint8_t>(i_.bits(24, 6));
      i_.address.has_uniform = true;
      use(i_.address.uniform, 1, false, true, 0);
      return add((i_.field(Field::inverted) ? "~" : "") + register_name(i_.address.uniform, true));
    }
    if (word == "call") {  // to an address in a register
      i_.address.base = static_cast<std::uint8_t>(i_.bits(24, 8));
      i_.target = branch_target();
      use(i_.address.base, 2, false, false, 0);
      return add(register_name(i_.address.base, false));
    }
    if (word == "jump" || word == "return") {
      i_.address.base = static_cast<std::uint8_t>(i_.bits(24, 8));
      i_.target = branch_target();
      use(i_.address.base, 2, false, false, 0);
      const std::int64_t shown = word == "jump" ? static_cast<std::int32_t>(i_.target - i_.pc - 16)
                                 : i_.field(Field::absolute) ? static_cast<std::int64_t>(i_.bits(34, 48) << 2)
                                                             : static_cast<std::int64_t>(i_.target);
      return add(register_name(i_.address.base, false) + " " + hex_text(shown));
    }
    throw std::logic_error("the instruction table's row " + std::string(row_.name) + " has the operand '" +
                           std::string(word) + "', which nobody reads");
  }

  Instruction& i_;
  const InstructionRow& row_;
  unsigned architecture_;
  bool uniform_, variable_is_c_ = false;
  std::string text_;
};

}  // namespace

std::string hex_text(std::int64_t value) {
  if (value < 0) return formatted("-0x%llx", static_cast<unsigned long long>(-value));
  return formatted("0x%llx", static_cast<unsigned long long>(value));
}

Instruction decode(const InstructionTable& table, unsigned architecture, std::uint64_t low,
                   std::uint64_t high, std::uint32_t pc) {
  Instruction i;
  i.low = low;
  i.high = high;
  i.pc = pc;
  i.form = static_cast<std::uint8_t>(i.bits(9, 3));
  i.guard.number = static_cast<std::uint8_t>(i.bits(12, 3));
  i.guard.negated = i.bit(15);
  i.stall = static_cast<std::uint8_t>(i.bits(105, 4));
  i.yields = !i.bit(109);
  i.write_barrier = static_cast<std::uint8_t>(i.bits(110, 3));
  i.read_barrier = static_cast<std::uint8_t>(i.bits(113, 3));
  i.wait_mask = static_cast<std::uint8_t>(i.bits(116, 6));
  i.reuse = static_cast<std::uint8_t>(i.bits(122, 4));
  for (const InstructionRow& row : table)
    if (matches(row, i, architecture)) {
      i.row = &row;
      break;
    }
  std::string operands;
  if (i.row != nullptr) {
    i.guard.uniform = i.row->has(is_uniform) && !i.row->has(vector_guard);
    RowDecoder decoder(i, *i.row, architecture);
    decoder.decode();
    operands = decoder.operands_text();
  } else {
    i.opcode = "UNK_" + hex_text(static_cast<std::int64_t>(i.bits(0, 12)));
  }
  if (i.guard.number != true_predicate || i.guard.negated)
    i.text = std::string("@") + (i.guard.negated ? "!" : "") + (i.guard.uniform ? "U" : "") +
             (i.guard.number == true_predicate ? "PT" : "P" + std::to_string(i.guard.number)) + " ";
  i.text += i.opcode + (operands.empty() ? "" : " " + operands) + " ;";
  return i;
}

}  // namespace subcore::tracer
