// Access to the data of a memory at the bottom, for modules that hold no data of their own.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <string>

#include "subcore/modules/memory/memory_transaction.h"
#include "subcore/modules/protocol/report_ids.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

// Makes a debug access in pieces. `at_once(address)` says how many bytes from there go together, 0 for none.
// `send()` makes a piece of the access and returns how many bytes moved. Returns how many bytes moved in a
// row.
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

// Moves the data of a blocking access whose time is known. The debug transport does so, if it can; else
// b_transport does, and its delay is dropped. (The debug transport knows neither byte enables nor streaming,
// and not every memory has it.)
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

// Whether a request has data. Requests that our load/store units and caches make have none; all others have.
inline bool carries_data(const Payload& t) {
  return dynamic_cast<const MemoryTransaction*>(&t) == nullptr;
}

// Moves the data of an AT access whose time is known, and sets its response status. The data go by the debug
// transport, in the pieces that byte enables and the streaming width make of them. If the debug transport
// moves fewer bytes, the data go by b_transport, which must not wait here and whose delay is dropped.
template <class Socket>
void move_data_at_once(Socket& below, Payload& t) {
  const std::uint64_t address = t.get_address();
  unsigned char* const data = t.get_data_ptr();
  unsigned char* const enables = t.get_byte_enable_ptr();
  const unsigned length = t.get_data_length(), width = std::min(t.get_streaming_width(), length),
                 enable_length = t.get_byte_enable_length();
  if ((!t.is_read() && !t.is_write()) || length == 0) return t.set_response_status(tlm::TLM_OK_RESPONSE);
  if (width == 0 || (enables != nullptr && enable_length == 0))
    return t.set_response_status(width == 0 ? tlm::TLM_BURST_ERROR_RESPONSE
                                            : tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  const auto enabled = [&](unsigned n) {
    return enables == nullptr || enables[n % enable_length] == TLM_BYTE_ENABLED;
  };
  t.set_byte_enable_ptr(nullptr);
  bool moved = true;
  for (unsigned begin = 0, end; moved && begin < length; begin = end) {
    end = begin + 1;
    if (!enabled(begin)) continue;
    while (end < length && end % width != 0 && enabled(end)) ++end;
    t.set_address(address + begin % width);
    t.set_data_ptr(data + begin);
    t.set_data_length(end - begin);
    moved = below.transport_dbg(t) == end - begin;
  }
  t.set_address(address);
  t.set_data_ptr(data);
  t.set_data_length(length);
  t.set_byte_enable_ptr(enables);
  if (moved) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  } else {
    sc_core::sc_time dropped = sc_core::SC_ZERO_TIME;
    below.b_transport(t, dropped);
  }
  t.set_dmi_allowed(false);
}

// Keeps the data of a memory. Traces do not have the values that are stored, and our caches hold none. So if
// we write to a memory that keeps data, the write has the value that is there already.
class KeepData {
 public:
  // Fills the write with what the memory holds, read by the debug transport. To be called right before the
  // write is sent: what others write between then and the write's execution is lost. Byte enables mask out
  // the bytes that the debug transport does not give, and one warning with id "/subcore/memory" says so.
  template <class Socket>
  void fill(Socket& below, MemoryTransaction& t) {
    t.set_command(tlm::TLM_READ_COMMAND);
    const unsigned known = std::min(below.transport_dbg(t), t.get_data_length());
    t.set_command(tlm::TLM_WRITE_COMMAND);
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (known < t.get_data_length()) mask(below, t, known);
  }

 private:
  void mask(const sc_core::sc_object& socket, MemoryTransaction& t, unsigned known) {
    t.enable_first(known);
    if (warned_) return;
    warned_ = true;
    SC_REPORT_WARNING(
        report_id::memory,
        (std::string(socket.name()) + ": transport_dbg of the memory gave " + std::to_string(known) + " of " +
         std::to_string(t.get_data_length()) +
         " bytes; bytes that it does not give are not written (byte enables), so that the memory keeps them")
            .c_str());
  }
  bool warned_ = false;
};

}  // namespace subcore
