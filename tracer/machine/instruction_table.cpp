#include "subcore/tracer/machine/instruction_table.h"

#include "subcore/tracer/machine/meaning.h"

namespace subcore::tracer {
namespace {

constexpr const char* no_words = "";
constexpr const char* integer_comparisons = "F|LT|EQ|LE|GT|NE|GE|T";
constexpr const char* float_comparisons = "F|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|T";

const Modifier wide{Field::none, 72, 1, "|E"};
const Modifier size{Field::size, 73, 3, "U8|S8|U16|S16||64|128|U.128"};
const Modifier eviction{Field::none, 84, 3, "EF||EL|LU|EU|NA|6|7"};
const Modifier order_75{Field::none,
                        77,
                        4,
                        "CONSTANT.CTA|CONSTANT.SM|CONSTANT.GPU|CONSTANT.SYS||SM|GPU|SYS|"
                        "STRONG.CTA|STRONG.SM|STRONG.GPU|STRONG.SYS|MMIO|MMIO|MMIO|MMIO",
                        75,
                        79};
const Modifier atomic_order_75{Field::none,
                               77,
                               4,
                               "CONSTANT.CTA|CONSTANT.SM|CONSTANT.GPU|CONSTANT.SYS|CTA|SM|GPU|SYS|"
                               "STRONG.CTA|STRONG.SM|STRONG.GPU|STRONG.SYS|MMIO|MMIO|MMIO|MMIO",
                               75,
                               79};
const Modifier order_80{Field::none, 77, 4,
                        "|1|2|3|CONSTANT|STRONG.SM|6|STRONG.GPU|8|9|STRONG.SYS|MMIO.SYS|12|13|14|15", 80};
const Modifier comparison{Field::comparison, 76, 4, float_comparisons};
const Modifier integer_comparison{Field::comparison, 76, 3, integer_comparisons};
const Modifier combine{Field::combine, 74, 2, "AND|OR|XOR|?"};
const Modifier half_combine{Field::combine, 69, 2, "AND|OR|XOR|?"};
const Modifier flush{Field::flush, 80, 1, "|FTZ"};
const Modifier rounding{Field::rounding, 78, 2, "|RM|RP|RZ"};
const Modifier integer_rounding{Field::rounding, 78, 2, "|FLOOR|CEIL|TRUNC"};
const Modifier saturate{Field::saturate, 77, 1, "|SAT"};
const Modifier is_signed{Field::is_signed, 73, 1, "U32|"};
const Modifier extended{Field::extended, 74, 1, "|X"};
const Modifier bfloat{Field::bfloat, 85, 1, "|BF16_V2", 80};
const Modifier single{Field::single, 78, 1, "|F32"};
const Modifier wrap{Field::wrap, 75, 1, "|W"};
const Modifier atomic_type{Field::type, 73, 3, "|S32|64|F32.FTZ.RN|F16x2.RN|S64|F64.RN|?"};
const Modifier operation{Field::function, 87, 4, "ADD|MIN|MAX|INC|DEC|AND|OR|XOR|EXCH"};

Modifier word(const char* text) {
  return {Field::none, 0, 0, text};
}

// A row under construction, or two rows: for an instruction, and for the same instruction on uniform
// registers.
class Row {
 public:
  Row(InstructionTable& table, std::size_t first) : table_(table), first_(first) {}
  Row& signs(unsigned signs) {
    return each([&](InstructionRow& row) { row.signs = signs; });
  }
  Row& traits(unsigned traits) {
    return each([&](InstructionRow& row) { row.traits |= traits; });
  }
  Row& with(const std::vector<Modifier>& modifiers) {
    return each([&](InstructionRow& row) { row.modifiers = modifiers; });
  }
  Row& when(const std::vector<Match>& matches) {
    return each([&](InstructionRow& row) { row.matches = matches; });
  }
  Row& since(std::uint8_t architecture) {
    return each([&](InstructionRow& row) { row.since = architecture; });
  }
  Row& until(std::uint8_t architecture) {
    return each([&](InstructionRow& row) { row.until = architecture; });
  }

