#include "subcore/model/trace/addresses.h"

#include <cstring>

#include "subcore/base/bits.h"

// Layout: length (2 bytes), form (1 byte), base (8 bytes). For form 0, one stride of 8 bytes follows, from
// each active lane to the next. For forms 1, 2, 4 and 8, one delta of that many bytes follows for each active
// lane behind the first. Fixed widths decode without branches. Accesses of warps nearly always fit the stride
// or the one-byte form.
namespace subcore {
namespace {

constexpr std::size_t head_size = 3 + 8;

template <typename T>
void put(std::uint8_t*& at, T value) {
  std::memcpy(at, &value, sizeof value);
  at += sizeof value;
}

template <typename T>
void put_deltas(std::uint8_t* at, const std::int64_t* deltas, unsigned count) {
  for (unsigned i = 0; i < count; ++i) put(at, static_cast<T>(deltas[i]));
}

template <typename T>
void add_deltas(const std::uint8_t* at, std::uint64_t address, std::uint64_t rest, LaneAddresses& out) {
  for (const unsigned lane : bits::each(rest)) {
    T delta;
    std::memcpy(&delta, at, sizeof delta);
    at += sizeof delta;
    address += static_cast<std::uint64_t>(std::int64_t{delta});
    out.address[lane] = address;
  }
}

std::uint8_t* start(std::vector<std::uint8_t>& out, std::size_t length, std::uint8_t form,
                    std::uint64_t base) {
  const std::size_t old = out.size();
  out.resize(old + length);
  std::uint8_t* at = out.data() + old;
  put(at, static_cast<std::uint8_t>(length & 0xff));
  put(at, static_cast<std::uint8_t>(length >> 8));
  put(at, form);
  put(at, base);
  return at;
}

}  // namespace

void encode_strided(std::uint64_t base, std::int64_t stride, std::vector<std::uint8_t>& out) {
  std::uint8_t* at = start(out, head_size + 8, 0, base);
  put(at, stride);
}

void encode_deltas(std::uint64_t base, const std::int64_t* deltas, unsigned count,
                   std::vector<std::uint8_t>& out) {
  bool same = true;
  std::uint64_t used = 0;  // the bits that some delta needs, with the sign folded away
  for (unsigned i = 0; i < count; ++i) {
    same &= deltas[i] == deltas[0];
    used |= static_cast<std::uint64_t>(deltas[i] < 0 ? ~deltas[i] : deltas[i]);
  }
  if (same) return encode_strided(base, count ? deltas[0] : 0, out);
  const std::uint8_t width = used < 0x80 ? 1 : used < 0x8000 ? 2 : used < 0x80000000u ? 4 : 8;
  std::uint8_t* at = start(out, head_size + std::size_t{width} * count, width, base);
  switch (width) {
    case 1:
      return put_deltas<std::int8_t>(at, deltas, count);
    case 2:
      return put_deltas<std::int16_t>(at, deltas, count);
    case 4:
      return put_deltas<std::int32_t>(at, deltas, count);
    default:
      return put_deltas<std::int64_t>(at, deltas, count);
  }
}

void encode_addresses(const LaneAddresses& lanes, std::vector<std::uint8_t>& out) {
  std::array<std::int64_t, warp_lanes> deltas;
  unsigned count = 0;
  std::uint64_t base = 0, last = 0;
  if (lanes.mask != 0) base = last = lanes.address[bits::lowest(lanes.mask)];
  for (const unsigned lane : bits::each(bits::without_lowest(lanes.mask))) {
    const std::uint64_t address = lanes.address[lane];
    deltas[count++] = static_cast<std::int64_t>(address - last);
    last = address;
  }
  encode_deltas(base, deltas.data(), count, out);
}

void decode_addresses(const std::uint8_t* encoded, std::uint32_t mask, LaneAddresses& out) {
  out.mask = mask;
  out.stride = 0;
  if (mask == 0) return;
  std::uint64_t base = first_address(encoded);
  out.address[bits::lowest(mask)] = base;
  const std::uint64_t rest = bits::without_lowest(mask);
  switch (encoded[2]) {
    case 0: {
      std::uint64_t stride;
      std::memcpy(&stride, encoded + head_size, sizeof stride);
      if (rest != 0) out.stride = stride;
      for (const unsigned lane : bits::each(rest)) out.address[lane] = base += stride;
      return;
    }
    case 1:
      return add_deltas<std::int8_t>(encoded + head_size, base, rest, out);
    case 2:
      return add_deltas<std::int16_t>(encoded + head_size, base, rest, out);
    case 4:
      return add_deltas<std::int32_t>(encoded + head_size, base, rest, out);
    default:
      return add_deltas<std::int64_t>(encoded + head_size, base, rest, out);
  }
}

}  // namespace subcore
