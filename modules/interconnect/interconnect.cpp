#include "subcore/modules/interconnect/interconnect.h"

#include <algorithm>
#include <ostream>

#include "subcore/modules/memory/data_access.h"

namespace subcore {

Interconnect::Interconnect(const sc_core::sc_module_name& name, unsigned sms, unsigned slices,
                           const InterconnectParameters& p, const Conductor& conductor,
                           IndexFunction slice_index)
    : TickingModule(name),
      sm_socket("sm_socket", sms + p.host_ports,
                [&](const char* n, std::size_t i) {
                  const std::string host = "host_socket_" + std::to_string(i - std::min<std::size_t>(i, sms));
                  return new MemoryInPort(i < sms ? n : host.c_str(), *this, conductor, p.queue);
                }),
      slice_socket(
          "slice_socket", slices,
          [&](const char* n, std::size_t) { return new MemoryOutPort(n, *this, conductor, p.queue); }),
      p_(p),
      sms_(sms),
      period_(conductor.period()),
      map_(slices, slice_index),
      request_(sms + p.host_ports, slices, counter_list_, "request", "packets from SMs to the L2"),
      response_(slices, sms + p.host_ports, counter_list_, "response", "packets from the L2 to SMs") {
  for (auto& s : sm_socket) {
    s.on_loosely_timed(*this);
  }
  for (unsigned s = 0; s < sm_socket.size(); ++s) sm_socket[s].note_in(request_.arrived, s);
  for (unsigned s = 0; s < slice_socket.size(); ++s) slice_socket[s].note_in(response_.arrived, s);
}

// Data go up with writes and atomics, and come back from reads and from atomics that return a value.
unsigned Interconnect::request_bytes(const Payload& t) const {
  return p_.header_bytes + (t.is_write() || atomic(t) != nullptr ? t.get_data_length() : 0);
}

unsigned Interconnect::response_bytes(const Payload& t) const {
  const AtomicExtension* a = atomic(t);
  return p_.header_bytes + (a != nullptr ? a->returns_data : t.is_read() ? 1u : 0u) * t.get_data_length();
}

// Takes in, for each destination, the oldest packet that goes there now. bytes() gives the packet's size, and
// entered(packet, source) is called. Returns when to look again at the packets that are left here; a
// destination that is full wakes this module itself. Ports without a packet are not looked at: a GPU has many
// ports, and in most cycles few of them have a packet.
template <class In, class Target, class Bytes, class Entered>
Cycle Interconnect::enter(Direction& d, In& in, Cycle now, Target target, Bytes bytes, Entered entered) {
  Cycle next = never;
  d.arrived.each([&](unsigned s) {
    auto& port = in[s];
    port.admit(now);
    Payload* t = port.front(now);
    if (t == nullptr) {
      next = std::min(next, port.next(now));
      if (port.is_quiet()) d.arrived.remove(s);
      return;
    }
    const unsigned to = target(*t);
    // The way to a destination takes no more packets than fit on it, so a destination that takes none stops
    // senders.
    if (d.flights[to].size() >= p_.latency + p_.queue) return;
    const Cycle free = std::max(d.source_free[s], d.destination_free[to]);
    next = std::min(next, std::max(now + 1, free));
    if (free > now) return;
    unsigned& best = d.best[to];
    if (!d.wanted.has(to) || port.front_stamp() < in[best].front_stamp()) best = s;
    d.wanted.add(to);
  });
  d.wanted.take([&](unsigned to) {
    const unsigned s = d.best[to];
    Payload& t = *in[s].front(now);
    const unsigned size = bytes(t);
    const Cycle cycles = cycles_for(size);
    d.source_free[s] = d.destination_free[to] = now + cycles;
    if (is_bulk(t)) (&d == &request_ ? d.source_free[s] : d.destination_free[to]) = now + bulk_cycles(size);
    ++d.counters.packets;
    d.counters.bytes += size;
    d.counters.wait_cycles += now - in[s].front_stamp();
    entered(t, s);
    in[s].pop(now);
    if (in[s].is_quiet()) {
      d.arrived.remove(s);
    } else {
      next = std::min(next, in[s].next(now));
    }
    // The packet's last byte leaves in this cycle. The receiver may use the packet one cycle later.
    d.flights[to].put({&t, now + p_.latency + cycles - 2});
    d.flying.add(to);
  });
  return next;
}

// Gives packets that have crossed to the destinations that take them, by send(destination, packet). Returns
// when to look again.
template <class Out, class Send>
Cycle Interconnect::leave(Direction& d, Out& out, Cycle now, Send send) {
  Cycle next = never;
  d.flying.each([&](unsigned to) {
    PayloadEventQueue<Flight>& flights = d.flights[to];
    auto& port = out[to];
    if (flights.due(now) && port.ready(now)) {
      Payload& t = *flights.front().payload;
      flights.pop();
      send(port, t);
      next = std::min(next, now + 1);  // there is room on the way again
    }
    if (flights.empty()) {
      d.flying.remove(to);
    } else {
      next = std::min(next, port.ready_at(std::max(now + 1, flights.next())));
    }
  });
  return next;
}

Cycle Interconnect::move_requests(Cycle now) {
  const Cycle next = enter(
      request_, sm_socket, now, [this](const Payload& t) { return map_.slice(t.get_address() / line_bytes); },
      [this](const Payload& t) { return request_bytes(t); },
      [this](Payload& t, unsigned sm) {
        if (spare_origins_.empty()) spare_origins_.push_back(std::make_unique<Origin>());
        spare_origins_.back()->sm = sm;
        t.set_extension(spare_origins_.back().release());
        spare_origins_.pop_back();
        ++under_way_;
      });
  return std::min(next, leave(request_, slice_socket, now,
                              [now](MemoryOutPort& slice, Payload& t) { slice.send(t, now); }));
}

Cycle Interconnect::move_responses(Cycle now) {
  const Cycle next = enter(
      response_, slice_socket, now, [](const Payload& t) { return t.get_extension<Origin>()->sm; },
      [this](const Payload& t) { return response_bytes(t); }, [](Payload&, unsigned) {});
  return std::min(next, leave(response_, sm_socket, now, [this, now](MemoryInPort& sm, Payload& t) {
                    spare_origins_.emplace_back(t.get_extension<Origin>());
                    t.clear_extension<Origin>();
                    --under_way_;
                    sm.respond(t, now);
                  }));
}

Cycle Interconnect::tick(Cycle now) {
  return std::min(move_requests(now), move_responses(now));
}

// A packet takes its latency and its transfer from BEGIN_REQ to BEGIN_REQ, and from BEGIN_RESP to BEGIN_RESP.
// The first cycle of the transfer is part of the latency.
void Interconnect::access(Payload& t, sc_core::sc_time& delay) {
  delay += static_cast<double>(p_.latency + cycles_for(request_bytes(t)) - 1) * period_;
  slice_of(t.get_address()).b_transport(t, delay);
  delay += static_cast<double>(p_.latency + cycles_for(response_bytes(t)) - 1) * period_;
}

unsigned Interconnect::debug(Payload& t) {
  return debug_in_pieces(
      t, [](std::uint64_t address) { return line_bytes - address % line_bytes; },
      [this](Payload& piece) { return slice_of(piece.get_address()).transport_dbg(piece); });
}

bool Interconnect::drained() const {
  return all_empty(sm_socket) && all_empty(slice_socket) && under_way_ == 0;
}

void Interconnect::report_waiting(std::ostream& out) const {
  if (under_way_ != 0) out << name() << ": " << under_way_ << " requests without a response\n";
}

std::vector<Signal> Interconnect::signals() {
  SignalList list("interconnect_");
  const auto flying = [](const Direction& d) {
    std::uint64_t n = 0;
    for (const auto& f : d.flights) n += f.size();
    return n;
  };
  list.number("under_way", 16, [this](Cycle) { return under_way_; })
      .number("requests", 16, [this, flying](Cycle) { return flying(request_); })
      .number("responses", 16, [this, flying](Cycle) { return flying(response_); })
      .per_cycle("request_bytes", 16, [this](Cycle) -> std::uint64_t { return request_.counters.bytes; })
      .per_cycle("response_bytes", 16, [this](Cycle) -> std::uint64_t { return response_.counters.bytes; });
  return list;
}

}  // namespace subcore
