#include "subcore/tracer/machine/device_memory.h"

#include <algorithm>

namespace subcore::tracer {

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes) {
  constexpr std::uint64_t alignment = 512;
  bytes = std::max<std::uint64_t>(bytes, 1);
  Allocation made;
  made.begin = (top_ + alignment - 1) / alignment * alignment;
  made.end = top_ = made.begin + bytes;
  made.own = std::make_unique<std::uint8_t[]>(bytes);
  made.bytes = made.own.get();
  bytes_ += bytes;
  const std::uint64_t address = made.begin;
  allocations_.emplace(made.end, std::move(made));
  return address;
}

void DeviceMemory::adopt(std::uint64_t address, std::uint8_t* memory, std::uint64_t bytes) {
  Allocation adopted;
  adopted.begin = address;
  adopted.end = address + bytes;
  adopted.bytes = memory;
  bytes_ += bytes;
  allocations_.emplace(adopted.end, std::move(adopted));
}

bool DeviceMemory::free(std::uint64_t address) {
  const auto found = allocations_.upper_bound(address);
  if (found == allocations_.end() || found->second.begin != address) return false;
  bytes_ -= found->second.end - found->second.begin;
  last_ = nullptr;
  allocations_.erase(found);
  return true;
}

std::uint8_t* DeviceMemory::find(std::uint64_t address, std::uint64_t bytes) {
  if (last_ == nullptr || address < last_->begin || address >= last_->end) {
    const auto found = allocations_.upper_bound(address);
    if (found == allocations_.end() || address < found->second.begin) return nullptr;
    last_ = &found->second;
  }
  return bytes <= last_->end - address ? &last_->bytes[address - last_->begin] : nullptr;
}

}  // namespace subcore::tracer