 private:
  template <class Change>
  Row& each(Change change) {
    for (std::size_t n = first_; n < table_.size(); ++n) change(table_[n]);
    return *this;
  }
  InstructionTable& table_;
  std::size_t first_;
};

class TableMaker {
 public:
  using Opcodes = std::vector<std::uint16_t>;
  Row add(const Opcodes& opcodes, const char* name, const char* operands, Meaning meaning) {
    InstructionRow row;
    row.opcodes = opcodes;
    row.name = name;
    row.operands = operands;
    row.meaning = meaning;
    table.push_back(std::move(row));
    return {table, table.size() - 1};
  }
  Row add(std::uint16_t opcode, const char* name, const char* operands, Meaning meaning) {
    return add(Opcodes{opcode}, name, operands, meaning);
  }
  // Adds an instruction that also exists for uniform registers, with another opcode and another name.
  Row both(std::uint16_t opcode, const char* name, std::uint16_t uniform_opcode, const char* uniform_name,
           const char* operands, Meaning meaning) {
    add(opcode, name, operands, meaning);
    add(uniform_opcode, uniform_name, operands, meaning).traits(is_uniform);
    return {table, table.size() - 2};
  }

  // The rows, by subject.
  void moves();
  void integers();
  void floats();
  void conversions();
  void halves();
  void matrices();
  void exchanges();
  void memory();
  void control();

