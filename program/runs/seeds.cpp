#include "subcore/program/runs/seeds.h"

#include "subcore/model/policy/random.h"

namespace subcore {

PlatformParameters member_of(const PlatformParameters& platform, std::uint64_t n) {
  // How many values of each can stand in a platform file.
  constexpr std::uint64_t seeds = 9007199254740992, starts = 1000000001;
  PlatformParameters member = platform;
  member.name += ",member=" + std::to_string(n);
  member.seed = (platform.seed + n) % seeds;
  const std::uint64_t later = 1 + Random(member.seed).next() % (latest_start - 1);
  member.gpu.start_cycle = (platform.gpu.start_cycle + later) % starts;
  return member;
}

}  // namespace subcore
