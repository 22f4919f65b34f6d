#include "subcore/model/isa/opcodes.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace subcore {
namespace {

struct Group {
  ExecutionClass execution;
  InstructionKind kind;
  MemorySpace space;
  std::string_view opcodes;  // separated by blanks
};

using C = ExecutionClass;
using K = InstructionKind;
using S = MemorySpace;

// The papers leave some choices open. Exchanges between lanes (SHFL, VOTE, MATCH, MOVM) and bit counts (POPC,
// FLO, BREV) count as integer work, as in the simulators that the papers use. Fences and cache control occupy
// the load/store path but carry no traced access. Accesses and copies of tensor memory (LDTM, UTCCP) do the
// same, because tensor memory is no part of the model. Matrix products in tensor memory (UTCHMMA) take the
// tensor core like other products, because their timing is not known.
constexpr Group groups[] = {
    {C::integer, K::arithmetic, S::none,
     "IADD IADD3 IADD32I IABS IMAD IMAD32I IMADSP IMUL IMUL32I IMNMX IMNMX3 ISCADD ISCADD32I ISET ISETP ICMP "
     "ISAD IDP IDP4A IDE XMAD LEA LOP LOP3 LOP32I PLOP3 SHL SHR SHF BFE BFI BMSK BREV FLO POPC SGXT PRMT SEL "
     "SELP MOV MOV32I MOVM I2IP "
     "VADD VIADD VIADDMNMX VIMNMX VIMNMX3 VABSDIFF VABSDIFF4 VHMNMX VMAD VMNMX VSET VSETP VSHL VSHR VSEL "
     "CSET CSETP PSET PSETP P2R R2P S2R CS2R B2R R2B LEPC GETLMEMBASE SETLMEMBASE GETCRSPTR SETCRSPTR QSPC "
     "VOTE SHFL MATCH REDUX ELECT NOP DEPBAR PMTRIG PIXLD TTUCCTL AL2P "
     "CREDUX GETFPFLAGS SETFPFLAGS GATHER SCATTER GENMETADATA SPMETADATA BITEXTRACT MOV64IUR"},
    {C::single, K::arithmetic, S::none,
     "FADD FADD32I FADD2 FMUL FMUL32I FMUL2 FFMA FFMA32I FFMA2 FMNMX FMNMX3 FSEL FSET FSETP FCMP FSWZADD "
     "FSWZ FCHK F2FP F2IP I2FP FHADD FHFMA"},
    {C::half, K::arithmetic, S::none,
     "HADD2 HADD2_32I HMUL2 HMUL2_32I HFMA2 HFMA2_32I HSET2 HSETP2 HMNMX2 HMNMX HADD HMUL HFMA"},
    {C::double_, K::arithmetic, S::none, "DADD DMUL DFMA DSET DSETP DMNMX CLMAD"},
    {C::special, K::arithmetic, S::none, "MUFU RRO F2F F2I I2F I2I FRND IPA"},
    {C::tensor_f32, K::arithmetic, S::none,
     "HMMA DMMA QMMA OMMA FMMA MXQMMA HGMMA QGMMA UTCHMMA UTCQMMA UTCOMMA UTCMXQMMA"},
    {C::tensor_int, K::arithmetic, S::none, "IMMA BMMA IGMMA BGMMA UTCIMMA"},
    {C::branch, K::control, S::none,
     "BRA BRX BRXU BRA_IMM JMP JMX JMXU JCAL CAL CALL RET SSY SYNC PBK BRK PCNT CONT PRET PLONGJMP LONGJMP "
     "PEXIT BSSY BSYNC BREAK BMOV WARPSYNC WARPGROUP WARPGROUPSET YIELD NANOSLEEP RPCMOV BPT KIL KILL RTT "
     "RAM "
     "SAM PREEXIT ENDCOLLECTIVE ACQBULK ACQSHMINIT SETCTAID CGABAR"},
    {C::barrier, K::barrier, S::none, "BAR"},
    {C::barrier, K::exit, S::none, "EXIT"},
    {C::texture, K::arithmetic, S::none, "TEX TEXS TLD TLDS TLD4 TLD4S TMML TXD TXA TXQ TEXDEPBAR FOOTPRINT"},
    {C::uniform, K::arithmetic, S::none,
     "UIADD3 UIADD UIMAD UIABS UIMNMX UISETP ULEA ULOP ULOP3 ULOP32I UPLOP3 UMOV UMOV32I UPRMT USEL USHF "
     "USHL "
     "USHR USGXT UBMSK UBREV UFLO UPOPC UP2UR UR2UP UPSETP UVIADD UVIMNMX UF2FP ULDC UCLEA UCGABAR_ARV "
     "UCGABAR_WAIT UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAPF UTMAREDG UTMACCTL UTMACMDFLUSH UFADD UFMUL "
     "UFFMA UFSEL UFSETP UCCTL VOTEU S2UR R2UR REDUXU CS2UR UFHADD UFHFMA UFMNMX UFRND UFSET UF2F UF2I UF2IP "
     "UI2F "
     "UI2FP UI2I UI2IP UVIMNMX3 UVIRTCOUNT ULEPC UGETNEXTWORKID UCGABAR_GET UCGABAR_SET USETSHMSZ USETMAXREG "
     "UFENCE"},
    {C::load_store, K::load, S::generic, "LD"},
    {C::load_store, K::load, S::global, "LDG LDU LDGSTS LDGMC SULD SULDB SULDGA SUQ"},
    {C::load_store, K::load, S::shared, "LDS LDSM"},
    {C::load_store, K::load, S::local, "LDL"},
    {C::load_store, K::load, S::constant, "LDC LDCU"},
    {C::load_store, K::store, S::generic, "ST"},
    {C::load_store, K::store, S::global, "STG SUST SUSTB SUSTGA USTGR"},
    {C::load_store, K::store, S::shared, "STS STSM STAS UMEMSETS"},
    {C::load_store, K::store, S::local, "STL"},
    {C::load_store, K::atomic, S::generic, "ATOM"},
    {C::load_store, K::atomic, S::global, "ATOMG RED REDG SURED SUATOM UREDGR"},
    {C::load_store, K::atomic, S::shared, "ATOMS REDS REDAS"},
    {C::load_store, K::arithmetic, S::none,
     "MEMBAR ERRBAR CGAERRBAR CCTL CCTLL CCTLT LDGDEPBAR FENCE LDTRAM ALD AST LDT LDTM STT STTM UTCCP "
     "UTCSHIFT UTCBAR UTCATOMSWS"},
    {C::load_store, K::arithmetic, S::shared, "ARRIVES SYNCS"},
};

const std::unordered_map<std::string_view, OpcodeInfo>& table() {
  static const auto built = [] {
    std::unordered_map<std::string_view, OpcodeInfo> t;
    for (const Group& g : groups) {
      std::string_view rest = g.opcodes;
      while (!rest.empty()) {
        const std::size_t blank = rest.find(' ');
        const std::string_view one = rest.substr(0, blank);
        if (!one.empty()) t.emplace(one, OpcodeInfo{g.execution, g.kind, g.space, true});
        rest = blank == std::string_view::npos ? std::string_view{} : rest.substr(blank + 1);
      }
    }
    return t;
  }();
  return built;
}

std::optional<OpcodeInfo> family_of(std::string_view base) {
  const auto& t = table();
  for (std::size_t n = base.size(); n >= 2; --n)
    if (const auto it = t.find(base.substr(0, n)); it != t.end()) return it->second;
  if (base.size() < 2) return std::nullopt;
  const auto arithmetic = [](C c) { return OpcodeInfo{c, K::arithmetic, S::none, false}; };
  switch (base[0]) {
    case 'F':
      return arithmetic(C::single);
    case 'I':
      return arithmetic(C::integer);
    case 'D':
      return arithmetic(C::double_);
    case 'H':
      return arithmetic(C::half);
    case 'U':
      return arithmetic(C::uniform);
    case 'T':
      return arithmetic(C::texture);
    default:
      return std::nullopt;
  }
}

// The accumulator is the first type after the shape: HMMA.1688.F16, HMMA.16816.F32.BF16, HMMA.884.F16.F32.
bool accumulates_in_half(std::string_view opcode) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
    const std::string_view part = opcode.substr(dot + 1, opcode.find('.', dot + 1) - dot - 1);
    if (part == "F16") return true;
    if (part == "F32" || part == "F64") return false;
  }
  return false;
}

}  // namespace