  InstructionTable table;
};

// Moves, selections and predicates.
void TableMaker::moves() {
  add(0x002, "MOV", "D B", meaning::move).when({{72, 4, 15}});
  add(0x082, "UMOV", "D B", meaning::move).traits(is_uniform);
  add(0x003, "P2R", "D PR A B", meaning::predicates_to_register).with({{Field::part, 76, 2, "|B1|B2|B3"}});
  add(0x004, "R2P", "PR Ak B?", meaning::register_to_predicates).with({{Field::part, 76, 2, no_words}});
  add(0x005, "CS2R.32", "D sr", meaning::special_register)
      .with({{Field::special, 72, 8, no_words}})
      .when({{80, 1, 0}});
  add(0x005, "CS2R", "D2 sr", meaning::special_register)
      .with({{Field::special, 72, 8, no_words}})
      .when({{80, 1, 1}});
  add(0x119, "S2R", "D sr", meaning::special_register).with({{Field::special, 72, 8, no_words}});
  add(0x1c3, "S2UR", "D sr", meaning::special_register)
      .traits(is_uniform)
      .with({{Field::special, 72, 8, no_words}});
  add(0x006, "VOTE", "D? p0 q87", meaning::vote).with({{Field::mode, 72, 2, "ALL|ANY|EQ"}});
  add(0x086, "VOTEU", "D? p0 q87v", meaning::vote)
      .traits(is_uniform | vector_guard)
      .with({{Field::mode, 72, 2, "ALL|ANY|EQ"}});
  both(0x007, "SEL", 0x087, "USEL", "D A Bh q87", meaning::select);
  add(0x008, "FSEL", "D A Bh q87", meaning::select_float).signs(float_signs_2);
  both(0x01c, "PLOP3.LUT", 0x09c, "UPLOP3.LUT", "lutP p0 p1 q87 q77 q68u iL il", meaning::predicate_logic);
  add({0x1c2, 0x0ca}, "R2UR", "U A", meaning::register_to_uniform);
}

// Integers.
void TableMaker::integers() {
  both(0x00c, "ISETP", 0x08c, "UISETP", "p0 p1 A B q87 q68x", meaning::compare_integers)
      .with({integer_comparison, is_signed, combine, {Field::extended, 72, 1, "|EX"}});
  both(0x010, "IADD3", 0x090, "UIADD3", "D p0? p1? A B C q87x q77x", meaning::add_3)
      .signs(integer_signs)
      .traits(inverts_if_extended)
      .with({extended});
  const std::vector<Modifier> lea{{Field::shift, 75, 5, no_words},
                                  {Field::high, 80, 1, "|HI"},
                                  extended,
                                  {Field::sign_extend, 73, 1, "|SX32"}};
  both(0x011, "LEA", 0x091, "ULEA", "D p0? A Bh iS q87x", meaning::shift_and_add)
      .signs(negated_a | negated_b)
      .traits(inverts_if_extended)
      .with(lea)
      .when({{80, 1, 0}});
  both(0x011, "LEA", 0x091, "ULEA", "D p0? A Bh Ch iS q87x", meaning::shift_and_add)
      .signs(negated_a | negated_b)
      .traits(inverts_if_extended)
      .with(lea)
      .when({{80, 1, 1}, {73, 1, 0}});
  both(0x011, "LEA", 0x091, "ULEA", "D p0? A Bh iS q87x", meaning::shift_and_add)
      .signs(negated_a | negated_b)
      .traits(inverts_if_extended)
      .with(lea)
      .when({{80, 1, 1}, {73, 1, 1}});
  both(0x012, "LOP3.LUT", 0x092, "ULOP3.LUT", "p0? D A Bh Ch iL q87", meaning::logic_3)
      .with({{Field::lut, 72, 8, no_words}, {Field::both, 80, 1, "|PAND"}});
  add(0x013, "IABS", "D B", meaning::absolute_integer);
  both(0x016, "PRMT", 0x096, "UPRMT", "D A B C", meaning::permute)
      .with({{Field::mode, 72, 3, "|F4E|B4E|RC8|ECL|ECR|RC16|?"}});
  add(0x017, "IMNMX", "D A B q87", meaning::minimum_integer).with({is_signed});
  both(0x019, "SHF", 0x099, "USHF", "D A Bh Ch", meaning::shift_funnel)
      .with({{Field::right, 76, 1, "L|R"},
             wrap,
             {Field::type, 73, 2, "S64|U64|S32|U32"},
             {Field::high, 80, 1, "|HI"}});
  both(0x01a, "SGXT", 0x09a, "USGXT", "D A B", meaning::sign_extend).with({wrap, is_signed});
  add(0x01b, "BMSK", "D A B", meaning::bit_mask).with({wrap});
  both(0x024, "IMAD", 0x0a4, "UIMAD", "D A B C q87x", meaning::multiply_add)
      .signs(integer_signs)
      .traits(inverts_c_if_extended | renames_moves)
      .with({extended, is_signed});
  both(0x025, "IMAD.WIDE", 0x0a5, "UIMAD.WIDE", "D2 p0? A B C2 q87x", meaning::multiply_add_wide)
      .signs(integer_signs)
      .traits(inverts_c_if_extended)
      .with({is_signed, extended});
  add(0x027, "IMAD.HI", "D p0? A B C2", meaning::multiply_add_high)
      .signs(integer_signs)
      .with({is_signed})
      .when({{74, 1, 0}});
  add(0x026, "IDP.4A", "D A B C", meaning::dot_product)
      .with({{Field::a_signed, 73, 1, "U8|S8"}, {Field::b_signed, 74, 1, "U8|S8"}})
      .when({{75, 2, 0}});
  add(0x039, "I2IP", "D A B C", meaning::pack_integers)
      .with({{Field::type, 76, 3, "U8|S8|U16|S16|?4|?5|U4|S4"}, word("S32.SAT")});
  both(0x100, "FLO", 0x0bd, "UFLO", "D B", meaning::leading_one)
      .signs(inverted_b)
      .with({is_signed, {Field::mode, 74, 1, "|SH"}});
  both(0x101, "BREV", 0x0be, "UBREV", "D B", meaning::reverse_bits);
  both(0x109, "POPC", 0x0bf, "UPOPC", "D B", meaning::count_bits).signs(inverted_b);
  add(0x036, "VIADD", "D A B", meaning::add_2).signs(negated_a | negated_b).since(90);
  const std::vector<Modifier> minimum{{Field::type, 72, 2, "U32||U16x2|S16x2"},
                                      {Field::relu, 76, 1, "|RELU"}};
  add(0x048, "VIMNMX", "D A B q87", meaning::minimum_vector).with(minimum).since(90);
  add(0x00f, "VIMNMX3", "D A B C q87", meaning::minimum_3).with(minimum).since(90);
  add(0x046, "VIADDMNMX", "D A B C q87", meaning::minimum_of_sum).signs(negated_b).with(minimum).since(90);
}

// Floats and doubles.
void TableMaker::floats() {
  const std::vector<Modifier> float_arithmetic{flush, rounding, saturate};
  add(0x009, "FMNMX", "D A Bh q87", meaning::minimum_float).signs(float_signs_2).with({flush});
  add(0x00a, "FSET.BF", "D A Bh q87", meaning::compare_floats_to_number)
      .signs(float_signs_2)
      .with({comparison, flush, combine});
  add(0x00b, "FSETP", "p0 p1 A Bh q87", meaning::compare_floats)
      .signs(float_signs_2)
      .with({comparison, flush, combine});
  add(0x020, "FMUL", "D A Bh", meaning::multiply_float)
      .signs(float_signs_2)
      .with({{Field::scale, 84, 3, "D16|D8|D4|D2||M2|M4|M8"}, flush, rounding, saturate});
  add(0x021, "FADD", "D A Vch", meaning::add_float).signs(float_signs_3).with(float_arithmetic);
  add(0x023, "FFMA", "D A Bh Ch", meaning::multiply_add_float).signs(float_signs_3).with(float_arithmetic);
  add(0x102, "FCHK", "p0 A Bh", meaning::check_division).signs(float_signs_2);
  add(0x108, "MUFU", "D Bh", meaning::function)
      .signs(negated_b | absolute_b)
      .with({{Field::function, 74, 6, "COS|SIN|EX2|LG2|RCP|RSQ|RCP64H|RSQ64H|SQRT|TANH"}});
  add(0x028, "DMUL", "D2 A2 B2h", meaning::multiply_double).signs(float_signs_2).with({rounding});
  add(0x029, "DADD", "D2 A2 C2h", meaning::add_double).signs(float_signs_3).with({rounding});
  add(0x02a, "DSETP", "p0 p1 A2 V2h q87", meaning::compare_doubles)
      .signs(float_signs_2)
      .with(
          {{Field::comparison, 76, 4, "MIN|LT|EQ|LE|GT|NE|GE|NUM|NAN|LTU|EQU|LEU|GTU|NEU|GEU|MAX"}, combine});
  add(0x02b, "DFMA", "D2 A2 B2h C2h", meaning::multiply_add_double).signs(float_signs_3).with({rounding});
}

// Conversions. A conversion has two opcodes, for 32 bits and for 64 bits.
void TableMaker::conversions() {
  add({0x104, 0x110}, "F2F", "Dt Bfh", meaning::float_to_float)
      .signs(negated_b | absolute_b)
      .with({{Field::part, 60, 2, no_words},
             flush,
             {Field::to, 75, 2, "F8|F16|F32|F64"},
             {Field::from, 84, 2, "F8|F16|F32|F64"},
             rounding,
             saturate});
  for (const bool to_signed : {false, true})
    add({0x105, 0x111}, "F2I", "Dt Bfh", meaning::float_to_integer)
        .signs(negated_b | absolute_b)
        .with({flush,
               {Field::is_signed, 72, 1, no_words},
               {Field::to, 75, 2, to_signed ? "S8|S16||S64" : "U8|U16|U32|U64"},
               {Field::from, 84, 2, "|F16||F64"},
               integer_rounding,
               {Field::none, 77, 1, "|NTZ"}})
        .when({{72, 1, to_signed}});
  for (const bool from_signed : {false, true})
    add({0x106, 0x112}, "I2F", "Dt Bf", meaning::integer_to_float)
        .with({{Field::part, 60, 2, no_words},
               {Field::is_signed, 74, 1, no_words},
               {Field::to, 75, 2, "|F16||F64"},
               {Field::from, 84, 2, from_signed ? "S8|S16||S64" : "U8|U16|U32|U64"},
               rounding})
        .when({{74, 1, from_signed}});
  add({0x107, 0x113}, "FRND", "Dt Bfh", meaning::round_float)
      .signs(negated_b | absolute_b)
      .with({flush, {Field::to, 75, 2, "|F16||F64"}, {Field::from, 84, 2, no_words}, integer_rounding});
  add(0x03e, "F2FP", "D Ah Bh", meaning::pack_floats)
      .signs(float_signs_2)
      .with({{Field::bfloat, 76, 1, "|BF16"}, {Field::relu, 75, 1, "|RELU"}, rounding, word("PACK_AB")})
      .when({{64, 8, zero_register}})
      .since(80);
  add(0x045, "I2FP.F32", "D B", meaning::word_to_float)
      .with({{Field::is_signed, 74, 1, "U32|S32"}, rounding})
      .when({{84, 2, 2}})
      .since(80);
}

// Pairs of half floats.
void TableMaker::halves() {
  const std::vector<Modifier> half_arithmetic{
      bfloat, {Field::relu, 79, 1, "|RELU", 80}, single, flush, saturate};
  add(0x030, "HADD2", "D A Vch", meaning::add_halves)
      .signs(float_signs_3)
      .traits(has_halves)
      .with({bfloat, single, flush, saturate});
  add(0x031, "HFMA2", "D A Bh Ch", meaning::multiply_add_halves)
      .signs(float_signs_3)
      .traits(has_halves)
      .with(half_arithmetic);
  add(0x035, "HFMA2.MMA", "D A Bh Ch", meaning::multiply_add_halves)
      .signs(float_signs_3)
      .traits(has_halves)
      .with(half_arithmetic);
  add(0x032, "HMUL2", "D A Bh", meaning::multiply_halves)
      .signs(float_signs_2)
      .traits(has_halves)
      .with({bfloat, single, flush, saturate});
  add(0x034, "HSETP2", "p0 p1 A Vch q87", meaning::compare_halves)
      .signs(float_signs_2)
      .traits(has_halves)
      .with({bfloat, comparison, flush, half_combine, {Field::both, 71, 1, no_words}});
  add(0x033, "HSET2", "D A Vh q87", meaning::compare_halves_to_number)
      .signs(float_signs_2)
      .traits(has_halves)
      .with({{Field::bfloat, 85, 1, no_words}, {Field::both, 71, 1, "BM|BF"}, comparison, half_combine})
      .since(80);
  add(0x040, "HMNMX2", "D A Bh q87", meaning::minimum_halves)
      .signs(float_signs_2)
      .traits(has_halves)
      .with({bfloat})
      .since(80);
}

// Matrix products of a warp: D = A B + C.
void TableMaker::matrices() {
  add(0x03c, "HMMA.1688.F16", "D2 A2 B C2", meaning::matrix_1688_half).when({{76, 1, 0}}).until(79);
  add(0x03c, "HMMA.1688.F32", "D4 A2 B C4", meaning::matrix_1688_single).when({{76, 1, 1}}).until(79);
  const auto tensor = [&](const char* name, const char* operands, Meaning meaning, unsigned k16,
                          unsigned single_sum, unsigned is_bfloat, unsigned is_tf32) {
    add(0x03c, name, operands, meaning)
        .with(is_bfloat != 0 ? std::vector<Modifier>{{Field::bfloat, 82, 1, no_words}}
                             : std::vector<Modifier>{})
        .when({{75, 1, static_cast<std::uint16_t>(k16)},
               {76, 1, static_cast<std::uint16_t>(single_sum)},
               {82, 3, static_cast<std::uint16_t>(is_bfloat | is_tf32 << 1)}})
        .since(80);
  };
  tensor("HMMA.16816.F32", "D4 A4 B2 C4", meaning::matrix_16816_single, 1, 1, 0, 0);
  tensor("HMMA.16816.F16", "D2 A4 B2 C2", meaning::matrix_16816_half, 1, 0, 0, 0);
  tensor("HMMA.16816.F32.BF16", "D4 A4 B2 C4", meaning::matrix_16816_single, 1, 1, 1, 0);
  tensor("HMMA.1688.F32", "D4 A2 B C4", meaning::matrix_1688_single, 0, 1, 0, 0);
  tensor("HMMA.1688.F16", "D2 A2 B C2", meaning::matrix_1688_half, 0, 0, 0, 0);
  tensor("HMMA.1688.F32.BF16", "D4 A2 B C4", meaning::matrix_1688_single, 0, 1, 1, 0);
  tensor("HMMA.1688.F32.TF32", "D4 A4 B2 C4", meaning::matrix_1688_tf32, 0, 1, 0, 1);
  add(0x037, "IMMA.8816", "D2 Ar Bc C2", meaning::matrix_8816_bytes)
      .with({{Field::a_signed, 76, 1, "U8|S8"},
             {Field::b_signed, 78, 1, "U8|S8"},
             {Field::saturate, 82, 1, "|SAT"}})
      .when({{83, 1, 0}})
      .until(79);
  add(0x037, "IMMA.8832", "D2 Ar Bc C2", meaning::matrix_8832_nibbles)
      .with({{Field::a_signed, 76, 1, "U4|S4"},
             {Field::b_signed, 78, 1, "U4|S4"},
             {Field::saturate, 82, 1, "|SAT"}})
      .when({{83, 1, 1}})
      .until(79);
  add(0x037, "IMMA.16832", "D4 A4r B2c C4", meaning::matrix_16832_bytes)
      .with({{Field::a_signed, 76, 1, "U8|S8"},
             {Field::b_signed, 78, 1, "U8|S8"},
             {Field::saturate, 82, 1, "|SAT"}})
      .when({{74, 2, 3}, {83, 1, 0}, {86, 1, 1}})
      .since(80);
  add(0x03f, "DMMA.884", "D4 A2 B2 C4", meaning::matrix_884_doubles).since(80);
  add(0x03a, "MOVM.16.MT88", "D A", meaning::transpose);
}

// Exchanges between lanes.
void TableMaker::exchanges() {
  add(0x189, "SHFL", "p0 D A shuffle", meaning::shuffle)
      .traits(no_reuse)
      .with({{Field::mode, 58, 2, "IDX|UP|DOWN|BFLY"}});
  add(0x1a1, "MATCH.ANY", "D A", meaning::match_any).when({{73, 1, 0}, {79, 1, 1}});
  add(0x1a1, "MATCH.ANY.U64", "D A2", meaning::match_any_wide).when({{73, 1, 1}, {79, 1, 1}});
  add(0x1a1, "MATCH.ALL", "p0 D A", meaning::match_all).when({{73, 1, 0}, {79, 1, 0}});
  add(0x1c4, "REDUX", "U A", meaning::reduce)
      .with({{Field::function, 78, 3, "|OR|XOR|SUM|MIN|MAX|?|?"}})
      .when({{80, 1, 0}})
      .since(80);
  add(0x1c4, "REDUX", "U A", meaning::reduce)
      .with({{Field::function, 78, 3, "|OR|XOR|SUM|MIN|MAX|?|?"}, {Field::is_signed, 73, 1, "|S32"}})
      .when({{80, 1, 1}})
      .since(80);
}

// Memory.
void TableMaker::memory() {
  add({0x0b9, 0x0bb}, "ULDC", "Dm const", meaning::load_constant_uniform)
      .traits(is_uniform)
      .with({{Field::size, 73, 3, "U8|S8|U16|S16||64|128|?"}, {Field::bank, 54, 5, no_words}});
  add(0x182, "LDC", "Dm const", meaning::load_constant)
      .with({{Field::size, 73, 3, "U8|S8|U16|S16||64|128|?"}, {Field::bank, 54, 5, no_words}});
  add(0x180, "LD", "Dm Me", meaning::load).traits(no_reuse).with({wide, eviction, size, order_75, order_80});
  add(0x181, "LDG", "Dm Mg zero-mask", meaning::load)
      .traits(no_reuse)
      .with({wide, eviction, size, order_75, order_80});
  add(0x183, "LDL", "Dm Ml", meaning::load).traits(no_reuse).with({eviction, size});
  add(0x184, "LDS", "Dm Mhx", meaning::load).traits(no_reuse).with({{Field::none, 76, 1, "|U"}, size});
  add(0x185, "ST", "MeS nm", meaning::store)
      .traits(no_reuse)
      .with({wide, eviction, size, order_75, order_80});
  add(0x186, "STG", "MgS dm", meaning::store)
      .traits(no_reuse)
      .with({wide, eviction, size, order_75, order_80});
  add(0x187, "STL", "MlS dm", meaning::store).traits(no_reuse).with({eviction, size});
  add(0x188, "STS", "MhSx dm", meaning::store).traits(no_reuse).with({size});
  for (unsigned registers = 0; registers < 3; ++registers)
    add(0x03b, "LDSM.16",
        registers == 0   ? "D Mh"
        : registers == 1 ? "D2 Mh"
                         : "D4 Mh",
        meaning::load_matrix)
        .with({{Field::transposed, 78, 1, "M88|MT88"}, {Field::count, 72, 2, "|2|4|?"}})
        .when({{72, 2, static_cast<std::uint16_t>(registers)}});
  add(0x1ae, "LDGSTS", "S q87?", meaning::copy_to_shared)
      .traits(no_reuse)
      .with({{Field::none, 70, 1, "|E"},
             {Field::none, 81, 1, "BYPASS|"},
             {Field::none, 71, 2, "|LTC64B|LTC128B|LTC256B"},
             size,
             {Field::zero_fill, 82, 1, "|ZFILL"}})
      .since(80);
  add(0x1af, "LDGDEPBAR", "", meaning::end_copy_group).since(80);
  add(0x11a, "DEPBAR.LE", "wait", meaning::wait_for_copies)
      .with({{Field::scoreboard, 44, 3, no_words}, {Field::count, 38, 6, no_words}});
  const std::vector<Modifier> atomic{wide, operation, atomic_type, atomic_order_75, order_80};
  const std::vector<Modifier> exchange{wide, word("CAS"), atomic_type, atomic_order_75, order_80};
  add(0x18a, "ATOM", "p0 Da Meo da", meaning::atomic).with(atomic);
  add(0x1a8, "ATOMG", "p0 Da Mgo da", meaning::atomic).with(atomic);
  add(0x18e, "RED", "MgoS da", meaning::reduce_memory)
      .with({wide,
             {Field::function, 87, 3, "ADD|MIN|MAX|INC|DEC|AND|OR|XOR"},
             atomic_type,
             atomic_order_75,
             order_80});
  for (const std::uint16_t code : {std::uint16_t{10}, std::uint16_t{11}})
    add(0x18c, "ATOMS.POPC.INC.32", "D Mhox", meaning::atomic_increment)
        .with({{Field::type, 73, 3, no_words}})
        .when({{87, 4, code}});
  add(0x18c, "ATOMS", "Da Mhox da", meaning::atomic).with({operation, atomic_type});
  add(0x18b, "ATOM", "p0 Da Meo da ea", meaning::compare_and_swap).with(exchange);
  add(0x1a9, "ATOMG", "p0 Da Mgo da ea", meaning::compare_and_swap).with(exchange);
  add(0x18d, "ATOMS.CAST.SPIN", "Da Mhox da ea", meaning::try_swap).with({atomic_type}).when({{87, 2, 3}});
  add(0x18d, "ATOMS.CAS", "Da Mhox da ea", meaning::compare_and_swap).with({atomic_type});

  // Sums of floats, which have their own opcodes from sm_90 on.
  struct FloatSum {
    std::uint16_t code;
    const char* type;
    bool is_wide;
    Meaning meaning;
  };
  for (const FloatSum& sum : {FloatSum{0, "F16x2.RN", false, meaning::add_halves_to_memory},
                              FloatSum{3, "BF16x2.RN", false, meaning::add_bfloats_to_memory},
                              FloatSum{9, "F32.FTZ.RN", false, meaning::add_single_to_memory},
                              FloatSum{15, "F64.RN", true, meaning::add_double_to_memory}}) {
    const auto row = [&](std::uint16_t opcode, const char* name, const char* operands) {
      add(opcode, name, operands, sum.meaning)
          .with({wide, word("ADD"), word(sum.type), order_80})
          .when({{73, 4, sum.code}})
          .since(90);
    };
    row(0x1a2, "ATOM", sum.is_wide ? "p0 D2 Meo d2" : "p0 D Meo d");
    row(0x1a3, "ATOMG", sum.is_wide ? "p0 D2 Mgo d2" : "p0 D Mgo d");
    row(0x1a6, "RED", sum.is_wide ? "MgoS d2" : "MgoS d");
  }
  add(0x1aa, "QSPC", "p0 D? Me", meaning::query_space).with({wide, {Field::mode, 73, 2, "?0|?1|S|D"}});

  // Instructions that only order others, and do nothing here, because instructions are executed one after the
  // other.
  add(0x118, "NOP", "", meaning::nothing);
  add(0x02d, "PREEXIT", "", meaning::nothing).since(90);  // the next kernel may begin;
  add(0x02e, "ACQBULK", "", meaning::nothing).since(90);  // the previous kernel has ended
  add(0x146, "YIELD", "", meaning::nothing);
  add(0x1ab, "ERRBAR", "", meaning::nothing);
  add(0x192, "MEMBAR", "", meaning::nothing)
      .with({{Field::none, 79, 2, "SC|ALL||?"}, {Field::none, 76, 2, "CTA|SM|GPU|SYS"}});
  add(0x18f, "CCTL.IVALL", "", meaning::nothing)
      .when({{24, 8, zero_register}, {64, 16, 0}, {80, 16, 0x200}, {96, 9, 0}});
}

// Control.
void TableMaker::control() {
  const Modifier blocking{Field::none, 80, 1, "|DEFER_BLOCKING"};
  add(0x11d, "BAR.SYNC", "sync", meaning::barrier).with({blocking}).when({{77, 2, 0}});
  add(0x11d, "BAR.ARV", "sync", meaning::barrier_arrive).with({blocking}).when({{77, 2, 1}});
  add(0x11d, "BAR.RED", "sync q87", meaning::barrier)
      .with({{Field::reduction, 74, 2, "POPC|AND|OR|?"}, blocking})
      .when({{77, 2, 2}});
  add(0x11c, "B2R.RESULT", "D p0?", meaning::barrier_result);
  add(0x145, "BSSY", "b16 reconvergence", meaning::begin_convergence);
  add(0x141, "BSYNC", "b16", meaning::converge);
  add(0x142, "BREAK", "q87? b16", meaning::leave_convergence);
  add(0x155, "BMOV.32", "D b24", meaning::barrier_to_register)
      .with({{Field::clear, 84, 1, "|CLEAR"}})
      .when({{10, 1, 0}});
  add(0x156, "BMOV.32", "b24 B", meaning::register_to_barrier)
      .with({{Field::none, 84, 1, "|PQUAD"}})
      .when({{10, 1, 0}});
  add(0x148, "WARPSYNC.ALL", "", meaning::synchronize_all)
      .when({{9, 3, 4}, {32, 16, 0}, {48, 16, 0}})
      .since(90);
  // The lanes execute the following instructions together, until ENDCOLLECTIVE, which stands before the
  // target.
  add(0x148, "WARPSYNC.COLLECTIVE", "A target", meaning::synchronize).when({{9, 3, 1}, {86, 1, 1}}).since(90);
  add(0x11b, "ENDCOLLECTIVE", "", meaning::nothing).since(90);
  add(0x148, "WARPSYNC", "A", meaning::synchronize).when({{9, 3, 1}}).since(90);
  add(0x148, "WARPSYNC", "Bh", meaning::synchronize).when({{9, 3, 4}}).since(90);
  add(0x148, "WARPSYNC", "Bh", meaning::synchronize).until(89);
  add(0x147, "BRA", "q87? lanes target", meaning::branch)
      .with({{Field::mode, 32, 2, "|U|DIV|CONV"}, {Field::inverted, 30, 1, no_words}});
  const Modifier keeps_depth{Field::none, 86, 1, "|NOINC"};
  add(0x144, "CALL.REL", "target", meaning::branch).with({keeps_depth}).when({{9, 3, 4}});
  add(0x144, "CALL.REL", "call", meaning::jump).with({keeps_depth}).when({{9, 3, 1}});
  add(0x143, "CALL.ABS", "call", meaning::call_absolute).with({keeps_depth}).when({{9, 3, 1}});
  add(0x14e, "LEPC", "D2 here", meaning::place);
  add(0x149, "BRX", "jump", meaning::jump);
  add(0x150, "RET", "return", meaning::jump)
      .with({{Field::absolute, 85, 1, "REL|ABS"}, {Field::none, 86, 1, "|NODEC"}});
  add(0x14d, "EXIT", "q87?", meaning::leave);
}

}  // namespace

const InstructionTable& instruction_table() {
  static const InstructionTable table = [] {
    TableMaker maker;
    maker.moves();
    maker.integers();
    maker.floats();
    maker.conversions();
    maker.halves();
    maker.matrices();
    maker.exchanges();
    maker.memory();
    maker.control();
    return maker.table;
  }();
  return table;
}

}  // namespace subcore::tracer
