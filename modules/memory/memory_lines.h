// Lines and sectors that a payload asks a cache for.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <tlm>

#include "subcore/base/bits.h"
#include "subcore/model/policy/coalescer.h"
#include "subcore/model/policy/sectored_tags.h"

namespace subcore {

// Sectors of a line: the bits of a SectorMask in use.
inline constexpr unsigned sectors_per_line = line_bytes / sector_bytes;

struct LineAccess {
  std::uint64_t line;  // address / line_bytes
  SectorMask sectors;  // sectors that are touched
  SectorMask whole;    // sectors of which every byte is touched
  bool fits;           // the request is within one line
};

// Line and sectors of a request. Byte enables are not looked at; accessed_bytes() knows them.
inline LineAccess line_access(const tlm::tlm_generic_payload& t) {
  const auto offset = static_cast<unsigned>(t.get_address() % line_bytes);
  // Addresses do not wrap within a line, because the last byte of the last line is the last of the address
  // space.
  LineAccess a{t.get_address() / line_bytes, 0, 0,
               t.get_data_length() != 0 && t.get_data_length() <= line_bytes - offset};
  if (!a.fits) return a;
  const unsigned last = (offset + t.get_data_length() - 1) / sector_bytes, first = offset / sector_bytes;
  a.sectors = static_cast<SectorMask>((2u << last) - (1u << first));
  const unsigned whole_begin = (offset + sector_bytes - 1) / sector_bytes;
  const unsigned whole_end = (offset + t.get_data_length()) / sector_bytes;
  if (whole_end > whole_begin) a.whole = static_cast<SectorMask>((1u << whole_end) - (1u << whole_begin));
  return a;
}

// The bytes of its line that a request accesses. The request lies in one line.
inline ByteMask accessed_bytes(const tlm::tlm_generic_payload& t) {
  ByteMask mask{};
  const auto offset = static_cast<unsigned>(t.get_address() % line_bytes);
  const unsigned char* enables = t.get_byte_enable_ptr();
  for (unsigned b = 0; b < t.get_data_length(); ++b) {
    if (enables != nullptr && enables[b % t.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    bits::add(mask[(offset + b) / sector_bytes], (offset + b) % sector_bytes);
  }
  return mask;
}

// Marks a request as an atomic. The mark is ignorable, as the base protocol demands: a target that does not
// know it sees a read.
class AtomicExtension : public tlm::tlm_extension<AtomicExtension> {
 public:
  bool returns_data = true;  // false: a reduction, which is done when performed

  tlm_extension_base* clone() const override { return new AtomicExtension(*this); }
  void copy_from(const tlm_extension_base& other) override {
    returns_data = static_cast<const AtomicExtension&>(other).returns_data;
  }
  void free() override {}  // the extension is part of its pooled payload
};

// The mark of a transaction that is an atomic; null for other transactions.
inline const AtomicExtension* atomic(const tlm::tlm_generic_payload& t) {
  return t.get_extension<AtomicExtension>();
}

// Marks a request of a bulk copy, which passes by the L1. The mark is ignorable, too.
class BulkExtension : public tlm::tlm_extension<BulkExtension> {
 public:
  tlm_extension_base* clone() const override { return new BulkExtension(*this); }
  void copy_from(const tlm_extension_base&) override {}
  void free() override {}  // the extension is part of its pooled payload
};

// Whether a transaction is a request of a bulk copy.
inline bool is_bulk(const tlm::tlm_generic_payload& t) {
  return t.get_extension<BulkExtension>() != nullptr;
}
// Whether a cache in front of the L2 answers the request, if it can.
inline bool is_cached_read(const tlm::tlm_generic_payload& t) {
  return t.is_read() && atomic(t) == nullptr && !is_bulk(t);
}

// Calls send(address, bytes, mask) for each request of that shape.
template <class Send>
void for_each_request(std::uint64_t line, SectorMask sectors, RequestShape shape, Send send) {
  unsigned left = sectors;
  while (left != 0) {
    const unsigned run = bits::lowest(left), length = bits::lowest(~(left >> run));
    for_each_request(run, length, shape, [&](unsigned first, unsigned count) {
      const unsigned mask = bits::below<unsigned>(count) << first;
      send(line * line_bytes + first * sector_bytes, count * sector_bytes, static_cast<SectorMask>(mask));
      left &= ~mask;
    });
  }
}
// How many requests for_each_request() would send.
inline unsigned requests_for(SectorMask sectors, RequestShape shape) {
  unsigned n = 0;
  for_each_request(0, sectors, shape, [&](std::uint64_t, unsigned, SectorMask) { ++n; });
  return n;
}

}  // namespace subcore
