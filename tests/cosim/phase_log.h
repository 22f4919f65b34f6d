// An observer of a base-protocol socket that counts phases and checks their order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "subcore/modules/protocol/transport_socket.h"

namespace subcore::test {

class PhaseLog : public TransportObserver {
 public:
  unsigned begin_requests = 0, end_requests = 0, begin_responses = 0, end_responses = 0, blocking_calls = 0;
  std::vector<std::string> violations;
  std::vector<sc_core::sc_time> response_delays;

  void forward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time&) override {
    if (phase == tlm::BEGIN_REQ) {
      ++begin_requests;
      step(t, 0, phase);
    } else {
      if (phase == tlm::END_RESP) ++end_responses;
      step(t, 3, phase);
    }
  }
  void backward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) {
      ++end_requests;
      step(t, 1, phase);
    } else {
      if (phase == tlm::BEGIN_RESP) {
        ++begin_responses;
        response_delays.push_back(delay);
      }
      step(t, 2, phase);
    }
  }
  void blocking(const Payload&, const sc_core::sc_time&) override { ++blocking_calls; }

  // Whether all four phases of `transactions` transactions came, in order.
  bool all_four(std::uint64_t transactions) const {
    return violations.empty() && under_way_.empty() && begin_requests == transactions &&
           end_requests == transactions && begin_responses == transactions && end_responses == transactions;
  }

 private:
  void step(const Payload& t, int number, const tlm::tlm_phase& phase) {
    if (under_way_[&t]++ != number) violations.push_back(std::string(phase.get_name()) + " out of order");
    if (number == 3) under_way_.erase(&t);
  }
  std::map<const Payload*, int> under_way_;  // number of phases seen
};

}  // namespace subcore::test
