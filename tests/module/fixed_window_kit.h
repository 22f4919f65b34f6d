// Instructions with control bits, for tests of the fixed read window, and the events of their runs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/module/bench.h"

namespace subcore::test {

constexpr Cycle first_issue = 3;  // cycles are counted from there
using Cycles = std::vector<Cycle>;

// `plain` with control bits: its sources are in slots A, B, C, and bits of `reuse` are their flags.
inline Op controlled(const Op& plain, unsigned stall, unsigned reuse = 0) {
  Op op = plain;
  op.code.controlled = true;
  op.code.control.stall = static_cast<std::uint8_t>(stall);
  op.code.control.yield = stall > 11;
  for (unsigned s = 0; s < op.code.source_count; ++s)
    op.code.source_slots[s] = static_cast<std::uint8_t>(1u << s);
  op.code.reuse_mask = static_cast<std::uint8_t>(reuse);
  return op;
}
inline Op integer(const Registers& destinations, const Registers& sources, unsigned stall,
                  unsigned reuse = 0) {
  return controlled(alu(destinations, sources), stall, reuse);
}
inline Op multiply(const Registers& destinations, const Registers& sources, unsigned stall,
                   unsigned reuse = 0) {
  return controlled(alu(destinations, sources, ExecutionClass::single), stall, reuse);
}

// "w.i" and the cycle of each row that begins with `event`.
inline std::vector<std::pair<std::string, Cycle>> times(const Bench& b, const std::string& event) {
  std::vector<std::pair<std::string, Cycle>> found;
  for (const std::string& row : b.log.rows({event})) {
    const std::size_t name = row.find(event) + event.size() + 1;
    found.emplace_back(row.substr(name, row.find(' ', name) - name), std::stoull(row) - first_issue);
  }
  return found;
}
inline Cycles cycles_of(const Bench& b, const std::string& event) {
  Cycles found;
  for (const auto& [name, cycle] : times(b, event)) found.push_back(cycle);
  return found;
}

inline void ignore_stale() {
  sc_core::sc_report_handler::set_actions("/subcore/stale_operand", sc_core::SC_DO_NOTHING);
}

// A counter of the collector.
inline std::uint64_t counter(Bench& b, const std::string& name) {
  StatisticsGroup root;
  b.sm.sub_cores[0].collectors[0].register_statistics(root);
  return root.sum(name);
}
inline void check_clean(Bench& b) {
  CHECK(b.finished());
  CHECK(b.leftovers().empty());
  CHECK(b.sm.check().stale() == 0);
}

}  // namespace subcore::test
