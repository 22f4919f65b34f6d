// Pooled generic payloads of the load/store unit.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <tlm>

#include "model/policy/coalescer.h"
#include "modules/memory/atomic_extension.h"

namespace subcore {

// A request of one contiguous run of 32-byte sectors within a 128-byte line. The data is not modelled: the
// buffer exists because the base protocol wants one.
class MemoryTransaction : public tlm::tlm_generic_payload {
 public:
  explicit MemoryTransaction(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {
    set_data_ptr(data_.data());
  }
  void mark_atomic(bool returns_data) {
    atomic_.returns_data = returns_data;
    set_extension(&atomic_);
  }
  std::uint32_t entry = 0;  // access in the load/store unit that waits for this request

 private:
  AtomicExtension atomic_;
  std::array<unsigned char, line_bytes> data_{};
};

class TransactionPool : public tlm::tlm_mm_interface {
 public:
  MemoryTransaction& acquire() {
    if (spare_.empty()) {
      all_.push_back(std::make_unique<MemoryTransaction>(this));
      spare_.push_back(all_.back().get());
    }
    MemoryTransaction& t = *spare_.back();
    spare_.pop_back();
    t.acquire();
    ++in_use_;
    return t;
  }
  void free(tlm::tlm_generic_payload* t) override {
    t->clear_extension<AtomicExtension>();
    t->reset();
    spare_.push_back(static_cast<MemoryTransaction*>(t));
    --in_use_;
  }
  std::size_t in_use() const { return in_use_; }

 private:
  std::vector<std::unique_ptr<MemoryTransaction>> all_;
  std::vector<MemoryTransaction*> spare_;
  std::size_t in_use_ = 0;
};

}  // namespace subcore
