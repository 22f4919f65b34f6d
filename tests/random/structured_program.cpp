#include "tests/random/structured_program.h"

#include <algorithm>
#include <array>
#include <deque>

#include "subcore/model/isa/opcodes.h"

namespace subcore::random {
namespace {

class RegisterPicker {
 public:
  // Values live for long in some kernels, and in some for no more than a window of a few instructions.
  RegisterPicker(unsigned registers, Draws& random) : registers_(registers), random_(random) {
    constexpr unsigned reaches[] = {2, 3, 5, 15};
    reach_ = reaches[random_.below(4)];
    near_share_ = random_.below(3) == 0 ? 95 : 70;
  }

  // `width` registers, aligned as the hardware demands. `bound` may be larger: the width to which a reader
  // might expand the operand.
  unsigned source(unsigned width, unsigned bound) {
    if (random_.below(100) < 6) return rz;
    if (random_.below(100) < near_share_)
      return from(random_.below(100) < 65 ? written_ : read_, width, bound);
    return any(width, bound);
  }
  unsigned destination(unsigned width, unsigned bound) {
    if (random_.below(100) < 3) return rz;
    const unsigned draw = random_.below(100);
    if (draw < 40) return from(read_, width, bound);
    if (draw < 65) return from(written_, width, bound);
    return any(width, bound);
  }
  void note(const std::vector<unsigned>& destinations, const std::vector<unsigned>& sources) {
    remember(written_, destinations);
    remember(read_, sources);
  }

 private:
  void remember(std::deque<std::vector<unsigned>>& list, const std::vector<unsigned>& registers) {
    list.push_front(registers);
    if (list.size() > reach_) list.pop_back();
  }
  unsigned fit(unsigned r, unsigned width, unsigned bound) const {
    const unsigned alignment = std::min(width, 4u);
    if (r + bound > registers_) r = registers_ - bound;
    return r / alignment * alignment;
  }
  unsigned any(unsigned width, unsigned bound) { return fit(random_.below(registers_), width, bound); }
  unsigned from(const std::deque<std::vector<unsigned>>& list, unsigned width, unsigned bound) {
    if (list.empty()) return any(width, bound);
    // Nearer lines are likelier.
    const unsigned n = static_cast<unsigned>(list.size());
    const auto& line = list[std::min(random_.below(n), random_.below(n))];
    if (line.empty()) return any(width, bound);
    return fit(line[random_.below(static_cast<unsigned>(line.size()))], width, bound);
  }

  unsigned registers_;
  unsigned reach_;       // lines that "shortly before" means
  unsigned near_share_;  // percent of the sources that are from there
  Draws& random_;
  std::deque<std::vector<unsigned>> written_, read_;
};

class Builder {
 public:
  Builder(const ProgramShape& shape, Draws& random)
      : shape_(shape), random_(random), picker_(shape.registers, random), pc_(shape.first_pc) {
    // Each kernel has a mixture of its own.
    constexpr std::array<unsigned, family_count> usual{30, 20, 5, 8, 7, 6, 3, 2, 25, 4};
    for (unsigned f = 0; f < family_count; ++f) {
      weights_[f] = usual[f] * random_.below(5);
      sum_ += weights_[f];
    }
    if (sum_ == 0) weights_[0] = sum_ = 1;
    constexpr unsigned predicated[] = {0, 10, 25, 50};
    predicated_ = predicated[random_.below(4)];
    divergence_ = 1 + random_.below(3);
  }

  Program build() {
    left_ = static_cast<int>(shape_.lines);
    while (left_ > 0) program_.main.push_back(node(0, true));
    program_.exit = control("EXIT", 0);
    for (Function& f : program_.functions) {
      left_ = 2 + static_cast<int>(random_.below(8));
      in_function_ = true;
      while (left_ > 0) f.body.push_back(node(2, false));
      f.ret = control("RET.REL.NODEC", 2);
    }
    return std::move(program_);
  }

