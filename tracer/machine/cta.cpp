#include "subcore/tracer/machine/cta.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/tracer/machine/decoder.h"
#include "subcore/tracer/machine/not_emulated.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer {
namespace {

// After this many instructions of a warp other warps have a turn, because a warp may wait for others' writes
// to memory.
constexpr unsigned turn = 4096;
// Local memory of each thread in addition to the kernel's own: the stack of calls.
constexpr std::uint32_t stack_bytes = 1024;

std::string text_of(Dimensions d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

}  // namespace

Cta::Cta(const Launch& launch, DeviceMemory& memory, CopyTime copy_time, ExecutionObserver* observer)
    : launch_(launch), memory_(memory), copy_time_(copy_time), observer_(observer) {
  const std::uint64_t threads = launch.block.count();
  warps_.resize((threads + lanes_of_warp - 1) / lanes_of_warp);
}

void Cta::fail(const Warp& warp, std::uint32_t pc, const std::string& what) const {
  throw ExecutionError(launch_.kernel->name + ", PC " + hex_text(pc) + ", CTA " + text_of(place_) +
                       ", warp " + std::to_string(warp.number) + ": " + what);
}

void Cta::start() {
  const std::uint64_t threads = launch_.block.count();
  // An SM gives out shared memory in units, and kernels may read beyond their own bytes within the last unit.
  constexpr std::uint32_t unit = 128;
  shared_.assign((launch_.shared_bytes + unit - 1) / unit * unit, 0);
  arrived_.fill(0);
  expected_.fill(0);
  for (unsigned n = 0; n < warps_.size(); ++n) {
    Warp& warp = warps_[n];
    for (auto& values : warp.registers) values.fill(0);
    warp.uniforms.fill(0);
    warp.predicates.fill(0);
    warp.uniform_predicates.fill(0);
    warp.convergence.fill(0);
    warp.predicates[true_predicate] = warp.uniform_predicates[true_predicate] = all_lanes;
    warp.alive = bits::first<Lanes>(std::min<std::uint64_t>(lanes_of_warp, threads - n * lanes_of_warp));
    warp.number = n;
    warp.paths.assign(1, Path{0, warp.alive, Path::State::ready, 0, 0});
    warp.local.assign(lanes_of_warp * std::size_t{launch_.kernel->local_bytes + stack_bytes}, 0);
    warp.copies.clear();
    warp.copy_groups.clear();
    warp.executed = 0;
  }
}

std::uint8_t* Cta::shared_bytes(std::uint64_t offset, std::uint64_t bytes) {
  return offset + bytes <= shared_.size() ? &shared_[offset] : nullptr;
}

std::uint8_t* Cta::local_bytes(Warp& warp, unsigned lane, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t each = warp.local.size() / lanes_of_warp;
  return offset + bytes <= each ? &warp.local[lane * each + offset] : nullptr;
}

std::uint8_t* Cta::generic_bytes(Warp& warp, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
  if (address - shared_window < window_bytes) return shared_bytes(address - shared_window, bytes);
  if (address - local_window < window_bytes) return local_bytes(warp, lane, address - local_window, bytes);
  return memory_.find(address, bytes);
}

void Cta::run(Dimensions place) {
  place_ = place;
  start();
  for (;;) {
    bool is_any_ready = false, is_any_alive = false;
    for (Warp& warp : warps_) {
      if (warp.alive == 0) continue;
      run_warp(warp, turn);
      is_any_alive |= warp.alive != 0;
      for (const Path& path : warp.paths) is_any_ready |= path.state == Path::State::ready;
    }
    if (!is_any_alive) break;
    if (!is_any_ready && !release_barriers()) fail_of_waiting();
  }
}

// Releases a barrier at which every living thread waits, or as many threads as the barrier asks for.
bool Cta::release_barriers() {
  unsigned alive = 0;
  std::array<unsigned, 16> waiting{}, needed = expected_;
  for (const Warp& warp : warps_) {
    alive += bits::count(warp.alive);
    for (const Path& path : warp.paths)
      if (path.state == Path::State::at_barrier) {
        waiting[path.waits_for] += bits::count(path.lanes);
        if (path.threads != 0) needed[path.waits_for] = path.threads;
      }
  }
  bool is_released = false;
  for (unsigned barrier = 0; barrier < waiting.size(); ++barrier) {
    const unsigned there = waiting[barrier] + arrived_[barrier];
    if (waiting[barrier] == 0 || there < (needed[barrier] != 0 ? needed[barrier] : alive)) continue;
    is_released = true;
    arrived_[barrier] = expected_[barrier] = 0;
    const auto each_path = [&](auto f) {
      for (Warp& warp : warps_)
        for (Path& path : warp.paths)
          if (path.state == Path::State::at_barrier && path.waits_for == barrier) f(warp, path);
    };
    Word votes = 0;
    bool is_unanimous = true;
    each_path([&](Warp& warp, Path& path) {
      const Lanes yes = warp.barrier_votes & path.lanes;
      votes += bits::count(yes);
      is_unanimous &= yes == path.lanes;
    });
    each_path([&](Warp& warp, Path& path) {
      const unsigned reduction = launch_.kernel->code[path.pc / 16].field(Field::reduction);
      warp.barrier_result = reduction == 0 ? votes : reduction == 1 ? is_unanimous : votes != 0;
    });
    each_path([&](Warp&, Path& path) {
      path.state = Path::State::ready;
      path.pc += 16;
    });
  }
  return is_released;
}

void Cta::run_warp(Warp& warp, unsigned most_instructions) {
  unsigned left = most_instructions;
  while (left > 0 && warp.alive != 0) {
    std::size_t current = warp.paths.size();
    while (current > 0 && warp.paths[current - 1].state != Path::State::ready) --current;
    if (current == 0) return;
    for (paths_changed_ = false; left > 0 && !paths_changed_; --left) step(warp, current - 1);
  }
  // A path that waits for another path of its warp must let that path run.
  if (left == 0 && warp.paths.size() > 1)
    std::rotate(warp.paths.begin(), warp.paths.end() - 1, warp.paths.end());
  if (warp.executed > launch_.most_warp_instructions)
    fail(warp, warp.paths.empty() ? 0 : warp.paths.back().pc,
         "more than " + std::to_string(launch_.most_warp_instructions) +
             " instructions; expected a warp that ends");
}

void Cta::step(Warp& warp, std::size_t path) {
  const std::vector<Instruction>& code = launch_.kernel->code;
  const std::uint32_t pc = warp.paths[path].pc;
  if (pc >= first_system_call) return call_system(warp, path);
  if (pc % 16 != 0 || pc / 16 >= code.size()) fail(warp, pc, "there is no code");
  const Instruction& instruction = code[pc / 16];
  if (instruction.row == nullptr) {
    const std::string encoding = " (" + hex_text(static_cast<std::int64_t>(instruction.low)) + " " +
                                 hex_text(static_cast<std::int64_t>(instruction.high)) + ")";
    const std::string why = why_not_emulated(static_cast<unsigned>(instruction.bits(0, 9)));
    if (!why.empty()) fail(warp, pc, why + encoding);
    fail(warp, pc,
         "opcode " + hex_text(static_cast<std::int64_t>(instruction.bits(0, 12))) + encoding +
             " is not known for sm_" + std::to_string(launch_.architecture));
  }
  Step step(*this, warp, path, instruction);
  ++warp.executed;
  ++warp_instructions_;
  thread_instructions_ += bits::count(step.guarded());
  instruction.row->meaning(step);
  step.finish();
  if (observer_ != nullptr) observer_->executed(warp, instruction, step.guarded(), step.addresses());
  if (!step.has_moved()) warp.paths[path].pc = pc + 16;
}

void Cta::meet(Warp& warp) {
  paths_changed_ = true;
  for (std::size_t n = 0; n < warp.paths.size(); ++n) {
    const Path path = warp.paths[n];
    if (path.state != Path::State::converging && path.state != Path::State::synchronizing) continue;
    const auto is_with = [&](const Path& other) {
      return other.state == path.state && other.waits_for == path.waits_for;
    };
    // Synchronizing paths with the same lanes meet wherever they stand. Paths at a convergence barrier meet
    // only at the same place.
    Lanes there = 0;
    for (const Path& other : warp.paths)
      if (is_with(other) && (path.state == Path::State::synchronizing || other.pc == path.pc))
        there |= other.lanes;
    const Lanes needed =
        (path.state == Path::State::converging ? warp.convergence[path.waits_for] : path.waits_for) &
        warp.alive;
    if ((there & needed) != needed) continue;
    // Paths at the same place go on as one.
    std::vector<Path> paths, released;
    for (const Path& other : warp.paths) {
      if (!is_with(other) || (path.state == Path::State::converging && other.pc != path.pc)) {
        paths.push_back(other);
        continue;
      }
      const auto same = std::find_if(released.begin(), released.end(),
                                     [&](const Path& p) { return p.pc == other.pc + 16; });
      if (same != released.end())
        same->lanes |= other.lanes;
      else
        released.push_back(Path{other.pc + 16, other.lanes, Path::State::ready, 0, 0});
    }
    paths.insert(paths.end(), released.begin(), released.end());
    warp.paths = std::move(paths);
    n = static_cast<std::size_t>(-1);
  }
}

void Cta::take_effect(const Warp& warp, const PendingCopy& copy) {
  if (copy.is_zero) {
    std::fill_n(&shared_[copy.to], copy.bytes, std::uint8_t{0});
    return;
  }
  const std::uint8_t* const from = memory_.find(copy.from, copy.bytes);
  if (from == nullptr)
    fail(warp, warp.paths.back().pc, "an asynchronous copy reads memory that has been freed");
  std::copy_n(from, copy.bytes, &shared_[copy.to]);
}

// No warp goes on. Throws an error that says which path waits for which.
void Cta::fail_of_waiting() const {
  for (const Warp& warp : warps_)
    for (const Path& path : warp.paths) {
      if (path.state == Path::State::converging)
        fail(warp, path.pc,
             "lanes " + hex_text(path.lanes) + " wait for lanes " +
                 hex_text(warp.convergence[path.waits_for] & warp.alive & ~path.lanes) +
                 " of their warp, which never arrive");
      if (path.state == Path::State::synchronizing)
        fail(warp, path.pc,
             "lanes " + hex_text(path.lanes) + " wait for lanes " +
                 hex_text(path.waits_for & warp.alive & ~path.lanes) + " of their warp, which never arrive");
    }
  for (const Warp& warp : warps_)
    for (const Path& path : warp.paths)
      if (path.state == Path::State::at_barrier) {
        unsigned here = 0, alive = 0;
        for (const Warp& other : warps_) {
          alive += bits::count(other.alive);
          for (const Path& p : other.paths)
            if (p.state == Path::State::at_barrier && p.waits_for == path.waits_for)
              here += bits::count(p.lanes);
        }
        here += arrived_[path.waits_for];
        fail(warp, path.pc,
             "waits at barrier " + std::to_string(path.waits_for) + ", which " + std::to_string(here) +
                 " of " + std::to_string(path.threads != 0 ? path.threads : alive) + " threads reach");
      }
  throw ExecutionError(launch_.kernel->name + ", CTA " + text_of(place_) + ": no warp goes on");
}

}  // namespace subcore::tracer
