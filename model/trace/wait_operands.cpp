#include "subcore/model/trace/wait_operands.h"

#include <algorithm>
#include <array>
#include <optional>

#include "subcore/base/text.h"
#include "subcore/model/isa/opcodes.h"

namespace subcore {
namespace {

constexpr std::uint64_t most_open_groups = 63;  // six bits
constexpr std::uint64_t most_threads = 1024;    // of a CTA

std::optional<std::uint64_t> number(std::string_view word) {
  std::uint64_t n = 0;
  if (word.substr(0, 2) == "0x" ? text::parse_hex(word, n) : text::parse_unsigned(word, n)) return n;
  return std::nullopt;
}

// The first two operands behind the opcode in a sidecar's text.
std::array<std::string_view, 2> operands_of(std::string_view sass, std::string_view opcode_base) {
  std::array<std::string_view, 2> operands;
  const std::size_t opcode = sass.find(opcode_base);
  if (opcode == std::string_view::npos) return operands;
  sass = sass.substr(opcode, sass.find(';', opcode) - opcode);
  sass.remove_prefix(std::min(sass.find(' '), sass.size()));
  for (std::string_view& operand : operands) {
    const std::size_t comma = std::min(sass.find(','), sass.size());
    operand = text::trimmed(sass.substr(0, comma));
    sass.remove_prefix(std::min(comma + 1, sass.size()));
  }
  return operands;
}

void read_depbar(std::string_view opcode, std::string_view sass, std::string_view immediate,
                 StaticInstruction& out) {
  if (!has_modifier(opcode, "LE")) return;
  const auto [counter, most] = operands_of(sass, base_of(opcode));
  std::optional<std::uint64_t> n = number(most);
  if (n && counter.substr(0, 2) == "SB") {
    const auto c = number(counter.substr(2));
    if (c && *c < barrier_count) out.awaited_counter = static_cast<std::uint8_t>(*c);
  }
  if (!n) n = number(immediate);
  if (n && *n <= most_open_groups) out.open_groups = static_cast<std::uint8_t>(*n);
}

std::uint8_t warps_of(std::optional<std::uint64_t> threads) {
  if (!threads || *threads % warp_lanes != 0 || *threads > most_threads) return 0;
  return static_cast<std::uint8_t>(*threads / warp_lanes);
}

void read_bar(std::string_view sass, std::string_view immediate, StaticInstruction& out) {
  const auto [first, second] = operands_of(sass, "BAR");
  if (const auto name = number(first); name && *name < named_barriers) {
    out.barrier_name = static_cast<std::uint8_t>(*name);
    out.barrier_warps = warps_of(number(second));
    return;
  }
  const auto n = number(immediate);
  if (!first.empty() || !n) return;
  if (*n < named_barriers) {
    out.barrier_name = static_cast<std::uint8_t>(*n);
  } else if (warps_of(n) != 0 && out.source_count == 0) {
    out.barrier_name = unnamed_barrier;
    out.barrier_warps = warps_of(n);
  }
}

}  // namespace

CopyStep copy_step_of(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  return base == "LDGSTS"      ? CopyStep::copy
         : base == "LDGDEPBAR" ? CopyStep::end_group
         : base == "ARRIVES"   ? CopyStep::arrive
         : base == "DEPBAR"    ? CopyStep::wait
                               : CopyStep::none;
}

bool waits_by_immediate(std::string_view opcode) {
  return base_of(opcode) == "DEPBAR" || base_of(opcode) == "WARPGROUP" || base_of(opcode) == "BAR";
}

void read_wait_operands(std::string_view opcode, std::string_view sass, std::string_view immediate,
                        StaticInstruction& out) {
  if (base_of(opcode) == "DEPBAR" || base_of(opcode) == "WARPGROUP")
    read_depbar(opcode, sass, immediate, out);
  if (base_of(opcode) == "BAR") read_bar(sass, immediate, out);
}

}  // namespace subcore
