#include "subcore/modules/memory/at_initiator.h"

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>

#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

bool PayloadSet::remove(const Payload& t) {
  std::size_t hole = slot_of(&t);
  if (slots_[hole] == nullptr) return false;
  --count_;
  slots_[hole] = nullptr;
  // A payload that stands behind its home slot, because that slot was taken, may move up into the hole.
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t n = (hole + 1) & mask; slots_[n] != nullptr; n = (n + 1) & mask) {
    const std::size_t first = home_slot(slots_[n]);
    if (((n - first) & mask) < ((n - hole) & mask)) continue;
    slots_[hole] = slots_[n];
    slots_[n] = nullptr;
    hole = n;
  }
  return true;
}

void PayloadSet::grow() {
  std::vector<const Payload*> all(2 * slots_.size());
  all.swap(slots_);
  for (const Payload* t : all)
    if (t != nullptr) put(t);
}

AtInitiator::Progress AtInitiator::begin(Payload& t, sc_core::sc_time& delay, Cycle next) {
  request_ = &t;
  free_ = next;
  if (!trusted_) under_way_.add(t);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const tlm::tlm_sync_enum answer = socket_.nb_transport_fw(t, phase, delay);
  // The target may have called back before it answered, and the model may have failed in that call.
  if (conductor_.failed()) throw Failure("the target's call has failed");
  if (answer == tlm::TLM_ACCEPTED) return Progress::none;
  if (answer == tlm::TLM_UPDATED && phase != tlm::END_REQ && phase != tlm::BEGIN_RESP)
    broken(t, "TLM_UPDATED from nb_transport_fw(BEGIN_REQ) with neither END_REQ nor BEGIN_RESP");
  if (request_ != &t)
    broken(t, answer == tlm::TLM_COMPLETED ? "TLM_COMPLETED for a request that has ended by a call"
              : phase == tlm::END_REQ      ? "END_REQ for a request that has ended"
                                           : "BEGIN_RESP returned for a request that has ended by a call");
  request_ = nullptr;
  watch_.request_ended();
  if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    if (delay != sc_core::SC_ZERO_TIME) free_ = conductor_.cycle_after(delay) + 1;
    return Progress::request_ended;
  }
  if (answer == tlm::TLM_UPDATED) {
    answered(t);
    owed_ = &t;
    return Progress::response;
  }
  if (!trusted_) under_way_.remove(t);
  watch_.response_ended_otherwise();
  return Progress::completed;
}

void AtInitiator::end(Payload& t, sc_core::sc_time delay) {
  owed_ = nullptr;
  watch_.response_ended_otherwise();
  tlm::tlm_phase phase = tlm::END_RESP;
  if (socket_.nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED)
    broken(t, "TLM_UPDATED from nb_transport_fw(END_RESP), after which no phase may come");
  if (conductor_.failed()) throw Failure("the target's call has failed");
}

bool AtInitiator::heard(const Payload& t, const tlm::tlm_phase& phase, bool another_waits) {
  if (phase == tlm::BEGIN_RESP) {
    answered(t);
    if (request_ == &t) {
      request_ = nullptr;
      watch_.request_end_implied(another_waits);
    }
    return true;
  }
  if (phase == tlm::END_REQ) {
    if (request_ != &t) broken(t, "END_REQ for a request that has ended");
    request_ = nullptr;
    watch_.request_ended();
    return true;
  }
  if (phase > tlm::END_RESP) return false;
  broken(t, "a phase on the backward path that is neither END_REQ nor BEGIN_RESP");
}

void AtInitiator::answered(const Payload& t) {
  if (owed_ != nullptr) broken(t, "BEGIN_RESP before the END_RESP of the response before");
  if (!trusted_ && !under_way_.remove(t))
    broken(t, "BEGIN_RESP for a request that has been answered, or was never sent");
}

// Reports a breach. The payload may be any: never sent, or answered long ago. describe_ writes nothing about
// payloads that it does not know.
void AtInitiator::broken(const Payload& t, const char* problem) const {
  std::ostringstream text;
  text << breach_text(socket_, "the target", problem) << ", " << request_text(t);
  if (describe_) describe_(text, t);
  fail(report_id::protocol, text.str());
}

void AtInitiator::refused(const Payload& t) const {
  std::ostringstream text;
  text << socket_.name() << ": the memory answered " << t.get_response_string() << " to a "
       << request_text(t);
  if (describe_) describe_(text, t);
  if (t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    text << "; expected a response status to be set";
  if (t.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE)
    text << "; a target without byte enables needs load_store.byte_enables: false, and transport_dbg if it "
            "has data to keep";
  fail(report_id::memory_response, text.str());
}

void AtInitiator::report_request(std::ostream& out, const char* name) const {
  if (request_ != nullptr)
    out << name << ": the request at 0x" << std::hex << request_->get_address() << std::dec
        << " has had no END_REQ\n";
}

void AtInitiator::report_requests(std::ostream& out, const char* name) const {
  report_request(out, name);
  if (under_way_.size() == 0) return;
  std::uint64_t lowest = ~std::uint64_t{0};
  under_way_.for_each([&](const Payload& t) { lowest = std::min<std::uint64_t>(lowest, t.get_address()); });
  out << name << ": " << under_way_.size() << " requests wait for the target's response, the lowest at 0x"
      << std::hex << lowest << std::dec << '\n';
}

void TargetWatch::warn() {
  warned_ = true;
  SC_REPORT_WARNING(
      report_id::memory,
      (std::string(socket_.name()) + ": the target takes one request at a time: it has ended " +
       std::to_string(held_up) +
       " in a row only by their responses, while others waited to be sent (as a "
       "tlm_utils::simple_target_socket does of which only b_transport is registered); register "
       "an nb_transport_fw that returns END_REQ, or put an AtToLt in front of it")
          .c_str());
}

void TargetWatch::report_waiting(std::ostream& out, const char* name) const {
  if (group_ == nullptr || ended_otherwise_ || ended_on_return_ == 0) return;
  out << name << ": all " << ended_on_return_
      << " responses of the target were ended on the return path of BEGIN_RESP; if it waits for END_RESP, "
         "set "
      << group_ << ".end_resp to " << (end_response_ == EndResponse::completed ? "updated or call" : "call")
      << '\n';
}

}  // namespace subcore
