// Branches, divergence, barriers.
#include <vector>

#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

// Ways of a branch.
enum : unsigned { diverging = 2, converging = 3 };

// Whether lanes of the warp are elsewhere: of those that a uniform register names, from sm_80 on.
bool is_diverged(Step& s) {
  const Address& a = s.instruction().address;
  if (!a.has_uniform) return s.path_lanes() != s.warp().alive;
  const Lanes named = s.field(Field::inverted) ? ~s.uniform(a.uniform) : s.uniform(a.uniform);
  return (named & s.warp().alive & ~s.path_lanes()) != 0;
}

// The convergence barrier that the instruction names.
Lanes& convergence(Step& s) {
  auto& barriers = s.warp().convergence;
  const unsigned number = s.field(Field::barrier);
  if (number >= barriers.size()) s.fail(s.instruction().text + " names a barrier that is not known");
  return barriers[number];
}

void wait_for_lanes(Step& s, Path::State state, std::uint32_t for_what, Lanes needed) {
  if (s.lanes() == 0 || (needed & s.warp().alive & ~s.lanes()) == 0) return;
  if (s.lanes() != s.path_lanes()) s.fail(s.instruction().text + " is executed by some lanes of a path only");
  s.wait(state, for_what);
  s.meet();
}

}  // namespace

void branch(Step& s) {
  Lanes taken = s.lanes() & s.condition(0);
  const unsigned mode = s.field(Field::mode);
  if ((mode == diverging && !is_diverged(s)) || (mode == converging && is_diverged(s))) taken = 0;
  const Lanes others = s.path_lanes() & ~taken;
  if (taken == 0) return;
  if (others == 0) return s.go_on_at(s.instruction().target);
  s.path().lanes = others;
  s.split_before(Path{s.instruction().target, taken, Path::State::ready, 0, 0});
  s.go_on_at(s.next_pc());
}

// RET and BRX: to a place that a register says, in each lane.
void jump(Step& s) {
  const Instruction& i = s.instruction();
  const std::uint32_t from = s.field(Field::absolute) ? 0 : i.target;
  if (s.lanes() == 0) return;
  std::vector<Path> paths;
  for (Lanes left = s.lanes(); left != 0;) {
    const Word to = s.vector(i.address.base, bits::lowest(left));
    Lanes same = 0;
    for (const unsigned l : bits::each(left))
      if (s.vector(i.address.base, l) == to) bits::add(same, l);
    left &= ~same;
    paths.push_back(Path{from + to, same, Path::State::ready, 0, 0});
  }
  const Lanes others = s.path_lanes() & ~s.lanes();
  if (paths.size() == 1 && others == 0) return s.go_on_at(paths[0].pc);
  if (others != 0) {
    s.path().lanes = others;
    s.go_on_at(s.next_pc());
  } else {
    s.path().lanes = paths.back().lanes;
    s.go_on_at(paths.back().pc);
    paths.pop_back();
  }
  for (const Path& path : paths) s.split_behind(path);
  s.paths_have_changed();
}

void leave(Step& s) {
  const Lanes leaving = s.lanes() & s.condition(0);
  s.warp().alive &= ~leaving;
  s.path().lanes &= ~leaving;
  s.go_on_at(s.next_pc());
  if (s.path().lanes == 0) s.remove_path();
  if (leaving != 0) s.meet();
}

void begin_convergence(Step& s) {
  if (s.lanes() != 0) convergence(s) = s.lanes();
}

void converge(Step& s) {
  wait_for_lanes(s, Path::State::converging, s.field(Field::barrier), convergence(s));
}

void leave_convergence(Step& s) {
  convergence(s) &= ~(s.lanes() & s.condition(0));
  s.go_on_at(s.next_pc());
  s.meet();
}

void barrier_to_register(Step& s) {
  constexpr unsigned active = 0x1a;  // MACTIVE
  const bool is_active = s.field(Field::barrier) == active;
  const Lanes value = is_active ? s.path_lanes() : convergence(s);
  s.each_lane([&](unsigned l) { s.write(l, value); });
  if (s.lanes() != 0 && s.field(Field::clear) && !is_active) convergence(s) = 0;
}

void register_to_barrier(Step& s) {
  if (s.lanes() != 0) convergence(s) = s.raw(1)[bits::lowest(s.lanes())];
}

void synchronize(Step& s) {
  if (s.lanes() == 0) return;
  const Lanes needed = s.raw(1)[bits::lowest(s.lanes())];
  wait_for_lanes(s, Path::State::synchronizing, needed, needed);
}

void synchronize_all(Step& s) {
  wait_for_lanes(s, Path::State::synchronizing, all_lanes, all_lanes);
}

// BAR: all threads of the CTA meet, or as many as C says.
void barrier(Step& s) {
  if (s.lanes() == 0) return;
  const Instruction& i = s.instruction();
  const unsigned first = bits::lowest(s.lanes());
  Word number = s.field(Field::barrier), threads = 0;
  constexpr unsigned of_number = 5, of_registers = 1;
  if (i.form != of_number) {
    number = s.raw(1)[first];
    const Operand& c = i.operands[2];
    if (i.form == of_registers && c.number != zero_register && c.number != 0) threads = s.raw(2)[first];
  }
  s.warp().barrier_votes = s.condition(0) & s.lanes();
  s.wait(Path::State::at_barrier, number & 15, threads);
}

void barrier_arrive(Step& s) {
  s.fail(s.instruction().text + ": barriers at which some threads do not wait are not known");
}

void barrier_result(Step& s) {
  const Word result = s.warp().barrier_result;
  s.each_lane([&](unsigned l) { s.write(l, result); });
  s.write_predicate(0, result != 0 ? all_lanes : 0);
}

}  // namespace subcore::tracer::meaning
