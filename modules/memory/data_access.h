// The data of a memory at the bottom, for modules that hold none of their own.
#pragma once

#include <algorithm>
#include <cstdint>

#include "modules/protocol/transport_socket.h"

namespace subcore {

// A debug access, piece by piece: at_once(address) says how many bytes from there go together, 0 for none;
// send() makes a piece of the access and returns how many bytes moved. Returns how many moved in a row.
template <class AtOnce, class Send>
unsigned debug_in_pieces(Payload& t, AtOnce at_once, Send send) {
  const std::uint64_t address = t.get_address();
  unsigned char* const data = t.get_data_ptr();
  const unsigned length = t.get_data_length();
  unsigned done = 0;
  while (done < length) {
    const auto piece = static_cast<unsigned>(std::min<std::uint64_t>(length - done, at_once(address + done)));
    if (piece == 0) break;
    t.set_address(address + done);
    t.set_data_ptr(data + done);
    t.set_data_length(piece);
    const unsigned moved = std::min(piece, send(t));
    done += moved;
    if (moved < piece) break;
  }
  t.set_address(address);
  t.set_data_ptr(data);
  t.set_data_length(length);
  return done;
}

// The data of a blocking access whose time is known: by the debug transport where that can do it, else by
// b_transport, whose delay is dropped. (The debug transport knows neither byte enables nor streaming, and not
// every memory has it.)
template <class Socket>
void move_data(Socket& below, Payload& t, const sc_core::sc_time& delay) {
  const unsigned length = t.get_data_length();
  if (t.is_read() && t.get_byte_enable_ptr() == nullptr && t.get_streaming_width() >= length &&
      below.transport_dbg(t) == length) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return;
  }
  sc_core::sc_time dropped = delay;
  below.b_transport(t, dropped);
}

// No trace has the values that are stored, and caches of ours hold none: a write of ours to a memory that
// keeps data writes what is there already, as far as its debug transport tells. To be called right before
// the write is sent: what others write between that and its execution is lost.
template <class Socket>
void keep_data(Socket& below, Payload& t) {
  t.set_command(tlm::TLM_READ_COMMAND);
  below.transport_dbg(t);
  t.set_command(tlm::TLM_WRITE_COMMAND);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace subcore
