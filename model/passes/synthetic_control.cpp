#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "subcore/base/bits.h"
#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

using BarrierSet = std::uint8_t;

// Longer stalls, from this one on, come with the yield flag, as in compiled code.
constexpr unsigned yielding_stall = 12;
// Sources that are overwritten at most `near_overwrites` instructions apart share a barrier. A result that is
// used `far_use` or more instructions later is far. Both numbers come from the sidecars of nvcc's code for
// sm_80 to sm_90.
constexpr std::size_t near_overwrites = 8, far_use = 46;
// The longest latency of a result of fixed latency.
constexpr unsigned longest_distance = 32;

// The barriers for which an instruction must wait before it touches a resource.
struct Waits {
  std::array<BarrierSet, resource::count> results{};     // before reading or writing the resource
  std::array<BarrierSet, resource::uniforms> sources{};  // before writing it; uniforms are read at issue

  BarrierSet before(const ControlNode& node) const {
    BarrierSet set = 0;
    for_each(node.reads, [&](std::size_t r) { set |= results[r]; });
    for_each(node.writes | node.accumulates, [&](std::size_t r) {
      set |= results[r];
      if (r < sources.size()) set |= sources[r];
    });
    return set;
  }
  void issue(const ControlNode& node) {
    const ControlBits& c = node.control;
    if (c.wait_mask != 0) {
      for (BarrierSet& set : results) set &= static_cast<BarrierSet>(~c.wait_mask);
      for (BarrierSet& set : sources) set &= static_cast<BarrierSet>(~c.wait_mask);
    }
    if (!node.is_variable) return;
    const std::uint8_t reading = c.read_barrier != no_barrier ? c.read_barrier : c.write_barrier;
    if (reading != no_barrier)
      for_each(node.reads, [&](std::size_t r) {
        if (r < sources.size()) bits::add(sources[r], reading);
      });
    if (c.write_barrier != no_barrier)
      for_each(node.writes, [&](std::size_t r) { bits::add(results[r], c.write_barrier); });
  }
  bool join(const Waits& other) {
    bool changed = false;
    const auto add = [&changed](BarrierSet& into, BarrierSet from) {
      changed = changed || (from & ~into) != 0;
      into |= from;
    };
    for (std::size_t r = 0; r < results.size(); ++r) add(results[r], other.results[r]);
    for (std::size_t r = 0; r < sources.size(); ++r) add(sources[r], other.sources[r]);
    return changed;
  }

 private:
  template <typename F>
  static void for_each(const ResourceSet& set, F&& f) {
    for (std::size_t r = set._Find_first(); r < set.size(); r = set._Find_next(r)) f(r);
  }
};

