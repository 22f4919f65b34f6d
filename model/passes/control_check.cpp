#include "subcore/model/passes/control_check.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "subcore/base/bits.h"

namespace subcore {
namespace {

// A distance that is at least as long as any required one.
constexpr unsigned far_away = 32;
// How many cycles behind the instruction that raises a counter the issue stage sees the counter.
constexpr unsigned arming = 2;

// An instruction on some path to here that has yet to read its sources or to write its results.
struct Pending {
  std::uint32_t node = 0;
  bool sources = false;         // true: sources are yet to be read; false: results are yet to be written
  bool same_predicate = false;  // the predicate that it asked for has not changed since, on any path to here
  std::uint8_t distance = 0;    // the least distance from its issue
  std::uint8_t barriers = 0;    // a wait for any of these barriers is a wait for it
  std::array<std::uint8_t, barrier_count> armed{};  // the least time since each barrier was armed

  bool operator==(const Pending& o) const {
    return same_predicate == o.same_predicate && distance == o.distance && barriers == o.barriers &&
           armed == o.armed;
  }
  std::pair<std::uint32_t, bool> key() const { return {node, sources}; }
};
using State = std::vector<Pending>;  // sorted by key

class ControlChecker {
 public:
  explicit ControlChecker(const ControlProgram& program)
      : nodes_(program.nodes), in_(nodes_.size()), reached_(nodes_.size()), open_(nodes_.size()) {
    for (const std::uint32_t n : program.entries) visit(n, {});
    for (std::uint32_t n = 0; open_.take(n);) {
      const State out = behind(n);
      for (const std::uint32_t next : nodes_[n].successors) visit(next, out);
    }
  }

  std::vector<ControlViolation> violations() {
    std::vector<ControlViolation> found;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (!reached_[n]) continue;
      if (!nodes_[n].controlled) found.push_back({ControlBreach::none, n, n, 0, 0, 0});
      for (const Pending& p : at_issue(n)) check(n, p, found);
    }
    return found;
  }

 private:
  void visit(std::uint32_t n, const State& from) {
    const bool changed = join(in_[n], from);
    if (!changed && reached_[n]) return;
    reached_[n] = true;
    open_.add(n);
  }

  static bool merge(Pending& p, const Pending& other) {
    const Pending before = p;
    p.same_predicate = p.same_predicate && other.same_predicate;
    p.distance = std::min(p.distance, other.distance);
    p.barriers &= other.barriers;
    for (unsigned b = 0; b < barrier_count; ++b)
      p.armed[b] = bits::has(p.barriers, b) ? std::min(p.armed[b], other.armed[b]) : std::uint8_t{0};
    return !(p == before);
  }
  static bool join(State& into, const State& from) {
    bool changed = false;
    State both;
    auto at = into.begin();
    for (const Pending& p : from) {
      for (; at != into.end() && at->key() < p.key(); ++at) both.push_back(*at);
      if (at != into.end() && at->key() == p.key()) {
        changed |= merge(*at, p);
        both.push_back(*at++);
      } else {
        both.push_back(p);
        changed = true;
      }
    }
    both.insert(both.end(), at, into.end());
    into.swap(both);
    return changed;
  }

  bool is_variable(std::uint32_t n) const { return nodes_[n].is_variable; }

  // The pending instructions that are left when the node issues, after its waits.
  State at_issue(std::uint32_t n) const {
    State left;
    for (const Pending& p : in_[n]) {
      bool over = p.sources && nodes_[n].is_barrier;
      for (const unsigned b : bits::each(p.barriers & nodes_[n].control.wait_mask))
        over = over || p.armed[b] >= arming;
      if (!over) left.push_back(p);
    }
    return left;
  }

