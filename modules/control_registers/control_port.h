// The two ends of a control path, which speaks the TLM-2.0 base protocol (b_transport). Registers have 64
// bits and are read and written whole.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstring>
#include <string>

#include <tlm>

#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

// The initiator's end of a control path.
template <Binding Need = Binding::required>
class ControlPort : public InitiatorSocket<Need>, private tlm::tlm_bw_transport_if<> {
 public:
  explicit ControlPort(const char* name) : InitiatorSocket<Need>(name, *this) {}

  std::uint64_t read(std::uint64_t address) { return access(tlm::TLM_READ_COMMAND, address, 0); }
  void write(std::uint64_t address, std::uint64_t value) { access(tlm::TLM_WRITE_COMMAND, address, value); }

 private:
  // Reads or writes the register at `address`. Any response but TLM_OK_RESPONSE ends the run by an error with
  // id "/subcore/control".
  std::uint64_t access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value) {
    if (breach_.reported()) throw Failure("the target has broken the base protocol");
    unsigned char data[8];
    std::memcpy(data, &value, 8);
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(data);
    t.set_data_length(8);
    t.set_streaming_width(8);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*this)->b_transport(t, delay);
    if (breach_.reported()) throw Failure("the target has broken the base protocol");
    if (!t.is_response_ok())
      fail(report_id::control, std::string(this->name()) + ": the target answered " +
                                   t.get_response_string() + " to a " + (t.is_write() ? "write" : "read") +
                                   " of the register at " + std::to_string(address));
    std::memcpy(&value, data, 8);
    return value;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    // A target that is asked by b_transport has nothing to call back for.
    breach_.report(*this, "the target", "the target called nb_transport_bw, but was asked by b_transport");
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  BreachReport breach_;
};

// The status of an access at the target's end, to registers at 0, 8, ... below `size`. TLM_OK_RESPONSE: the
// access is to one of the registers. Other statuses say what is wrong. `debug`: the access came through the
// debug transport, which has no streaming width.
inline tlm::tlm_response_status register_access(const tlm::tlm_generic_payload& t, std::uint64_t size,
                                                bool debug = false) {
  if (t.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (t.get_data_length() != 8 || t.get_address() % 8 != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (!debug && t.get_streaming_width() != 8) return tlm::TLM_BURST_ERROR_RESPONSE;
  return t.get_address() < size ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

// Waits in b_transport, at the target's end, for the moment of an access. An initiator that runs ahead of the
// simulation (temporal decoupling) says by how much. A method process cannot wait, and TLM-2.0 does not let a
// method process call b_transport. With a delay, such a call is an error with id "/subcore/control": the
// payload gets an error response, and the function returns false.
inline bool synchronise(const char* target, tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) return true;
  if (sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_THREAD_PROC_) {
    t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    SC_REPORT_ERROR(report_id::control,
                    (std::string(target) + ": b_transport with a delay of " + delay.to_string() +
                     "; expected a caller that can wait (an SC_THREAD), or no delay")
                        .c_str());
    return false;
  }
  const sc_core::sc_time until = delay;
  delay = sc_core::SC_ZERO_TIME;
  sc_core::wait(until);
  return true;
}

}  // namespace subcore
