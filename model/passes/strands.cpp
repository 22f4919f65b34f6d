#include <algorithm>
#include <string_view>

#include "subcore/model/isa/opcodes.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

bool is_call(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  return base == "CALL" || base == "CAL" || base == "JCAL" || base == "RET" || base == "PRET";
}

class Cutter {
 public:
  Cutter(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order)
      : code_(code), profiles_(profile.instructions()), order_(order), start_(order.instructions.size()) {}

  Strands cut() {
    cut_by_control_flow();
    do cut_by_dependence();
    while (cut_by_arrival());
    return {start_, numbers()};
  }

 private:
  void cut_by_control_flow() {
    if (!start_.empty()) start_[0] = true;
    for (std::uint32_t i = 0; i < profiles_.size(); ++i) {
      const InstructionProfile& p = profiles_[i];
      const StaticInstruction& s = code_.instructions[i];
      if (p.warp_entry) start_[order_.position[i]] = true;
      bool ends = s.kind == InstructionKind::barrier || is_call(code_.opcode_name(s));
      for (const auto* successors : {&p.warp_successors, &p.lane_successors})
        for (const std::uint32_t next : *successors) {
          if (order_.position[next] > order_.position[i]) continue;
          start_[order_.position[next]] = true;
          if (s.kind == InstructionKind::control) ends = true;
        }
      if (!ends) continue;
      for (const std::uint32_t next : p.warp_successors) start_[order_.position[next]] = true;
    }
  }

  // Cuts along the layout and not along paths: a value that is pending on one of two sides is pending behind
  // both.
  void cut_by_dependence() {
    RegisterSet pending;
    for (std::size_t at = 0; at < start_.size(); ++at) {
      const std::uint32_t i = order_.instructions[at];
      const StaticInstruction& s = code_.instructions[i];
      if (profiles_[i].runs != 0) {
        const auto waits = [&](Register r) { return pending.test(r); };
        if (std::any_of(s.sources.begin(), s.sources.begin() + s.source_count, waits) ||
            std::any_of(s.destinations.begin(), s.destinations.begin() + s.destination_count, waits))
          start_[at] = true;
        // A product and a wait may both wait for products, which have long latency.
        if (s.warpgroup == WarpgroupStep::product || s.warpgroup == WarpgroupStep::wait) start_[at] = true;
      }
      if (start_[at]) pending.reset();
      if (profiles_[i].runs == 0) continue;
      if (is_long_latency(s))
        for (unsigned k = 0; k < s.destination_count; ++k) pending.set(s.destinations[k]);
      for_each_accumulator(s, [&](Register r) { pending.set(r); });
    }
  }

  // Returns false if nothing was left to cut.
  bool cut_by_arrival() {
    const std::vector<std::uint32_t> number = numbers();
    bool cut = false;
    for (std::uint32_t i = 0; i < profiles_.size(); ++i)
      for (const std::uint32_t next : profiles_[i].warp_successors) {
        const std::uint32_t to = order_.position[next];
        if (start_[to] || number[to] == number[order_.position[i]]) continue;
        start_[to] = cut = true;
      }
    return cut;
  }

  std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> number(start_.size());
    std::uint32_t current = 0;
    for (std::size_t at = 0; at < start_.size(); ++at) {
      if (start_[at] && at != 0) ++current;
      number[at] = current;
    }
    return number;
  }

  const CodeTable& code_;
  const std::vector<InstructionProfile>& profiles_;
  const ProgramOrder& order_;
  std::vector<bool> start_;
};

}  // namespace

Strands cut_strands(const CodeTable& code, const KernelProfile& profile, const ProgramOrder& order) {
  return Cutter(code, profile, order).cut();
}

}  // namespace subcore
