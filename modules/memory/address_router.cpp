#include "subcore/modules/memory/address_router.h"

#include "subcore/modules/memory/data_access.h"
#include "subcore/modules/protocol/failure.h"

namespace subcore {

AddressRouter::AddressRouter(const sc_core::sc_module_name& name, std::vector<Range> ranges)
    : Module(name),
      target_socket("target_socket", *this),
      initiator_socket(
          "initiator_socket", ranges.size(),
          [this](const char* n, std::size_t r) { return new Exit(n, *this, static_cast<unsigned>(r)); }),
      map_(std::move(ranges)) {
  const std::string problem = map_.problem();
  if (!problem.empty()) fail(report_id::memory_map, std::string(this->name()) + ": " + problem);
}

// The target of a request; nowhere if no range contains the whole request.
AddressMap::Destination AddressRouter::target_of(const Payload& t) const {
  const AddressMap::Destination p = map_.find(t.get_address());
  return std::uint64_t{t.get_data_length()} - 1 <= p.more ? p : AddressMap::Destination{};
}

void AddressRouter::enter(Payload& t, const AddressMap::Destination& target) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Way>());
  Way* way = spare_.back().release();
  spare_.pop_back();
  way->address = t.get_address();
  way->range = target.range;
  way->held = false;
  way->outer = t.set_extension(way);
  t.set_address(target.address);
}

AddressRouter::Response AddressRouter::leave(Payload& t) {
  Way* way = t.get_extension<Way>();
  const Response r{&t, way->range, t.get_address()};
  t.set_extension(way->outer);
  t.set_address(way->address);
  t.set_dmi_allowed(false);
  way->outer = nullptr;
  spare_.emplace_back(way);
  return r;
}

tlm::tlm_sync_enum AddressRouter::nb_transport_fw(Payload& t, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (responding_.payload != &t) return tlm::TLM_COMPLETED;
    const tlm::tlm_sync_enum answer = end_response(responding_, phase, delay);
    responding_ = {};
    respond_next();
    return answer;  // the initiator judges the answer
  }
  const AddressMap::Destination to = target_of(t);
  if (to.range == AddressMap::Destination::nowhere) {
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  enter(t, to);
  const tlm::tlm_sync_enum answer = initiator_socket[to.range]->nb_transport_fw(t, phase, delay);
  Way* const way = t.get_extension<Way>();
  if (way == nullptr) return answer;  // the response has come by a call; the initiator judges the answer
  if (answer == tlm::TLM_COMPLETED) leave(t);
  if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    if (responding_.payload == nullptr && held_.empty()) {
      responding_ = leave(t);
    } else {
      hold(t, *way, delay);
      phase = tlm::END_REQ;
      delay = sc_core::SC_ZERO_TIME;
    }
  }
  return answer;
}

tlm::tlm_sync_enum AddressRouter::backward(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  // The initiator judges calls for requests that are not under way.
  Way* const way = t.get_extension<Way>();
  if (phase != tlm::BEGIN_RESP || way == nullptr) return target_socket->nb_transport_bw(t, phase, delay);
  if (responding_.payload != nullptr || way->held) {
    hold(t, *way, delay);
    return tlm::TLM_ACCEPTED;
  }
  responding_ = leave(t);
  const tlm::tlm_sync_enum answer = target_socket->nb_transport_bw(t, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    responding_ = {};
  return answer;
}

void AddressRouter::hold(Payload& t, Way& way, const sc_core::sc_time& delay) {
  if (!way.held) {
    way.held = true;
    held_.push_back({&t, sc_core::sc_time_stamp() + delay});
    return;
  }
  const std::uint64_t seen = t.get_address();
  t.set_address(way.address);
  breach_.report(*this, "a target", "BEGIN_RESP twice, " + request_text(t));
  t.set_address(seen);
}

// Ends a response. The target may look at its payload once more, and then the payload is given back.
tlm::tlm_sync_enum AddressRouter::end_response(const Response& r, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  Payload& t = *r.payload;
  const std::uint64_t address = t.get_address();
  t.acquire();
  t.set_address(r.seen);
  const tlm::tlm_sync_enum answer = initiator_socket[r.range]->nb_transport_fw(t, phase, delay);
  t.set_address(address);
  t.release();
  return answer;
}

void AddressRouter::respond_next() {
  while (responding_.payload == nullptr && !held_.empty()) {
    Payload& t = *held_.front().payload;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    sc_core::sc_time delay = held_.front().from > now ? held_.front().from - now : sc_core::SC_ZERO_TIME;
    held_.pop_front();
    const Response r = responding_ = leave(t);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    t.acquire();  // the initiator may be done with the payload before its target is
    const tlm::tlm_sync_enum answer = target_socket->nb_transport_bw(t, phase, delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = {};
      phase = tlm::END_RESP;
      if (end_response(r, phase, delay) == tlm::TLM_UPDATED)
        breach_.report(
            *this, "a target",
            "TLM_UPDATED from nb_transport_fw(END_RESP), after which no phase may come, " + request_text(t));
    }
    t.release();
  }
}

void AddressRouter::b_transport(Payload& t, sc_core::sc_time& delay) {
  const AddressMap::Destination to = target_of(t);
  if (to.range == AddressMap::Destination::nowhere) {
    t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else {
    const std::uint64_t address = t.get_address();
    t.set_address(to.address);
    initiator_socket[to.range]->b_transport(t, delay);
    t.set_address(address);
  }
  t.set_dmi_allowed(false);
}

void AddressRouter::invalidate(unsigned range, std::uint64_t begin, std::uint64_t end) {
  AddressMap::Span addresses;
  if (map_.find_back(range, {begin, end}, addresses))
    target_socket->invalidate_direct_mem_ptr(addresses.first, addresses.second);
}

unsigned AddressRouter::transport_dbg(Payload& t) {
  const auto at_once = [this](std::uint64_t address) {
    const AddressMap::Destination p = map_.find(address);
    if (p.range == AddressMap::Destination::nowhere) return std::uint64_t{0};
    return p.more == ~std::uint64_t{0} ? p.more : p.more + 1;
  };
  return debug_in_pieces(t, at_once, [this](Payload& piece) {
    const AddressMap::Destination p = map_.find(piece.get_address());
    piece.set_address(p.address);
    return initiator_socket[p.range]->transport_dbg(piece);
  });
}

}  // namespace subcore