  State behind(std::uint32_t n) const {
    const ControlNode& node = nodes_[n];
    const unsigned step = issue_step(node.control);
    const auto later = [step](std::uint8_t cycles) {
      return static_cast<std::uint8_t>(std::min<unsigned>(cycles + step, far_away));
    };
    State out;
    for (Pending p : at_issue(n)) {
      if (p.node == n) continue;  // the node itself replaces its older instance
      if (is_variable(p.node)) cover(p, node);
      p.distance = later(p.distance);
      if (!is_variable(p.node) && p.distance >= far_away) continue;
      for (const unsigned b : bits::each(p.barriers)) p.armed[b] = later(p.armed[b]);
      p.same_predicate = p.same_predicate && !node.writes.test(nodes_[p.node].runs_if.predicate);
      out.push_back(p);
    }
    for (const bool sources : {false, true}) {
      if (sources ? !is_variable(n) || node.reads.none() : node.writes.none()) continue;
      const bool asks = node.runs_if.asks() && !node.writes.test(node.runs_if.predicate);
      Pending p{n, sources, asks, later(0), 0, {}};
      if (is_variable(n)) arm(p, node, later(0));
      out.push_back(p);
    }
    std::sort(out.begin(), out.end(), [](const Pending& a, const Pending& b) { return a.key() < b.key(); });
    return out;
  }
  static void arm(Pending& p, const ControlNode& node, std::uint8_t ago) {
    for (const std::uint8_t b :
         {node.control.write_barrier, p.sources ? node.control.read_barrier : no_barrier})
      if (b != no_barrier) {
        bits::add(p.barriers, b);
        p.armed[b] = ago;
      }
  }
  // The node that issues now comes behind a pending instruction. A wait for the node may also be a wait for
  // that instruction.
  void cover(Pending& p, const ControlNode& node) const {
    const ControlNode& earlier = nodes_[p.node];
    if (p.sources
            ? earlier.use.pipe == node.use.pipe && completes_in_order(earlier.use.pipe, false, node.use.pipe)
            : completes_in_order(earlier.use.pipe, earlier.long_latency, node.use.pipe))
      arm(p, node, 0);
  }

  void check(std::uint32_t n, const Pending& p, std::vector<ControlViolation>& found) const {
    const ControlNode &node = nodes_[n], &earlier = nodes_[p.node];
    if (p.same_predicate && node.runs_if.excludes(earlier.runs_if)) return;
    const auto breach = [&](ControlBreach kind, const ResourceSet& common, unsigned required) {
      found.push_back({kind, n, p.node, static_cast<unsigned>(common._Find_first()), p.distance, required});
    };
    const ResourceSet read = earlier.writes & node.reads, written = earlier.writes & node.writes;
    if (p.sources) {
      // Instructions of one pipe read their sources in order.
      const ResourceSet overwritten = registers_among(earlier.reads & node.writes);
      if (overwritten.any() && earlier.use.pipe != node.use.pipe)
        breach(ControlBreach::source, overwritten, 0);
    } else if (is_variable(p.node)) {
      if (read.any()) breach(ControlBreach::result, read, 0);
      if (written.any() && !completes_in_order(earlier.use.pipe, earlier.long_latency, node.use.pipe))
        breach(ControlBreach::order, written, 0);
    } else if (const unsigned required = required_distance(earlier, node); p.distance < required) {
      if (read.any())
        breach(ControlBreach::result, read, required);
      else
        breach(ControlBreach::order, written, required);
    }
  }

  const std::vector<ControlNode>& nodes_;
  std::vector<State> in_;
  std::vector<bool> reached_;
  Worklist open_;
};

}  // namespace

std::vector<ControlViolation> check_control(const ControlProgram& program) {
  return ControlChecker(program).violations();
}

std::string violation_text(const ControlProgram& program, const ControlViolation& v) {
  const auto place = [&](std::uint32_t node) {
    char text[24];
    std::snprintf(text, sizeof text, "%04llx", static_cast<unsigned long long>(program.nodes[node].pc));
    return std::string(text);
  };
  std::string out = place(v.node) + ": ";
  const std::string what = resource_name(v.resource), whose = place(v.earlier);
  switch (v.breach) {
    case ControlBreach::none:
      return out + "no control bits";
    case ControlBreach::result:
      out += "reads " + what + " of " + whose;
      break;
    case ControlBreach::order:
      out += "writes " + what + " behind " + whose;
      break;
    case ControlBreach::source:
      out += "writes " + what + ", which " + whose + " reads,";
      break;
  }
  if (v.required == 0) return out + " without a wait for it";
  return out + ", " + std::to_string(v.distance) + " cycles behind it; expected " +
         std::to_string(v.required);
}

}  // namespace subcore
