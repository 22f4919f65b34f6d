#include "tests/cosim/rig.h"

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace subcore::test {

Program memory_program(std::uint64_t seed, unsigned instructions) {
  std::mt19937_64 random(seed);
  const auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<WarpOps> warps(8);
  for (WarpOps& warp : warps) {
    for (unsigned i = 0; i < instructions; ++i) {
      const auto reg = [&] { return static_cast<Register>(1 + draw(12)); };
      // A normalised instruction names each source once.
      const auto two = [&] {
        const Register first = reg(), second = reg();
        return first == second ? Registers{first} : Registers{first, second};
      };
      const std::uint64_t address = 0x1000 + 32 * draw(64);
      Op op = draw(3) == 0   ? alu({reg()}, two())
              : draw(2) == 0 ? load({reg()}, {reg()}, address)
                             : store(two(), address);
      op.stride = draw(2) == 0 ? 4 : 4u << draw(7);
      if (draw(3) == 0) op.mask = 1u + draw(255);
      warp.push_back(op);
    }
  }
  Program program;
  program.add(warps);
  return program;
}

std::map<std::uint64_t, unsigned> stored_bytes(const Program& program) {
  std::map<std::uint64_t, unsigned> stored;
  for (const CtaTrace& cta : program.ctas) {
    for (const WarpTrace& warp : cta.warps) {
      const std::uint8_t* access = warp.addresses.data();
      for (const TraceRecord& r : warp.records) {
        const StaticInstruction& code = program.code.instructions[r.code];
        if (code.memory_bytes == 0 || r.mask == 0) continue;
        LaneAddresses lanes;
        decode_addresses(access, r.mask, lanes);
        access += encoded_size(access);
        if (code.kind != InstructionKind::store) continue;
        std::set<std::uint64_t> bytes;  // two lanes may store to one byte
        for (unsigned lane = 0; lane < warp_lanes; ++lane) {
          if (((r.mask >> lane) & 1u) == 0) continue;
          for (unsigned b = 0; b < code.memory_bytes; ++b) bytes.insert(lanes.address[lane] + b);
        }
        for (const std::uint64_t b : bytes) ++stored[b];
      }
    }
  }
  return stored;
}

Rig::Rig(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program,
         const CheckingTarget::Rules& rules, const SubCoreHooks& hooks)
    : sc_module(name),
      conductor("conductor", clock_period(p.clock_period_ns), TickOrder::pipeline, 1),
      feeder("feeder", program, 1),
      sm("sm", 0, p, hooks),
      target("target", rules) {
  conductor.add(feeder);
  feeder.cta_socket.bind(sm.cta_socket());
  target.bind_to(sm.memory_socket());
}

void check_ended_well(Rig& rig) {
  INFO(rig.name());
  CHECK(rig.feeder.finished());
  CHECK(rig.target.violations == std::vector<std::string>{});
  CHECK(rig.target.requests > 50);
  CHECK(rig.target.responses == rig.target.requests);
  rig.target.release_kept();
  CHECK(rig.target.idle());
  CHECK(rig.target.violations == std::vector<std::string>{});
  // If payloads have not come back to the pool, the load/store unit is among the leftovers.
  CHECK(rig.sm.leftovers() == std::vector<std::string>{});
  CHECK(rig.sm.check().stale() == 0);
}

std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string text;
    try {
      text = work();
    } catch (const std::exception& e) {
      text = std::string("error: ") + e.what();
    }
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = write(ends[1], text.data() + done, text.size() - done);
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? text : "error: the child died";
}

}  // namespace subcore::test