bool has_modifier(std::string_view opcode, std::string_view modifier) {
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
    const std::string_view rest = opcode.substr(dot + 1);
    if (rest.substr(0, modifier.size()) == modifier &&
        (rest.size() == modifier.size() || rest[modifier.size()] == '.'))
      return true;
  }
  return false;
}

bool matches_shape(std::string_view opcode, std::string_view pattern) {
  const auto take = [](std::string_view& rest) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
  };
  if (base_of(opcode) != take(pattern)) return false;
  while (!pattern.empty())
    if (!has_modifier(opcode, take(pattern))) return false;
  return true;
}

std::optional<unsigned> listed_results(std::string_view opcode) {
  constexpr std::string_view behind_predicate[] = {"SHFL", "LOP3",  "LOP",   "MATCH", "QSPC",
                                                   "ATOM", "ATOMG", "ATOMS", "SUATOM"};
  constexpr std::string_view no_result[] = {"RET", "BRX",       "JMX", "CALL",        "WARPSYNC",
                                            "BAR", "NANOSLEEP", "R2B", "SETLMEMBASE", "SETCRSPTR"};
  constexpr std::string_view may_have_predicate[] = {"LD", "LDG"};  // with .ZD: whether data were found
  const std::string_view base = base_of(opcode);
  const auto among = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), base) != std::end(list);
  };
  if (among(behind_predicate) || (among(may_have_predicate) && has_modifier(opcode, "ZD"))) return 1;
  if (among(no_result)) return 0;
  return std::nullopt;
}

bool is_call(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  return base == "CALL" || base == "CAL" || base == "JCAL";
}

std::optional<OpcodeInfo> opcode_info(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  const auto it = table().find(base);
  std::optional<OpcodeInfo> info = it != table().end() ? it->second : family_of(base);
  if (!info) return info;
  info->known = it != table().end();
  if (info->execution == C::tensor_f32 && accumulates_in_half(opcode)) info->execution = C::tensor_f16;
  // BAR.ARV announces an arrival and goes on. Only the forms that wait hold the warp.
  if (info->kind == K::barrier && has_modifier(opcode, "ARV")) info->kind = K::control;
  return info;
}

}  // namespace subcore
