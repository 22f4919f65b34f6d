#include "subcore/model/isa/issue_distance.h"

#include <algorithm>
#include <initializer_list>

namespace subcore {
namespace {

using P = IssuePipe;

struct PipeLine {
  std::string_view opcode;  // the first part, and modifiers that are required
  IssuePipe pipe;
  unsigned first = 0, last = onwards;  // architectures, both included
};

// Opcodes that run in another pipe than their execution class.
constexpr PipeLine exceptions[] = {
    {"HFMA2.MMA", P::half_tensor, 80, 85},
    {"HFMA2.MMA", P::half_tensor, 90, 119},
    {"DMMA", P::tensor_double},
    {"F2FP", P::alu, 80},
    {"I2FP", P::alu, 80},
    {"VIADD", P::fma, 90},
    {"IMAD.WIDE", P::wide, 90},
    {"MATCH", P::special_register, 80},
    {"REDUX", P::special_register, 80},
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
    {"LEPC", P::alu},
    {"PIXLD", P::special_register},
    {"QSPC", P::memory},
    {"SHFL", P::memory},
    {"MATCH", P::memory},
    {"REDUX", P::memory},
    {"CREDUX", P::memory},
    {"MOVM", P::matrix_move},
    {"R2UR", P::uniform_transfer},
    {"REDUXU", P::special_register},
    {"UMOV", P::uniform_move},
    {"ULDC", P::uniform_move},
    {"VOTEU", P::uniform_move},
    {"LDC", P::constant},
    {"LDCU", P::constant},
    {"NOP", P::control},
    {"DEPBAR", P::control},
};

// A set of pipes, a bit for each.
constexpr std::uint32_t set_of(std::initializer_list<IssuePipe> pipes) {
  std::uint32_t set = 0;
  for (const IssuePipe p : pipes) set |= 1u << static_cast<unsigned>(p);
  return set;
}
constexpr bool is_in(std::uint32_t set, IssuePipe pipe) {
  return (set >> static_cast<unsigned>(pipe) & 1) != 0;
}
constexpr std::uint32_t any_pipe = ~0u;
// On sm_75, barriers stand for the results of these pipes. The other pipes get FMA and ALU results early.
constexpr std::uint32_t variable_pipes = any_pipe << static_cast<unsigned>(P::memory);
constexpr std::uint32_t math_pipes = set_of({P::fma, P::alu});
constexpr std::uint32_t half_pipes = set_of({P::half, P::half_add});
constexpr std::uint32_t uniform_pipes = set_of({P::uniform, P::uniform_move});

struct DistanceLine {
  unsigned first, last;                // architectures, both included
  std::uint32_t producers, consumers;  // sets of pipes
  std::uint8_t cycles;
};

// The first line that matches counts. Consumers without a bypass read a result from the banks. Distances
// behind half instructions, and behind R2UR on sm_90, were measured over public programs and some 600 more
// kernels, because other instructions there read such results.
constexpr DistanceLine distances[] = {
    {0, 79, set_of({P::fma}), set_of({P::fma}), 4},
    {0, 79, set_of({P::alu}), set_of({P::alu}), 4},
    {0, 79, math_pipes, math_pipes, 5},
    {0, 79, math_pipes, set_of({P::transcendental, P::double_, P::constant, P::control}), 6},
    {0, 79, math_pipes, half_pipes | uniform_pipes | set_of({P::counter}), 5},
    {0, 79, math_pipes, any_pipe, 8},
    {0, 79, half_pipes, half_pipes, 6},
    {0, 79, half_pipes, any_pipe, 8},

    {80, onwards, set_of({P::fma}), set_of({P::fma}), 4},
    {80, onwards, set_of({P::alu}), set_of({P::alu}), 4},
    {80, onwards, half_pipes, half_pipes, 4},
    {80, onwards, math_pipes | half_pipes, set_of({P::transcendental, P::special_register, P::control}), 4},
    {80, onwards, math_pipes | half_pipes, set_of({P::tensor, P::tensor_double}), 7},
    {80, onwards, math_pipes | half_pipes, any_pipe, 5},
    {90, onwards, set_of({P::fma}), set_of({P::wide}), 4},
    {120, onwards, set_of({P::wide}), any_pipe, 7},
    {90, onwards, set_of({P::wide}), set_of({P::alu}), 3},
    {90, onwards, set_of({P::wide}), set_of({P::fma, P::wide}), 4},
    {90, onwards, set_of({P::wide}), any_pipe, 5},
    {80, onwards, set_of({P::double_}), set_of({P::transcendental}), 6},
    {80, onwards, set_of({P::double_}), set_of({P::memory}), 7},
    {80, onwards, set_of({P::half_tensor}), set_of({P::control}), 6},
    {80, onwards, set_of({P::half_tensor}), set_of({P::memory}), 7},
    {90, onwards, set_of({P::half_tensor}), set_of({P::half_tensor}), 8},
    {80, onwards, set_of({P::half_tensor}), any_pipe, 10},

    {0, onwards, set_of({P::counter}), any_pipe, 10},
    {0, onwards, set_of({P::uniform}), uniform_pipes, 4},
    {0, onwards, set_of({P::uniform}), variable_pipes, 9},
    {0, onwards, set_of({P::uniform}), any_pipe, 6},
    {0, onwards, set_of({P::uniform_move}), any_pipe, 2},
    {0, onwards, set_of({P::uniform_transfer}), any_pipe, 13},
    {0, onwards, any_pipe, any_pipe, 1},
};

unsigned distance_of(unsigned architecture, IssuePipe producer, IssuePipe consumer) {
  for (const DistanceLine& l : distances)
    if (is_for(l, architecture) && is_in(l.producers, producer) && is_in(l.consumers, consumer))
      return l.cycles;
  return 1;
}

// The least number of cycles until a result is available.
unsigned least_latency(unsigned architecture, const UnitUse& use) {
  switch (use.pipe) {
    case P::tensor:
    case P::double_:
    case P::half_tensor:
      return use.latency;
    case P::half:
      return architecture < 80 ? 6 : 4;
    case P::half_add:
      return architecture < 80 ? 8 : 4;
    case P::counter:
      return 6;
    case P::uniform_move:
      return 2;
    case P::uniform_transfer:
      return 13;
    case P::wide:
      return std::max<unsigned>(4, use.latency);
    default:
      return 4;
  }
}

// How many cycles longer than other windows a tensor instruction's window is. Other instructions see its
// results that much later. nvcc leaves the same number behind instructions on doubles.
unsigned longer_window(const UnitUse& first, const UnitUse& second) {
  return (first.pipe == P::tensor || first.pipe == P::double_) && first.completion == LatencyClass::counted &&
                 second.pipe != first.pipe
             ? 2
             : 0;
}

}  // namespace

IssuePipe issue_pipe(unsigned architecture, std::string_view opcode, const OpcodeInfo& info) {
  for (const PipeLine& l : exceptions)
    if (is_for(l, architecture) && matches_shape(opcode, l.opcode)) return l.pipe;
  return execution_classes[static_cast<std::size_t>(info.execution)].pipe;
}

// The compiler counts on the latency of tensor instructions from sm_80 on, and of R2UR from sm_90 on. The
// same holds from sm_80 on for instructions on doubles, if the machine has units for them.
bool has_variable_latency(unsigned architecture, IssuePipe pipe) {
  if (pipe == P::tensor) return architecture < 80;
  if (pipe == P::uniform_transfer) return architecture < 90;
  if (pipe == P::double_) return architecture != 80 && architecture != 90;
  return is_in(variable_pipes, pipe);
}

unsigned issue_distance(unsigned architecture, const UnitUse& producer, const UnitUse& consumer,
                        DependenceKind kind) {
  if (kind == DependenceKind::guard) {
    if (architecture >= 80 && is_in(uniform_pipes, producer.pipe)) return 11;
    return architecture < 90 ? 12 : 13;
  }
  if (kind == DependenceKind::predicate) {
    if (is_in(uniform_pipes, producer.pipe)) return distance_of(architecture, producer.pipe, consumer.pipe);
    return consumer.pipe == P::alu ? 4 : consumer.pipe == P::fma || consumer.pipe == P::wide ? 5 : 12;
  }
  const unsigned distance = distance_of(architecture, producer.pipe, consumer.pipe);
  if (producer.pipe == P::double_ && consumer.completion == LatencyClass::queued)
    return std::max<unsigned>(distance, producer.latency + 1 - consumer.late);
  if (producer.pipe == P::tensor || producer.pipe == P::double_)
    return producer.latency + longer_window(producer, consumer);
  return consumer.completion == LatencyClass::counted && consumer.late < distance ? distance - consumer.late
                                                                                  : distance;
}

unsigned overwrite_distance(unsigned architecture, const UnitUse& first, const UnitUse& second) {
  const unsigned late = least_latency(architecture, second);
  // Behind doubles nvcc leaves one cycle less than behind tensor instructions: from DFMA to IADD3, 6 on
  // sm_90.
  const unsigned longer = longer_window(first, second);
  const unsigned early =
      least_latency(architecture, first) + (first.pipe == P::double_ ? std::min(1u, longer) : longer);
  return early > late ? early - late + 1 : 1;
}

unsigned pipe_interval(unsigned architecture, const UnitUse& use) {
  switch (use.pipe) {
    case P::fma:
    case P::wide:
    case P::half:
    case P::half_add:
      return architecture < 80 ? 2 : std::max<unsigned>(1, use.initiation_interval);
    case P::memory:
      return 4;
    case P::transcendental:
    case P::double_:
    case P::tensor:
    case P::tensor_double:
      return 8;
    default:
      return 1;
  }
}

bool completes_in_order(IssuePipe first, bool long_first, IssuePipe second) {
  if (first != second || long_first) return false;
  return first == P::memory || first == P::transcendental || first == P::double_ || first == P::tensor ||
         first == P::tensor_double;
}

}  // namespace subcore