 private:
  bool chance(unsigned percent) { return random_.below(100) < percent; }
  LaneChoice choice() { return static_cast<LaneChoice>(random_.below(6)); }

  std::vector<Node> body(unsigned depth, bool uniform) {
    std::vector<Node> nodes;
    for (unsigned n = 1 + random_.below(6); n > 0; --n) nodes.push_back(node(depth + 1, uniform));
    return nodes;
  }

  Node node(unsigned depth, bool uniform) {
    if (depth < 3) {
      const unsigned draw = random_.below(100);
      if (draw < 4 * divergence_) return choice_node(depth);
      if (draw < 6 * divergence_) return loop_node(depth);
      if (draw < 7 * divergence_ && uniform) return uniform_loop_node(depth);
    }
    const unsigned draw = random_.below(100);
    if (draw < 3 && shape_.exits) return leave_node();
    if (draw < 5 && !in_function_) return call_node();
    if (draw < 8 && uniform && shape_.barriers) return barrier_node();
    Node n;
    n.first = instruction();
    return n;
  }

  Node choice_node(unsigned depth) {
    Node n;
    n.kind = NodeKind::choice;
    const bool synchronised = chance(70);
    if (synchronised) n.first = control("BSSY", 0);
    n.condition = choice();
    n.branch = control("BRA", 0);
    n.body = body(depth, false);
    if (chance(50)) {
      n.skip = control("BRA", 0);
      n.otherwise = body(depth, false);
    }
    if (synchronised) n.last = control("BSYNC", 0);
    return n;
  }
  Node loop_node(unsigned depth) {
    Node n;
    n.kind = NodeKind::loop;
    n.trips = 1 + random_.below(6);
    n.body = body(depth, false);
    n.branch = control("BRA", 0);
    return n;
  }
  Node uniform_loop_node(unsigned depth) {
    Node n;
    n.kind = NodeKind::uniform_loop;
    n.trips = 1 + random_.below(4);
    n.id = uniform_loops_++;
    n.body = body(depth, true);
    n.branch = control("BRA", 0);
    return n;
  }
  Node leave_node() {
    Node n;
    n.kind = NodeKind::leave;
    n.condition = choice();
    n.first = control("EXIT", 0);
    return n;
  }
  Node call_node() {
    Node n;
    n.kind = NodeKind::call;
    n.first = control(chance(50) ? "CALL.REL.NOINC" : "CALL.ABS.NOINC", chance(30) ? 2 : 0);
    if (program_.functions.empty() || chance(40)) program_.functions.emplace_back();
    n.function = random_.below(static_cast<unsigned>(program_.functions.size()));
    return n;
  }
  Node barrier_node() {
    Node n;
    n.kind = NodeKind::barrier;
    n.first = control(chance(50) ? "BAR.SYNC" : "BAR.SYNC.DEFER_BLOCKING", 0);
    return n;
  }

  // A control instruction. `width` registers are an address, or there is none.
  int control(std::string_view opcode, unsigned width) {
    const std::string digit = std::to_string(width);
    return add({Family::other, opcode, "", width == 0 ? std::string_view() : std::string_view(digit)});
  }

  int instruction() {
    unsigned draw = random_.below(sum_);
    unsigned f = 0;
    while (draw >= weights_[f]) draw -= weights_[f++];
    const auto& forms = forms_of(static_cast<Family>(f));
    Form form = forms[random_.below(static_cast<unsigned>(forms.size()))];
    while (form.space == MemorySpace::shared && !shape_.shared_memory)
      form = forms[random_.below(static_cast<unsigned>(forms.size()))];
    const int index = add(form);
    Line& line = program_.lines[static_cast<std::size_t>(index)];
    line.predicated = chance(predicated_);
    line.predicate = chance(70) ? choice() : LaneChoice::any;
    return index;
  }

