#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/isa/opcodes.h"

namespace isa_test {

using namespace subcore;
using C = ExecutionClass;
using K = InstructionKind;
using S = MemorySpace;

namespace {

struct Case {
  const char* opcode;
  C execution;
  K kind = K::arithmetic;
  S space = S::none;
};

struct WidthCase {
  const char* opcode;
  unsigned bytes;
  std::vector<Register> sources;
  std::vector<unsigned> source_widths;
  unsigned destination;  // 0 = has none
};

}  // namespace

TEST_CASE("which of the registers that a trace lists are results", "[isa]") {
  for (const char* one : {"SHFL.BFLY", "LOP3.LUT", "LOP.AND.NZ", "MATCH.ALL", "QSPC.E.S", "ATOM.E.ADD",
                          "ATOMG.E.CAS.STRONG.GPU", "ATOMS.CAS", "SUATOM.D.2D.ADD", "LDG.E.ZD.64"})
    CHECK(listed_results(one) == 1u);
  for (const char* none : {"RET.REL.NODEC", "BRX", "CALL.ABS.NOINC", "WARPSYNC.EXCLUSIVE", "BAR.SYNC",
                           "NANOSLEEP", "R2B.RESULT"})
    CHECK(listed_results(none) == 0u);
  // The first operand of these is a predicate or a uniform register, and no other register is a result.
  for (const char* other : {"REDUX.MAX", "R2UR", "R2P", "ISETP.GE.AND", "FCHK", "LDG.E.64", "LDGSTS.E.128",
                            "RED.E.ADD", "STG.E", "VOTE.ANY", "BMOV.32.CLEAR", "IADD3"})
    CHECK(listed_results(other) == std::nullopt);
}

TEST_CASE("opcodes run in their class", "[isa]") {
  const std::vector<Case> cases = {
      {"IADD3.X", C::integer},
      {"IMAD.WIDE.U32", C::integer},
      {"XMAD.MRG", C::integer},
      {"LOP3.LUT", C::integer},
      {"MOV32I", C::integer},
      {"PSETP.AND.AND", C::integer},
      {"S2R", C::integer},
      {"CS2R.32", C::integer},
      {"SHFL.BFLY", C::integer},
      {"VIADD", C::integer},
      {"DEPBAR.LE", C::integer},
      {"FFMA.FTZ", C::single},
      {"FADD32I", C::single},
      {"FSETP.GEU.AND", C::single},
      {"HADD2.F32", C::half},
      {"HFMA2.MMA", C::half},
      {"HSETP2.GT.AND", C::half},
      {"HMNMX2", C::half},
      {"DFMA", C::double_},
      {"DSETP.GTU.AND", C::double_},
      {"MUFU.RCP64H", C::special},
      {"F2F.F64.F32", C::special},
      {"I2F.U32.RP", C::special},
      {"F2I.FTZ.U32.TRUNC.NTZ", C::special},
      {"FRND.TRUNC", C::special},
      {"HMMA.1688.F16", C::tensor_f16},
      {"HMMA.16816.F16", C::tensor_f16},
      {"HMMA.884.F16.F16.STEP0", C::tensor_f16},
      {"HMMA.884.F32.F16.STEP1", C::tensor_f32},
      {"HMMA.1688.F32", C::tensor_f32},
      {"HMMA.16816.F32.BF16", C::tensor_f32},
      {"HGMMA.64x128x16.F32", C::tensor_f32},
      {"HGMMA.64x128x16.F16", C::tensor_f16},
      {"DMMA.884", C::tensor_f32},
      {"IMMA.8816.S8.S8.SAT", C::tensor_int},
      {"BMMA.88128.XOR.POPC", C::tensor_int},
      {"IGMMA.64x128x32.S8.S8", C::tensor_int},
      {"BRA", C::branch, K::control},
      {"BRX", C::branch, K::control},
      {"SSY", C::branch, K::control},
      {"CONT", C::branch, K::control},
      {"CALL.REL.NOINC", C::branch, K::control},
      {"BSYNC", C::branch, K::control},
      {"NANOSLEEP", C::branch, K::control},
      {"EXIT", C::barrier, K::exit},
      {"BAR.SYNC.DEFER_BLOCKING", C::barrier, K::barrier},
      {"BAR.RED.AND.DEFER_BLOCKING", C::barrier, K::barrier},
      {"BAR.ARV", C::barrier, K::control},
      {"TEX.SCR.LL", C::texture},
      {"TLD4.R", C::texture},
      {"TXQ", C::texture},
      {"UIADD3.X", C::uniform},
      {"ULDC.64", C::uniform},
      {"S2UR", C::uniform},
      {"R2UR", C::uniform},
      {"VOTEU.ANY", C::uniform},
      {"LD.E.SYS", C::load_store, K::load, S::generic},
      {"ST.E", C::load_store, K::store, S::generic},
      {"LDG.E.128.SYS", C::load_store, K::load, S::global},
      {"STG.E", C::load_store, K::store, S::global},
      {"LDL.64", C::load_store, K::load, S::local},
      {"STL", C::load_store, K::store, S::local},
      {"LDS.U", C::load_store, K::load, S::shared},
      {"LDSM.16.M88.4", C::load_store, K::load, S::shared},
      {"STS.128", C::load_store, K::store, S::shared},
      {"LDC.64", C::load_store, K::load, S::constant},
      {"LDGSTS.E.BYPASS.128", C::load_store, K::load, S::global},
      {"LDGDEPBAR", C::load_store},
      {"ATOM.E.ADD", C::load_store, K::atomic, S::generic},
      {"ATOMG.E.CAS", C::load_store, K::atomic, S::global},
      {"ATOMS.POPC.INC.32", C::load_store, K::atomic, S::shared},
      {"RED.E.ADD", C::load_store, K::atomic, S::global},
      {"SULD.P.2D", C::load_store, K::load, S::global},
      {"SUST.P.2D", C::load_store, K::store, S::global},
      {"MEMBAR.ALL.GPU", C::load_store},
      {"ERRBAR", C::load_store},
      {"CCTL.IVALL", C::load_store},
  };
  for (const Case& c : cases) {
    INFO(c.opcode);
    const auto info = opcode_info(c.opcode);
    REQUIRE(info);
    CHECK(info->known);
    CHECK(name(info->execution) == name(c.execution));
    CHECK(static_cast<int>(info->kind) == static_cast<int>(c.kind));
    CHECK(static_cast<int>(info->space) == static_cast<int>(c.space));
  }
}

TEST_CASE("an unknown opcode runs with its family's class", "[isa]") {
  const std::vector<Case> cases = {{"IADD9.X", C::integer},
                                   {"FQUX", C::single},
                                   {"DQUX", C::double_},
                                   {"HQUX2", C::half},
                                   {"UQUX", C::uniform},
                                   {"TQUX", C::texture},
                                   {"IQUX", C::integer},
                                   {"HMMAX.F16", C::tensor_f16},
                                   {"LDX.64", C::load_store, K::load, S::generic},
                                   {"STX", C::load_store, K::store, S::generic},
                                   {"LDGX", C::load_store, K::load, S::global},
                                   {"MUFUX", C::special}};
  for (const Case& c : cases) {
    INFO(c.opcode);
    const auto info = opcode_info(c.opcode);
    REQUIRE(info);
    CHECK_FALSE(info->known);
    CHECK(name(info->execution) == name(c.execution));
    CHECK(static_cast<int>(info->kind) == static_cast<int>(c.kind));
    CHECK(static_cast<int>(info->space) == static_cast<int>(c.space));
  }
  for (const char* none : {"XYZ", "QUX.64", "R2", "", "F", "."}) {
    INFO(none);
    CHECK_FALSE(opcode_info(none));
  }
}

TEST_CASE("every class has a unit and a name of its own", "[isa]") {
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < execution_class_count; ++i) {
    const auto c = static_cast<C>(i);
    for (const std::string& other : seen) CHECK(other != name(c));
    seen.emplace_back(name(c));
    CHECK_FALSE(name(unit_of(c)).empty());
  }
  CHECK(unit_of(C::tensor_f16) == ExecutionUnitKind::tensor);
  CHECK(unit_of(C::tensor_int) == ExecutionUnitKind::tensor);
  CHECK(unit_of(C::load_store) == ExecutionUnitKind::load_store);
}

