// Observers of our own ports see both directions, whatever is at the other end, and each transfer, credit and
// update once.
#include <catch2/catch.hpp>

#include "tests/module/kit.h"

namespace observer_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Stamps = std::vector<Cycle>;
using Foreign = TransferProtocol<FetchTransfer>;

struct Seen : TransferObserver<FetchTransfer>, BackwardObserver<FetchTransfer> {
  Stamps sent, credits, update;
  void transferred(const FetchTransfer& t) override { sent.push_back(t.stamp); }
  void credited(const FetchTransfer& t) override { credits.push_back(t.stamp); }
  void told(const FetchTransfer& t) override { update.push_back(t.stamp); }
};

template <class Port>
void observe_both_ways(Port& port, Seen& seen) {
  port.observe(seen);
  port.observe_backward(seen);
}

// The credit of an even transfer comes on the return path, 20 cycles later. The credit of an odd one comes in
// a call of its own.
void answer(InPort<FetchTransfer>& in, FetchTransfer& t) {
  t.stamp += 20;
  if (t.stamp % 2 == 0) {
    in.accept_now();
  } else {
    in.credit(t);
  }
  FetchTransfer update{t.stamp + 100};
  in.status(update);
}

void send(OutPort<FetchTransfer>& out) {
  for (Cycle stamp = 1; stamp <= 3; ++stamp) {
    FetchTransfer t{stamp};
    out.send(t);
  }
}

void check_all(const Seen& seen) {
  CHECK(seen.sent == Stamps{1, 2, 3});
  CHECK(seen.credits == Stamps{21, 22, 23});
  CHECK(seen.update == Stamps{121, 122, 123});
}

// Ends of a path that are not our ports.
struct ForeignTarget : sc_core::sc_module, tlm::tlm_fw_transport_if<Foreign> {
  tlm::tlm_target_socket<32, Foreign> socket;
  explicit ForeignTarget(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_fw(FetchTransfer& t, tlm::tlm_phase& phase, sc_core::sc_time& d) override {
    const bool at_once = t.stamp % 2 == 0;
    t.stamp += 20;
    tlm::tlm_phase back = tlm::END_REQ;
    if (!at_once) socket->nb_transport_bw(t, back, d);
    FetchTransfer update{t.stamp + 100};
    back = status_phase;
    socket->nb_transport_bw(update, back, d);
    phase = tlm::END_REQ;
    return at_once ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
  }
  void b_transport(FetchTransfer&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(FetchTransfer&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(FetchTransfer&) override { return 0; }
};
struct ForeignInitiator : sc_core::sc_module, tlm::tlm_bw_transport_if<Foreign> {
  tlm::tlm_initiator_socket<32, Foreign> socket;
  explicit ForeignInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_bw(FetchTransfer&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace

TEST_CASE("an observer of either end sees transfers, credits and updates of a path once") {
  Source<FetchTransfer> source("source", 3);
  Sink<FetchTransfer> sink("sink");
  source.out.bind(sink.in);
  sink.react = [&](FetchTransfer& t) { answer(sink.in, t); };
  Seen at_source, at_sink, late;
  observe_both_ways(source.out, at_source);
  observe_both_ways(sink.in, at_sink);
  run_cycles(1);
  observe_both_ways(sink.in, late);  // the other end is known by now
  send(source.out);
  check_all(at_source);
  check_all(at_sink);
  check_all(late);
  CHECK(source.out.ready(100));  // and the credits are there
}

TEST_CASE("an out-port on somebody else's socket is observed in both directions") {
  Source<FetchTransfer> source("source", 3);
  ForeignTarget target("target");
  source.out.bind(target.socket);
  Seen seen;
  observe_both_ways(source.out, seen);
  run_cycles(1);
  send(source.out);
  check_all(seen);
}

TEST_CASE("an in-port on somebody else's socket is observed in both directions") {
  ForeignInitiator initiator("initiator");
  Sink<FetchTransfer> sink("sink");
  initiator.socket.bind(sink.in);
  sink.react = [&](FetchTransfer& t) { answer(sink.in, t); };
  Seen seen, late;
  observe_both_ways(sink.in, seen);
  run_cycles(1);
  observe_both_ways(sink.in, late);
  for (Cycle stamp = 1; stamp <= 3; ++stamp) {
    FetchTransfer t{stamp};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time none;
    initiator.socket->nb_transport_fw(t, phase, none);
  }
  check_all(seen);
  check_all(late);
}

TEST_CASE("a path whose ends have no handlers takes all that comes, and counts credits") {
  struct From : sc_core::sc_module {
    OutPort<FetchTransfer> out;
    explicit From(const sc_core::sc_module_name& name) : sc_module(name), out("out", 1) {}
  } sender("sender");
  struct To : sc_core::sc_module {
    InPort<FetchTransfer> in;
    explicit To(const sc_core::sc_module_name& name) : sc_module(name), in("in") {}
  } receiver("receiver");
  sender.out.bind(receiver.in);
  run_cycles(1);
  FetchTransfer t{5}, credit{7}, update{8};
  sender.out.send(t);
  CHECK_FALSE(sender.out.ready(100));
  receiver.in.status(update);
  CHECK_FALSE(sender.out.ready(100));
  receiver.in.credit(credit);
  CHECK(sender.out.ready_at(5) == 7);
}

}  // namespace observer_test
