// The memory of the traced GPU: allocations, and the addresses that are in them.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace subcore::tracer {

class DeviceMemory {
 public:
  // A new allocation; its address is a multiple of 512 above those of all before. Its bytes are zero.
  std::uint64_t allocate(std::uint64_t bytes);
  // Takes memory of somebody else's for an allocation at an address. It outlives the allocation.
  void adopt(std::uint64_t address, std::uint8_t* memory, std::uint64_t bytes);
  // Whether an allocation began at the address. Its addresses are not used again.
  bool free(std::uint64_t address);
  // The bytes at an address; null if they are not within one allocation.
  std::uint8_t* find(std::uint64_t address, std::uint64_t bytes);
  // The bytes that all allocations take.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Allocation {
    std::uint64_t begin = 0, end = 0;
    std::unique_ptr<std::uint8_t[]> own;  // null, if the memory is somebody else's
    std::uint8_t* bytes = nullptr;
  };
  std::map<std::uint64_t, Allocation> allocations_;  // by their end
  Allocation* last_ = nullptr;                       // that was found
  std::uint64_t top_ = 0x7f4000100000, bytes_ = 0;
};

}  // namespace subcore::tracer
