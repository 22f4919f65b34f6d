// Scripted ends of the memory hierarchy: an SM's load/store unit that asks, and a memory that answers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/modules/memory/memory_lines.h"
#include "subcore/modules/memory/memory_port.h"
#include "subcore/modules/memory/memory_transaction.h"
#include "tests/module/kit.h"

namespace subcore::test {

using Cycles = std::vector<Cycle>;

// Sends its requests in order, each in its cycle or as soon after as the path is free.
class Requester : public TickingModule {
 public:
  struct Request {
    Cycle at;
    char what;  // r, w, e (write with byte enables), a (atomic), d (reduction)
    std::uint64_t address;
    unsigned bytes = 32;
    Cycle sent = never;
    Cycle answered = never;
    unsigned answers = 0;
    ByteMask enabled{};  // bytes that e enables
  };
  MemoryOutPort out;
  std::vector<Request> requests;

  Requester(const sc_core::sc_module_name& name, const Conductor& conductor)
      : TickingModule(name), out("out", *this, conductor, 100000) {}
  Cycle tick(Cycle now) override {
    while (Payload* t = out.front(now)) {
      Request& r = requests[static_cast<MemoryTransaction*>(t)->entry];
      r.answered = out.front_stamp() - 1;
      ++r.answers;
      out.pop(now);
      static_cast<MemoryTransaction*>(t)->release();
    }
    if (next_ < requests.size() && requests[next_].at <= now && out.ready(now)) {
      Request& r = requests[next_];
      MemoryTransaction& t =
          pool_.acquire(r.what == 'w' || r.what == 'e' ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                        r.address, r.bytes);
      if (r.what == 'a' || r.what == 'd') t.mark_atomic(r.what == 'a');
      if (r.what == 'e') t.enable_bytes(r.enabled);
      t.entry = static_cast<std::uint32_t>(next_++);
      r.sent = now;
      out.send(t, now);
    }
    Cycle next = out.next(now);
    if (next_ < requests.size()) next = std::min(next, out.ready_at(std::max(now + 1, requests[next_].at)));
    return next;
  }
  Cycles answered() const {
    Cycles all;
    for (const Request& r : requests) all.push_back(r.answered);
    return all;
  }
  bool drained() const override { return next_ == requests.size() && out.empty() && pool_.in_use() == 0; }

 private:
  TransactionPool pool_;
  std::size_t next_ = 0;
};

// Answers each request `latency` cycles after it was sent, in order. Logs "cycle: r address bytes", and the
// number of enabled bytes, unless all are enabled.
class Backend : public TickingModule {
 public:
  MemoryInPort in;
  std::vector<std::string> seen;

  Backend(const sc_core::sc_module_name& name, const Conductor& conductor, Cycle latency)
      : TickingModule(name), in("in", *this, conductor, 1000), latency_(latency) {}
  Cycle tick(Cycle now) override {
    in.admit(now);
    while (Payload* t = in.front(now)) {
      const Cycle sent = in.front_stamp() - 1;
      seen.push_back(std::to_string(sent) + ": " +
                     (t->is_write() ? "w "
                      : atomic(*t)  ? "a "
                                    : "r ") +
                     std::to_string(t->get_address()) + " " + std::to_string(t->get_data_length()) +
                     enabled(*t));
      answers_.push_back({t, sent + latency_});
      in.pop(now);
      t->set_response_status(tlm::TLM_OK_RESPONSE);
    }
    if (!answers_.empty() && answers_.front().second <= now && in.ready(now)) {
      Payload* t = answers_.front().first;
      answers_.pop_front();
      in.respond(*t, now);
    }
    Cycle next = in.next(now);
    if (!answers_.empty()) next = std::min(next, in.ready_at(std::max(now + 1, answers_.front().second)));
    return next;
  }

 private:
  static std::string enabled(const Payload& t) {
    if (t.get_byte_enable_ptr() == nullptr) return "";
    unsigned bytes = 0;
    for (const std::uint32_t sector : accessed_bytes(t)) bytes += bits::count(sector);
    return " of which " + std::to_string(bytes);
  }
  Cycle latency_;
  Ring<std::pair<Payload*, Cycle>> answers_;
};

}  // namespace subcore::test