class Compiler {
 public:
  explicit Compiler(ControlProgram& program)
      : nodes_(program.nodes), reads_late_(nodes_.size()), order_(nodes_.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].pc < nodes_[b].pc; });
  }

  void compile() {
    for (ControlNode& node : nodes_) node.control = ControlBits{};
    find_late_readers();
    choose_barriers();
    set_waits();
    set_arming_stalls();
    set_stalls();
    for (ControlNode& node : nodes_) {
      node.controlled = true;
      node.control.yield = node.control.stall >= yielding_stall;
    }
  }

 private:
  // The events that a barrier stands for.
  enum class Stands { sources, results, loads };  // `loads` from global memory have late results

  // The event that a barrier stands for since it was armed.
  struct Armed {
    bool armed = false;
    Stands stands = Stands::sources;
    std::size_t due = 0;  // the first place in the code that waits for it
  };

  // Goes in the order of the code. Every choice of barriers is correct, so jumps do not matter here.
  void choose_barriers() {
    Waits waits;
    std::array<Armed, barrier_count> barriers{};
    const auto used = [](const ControlNode& n) { return n.reads | n.writes; };
    for (std::size_t at = 0; at < order_.size(); ++at) {
      ControlNode& node = nodes_[order_[at]];
      ControlBits& c = node.control;
      c.wait_mask = waits.before(node);
      for (const unsigned b : bits::each(c.wait_mask)) barriers[b].armed = false;
      const auto arm = [&](Stands stands, std::size_t due) {
        const unsigned b = choice(stands, at, due, barriers);
        Armed& barrier = barriers[b];
        if (barrier.armed)
          barrier = {true, std::max(stands, barrier.stands), std::min(due, barrier.due)};
        else
          barrier = {true, stands, due};
        return static_cast<std::uint8_t>(b);
      };
      if (node.is_variable) {
        if (node.writes.any())
          c.write_barrier =
              arm(node.long_latency ? Stands::loads : Stands::results, first_touch(at, node.writes, used));
        if (reads_late_[order_[at]])
          c.read_barrier = arm(Stands::sources, first_touch(at, registers_among(node.reads), overwritten));
        if (c.read_barrier == c.write_barrier) c.read_barrier = no_barrier;
      }
      waits.issue(node);
      c.wait_mask = 0;  // set_waits() sets it, along the paths
    }
  }
  // The first place behind `at` whose instruction touches some of the resources. If only an earlier round of
  // a loop does, the place behind the code. `touched` gives the resources of a node that count.
  template <typename Touched>
  std::size_t first_touch(std::size_t at, const ResourceSet& resources, Touched touched) const {
    for (std::size_t n = at + 1; n < order_.size(); ++n)
      if ((touched(nodes_[order_[n]]) & resources).any()) return n;
    return order_.size();
  }
  static ResourceSet overwritten(const ControlNode& n) { return n.writes | n.accumulates; }
  static std::size_t distance(std::size_t a, std::size_t b) { return a < b ? b - a : a - b; }
  // Chooses as nvcc does. First choice is a barrier of the same kind that is due at the same place. Next is
  // the first free barrier, and last the barrier of the same kind that is due last. Loads that are used far
  // away share the last barriers, so that waits for other instructions do not include them.
  static unsigned choice(Stands stands, std::size_t at, std::size_t due,
                         const std::array<Armed, barrier_count>& barriers) {
    const auto [first, last] = barriers_for(stands);
    const auto is_far = [&](std::size_t place) { return stands == Stands::loads && place >= at + far_use; };
    unsigned best = barrier_count;
    if (is_far(due)) {
      for (unsigned b = last; b >= first; --b)
        if (!barriers[b].armed || (barriers[b].stands == stands && is_far(barriers[b].due))) return b;
    } else {
      const std::size_t near = stands == Stands::sources ? near_overwrites : 0;
      for (unsigned b = first; b <= last; ++b) {
        const Armed& other = barriers[b];
        if (other.armed && other.stands == stands && distance(other.due, due) <= near &&
            (best == barrier_count || distance(other.due, due) < distance(barriers[best].due, due)))
          best = b;
      }
      if (best != barrier_count) return best;
    }
    for (unsigned b = first; b <= last; ++b)
      if (!barriers[b].armed) return b;
    const auto rank = [&](unsigned b) {
      return std::tuple(barriers[b].stands == stands, !is_far(barriers[b].due), barriers[b].due);
    };
    best = first;
    for (unsigned b = first + 1; b <= last; ++b)
      if (rank(b) > rank(best)) best = b;
    return best;
  }
  // The first and the last barrier that may stand for such an event.
  static std::pair<unsigned, unsigned> barriers_for(Stands stands) {
    switch (stands) {
      case Stands::sources:
        return {0, 2};
      case Stands::results:
        return {0, 4};
      case Stands::loads:
        break;
    }
    return {2, 5};
  }

  void set_waits() {
    std::vector<Waits> in(nodes_.size());
    Worklist open(nodes_.size());
    for (const std::uint32_t n : order_) open.add(n);
    for (std::uint32_t n = 0; open.take(n);) {
      ControlNode& node = nodes_[n];
      node.control.wait_mask |= in[n].before(node);
      Waits out = in[n];
      out.issue(node);
      for (const std::uint32_t next : node.successors)
        if (in[next].join(out)) open.add(next);
    }
  }

  // Finds instructions with a source that may be overwritten before another instruction waits for their
  // results.
  void find_late_readers() {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n)
      reads_late_[n] = nodes_[n].is_variable && is_overwritten(n);
  }
  bool is_overwritten(std::uint32_t reader) const {
    const ResourceSet sources = registers_among(nodes_[reader].reads);
    if (sources.none()) return false;
    std::vector<bool> seen(nodes_.size());
    std::vector<std::uint32_t> open = nodes_[reader].successors;
    while (!open.empty()) {
      const std::uint32_t n = open.back();
      open.pop_back();
      if (seen[n]) continue;
      seen[n] = true;
      const ControlNode& node = nodes_[n];
      // The node waits for the reader's results. By then the reader has read its sources.
      if (((node.reads | node.writes) & nodes_[reader].writes).any()) continue;
      if ((overwritten(node) & sources).any()) return true;
      open.insert(open.end(), node.successors.begin(), node.successors.end());
    }
    return false;
  }

  // The issue stage sees a barrier two cycles behind the instruction that arms it.
  void set_arming_stalls() {
    for (ControlNode& node : nodes_) {
      BarrierSet armed = 0;
      for (const std::uint8_t b : {node.control.write_barrier, node.control.read_barrier})
        if (b != no_barrier) bits::add(armed, b);
      for (const std::uint32_t next : node.successors)
        if ((nodes_[next].control.wait_mask & armed) != 0) stall(node, 2);
    }
  }
  // The encoding has room for 15 cycles. A longer stall stands for a compiler's NOPs.
  static void stall(ControlNode& node, unsigned cycles) {
    node.control.stall = static_cast<std::uint8_t>(std::max<unsigned>(node.control.stall, cycles));
  }

  // Instructions of fixed latency on the way to a node, and the least number of cycles since they issued.
  struct Recent {
    std::uint32_t node;
    unsigned distance;
  };
  void set_stalls() {
    std::vector<std::vector<Recent>> in(nodes_.size());
    Worklist open(nodes_.size());
    for (const std::uint32_t n : order_) open.add(n);
    for (std::uint32_t n = 0; open.take(n);) {
      ControlNode& node = nodes_[n];
      std::vector<Recent> out = in[n];
      if (!node.is_variable && node.writes.any()) add(out, {n, 0});
      for (const std::uint32_t next : node.successors) {
        const ControlNode& after = nodes_[next];
        if (after.use.pipe == node.use.pipe) stall(node, pipe_interval(node.architecture, node.use));
        for (const Recent& r : out) {
          const unsigned required = required_distance(nodes_[r.node], after);
          if (required > r.distance) stall(node, required - r.distance);
        }
      }
      const unsigned step = issue_step(node.control);
      for (Recent& r : out) r.distance += step;
      for (const std::uint32_t next : node.successors) {
        bool changed = false;
        for (const Recent& r : out) changed |= r.distance < longest_distance && add(in[next], r);
        if (changed) open.add(next);
      }
    }
  }
  static bool add(std::vector<Recent>& list, const Recent& r) {
    const auto it =
        std::find_if(list.begin(), list.end(), [&](const Recent& other) { return other.node == r.node; });
    if (it == list.end()) {
      list.push_back(r);
      return true;
    }
    if (it->distance <= r.distance) return false;
    it->distance = r.distance;
    return true;
  }

  std::vector<ControlNode>& nodes_;
  std::vector<bool> reads_late_;  // by node: whether it needs a read barrier
  std::vector<std::uint32_t> order_;
};

}  // namespace

void synthesise_control_bits(ControlProgram& program) {
  Compiler(program).compile();
}

}  // namespace subcore
