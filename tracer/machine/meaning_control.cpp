// Branches, divergence, barriers.
#include <utility>
#include <vector>

#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer::meaning {
namespace {

// Ways of a branch.
enum : unsigned { diverging = 2, converging = 3 };

// Whether lanes of the warp are elsewhere. From sm_80 on, a uniform register may name the lanes that count.
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
  // If lanes are not among those that meet, they pass, because another path has meanwhile begun to use the
  // barrier's register.
  if ((needed & s.lanes()) == 0 || (needed & s.warp().alive & ~s.lanes()) == 0) return;
  if (s.lanes() != s.path_lanes()) s.fail(s.instruction().text + " is executed by some lanes of a path only");
  s.wait(state, for_what);
  s.meet();
}

// The number of a barrier of the CTA, and the number of threads that meet there. 0 = all threads.
std::pair<Word, Word> barrier_of(Step& s) {
  const unsigned first = bits::lowest(s.lanes());
  Word number = s.raw(1)[first], threads = s.raw(2)[first];
  constexpr unsigned both_in_a_register = 1;
  if (s.instruction().form == both_in_a_register) threads = number >> 16 & 0xfff;
  return {number & 15, threads};
}

// RET, BRX and calls: each lane goes to the place in its register.
void go_to_register(Step& s, std::uint32_t from) {
  const Instruction& i = s.instruction();
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

void jump(Step& s) {
  go_to_register(s, s.field(Field::absolute) ? 0 : s.instruction().target);
}

void call_absolute(Step& s) {
  go_to_register(s, 0);
}

// LEPC. Code begins at address 0 here.
void place(Step& s) {
  s.each_lane([&](unsigned l) { s.write_wide(l, s.instruction().target); });
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
  const Instruction& i = s.instruction();
  // The register is B's up to sm_89, and A's from sm_90 on.
  const bool is_a = i.form == 1 && s.architecture() >= 90;
  const Lanes needed = s.raw(is_a ? 0 : 1)[bits::lowest(s.lanes())];
  wait_for_lanes(s, Path::State::synchronizing, needed, needed);
}

void synchronize_all(Step& s) {
  wait_for_lanes(s, Path::State::synchronizing, all_lanes, all_lanes);
}

// BAR: all threads of the CTA meet, or as many as the instruction says.
void barrier(Step& s) {
  if (s.lanes() == 0) return;
  const auto [number, threads] = barrier_of(s);
  Lanes& votes = s.warp().barrier_votes;
  votes = (votes & ~s.lanes()) | (s.condition(0) & s.lanes());
  s.wait(Path::State::at_barrier, number, threads);
}

void barrier_arrive(Step& s) {
  if (s.lanes() == 0) return;
  const auto [number, threads] = barrier_of(s);
  s.arrive(number, threads);
}

void barrier_result(Step& s) {
  const Word result = s.warp().barrier_result;
  s.each_lane([&](unsigned l) { s.write(l, result); });
  s.write_predicate(0, result != 0 ? all_lanes : 0);
}

}  // namespace subcore::tracer::meaning
