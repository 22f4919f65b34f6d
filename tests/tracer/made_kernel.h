// Kernels of a few instructions of sm_75, each an encoding as nvcc writes it, and a CTA that executes them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "subcore/tracer/machine/cta.h"
#include "subcore/tracer/machine/decoder.h"

namespace tracer_test {

using Encoding = std::array<std::uint64_t, 2>;  // the low word and the high one

// EXIT, BAR.SYNC 0, S2R R0, SR_TID.X; other registers and numbers by setting bits.
inline constexpr Encoding leave{0x000000000000794d, 0x000fea0003800000};
inline constexpr Encoding barrier{0x0000000000007b1d, 0x000fea0000000000};
inline constexpr Encoding thread_to_r0{0x0000000000007919, 0x000e220000002100};
// The guard of an instruction: @Pn, or @!Pn.
inline Encoding guarded(Encoding e, unsigned predicate, bool negated = false) {
  e[0] = (e[0] & ~std::uint64_t{0xf000}) | std::uint64_t{predicate} << 12 | std::uint64_t{negated} << 15;
  return e;
}
// ISETP.LT.U32 P0, R0 < number.
inline Encoding thread_below(std::uint32_t number) {
  return {0x000000000000780c | std::uint64_t{number} << 32, 0x000fe20003f01070};
}
// BRA to an instruction that is so many behind this one.
inline Encoding branch(int instructions) {
  const auto words = static_cast<std::uint64_t>(static_cast<std::int64_t>(instructions - 1) * 4);
  return {0x0000000000007947 | words << 34, 0x000fea0003800000 | (words >> 30 & 0x3ffff)};
}
// BSSY B0; BSYNC B0.
inline Encoding begin_convergence(int instructions) {
  return {0x0000000000007945 | static_cast<std::uint64_t>(static_cast<std::uint32_t>((instructions - 1) * 16))
                                   << 32,
          0x000fe20003800000};
}
inline constexpr Encoding converge{0x0000000000007941, 0x000fea0003800000};

struct MadeKernel {
  explicit MadeKernel(const std::vector<Encoding>& code,
                      const subcore::tracer::InstructionTable& table = subcore::tracer::instruction_table(),
                      unsigned architecture = 75) {
    kernel.name = "made";
    for (const Encoding& e : code)
      kernel.code.push_back(subcore::tracer::decode(table, architecture, e[0], e[1],
                                                    static_cast<std::uint32_t>(16 * kernel.code.size())));
    launch.kernel = &kernel;
    launch.architecture = architecture;
    launch.constants.resize(0x200);
  }
  void run(std::uint32_t threads, subcore::tracer::ExecutionObserver* observer = nullptr) {
    launch.block = {threads};
    subcore::tracer::Cta cta(launch, memory, subcore::tracer::CopyTime::wait, observer);
    cta.run({3, 2, 1});
  }

  subcore::tracer::Kernel kernel;
  subcore::tracer::Launch launch;
  subcore::tracer::DeviceMemory memory;
};

}  // namespace tracer_test
