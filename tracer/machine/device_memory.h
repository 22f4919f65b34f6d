// The memory of the traced GPU: allocations and their addresses.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace subcore::tracer {

class DeviceMemory {
 public:
  // Makes a new allocation of zeros. Its address is a multiple of 512, above all earlier ones.
  std::uint64_t allocate(std::uint64_t bytes);
  // Makes the caller's memory an allocation at an address. The memory must outlive the allocation.
  void adopt(std::uint64_t address, std::uint8_t* memory, std::uint64_t bytes);
  // Frees the allocation that begins at the address. False if there is none. Its addresses are not used
  // again.
  bool free(std::uint64_t address);
  // The bytes at an address. Null if they do not lie within one allocation.
  std::uint8_t* find(std::uint64_t address, std::uint64_t bytes);
  // The bytes that all allocations take.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Allocation {
    std::uint64_t begin = 0, end = 0;
    std::unique_ptr<std::uint8_t[]> own;  // null if the memory is the caller's
    std::uint8_t* bytes = nullptr;
  };
  std::map<std::uint64_t, Allocation> allocations_;  // by the allocation's end
  Allocation* last_ = nullptr;                       // the allocation found last
  std::uint64_t top_ = 0x7f4000100000, bytes_ = 0;
};

}  // namespace subcore::tracer
