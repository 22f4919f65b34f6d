#include "subcore/model/passes/control_program.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "subcore/base/bits.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/isa/warpgroup.h"
#include "subcore/model/trace/sass_text.h"

namespace subcore {
namespace {

void add_registers(ResourceSet& set, const SidecarOperands& operands) {
  for (const SidecarOperand& o : operands)
    for (unsigned r = o.base; r < std::min<unsigned>(o.base + o.width, rz); ++r) set.set(r);
}

void add_each(ResourceSet& set, unsigned first, std::uint64_t members) {
  for (const unsigned n : bits::each(members)) set.set(first + n);
}

ControlNode node_of(std::uint64_t pc, std::string_view opcode, unsigned binary_version) {
  ControlNode node;
  node.pc = pc;
  node.architecture = architecture_of(binary_version);
  const OpcodeInfo info = opcode_info(opcode).value_or(OpcodeInfo{});
  node.use = unit_use(node.architecture, opcode, info);
  node.is_variable = has_variable_latency(node.architecture, node.use.pipe);
  node.is_barrier = info.kind == InstructionKind::barrier;
  StaticInstruction s;
  s.execution = info.execution;
  s.kind = info.kind;
  s.space = info.space;
  node.long_latency = is_long_latency(s);
  node.is_product = has_warpgroup_products(node.architecture) && is_warpgroup_product(opcode);
  return node;
}

// The edges of a sidecar's code.
class Edges {
 public:
  Edges(const Sidecar& sidecar, ControlProgram& program) : nodes_(program.nodes) {
    for (const auto& [pc, entry] : sidecar.by_pc) {
      at_.emplace(pc, static_cast<std::uint32_t>(texts_.size()));
      texts_.push_back(read_sass_text(sidecar.text(entry)));
    }
    calls();
    for (std::uint32_t n = 0; n < texts_.size(); ++n) nodes_[n].successors = successors(n);
    std::vector<bool> reached(texts_.size());
    for (const ControlNode& node : nodes_)
      for (const std::uint32_t next : node.successors) reached[next] = true;
    for (std::uint32_t n = 0; n < texts_.size(); ++n)
      if (n == 0 || !reached[n]) program.entries.push_back(n);
  }

 private:
  bool is(std::uint32_t n, std::string_view base) const { return is_named(texts_[n].opcode, base); }
  void add(std::vector<std::uint32_t>& list, std::uint32_t n) const {
    if (n < texts_.size() && std::find(list.begin(), list.end(), n) == list.end()) list.push_back(n);
  }
  // Adds the target of the jump or call `n`. A return names no target.
  void add_target(std::vector<std::uint32_t>& list, std::uint32_t n) const {
    const auto it = texts_[n].address ? at_.find(*texts_[n].address) : at_.end();
    if (it != at_.end()) add(list, it->second);
  }
  bool goes_on(std::uint32_t n) const {
    const bool ends = is(n, "BRA") || is(n, "JMP") || is(n, "BRX") || is(n, "JMX") || is(n, "RET") ||
                      is(n, "EXIT") || is(n, "CALL");
    return !ends || texts_[n].read != 0;
  }

  // A function's returns lead to the instructions behind its calls.
  void calls() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> behind;  // by the function's first node
    for (std::uint32_t n = 0; n < texts_.size(); ++n) {
      std::vector<std::uint32_t> callee;
      if (is(n, "CALL")) add_target(callee, n);
      if (!callee.empty()) behind[callee.front()].push_back(n + 1);
    }
    for (const auto& [first, returns] : behind) {
      std::vector<bool> seen(texts_.size());
      std::vector<std::uint32_t> open{first};
      while (!open.empty()) {
        const std::uint32_t n = open.back();
        open.pop_back();
        if (seen[n]) continue;
        seen[n] = true;
        if (is(n, "RET"))
          for (const std::uint32_t r : returns) add(returns_[n], r);
        if (goes_on(n) || is(n, "CALL")) add(open, n + 1);
        if (is(n, "BRA") || is(n, "JMP")) add_target(open, n);
      }
    }
  }

  std::vector<std::uint32_t> successors(std::uint32_t n) const {
    std::vector<std::uint32_t> list;
    if (is(n, "BRA") || is(n, "JMP") || is(n, "CALL")) add_target(list, n);
    if (const auto it = returns_.find(n); it != returns_.end()) list = it->second;
    if (goes_on(n)) add(list, n + 1);
    return list;
  }