  int add(const Form& form) {
    --left_;
    Line line;
    line.pc = pc_;
    pc_ += shape_.pc_step;
    // Pascal has a word of scheduling information before every three instructions.
    if (shape_.pc_step == 8 && pc_ % 32 == 0) pc_ += 8;
    std::vector<unsigned> destinations, sources;
    const auto bound = [&](unsigned width) {
      return form.family == Family::tensor ? std::max(width, 2u) : width;
    };
    for (const char c : form.sources) {
      const auto width = static_cast<unsigned>(c - '0');
      const bool twice = !sources.empty() && chance(6);
      // A given register, used twice if its alignment fits.
      if (twice && width == static_cast<unsigned>(form.sources[0] - '0'))
        sources.push_back(sources[0]);
      else
        sources.push_back(picker_.source(width, bound(width)));
    }
    for (const char c : form.destinations) {
      const auto width = static_cast<unsigned>(c - '0');
      destinations.push_back(picker_.destination(width, bound(width)));
    }
    write_text(form, destinations, sources, line);
    line.bytes = form.bytes;
    line.space = form.space;
    line.pattern = static_cast<AccessPattern>(random_.below(6));
    line.base = random_.below(1u << 20);
    if (shape_.reuse_flags && !sources.empty() && chance(30)) line.reuse = random_.below(8);
    line.source_line = random_.below(500);
    if (chance(20)) line.immediate = std::to_string(static_cast<int>(random_.below(8192)) - 4096);
    picker_.note(destinations, sources);
    program_.lines.push_back(std::move(line));
    return static_cast<int>(program_.lines.size()) - 1;
  }

  static void write_text(const Form& form, const std::vector<unsigned>& destinations,
                         const std::vector<unsigned>& sources, Line& line) {
    // Half of the results behind a predicate are listed as NVBit's tracer does, half as other tracers do.
    const bool listed_as_source = destinations.size() == 1 && listed_results(form.opcode) == 1u &&
                                  (sources.empty() || destinations[0] > sources[0]);
    std::string results;
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      results += " R" + std::to_string(destinations[i]);
      line.operands += " D:R" + std::to_string(destinations[i]) + "x" + form.destinations[i];
    }
    line.text = listed_as_source ? "0" : std::to_string(destinations.size()) + results;
    line.text += " " + std::string(form.opcode) + " " +
                 std::to_string(sources.size() + (listed_as_source ? 1 : 0)) +
                 (listed_as_source ? results : "");
    for (std::size_t i = 0; i < sources.size(); ++i) {
      line.text += " R" + std::to_string(sources[i]);
      line.operands += " S:R" + std::to_string(sources[i]) + "x" + form.sources[i] + "/" +
                       static_cast<char>('A' + std::min<std::size_t>(i, 2));
    }
    line.text += " " + std::to_string(form.bytes);
  }

  const ProgramShape& shape_;
  Draws& random_;
  RegisterPicker picker_;
  Program program_;
  std::uint64_t pc_;
  std::array<unsigned, family_count> weights_{};
  unsigned predicated_ = 0;  // percent
  unsigned divergence_ = 1;
  unsigned sum_ = 0, uniform_loops_ = 0;
  int left_ = 0;
  bool in_function_ = false;
};

}  // namespace

std::uint32_t chosen(LaneChoice choice, std::uint32_t lanes, Random& random) {
  switch (choice) {
    case LaneChoice::all:
      return lanes;
    case LaneChoice::none:
      return 0;
    case LaneChoice::low_half:
      return lanes & 0xffffu;
    case LaneChoice::even:
      return lanes & 0x55555555u;
    case LaneChoice::one:
      return lanes == 0 ? 0 : 1u << random.pick(lanes);
    case LaneChoice::any:
      return lanes & static_cast<std::uint32_t>(random.next() >> 32);
  }
  return lanes;
}

Program make_program(const ProgramShape& shape, Draws& draws) {
  return Builder(shape, draws).build();
}

}  // namespace subcore::random