TEST_CASE("operands stand for as many registers as the opcode says", "[isa]") {
  const std::vector<WidthCase> cases = {
      {"HMMA.1688.F32", 0, {2, 6, 8}, {2, 1, 4}, 4},
      {"HMMA.1688.F16", 0, {2, 6, 8}, {2, 1, 2}, 2},
      {"HMMA.1688.F32.TF32", 0, {4, 8, 12}, {4, 2, 4}, 4},
      {"HMMA.16816.F32", 0, {4, 8, 12}, {4, 2, 4}, 4},
      {"HMMA.16816.F16", 0, {4, 8, 12}, {4, 2, 2}, 2},
      {"HMMA.884.F32.F32.STEP0", 0, {4, 8, 12}, {2, 2, 2}, 2},
      {"HMMA.884.F16.F16.STEP1", 0, {4, 8, 12}, {2, 2, 2}, 2},
      {"IMMA.8816.S8.S8", 0, {4, 8, 12}, {1, 1, 2}, 2},
      {"IMMA.16832.S8.S8", 0, {4, 8, 12}, {4, 2, 4}, 4},
      {"DMMA.884", 0, {4, 8, 12}, {2, 2, 4}, 4},
      {"DMMA.16x8x4", 0, {16, 32, 48}, {4, 2, 8}, 8},
      {"DMMA.16x8x8", 0, {16, 32, 48}, {8, 4, 8}, 8},
      {"DMMA.1688", 0, {16, 32, 48}, {8, 4, 8}, 8},
      {"DMMA.16x8x16", 0, {16, 32, 48}, {16, 8, 8}, 8},
      {"DMMA.16816", 0, {16, 32, 48}, {16, 8, 8}, 8},
      {"HMMA.SP.1688.F32.TF32", 0, {4, 8, 12, 16}, {2, 2, 4, 1}, 4},
      {"HMMA.SP.16816.F32.TF32", 0, {4, 8, 12, 16}, {4, 4, 4, 1}, 4},
      {"HMMA.SP.16816.F32", 0, {4, 8, 12, 16}, {2, 2, 4, 1}, 4},
      {"HMMA.SP.16832.F16", 0, {4, 8, 12, 16}, {4, 4, 2, 1}, 2},
      {"IMMA.16832.S4.S4", 0, {4, 8, 12}, {2, 1, 4}, 4},
      {"IMMA.SP.16832.S8.S8", 0, {4, 8, 12, 16}, {2, 2, 4, 1}, 4},
      {"IMMA.SP.16864.S8.S8", 0, {4, 8, 12, 16}, {4, 4, 4, 1}, 4},
      {"IMMA.SP.16864.S4.S4", 0, {4, 8, 12, 16}, {2, 2, 4, 1}, 4},
      {"IMMA.SP.168128.S4.S4", 0, {4, 8, 12, 16}, {4, 4, 4, 1}, 4},
      {"BMMA.88128.XOR.POPC", 0, {4, 8, 12}, {1, 1, 2}, 2},
      {"QMMA.16816.F32.E4M3.E4M3", 0, {4, 8, 12}, {2, 1, 4}, 4},
      {"QMMA.16832.F16.E4M3.E4M3", 0, {4, 8, 12}, {4, 2, 2}, 2},
      {"QMMA.SP.16832.F32.E4M3.E4M3", 0, {4, 8, 12, 16}, {2, 2, 4, 1}, 4},
      {"OMMA.SF.16864.F32.E2M1.E2M1", 0, {4, 8, 12, 16, 17}, {4, 2, 4, 1, 1}, 4},
      {"STAS", 4, {2, 5}, {2, 1}, 0},
      {"FFMA2", 0, {2, 4, 6}, {2, 2, 2}, 2},
      {"IADD.64", 0, {2, 4}, {2, 2}, 2},
      {"MOVM.16.M832", 0, {4}, {1}, 2},
      {"LDSM.16.M88.4", 16, {2}, {1}, 4},
      {"LDSM.16.MT88.2", 16, {2}, {1}, 2},
      {"LDSM.16.M88", 16, {2}, {1}, 1},
      {"LDG.E.SYS", 4, {2}, {2}, 1},
      {"LDG.E.U8.SYS", 1, {2}, {2}, 1},
      {"LDG.E.64.SYS", 8, {2}, {2}, 2},
      {"LDG.E.128.SYS", 16, {2}, {2}, 4},
      {"LD.E.64", 8, {2}, {2}, 2},
      {"STG.E", 4, {2, 5}, {2, 1}, 0},
      {"STG.E.64", 8, {2, 6}, {2, 2}, 0},
      {"ST.E.128", 16, {2, 8}, {2, 4}, 0},
      {"STG.E.64.SYS", 8, {6}, {2}, 0},  // a uniform address is not listed
      {"LDS.U.128", 16, {2}, {1}, 4},
      {"LDS.64", 8, {2}, {1}, 2},
      {"STS", 4, {2, 3}, {1, 1}, 0},
      {"STS.64", 8, {2, 4}, {1, 2}, 0},
      {"STS.128", 16, {2, 4}, {1, 4}, 0},
      {"LDL.64", 8, {2}, {1}, 2},
      {"STL.128", 16, {2, 4}, {1, 4}, 0},
      {"IMAD.WIDE", 0, {2, 3, 4}, {1, 1, 2}, 2},
      {"IMAD.WIDE.U32", 0, {2, 4}, {1, 2}, 2},
      {"IMAD.WIDE", 0, {2, 5}, {1, 1}, 2},  // an odd register cannot start the 64-bit addend
      {"IMAD.HI.U32", 0, {2, 3, 4}, {1, 1, 2}, 1},
      {"IMAD", 0, {2, 3, 4}, {1, 1, 1}, 1},
      {"DFMA", 0, {2, 4, 6}, {2, 2, 2}, 2},
      {"DMUL", 0, {2, 4}, {2, 2}, 2},
      {"DADD", 0, {2, 4}, {2, 2}, 2},
      {"F2F.F64.F32", 0, {2}, {1}, 2},
      {"F2F.F32.F64", 0, {2}, {2}, 1},
      {"F2F.F16.F32", 0, {2}, {1}, 1},
      {"I2F.F64", 0, {2}, {1}, 2},
      {"I2F.F64.S64", 0, {2}, {2}, 2},
      {"I2F.U64", 0, {2}, {2}, 1},
      {"I2F.U32.RP", 0, {2}, {1}, 1},
      {"F2I.F64.TRUNC", 0, {2}, {2}, 1},
      {"F2I.S64.F64.TRUNC", 0, {2}, {2}, 2},
      {"F2I.U64.TRUNC", 0, {2}, {1}, 2},
      {"FRND.F64.FLOOR", 0, {2}, {2}, 2},
      {"CS2R", 0, {}, {}, 2},
      {"CS2R.32", 0, {}, {}, 1},
      {"ATOMG.E.ADD", 4, {2, 5}, {2, 1}, 1},
      {"ATOMG.E.ADD.64", 8, {2, 6}, {2, 2}, 2},
      {"ATOMG.E.CAS.STRONG.GPU", 4, {2, 5, 6}, {2, 1, 1}, 1},
      {"ATOM.E.CAS", 4, {2, 6}, {2, 2}, 1},
      {"RED.E.ADD", 4, {2, 5}, {2, 1}, 0},
      {"RED.E.ADD.64", 8, {2, 6}, {2, 2}, 0},
      {"ATOMS.ADD", 4, {2, 5}, {1, 1}, 1},
      {"LDC.64", 0, {2}, {1}, 2},
      {"LDGSTS.E.BYPASS.128", 16, {2, 4}, {1, 2}, 0},
      {"RET.REL.NODEC", 0, {2}, {2}, 0},
      {"FFMA", 0, {2, 3, 4}, {1, 1, 1}, 1},
      {"SHF.L.U64.HI", 0, {2, 3, 4}, {1, 1, 1}, 1},
      {"MUFU.RCP64H", 0, {2}, {1}, 1},
  };
  for (const WidthCase& c : cases) {
    INFO(c.opcode);
    const OperandWidths w = operand_widths(c.opcode, *opcode_info(c.opcode), c.bytes, c.sources.data(),
                                           static_cast<unsigned>(c.sources.size()));
    for (std::size_t i = 0; i < c.source_widths.size(); ++i)
      CHECK(unsigned{w.source[i]} == c.source_widths[i]);
    if (c.destination != 0) CHECK(unsigned{w.destination[0]} == c.destination);
  }
}

}  // namespace isa_test
