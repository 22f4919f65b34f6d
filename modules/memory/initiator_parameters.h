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
             "answer to BEGIN_RESP: TLM_COMPLETED, TLM_UPDATED with END_RESP, or an END_RESP call in the "
             "next cycle. A target may know only one of the three");
    v.choice("requests", requests,
             "shape of requests: runs of 32-byte sectors within a line; runs cut into power-of-two lengths "
             "at multiples of their length, which many memory controllers need; or single sectors");
    v.choice("bus_width", bus_width,
             "bits of the socket (BUSWIDTH) of a user's own memory; requests and times are the same with "
             "each width");
  }
};

}  // namespace subcore
