// A base-protocol target that plays every legal variant of the protocol, drawn from a seed. The target also
// checks that its initiator keeps the rules: breaches go into `violations`.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

namespace subcore::test {

class CheckingTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
  template <unsigned Width>
  using Socket =
      tlm::tlm_target_socket<Width, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

 public:
  Socket<32> socket;  // a test binds one of these
  Socket<64> socket_64;
  Socket<128> socket_128;

  struct Rules {
    std::uint64_t seed = 1;
    unsigned line = 128, sector = 32;  // a request lies within a line, on sector borders
    sc_core::sc_time cycle{1, sc_core::SC_NS};
    double slow = 12;  // longest delay between two phases, in cycles
    // TLM_COMPLETED from nb_transport_bw(BEGIN_RESP) is a violation.
    bool wants_end_response = false;
    // The target acts only between clock edges, so that it never acts at the same time as the SM.
    bool off_edge = false;
    unsigned bus_width = 32;
    // A router in front of it gives the initiator's address back with the response.
    bool behind_router = false;
  };
  // Binds the socket of the rules' width, by a call of the initiator's bind().
  template <class Initiator>
  void bind_to(Initiator& initiator) {
    if (rules_.bus_width == 64) {
      initiator.bind(socket_64);
    } else if (rules_.bus_width == 128) {
      initiator.bind(socket_128);
    } else {
      initiator.bind(socket);
    }
  }
  CheckingTarget(const sc_core::sc_module_name& name, const Rules& rules);

  std::vector<std::string> violations;
  std::map<std::string, unsigned> seen;  // how often each variant was played
  unsigned requests = 0, responses = 0;
  std::map<std::uint64_t, unsigned> written;  // how often each byte was written
  // Whether no request is under way and all payloads have been given back.
  bool idle() const { return live_.empty() && kept_.empty(); }
  void release_kept();

 private:
  struct Attributes {
    tlm::tlm_command command;
    std::uint64_t address;
    unsigned char* data;
    unsigned char* enables;
    unsigned length, width, enable_length;
    std::string enabled;  // the bytes that `enables` points to
    bool operator==(const Attributes& o) const {
      return command == o.command && address == o.address && data == o.data && enables == o.enables &&
             length == o.length && width == o.width && enable_length == o.enable_length &&
             enabled == o.enabled;
    }
  };
  struct Live {
    Attributes sent;
    unsigned number = 0;  // in order of requests
    bool request_ended = false;
    bool responded = false;
  };
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(Payload&, sc_core::sc_time&) override { violation("b_transport from an AT initiator"); }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload& t) override;

  tlm::tlm_sync_enum begin_request(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void end_response(Payload& t, const sc_core::sc_time& delay);
  void check_byte_enables(const Payload& t);
  void check_request(const Payload& t, const sc_core::sc_time& delay);
  void send_end_request(Payload& t);
  void ready(Payload& t);  // the response may begin
  void respond();
  void execute(Payload& t);
  void finish(Payload& t);
  void check_unchanged(const Payload& t);
  tlm::tlm_sync_enum backward(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  static Attributes attributes(const Payload& t);
  void violation(const std::string& text);

  unsigned draw(unsigned n) { return static_cast<unsigned>(random_() % n); }
  // A delay of whole cycles, of fractions of them, or of nothing.
  sc_core::sc_time draw_delay();
  void later(const sc_core::sc_time& delay, std::function<void()> action);
  void act();

  Rules rules_;
  std::mt19937_64 random_;
  std::map<Payload*, Live> live_;
  std::map<Payload*, Attributes> kept_;  // over, but not released yet
  Payload* request_ = nullptr;           // no END_REQ yet
  sc_core::sc_time request_free_;        // when the END_REQ counts
  Payload* response_ = nullptr;          // no END_RESP yet
  sc_core::sc_time response_begin_;
  std::vector<Payload*> ready_;
  std::map<std::uint64_t, std::array<unsigned char, 128>> bytes_;
  std::multimap<sc_core::sc_time, std::function<void()>> agenda_;
  sc_core::sc_event event_;
};

}  // namespace subcore::test
