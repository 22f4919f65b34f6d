// Reads and writes the registers of a RegisterTarget.
#pragma once

#include <tlm>

namespace subcore::test {

class RegisterMaster : public sc_core::sc_module, protected tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;
  explicit RegisterMaster(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::uint64_t& value,
                                  unsigned bytes = 8, unsigned char* enables = nullptr,
                                  unsigned streaming_width = 0) {
    tlm::tlm_generic_payload t;
    fill(t, command, address, value, bytes);
    t.set_streaming_width(streaming_width == 0 ? bytes : streaming_width);
    t.set_byte_enable_ptr(enables);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(t, delay);
    return t.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, std::uint64_t value) {
    return access(tlm::TLM_WRITE_COMMAND, address, value);
  }
  // Reads a register; an access that is refused leaves all ones.
  std::uint64_t read(std::uint64_t address) {
    std::uint64_t value = ~std::uint64_t{0};
    access(tlm::TLM_READ_COMMAND, address, value);
    return value;
  }
  // Accesses a register through the debug transport; returns the bytes served.
  unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint64_t& value) {
    tlm::tlm_generic_payload t;
    fill(t, command, address, value, 8);
    return socket->transport_dbg(t);
  }

 private:
  static void fill(tlm::tlm_generic_payload& t, tlm::tlm_command command, std::uint64_t address,
                   std::uint64_t& value, unsigned bytes) {
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    t.set_data_length(bytes);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace subcore::test
