#include "subcore/modules/dram_channel/dram_channel.h"

#include <algorithm>
#include <ostream>

namespace subcore {

DramChannel::DramChannel(const sc_core::sc_module_name& name, unsigned slices, const DramParameters& p,
                         const Conductor& conductor)
    : TickingModule(name),
      slice_socket(
          "slice_socket", slices,
          [&](const char* n, std::size_t) { return new MemoryInPort(n, *this, conductor, p.queue); }),
      p_(p),
      period_(conductor.period()),
      channel_(p.bytes_per_cycle),
      answers_(slices) {
  for (auto& s : slice_socket) {
    s.on_loosely_timed(*this);
  }
}

// An LT access takes the time from BEGIN_REQ to BEGIN_RESP of an idle channel.
void DramChannel::access(Payload& t, sc_core::sc_time& delay) {
  ++(t.is_write() ? counters_.blocking_writes : counters_.blocking_reads);
  const Cycle transfer = (channel_.occupied(t.get_data_length()) + Bandwidth::cycle - 1) / Bandwidth::cycle;
  delay += static_cast<double>(p_.latency + std::max<Cycle>(1, transfer) - 1) * period_;
  t.set_response_status(tlm::TLM_OK_RESPONSE);
}

Cycle DramChannel::tick(Cycle now) {
  for (auto& s : slice_socket) {
    const Cycle waited = s.admit(now);
    counters_.stalls += waited != 0 ? 1u : 0u;
    counters_.stall_cycles += waited;
  }
  Cycle next = never;
  // A fast channel may serve several requests in one cycle.
  while (free_ / Bandwidth::cycle <= now) {
    int first = -1;
    for (unsigned s = 0; s < slice_socket.size(); ++s) {
      // If a slice does not take its answers, only its own requests stop here.
      if (slice_socket[s].front(now) == nullptr || answers_[s].size() >= p_.latency + p_.queue) continue;
      if (first < 0 ||
          slice_socket[s].front_stamp() < slice_socket[static_cast<unsigned>(first)].front_stamp())
        first = static_cast<int>(s);
    }
    if (first < 0) break;
    MemoryInPort& in = slice_socket[static_cast<unsigned>(first)];
    Payload& t = *in.front(now);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    ++(t.is_write() ? counters_.writes : counters_.reads);
    counters_.bytes += t.get_data_length();
    counters_.wait_cycles += now - in.front_stamp();
    free_ = std::max(free_, now * Bandwidth::cycle) + channel_.occupied(t.get_data_length());
    // The first bytes come after the latency. The last bytes of a slow channel come later.
    const Cycle transfer = (free_ + Bandwidth::cycle - 1) / Bandwidth::cycle - now;
    answers_[static_cast<unsigned>(first)].put({&t, now + p_.latency + std::max<Cycle>(1, transfer) - 2});
    in.pop(now);
  }
  for (unsigned s = 0; s < slice_socket.size(); ++s) {
    MemoryInPort& in = slice_socket[s];
    PayloadEventQueue<Answer>& answers = answers_[s];
    if (answers.due(now) && in.ready(now)) {
      in.respond(*answers.front().payload, now);
      answers.pop();
      next = std::min(next, now + 1);
    }
    if (!answers.empty()) next = std::min(next, in.ready_at(std::max(now + 1, answers.next())));
    if (in.front(now) == nullptr) {
      next = std::min(next, in.next(now));
    } else if (answers.size() < p_.latency + p_.queue) {
      next = std::min(next, std::max(now + 1, free_ / Bandwidth::cycle));
    }
  }
  return next;
}

void DramChannel::report_waiting(std::ostream& out) const {
  for (unsigned s = 0; s < answers_.size(); ++s) {
    if (!answers_[s].empty())
      out << name() << ": " << answers_[s].size() << " requests of port " << s << " are under way\n";
  }
}

std::vector<Signal> DramChannel::signals() {
  SignalList list(std::string(basename()) + '_');
  const auto under_way = [this] {
    std::uint64_t n = 0;
    for (const auto& a : answers_) n += a.size();
    return n;
  };
  list.number("under_way", 16, [under_way](Cycle) { return under_way(); })
      .number("busy_until", 48,
              [this, under_way](Cycle) {
                return under_way() == 0 ? Signal::x : (free_ + Bandwidth::cycle - 1) / Bandwidth::cycle - 1;
              })
      .per_cycle("bytes", 16, [this](Cycle) -> std::uint64_t { return counters_.bytes; });
  return list;
}

}  // namespace subcore
