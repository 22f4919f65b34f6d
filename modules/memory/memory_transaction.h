// Pooled generic payloads, for the requests that the load/store unit, the L1 and the L2 send of their own.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>

#include <tlm>

#include "subcore/base/bits.h"
#include "subcore/base/free_list.h"
#include "subcore/modules/memory/memory_lines.h"

namespace subcore {

// A request of one contiguous run of 32-byte sectors within a 128-byte line. Data are not modelled: the
// buffer exists because the base protocol demands one.
class MemoryTransaction : public tlm::tlm_generic_payload {
 public:
  explicit MemoryTransaction(tlm::tlm_mm_interface* pool) : tlm_generic_payload(pool) {
    set_data_ptr(data_.data());
  }
  // The base class frees extensions that are still set, at a time when the members are gone.
  ~MemoryTransaction() override { clear_marks(); }
  void mark_atomic(bool returns_data) {
    atomic_.returns_data = returns_data;
    set_extension(&atomic_);
  }
  void mark_bulk() { set_extension(&bulk_); }
  // Enables the bytes of `mask` in a write whose length has been set. The bytes stay so until the pool has
  // the payload back.
  void enable_bytes(const ByteMask& mask) {
    for (unsigned b = 0; b < get_data_length(); ++b) {
      enables_[b] =
          bits::has(mask[b / sector_bytes], b % sector_bytes) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    set_byte_enable_ptr(enables_.data());
    set_byte_enable_length(get_data_length());
  }
  // Disables all bytes but the first `count` of a write, with byte enables or without. The bytes stay so
  // until the pool has the payload back.
  void enable_first(unsigned count) {
    if (get_byte_enable_ptr() == nullptr) enables_.fill(TLM_BYTE_ENABLED);
    for (unsigned b = count; b < get_data_length(); ++b) enables_[b] = TLM_BYTE_DISABLED;
    set_byte_enable_ptr(enables_.data());
    set_byte_enable_length(get_data_length());
  }
  // For the pool: clears what the last use has left.
  void recycle() {
    clear_marks();
    reset();
    set_byte_enable_ptr(nullptr);  // reset() leaves the next two
    set_byte_enable_length(0);
  }
  static constexpr std::uint32_t answered = ~std::uint32_t{0};
  // The access in the load/store unit that waits for this request, or `answered`.
  std::uint32_t entry = 0;

 private:
  void clear_marks() {
    clear_extension<AtomicExtension>();
    clear_extension<BulkExtension>();
  }
  AtomicExtension atomic_;
  BulkExtension bulk_;
  std::array<unsigned char, line_bytes> data_{};
  std::array<unsigned char, line_bytes> enables_{};
};

// The free list of an initiator's payloads. The pool makes a Transaction, and its recycle() clears the
// Transaction when it comes back.
template <class Transaction>
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  Transaction& acquire(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    Transaction& t = list_.take(this);
    t.acquire();
    t.set_command(command);
    t.set_address(address);
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
    t.set_dmi_allowed(false);  // the last target may have set the hint
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
  }
  void free(tlm::tlm_generic_payload* t) override {
    auto* const own = static_cast<Transaction*>(t);
    own->recycle();
    list_.give_back(*own);
  }
  std::size_t in_use() const { return list_.in_use(); }
  // Calls visit(transaction) for each transaction in use.
  template <class Visit>
  void for_each_in_use(Visit visit) const {
    for (const auto& t : list_.all()) {
      if (t->get_ref_count() > 0) visit(*t);
    }
  }

 private:
  FreeList<Transaction> list_;
};
using TransactionPool = PayloadPool<MemoryTransaction>;

}  // namespace subcore