  std::vector<ControlNode>& nodes_;
  std::vector<SassText> texts_;  // by node
  std::map<std::uint64_t, std::uint32_t> at_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> returns_;
};

// Guesses the predicates of code from opcodes in the order of the code, because predicates are in no trace.
// Each comparison writes another predicate than the comparison before. Each reader takes the predicate that
// has waited longest to be read, or else the last one. Compilers use predicates in this way where they
// interleave comparisons with dependent instructions.
class AssumedPredicates {
 public:
  // Adds to a node the predicates that its opcode may read and write. `falls_through`: the code behind it
  // followed it.
  void assume(std::string_view opcode, const StaticInstruction& code, const InstructionProfile& profile,
              bool falls_through, ControlNode& node) {
    const auto among = [&](std::initializer_list<std::string_view> names) {
      return std::any_of(names.begin(), names.end(), [&](std::string_view n) { return is_named(opcode, n); });
    };
    const bool compares = base_of(opcode).find("SETP") != std::string_view::npos,
               is_uniform = node.use.pipe == IssuePipe::uniform;
    if (is_uniform) {
      if (compares || among({"UPLOP3"})) node.writes.set(uniform_condition);
      if (among({"UPLOP3", "USEL", "UP2UR"})) node.reads.set(uniform_condition);
      return;
    }
    if (among({"PLOP3"})) node.reads.set(uniform_condition);
    if (node.use.pipe == IssuePipe::control) {
      if (falls_through && among({"BRA", "BRX", "JMP", "JMX", "EXIT", "RET", "CALL", "BREAK"})) {
        guard(last_, node);
        unread_.clear();
      }
      return;
    }
    if (profile.off || !profile.whole) guard(oldest(), node);
    if (among({"SEL", "FSEL", "VOTE", "PLOP3"})) node.reads.set(oldest());
    if (among({"P2R"})) add_each(node.reads, resource::predicates, all);
    if (compares && has_modifier(opcode, "EX")) node.reads.set(last_);
    if (has_modifier(opcode, "X")) node.reads.set(carry);
    if (among({"IADD3", "LEA"})) node.writes.set(carry);
    if (compares || among({"PLOP3", "FCHK", "B2R"}) ||
        (among({"LOP3", "LOP"}) && (node.writes.none() || code.behind_predicate)))
      node.writes.set(next());
    if (among({"R2P"})) add_each(node.writes, resource::predicates, all);
  }

 private:
  static constexpr unsigned carry = resource::predicates + predicate_count,
                            uniform_condition = resource::predicates + first_uniform_predicate;
  static constexpr unsigned all = bits::below<std::uint8_t>(predicate_count);

  static void guard(unsigned predicate, ControlNode& node) {
    node.reads.set(predicate);
    node.guards.set(predicate);
  }
  unsigned next() {
    last_ = resource::predicates + (last_ - resource::predicates + 1) % predicate_count;
    if (unread_.size() == predicate_count) unread_.pop_front();
    unread_.push_back(last_);
    return last_;
  }
  unsigned oldest() {
    if (unread_.empty()) return last_;
    const unsigned predicate = unread_.front();
    unread_.pop_front();
    return predicate;
  }

  unsigned last_ = resource::predicates;
  std::deque<unsigned> unread_;
};

void assume_uniforms(std::string_view opcode, ControlNode& node) {
  const bool makes = node.use.pipe == IssuePipe::uniform || node.use.pipe == IssuePipe::uniform_move ||
                     node.use.pipe == IssuePipe::uniform_transfer || is_named(opcode, "REDUXU") ||
                     is_named(opcode, "S2UR");
  if (makes) node.writes.set(resource::uniforms);
  if (node.use.pipe != IssuePipe::control) node.reads.set(resource::uniforms);
}

}  // namespace

std::string resource_name(unsigned n) {
  using namespace resource;
  if (n < uniforms) return "R" + std::to_string(n);
  if (n < predicates) return "UR" + std::to_string(n - uniforms);
  n -= predicates;
  return n < first_uniform_predicate ? "P" + std::to_string(n)
                                     : "UP" + std::to_string(n - first_uniform_predicate);
}

ResourceSet registers_among(const ResourceSet& set) {
  static const ResourceSet registers = ~(~ResourceSet{} << resource::uniforms);
  return set & registers;
}

