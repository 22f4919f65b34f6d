// What the stand-in's device says of itself: one table for attributes and for the structure of properties.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <optional>

namespace subcore::tracer {

// The structure cudaDeviceProp as CUDA 13 has it, and as CUDA 12 has it.
enum class PropertiesLayout : std::uint8_t { cuda_13, cuda_12 };

// Sizes of an SM that occupancy needs. `architecture`: 80 for sm_80.
struct SmSizes {
  int threads, shared_bytes,
      shared_bytes_of_cta;  // shared_bytes_of_cta: if the CTA asks for more than 48 KiB
};
// The sizes of an architecture's SM; those of sm_86 and sm_89 for others.
SmSizes sm_sizes(unsigned architecture);

// The value of an attribute by its number; nothing, if it is not known.
std::optional<int> device_attribute(unsigned architecture, int number);

// Writes the structure; fields that the table does not have are zero.
void write_properties(unsigned architecture, PropertiesLayout layout, std::uint8_t* to);

}  // namespace subcore::tracer
