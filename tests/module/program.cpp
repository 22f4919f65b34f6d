#include "tests/module/program.h"

#include <algorithm>

#include "subcore/model/policy/random.h"

namespace subcore::test {

Op Op::with_mask(std::uint32_t m) const {
  Op o = *this;
  o.mask = m;
  return o;
}

Op Op::near(unsigned sources, unsigned destinations) const {
  Op o = *this;
  o.code.source_near = sources;
  o.code.destination_near = static_cast<std::uint16_t>(destinations);
  return o;
}

Op alu(const Registers& destinations, const Registers& sources, ExecutionClass execution) {
  Op o;
  o.code.execution = execution;
  o.code.source_count = static_cast<std::uint8_t>(sources.size());
  o.code.destination_count = static_cast<std::uint8_t>(destinations.size());
  std::copy(sources.begin(), sources.end(), o.code.sources.begin());
  std::copy(destinations.begin(), destinations.end(), o.code.destinations.begin());
  return o;
}

Op load(const Registers& destinations, const Registers& sources, std::uint64_t address, MemorySpace space) {
  Op o = alu(destinations, sources, ExecutionClass::load_store);
  o.code.kind = InstructionKind::load;
  o.code.space = space;
  o.code.memory_bytes = space == MemorySpace::constant ? 0 : 4;  // the readers keep no constant addresses
  o.address = address;
  return o;
}

Op store(const Registers& sources, std::uint64_t address, MemorySpace space) {
  Op o = load({}, sources, address, space);
  o.code.kind = InstructionKind::store;
  return o;
}

Op barrier() {
  Op o = alu({}, {}, ExecutionClass::branch);
  o.code.kind = InstructionKind::barrier;
  return o;
}

Op branch() {
  Op o = barrier();
  o.code.kind = InstructionKind::control;
  return o;
}

Op exit_warp() {
  Op o = barrier();
  o.code.kind = InstructionKind::exit;
  return o;
}

std::size_t Program::add(const std::vector<WarpOps>& warps) {
  CtaTrace& cta = ctas.emplace_back();
  cta.id.x = static_cast<std::uint32_t>(ctas.size() - 1);
  for (const WarpOps& ops : warps) {
    WarpTrace& w = cta.warps.emplace_back();
    w.warp = static_cast<std::uint32_t>(cta.warps.size() - 1);
    for (const Op& o : ops) {
      const auto index = static_cast<std::uint32_t>(code.instructions.size());
      StaticInstruction& s = code.instructions.emplace_back(o.code);
      s.index = index;
      s.pc = std::uint64_t{16} * index;
      w.records.push_back({index, o.mask});
      if (s.memory_bytes == 0 || o.mask == 0) continue;
      LaneAddresses lanes;
      lanes.mask = o.mask;
      for (unsigned l = 0; l < warp_lanes; ++l) lanes.address[l] = o.address + l * o.stride;
      encode_addresses(lanes, w.addresses);
    }
  }
  return ctas.size() - 1;
}

namespace {

Registers distinct(Random& random, unsigned count, unsigned registers) {
  Registers all;
  while (all.size() < count) {
    const auto r = static_cast<Register>(random.below(registers));
    if (std::find(all.begin(), all.end(), r) == all.end()) all.push_back(r);
  }
  return all;
}

Op random_op(Random& random, const RandomOptions& o) {
  const Registers sources = distinct(random, random.below(o.slots + 1), o.registers);
  const unsigned wide = random.below(8) == 0 ? 4 : 2;
  const Registers destinations = distinct(random, random.below(wide + 1), o.registers);
  const auto execution = static_cast<ExecutionClass>(random.below(execution_class_count));
  Op op = alu(destinations, sources, execution);
  if (execution == ExecutionClass::load_store) {
    static constexpr MemorySpace spaces[] = {MemorySpace::global, MemorySpace::shared, MemorySpace::constant,
                                             MemorySpace::local};
    const MemorySpace space = spaces[random.below(4)];
    const std::uint64_t address = 128 * random.below(2048);
    op = random.below(3) == 0 ? store(sources, address, space) : load(destinations, sources, address, space);
    op.stride = 4 << random.below(6);
  } else if (execution == ExecutionClass::texture && random.below(8) != 0) {
    op.code.execution = ExecutionClass::integer;  // a texture latency at every twelfth instruction hides all
  }
  if (o.control && execution == ExecutionClass::branch) {
    op = branch();
  } else if (o.control && op.code.kind == InstructionKind::store && random.below(3) == 0) {
    op.code.kind = InstructionKind::atomic;
  }
  const unsigned lanes = random.below(8);
  if (lanes == 0) op.mask = 0;
  if (lanes == 1) op.mask = static_cast<std::uint32_t>(random.next()) | 1u;
  return op.near(static_cast<unsigned>(random.next()) & 0xffff, static_cast<unsigned>(random.next()) & 0xff);
}

}  // namespace

Program random_program(std::uint64_t seed, const RandomOptions& o) {
  Random random(seed);
  Program p;
  for (unsigned c = 0; c < o.ctas; ++c) {
    std::vector<WarpOps> warps(o.warps);
    for (WarpOps& ops : warps) {
      for (unsigned i = 0; i < o.instructions; ++i) {
        ops.push_back(o.barriers && i % 50 == 49 ? barrier() : random_op(random, o));
      }
      // If warps end early, the other warps meet at the barriers.
      if (o.barriers && random.below(4) == 0) ops.resize(o.instructions / 2);
      if (o.control) ops.push_back(exit_warp());
    }
    p.add(warps);
  }
  if (o.control) {
    std::uint64_t jumped = 0;
    for (StaticInstruction& s : p.code.instructions) {
      s.pc += jumped;
      if (s.kind == InstructionKind::control && random.below(2) == 0) jumped += 0x100;
    }
  }
  return p;
}

}  // namespace subcore::test
