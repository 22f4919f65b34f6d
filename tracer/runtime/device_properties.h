// The properties of the stand-in's device, with one table for attributes and for the structure of properties.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <optional>

namespace subcore::tracer {

// The layouts of the structure cudaDeviceProp in CUDA 13 and in CUDA 12.
enum class PropertiesLayout : std::uint8_t { cuda_13, cuda_12 };

// The sizes of an SM that decide occupancy. `architecture` is 80 for sm_80.
struct SmSizes {
  int threads, shared_bytes,
      shared_bytes_of_cta;  // shared_bytes_of_cta: if the CTA asks for more than 48 KiB
};
// The sizes of an architecture's SM. Unknown architectures have those of sm_86 and sm_89.
SmSizes sm_sizes(unsigned architecture);

// The value of an attribute by its number. Nothing if the attribute is not known.
std::optional<int> device_attribute(unsigned architecture, int number);

// Writes the structure. Fields that the table does not have become zero.
void write_properties(unsigned architecture, PropertiesLayout layout, std::uint8_t* to);

}  // namespace subcore::tracer