ControlProgram control_program(const Sidecar& sidecar, unsigned binary_version) {
  ControlProgram program;
  for (const auto& [pc, entry] : sidecar.by_pc) {
    const SassText text = read_sass_text(sidecar.text(entry));
    ControlNode node = node_of(pc, text.opcode, binary_version);
    node.controlled = true;
    node.control = entry.control;
    add_registers(node.reads, entry.sources);
    if (!node.is_product) add_registers(node.writes, entry.destinations);
    add_each(node.reads, resource::uniforms, entry.uniforms_read);
    add_each(node.writes, resource::uniforms, entry.uniforms_written);
    add_each(node.reads, resource::predicates, text.read);
    add_each(node.writes, resource::predicates, text.written);
    add_each(node.guards, resource::predicates, node.use.pipe == IssuePipe::control ? text.read : text.guard);
    if (text.guard != 0) node.runs_if = {resource::predicates + bits::lowest(text.guard), !text.unless};
    program.nodes.push_back(std::move(node));
  }
  Edges(sidecar, program);
  return program;
}

ControlProgram control_program(const CodeTable& code, const KernelProfile& profile, unsigned binary_version) {
  ControlProgram program;
  const auto& profiles = profile.instructions();
  for (std::uint32_t i = 0; i < profiles.size(); ++i) {
    const StaticInstruction& s = code.instructions[i];
    const std::string_view opcode = code.opcode_name(s);
    ControlNode node = node_of(s.pc, opcode, binary_version);
    node.controlled = s.controlled;
    node.control = s.control;
    for (unsigned k = 0; k < s.source_count; ++k) node.reads.set(s.sources[k]);
    for (unsigned k = 0; k < s.destination_count; ++k) node.writes.set(s.destinations[k]);
    for_each_accumulator(s, [&](Register r) {
      node.accumulates.set(r);
      if (s.accumulators.read) node.reads.set(r);
    });
    assume_uniforms(opcode, node);
    node.successors = profiles[i].warp_successors;
    if (profiles[i].warp_entry) program.entries.push_back(i);
    program.nodes.push_back(std::move(node));
  }
  AssumedPredicates predicates;
  const ProgramOrder order(code);
  for (std::size_t at = 0; at < order.instructions.size(); ++at) {
    const std::uint32_t i = order.instructions[at];
    const StaticInstruction& s = code.instructions[i];
    const std::vector<std::uint32_t>& followers = profiles[i].warp_successors;
    const bool falls_through =
        at + 1 < order.instructions.size() &&
        std::find(followers.begin(), followers.end(), order.instructions[at + 1]) != followers.end();
    predicates.assume(code.opcode_name(s), s, profiles[i], falls_through, program.nodes[i]);
  }
  return program;
}

unsigned issue_step(const ControlBits& control) {
  if (!control.yield) return std::max<unsigned>(control.stall, 1);
  return control.stall == 0 ? stall0_yield_cycles : std::max<unsigned>(control.stall, 2);
}

// The cycles in which the ports of two banks read the sources of a tensor instruction.
static unsigned window_of(const ControlNode& node) {
  constexpr unsigned shortest = 3;
  std::array<unsigned, 2> of_bank{};
  for (unsigned r = 0; r < resource::uniforms; ++r) of_bank[r % 2] += node.reads[r] ? 1 : 0;
  return std::max({shortest, of_bank[0], of_bank[1]});
}

// How many cycles longer than the consumer's the producer's window is, if both are tensor instructions.
static unsigned longer_tensor_window(const ControlNode& producer, const ControlNode& consumer) {
  if (producer.use.pipe != IssuePipe::tensor || consumer.use.pipe != IssuePipe::tensor) return 0;
  const unsigned first = window_of(producer), second = window_of(consumer);
  return first > second ? first - second : 0;
}

unsigned required_distance(const ControlNode& producer, const ControlNode& consumer) {
  unsigned distance = 0;
  const ResourceSet read = producer.writes & consumer.reads;
  if (read.any()) {
    const auto need = [&](DependenceKind kind) {
      distance = std::max(distance, issue_distance(producer.architecture, producer.use, consumer.use, kind));
    };
    static const ResourceSet all_predicates = ~ResourceSet{} << resource::predicates;
    if ((read & ~all_predicates).any()) need(DependenceKind::source);
    if ((read & consumer.guards).any()) need(DependenceKind::guard);
    if ((read & all_predicates & ~consumer.guards).any()) need(DependenceKind::predicate);
  }
  if ((producer.writes & consumer.writes).any())
    distance = std::max(distance, overwrite_distance(producer.architecture, producer.use, consumer.use));
  return distance == 0 ? 0 : distance + longer_tensor_window(producer, consumer);
}

}  // namespace subcore
