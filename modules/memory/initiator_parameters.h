// How a module of ours speaks to the memory behind it (keys load_store.*, memory.l1.* and memory.l2.*).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/coalescer.h"

namespace subcore {

// How an initiator answers BEGIN_RESP: by TLM_COMPLETED, which implies END_RESP; by TLM_UPDATED with
// END_RESP; or by TLM_ACCEPTED and an END_RESP call in the next cycle.
enum class EndResponse : std::uint8_t { completed, updated, call };
constexpr std::array<std::string_view, 3> names(EndResponse) {
  return {"completed", "updated", "call"};
}

// Bus width in bits, of the socket and of its target.
enum class BusWidth : std::uint8_t { bits_32, bits_64, bits_128 };
constexpr std::array<std::string_view, 3> names(BusWidth) {
  return {"32", "64", "128"};
}
// Bits of a beat on a bus of this width.
constexpr unsigned bits_of(BusWidth w) {
  return 32u << static_cast<unsigned>(w);
}

struct InitiatorParameters {
  EndResponse end_resp = EndResponse::updated;
  // Assumed: a run of sectors, so that a request is what the coalescer makes. SM75 sends each sector by
  // itself.
  RequestShape requests = RequestShape::sectors;
  BusWidth bus_width = BusWidth::bits_32;
  void describe(ParameterVisitor& v) {
    v.choice("end_resp", end_resp,
             "BEGIN_RESP is answered TLM_COMPLETED, TLM_UPDATED with END_RESP, or by an END_RESP call in the "
             "next cycle: targets may know only one of these");
    v.choice(
        "requests", requests,
        "requests are runs of 32-byte sectors within a line, or those cut into power-of-two lengths at a "
        "multiple of their length, as many memory controllers want them, or single sectors");
    v.choice(
        "bus_width", bus_width,
        "bits, of the socket of a memory of the user's own (its BUSWIDTH); requests and time are the same "
        "with each");
  }
};

}  // namespace subcore
