#include "subcore/model/isa/issue_distance.h"

#include <algorithm>

namespace subcore {
namespace {

using P = IssuePipe;

struct PipeLine {
  std::string_view base;  // the opcode's first part
  IssuePipe pipe;
};

// Opcodes that another pipe runs than the one of their execution class.
constexpr PipeLine exceptions[] = {
    {"IMAD", P::fma},
    {"IMAD32I", P::fma},
    {"IMUL", P::fma},
    {"IDP", P::fma},
    {"IDP4A", P::fma},
    {"FMNMX", P::alu},
    {"FSEL", P::alu},
    {"FSET", P::alu},
    {"FSETP", P::alu},
    {"FCMP", P::alu},
    {"FCHK", P::transcendental},
    {"HADD2", P::half_add},
    {"HADD2_32I", P::half_add},
    {"POPC", P::transcendental},
    {"FLO", P::transcendental},
    {"BREV", P::transcendental},
    {"CS2R", P::counter},
    {"S2R", P::special_register},
    {"B2R", P::special_register},
    {"R2B", P::special_register},
    {"BMOV", P::special_register},
    {"RPCMOV", P::special_register},
    {"S2UR", P::special_register},
    {"LEPC", P::special_register},
    {"PIXLD", P::special_register},
    {"QSPC", P::memory},
    {"SHFL", P::memory},
    {"MATCH", P::memory},
    {"REDUX", P::memory},
    {"CREDUX", P::memory},
    {"MOVM", P::matrix_move},
    {"R2UR", P::uniform_transfer},
    {"REDUXU", P::uniform_transfer},
    {"UMOV", P::uniform_move},
    {"ULDC", P::uniform_move},
    {"VOTEU", P::uniform_move},
    {"LDC", P::constant},
    {"LDCU", P::constant},
    {"NOP", P::control},
    {"DEPBAR", P::control},
};

// Behind an FMA or ALU instruction: consumers that have no bypass read its result from the banks.
unsigned behind_32_bit(IssuePipe producer, IssuePipe consumer) {
  switch (consumer) {
    case P::fma:
    case P::alu:
      return producer == consumer ? 4 : 5;
    case P::transcendental:
    case P::double_:
    case P::constant:
    case P::control:
      return 6;
    case P::half:
    case P::half_add:
    case P::uniform:
    case P::uniform_move:
    case P::counter:
      return 5;
    default:
      return 8;
  }
}

unsigned behind_half(IssuePipe consumer) {
  switch (consumer) {
    case P::half:
    case P::half_add:
      return 6;
    case P::fma:
    case P::alu:
      return 8;
    default:
      return 10;
  }
}

unsigned behind_uniform(IssuePipe consumer) {
  if (consumer == P::uniform || consumer == P::uniform_move) return 4;
  return has_variable_latency(consumer) ? 9 : 6;
}

// Cycles until a result is there at the earliest.
unsigned least_latency(IssuePipe pipe) {
  switch (pipe) {
    case P::half:
      return 6;
    case P::half_add:
      return 8;
    case P::counter:
      return 6;
    case P::uniform_move:
      return 2;
    default:
      return 4;
  }
}

}  // namespace

IssuePipe issue_pipe(std::string_view opcode, const OpcodeInfo& info) {
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  const auto line = std::find_if(std::begin(exceptions), std::end(exceptions),
                                 [&](const PipeLine& l) { return l.base == base; });
  if (line != std::end(exceptions)) return line->pipe;
  return execution_classes[static_cast<std::size_t>(info.execution)].pipe;
}

unsigned issue_distance(IssuePipe producer, IssuePipe consumer, DependenceKind kind) {
  if (kind == DependenceKind::guard) return 12;
  if (kind == DependenceKind::predicate) {
    if (producer == P::uniform || producer == P::uniform_move) return behind_uniform(consumer);
    return consumer == P::alu ? 4 : consumer == P::fma ? 5 : 12;
  }
  switch (producer) {
    case P::fma:
    case P::alu:
      return behind_32_bit(producer, consumer);
    case P::half:
      return behind_half(consumer);
    case P::half_add:
      return has_variable_latency(consumer) ? 10 : 8;
    case P::counter:
      return 10;
    case P::uniform:
      return behind_uniform(consumer);
    case P::uniform_move:
      return 2;
    default:
      return 1;
  }
}

unsigned overwrite_distance(IssuePipe first, IssuePipe second) {
  const unsigned early = least_latency(first), late = least_latency(second);
  return early > late ? early - late + 1 : 1;
}

unsigned pipe_interval(IssuePipe pipe) {
  switch (pipe) {
    case P::fma:
    case P::half:
    case P::half_add:
      return 2;
    case P::memory:
      return 4;
    case P::transcendental:
    case P::double_:
    case P::tensor:
      return 8;
    default:
      return 1;
  }
}

bool completes_in_order(IssuePipe first, bool long_first, IssuePipe second) {
  if (first != second || long_first) return false;
  return first == P::memory || first == P::transcendental || first == P::double_ || first == P::tensor;
}

}  // namespace subcore
