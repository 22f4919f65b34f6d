#include "subcore/tracer/runtime/device_properties.h"

#include <cstring>
#include <string>
#include <vector>

namespace subcore::tracer {
namespace {

constexpr int threads_of_cta = 1024, bytes_of_cta = 49152, registers = 65536, multiprocessors = 80;
constexpr std::uint16_t none = 0xffff;

// An attribute's number, the offsets of the field with the same value, and the bytes of that field.
struct Property {
  int number;
  std::uint16_t at_13, at_12;
  std::uint8_t bytes;
  int value;
};

std::vector<Property> properties_of(unsigned architecture) {
  const SmSizes sm = sm_sizes(architecture);
  constexpr int kilohertz = 1'410'000;
  return {{1, 320, 320, 4, threads_of_cta},
          {2, 324, 324, 4, 1024},  // largest block
          {3, 328, 328, 4, 1024},
          {4, 332, 332, 4, 64},
          {5, 336, 336, 4, 0x7fffffff},  // largest grid
          {6, 340, 340, 4, 65535},
          {7, 344, 344, 4, 65535},
          {8, 296, 296, 8, bytes_of_cta},
          {9, 352, 352, 8, 65536},        // constant memory
          {10, 308, 308, 4, 32},          // lanes of a warp
          {11, 312, 312, 8, 0x7fffffff},  // the largest pitch
          {12, 304, 304, 4, registers},
          {13, none, 348, 4, kilohertz},
          {14, 368, 368, 8, 512},  // alignment of textures
          {16, 384, 388, 4, multiprocessors},
          {17, none, 392, 4, 0},  // time limit of kernels
          {18, 388, 396, 4, 0},   // memory shared with the host
          {19, 392, 400, 4, 1},   // host memory can be mapped
          {20, none, 404, 4, 0},  // compute mode
          {31, 560, 576, 4, 1},   // concurrent kernels
          {32, 564, 580, 4, 0},   // error correction
          {33, 568, 584, 4, 0},   // place on the bus
          {34, 572, 588, 4, 0},
          {36, none, 608, 4, kilohertz},
          {37, 592, 612, 4, 5120},  // bits of the memory bus
          {38, 596, 616, 4, 4 << 20},
          {39, 604, 624, 4, sm.threads},
          {40, 584, 600, 4, 1},  // copy engines
          {41, 588, 604, 4, 1},  // unified address space
          {75, 360, 360, 4, static_cast<int>(architecture / 10)},
          {76, 364, 364, 4, static_cast<int>(architecture % 10)},
          {78, 608, 628, 4, 0},  // priorities of streams
          {79, 612, 632, 4, 1},  // the L1 caches global memory
          {80, 616, 636, 4, 1},  // the L1 caches local memory
          {81, 624, 640, 8, sm.shared_bytes},
          {82, 632, 648, 4, registers},
          {83, 636, 652, 4, 1},  // managed memory
          {84, 640, 656, 4, 0},  // several GPUs on a board
          {88, 652, 672, 4, 0},  // pageable memory
          {89, 656, 676, 4, 0},  // concurrent use of managed memory by the host
          {90, 660, 680, 4, 0},
          {95, none, none, 4, 0},  // cooperative launches
          {97, 672, 696, 8, sm.shared_bytes_of_cta},
          {106, 688, 712, 4, architecture == 75 ? 16 : 32},
          {111, none, none, 4, architecture == 75 ? 0 : 1024},  // bytes of a CTA that the system keeps
          {115, none, none, 4, 0}};                             // memory pools
}

}  // namespace

SmSizes sm_sizes(unsigned architecture) {
  switch (architecture) {
    case 75:
      return {1024, 65536, 65536};
    case 80:
      return {2048, 167936, 166912};
    case 90:
      return {2048, 233472, 232448};
    default:
      return {1536, 102400, 101376};
  }
}

std::optional<int> device_attribute(unsigned architecture, int number) {
  for (const Property& property : properties_of(architecture))
    if (property.number == number) return property.value;
  return {};
}

void write_properties(unsigned architecture, PropertiesLayout layout, std::uint8_t* to) {
  const bool is_13 = layout == PropertiesLayout::cuda_13;
  std::memset(to, 0, is_13 ? 1008 : 1032);
  const std::string name = "subcore-trace sm_" + std::to_string(architecture);
  std::memcpy(to, name.c_str(), name.size() + 1);
  const std::uint64_t memory = std::uint64_t{16} << 30;
  std::memcpy(to + 288, &memory, sizeof memory);
  for (const Property& property : properties_of(architecture)) {
    const std::uint16_t at = is_13 ? property.at_13 : property.at_12;
    const std::int64_t value = property.value;
    if (at != none) std::memcpy(to + at, &value, property.bytes);
  }
}

}  // namespace subcore::tracer
