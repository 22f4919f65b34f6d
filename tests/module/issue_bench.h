// The issue scheduler between test sockets. A transfer to it in t counts from t+1 on, and an instruction that
// it issues in t is sent in t. A collector takes no second instruction before its update says that the
// collector is free.
#pragma once

#include "subcore/modules/issue_scheduler/issue_scheduler.h"
#include "tests/module/socket_kit.h"

namespace subcore::test {

struct IssueOptions {
  SchedulerParameters scheduler;
  const char* allocation = "private";
  unsigned collectors = 2;
  bool has_cache = false;
};

// Two warp slots.
struct IssueBench : SocketBench {
  IssueBench(const sc_core::sc_module_name& name, TickOrder order, const IssueOptions& o)
      : SocketBench(name, order),
        scheduler("scheduler", o.scheduler, *Chosen<AllocationChoice>(o.allocation),
                  {2, o.collectors, 1, false, o.has_cache}),
        player("player"),
        arbiter("arbiter"),
        barrier_sink("barrier_sink"),
        dispatcher("dispatcher"),
        control("control") {
    add(scheduler);
    player.out.bind(scheduler.instruction_socket);
    player.on_credit = [=](const FetchTransfer& t) { note(t.stamp, numbered("credit s", t.warp_slot)); };
    player.on_update = [=](const FetchTransfer& t) {
      note(t.stamp, (t.kind == FetchTransfer::Kind::retired ? "retired i" : "issued i") +
                        std::to_string(t.instruction->sequence));
    };
    for (unsigned c = 0; c < o.collectors; ++c) {
      scheduler.issue_socket[c].bind(collectors.emplace_back(numbered("collector", c).c_str()).in);
      collectors[c].react = [=](IssueTransfer& t) {
        note(t.stamp, numbered("issue i", t.instruction->sequence) + numbered(" c", c));
      };
    }
    arbiter.out.bind(scheduler.retire_socket);
    scheduler.barrier_socket.bind(barrier_sink.in);
    barrier_sink.react = [=](BarrierTransfer& t) { note(t.stamp, numbered("barrier s", t.warp_slot)); };
    dispatcher.out.bind(scheduler.entered_socket);
    control.out.bind(scheduler.sthld_socket);
    if (!o.has_cache) return;
    cache = std::make_unique<Sink<WarpTransfer>>("cache");
    scheduler.warp_socket[0].bind(cache->in);
    cache->react = [=](WarpTransfer& t) {
      static constexpr const char* words[] = {"issued", "enters", "leaves", "registers_moved"};
      note(t.stamp, numbered("cache s", t.warp_slot) + " " + words[static_cast<unsigned>(t.kind)] +
                        (t.instruction != nullptr ? numbered(" i", t.instruction->sequence) : ""));
    };
  }
  // Slot s has warp s + 1.
  Instruction* fetch(Cycle t, unsigned s, const Op& op) {
    Instruction* i = instructions.add(op);
    i->warp_slot = static_cast<std::uint16_t>(s);
    i->warp_uid = s + 1;
    at(t, [=] { player.send({0, i, i->warp_slot}, next()); });
    return i;
  }
  // A transfer over port R: the instruction that has left, or null for status only.
  void update(Cycle t, unsigned c, Instruction* left, bool free = true, Cycle stamp = 0) {
    at(t, [=] {
      IssueTransfer n{stamp == 0 ? next() : stamp, left,
                      left != nullptr ? IssueTransfer::Kind::left : IssueTransfer::Kind::status};
      n.status.free = free;
      left != nullptr ? collectors[c].in.credit(n) : collectors[c].in.status(n);
    });
  }
  void retire(Cycle t, const std::vector<Instruction*>& all) {
    at(t, [=] {
      for (Instruction* i : all) arbiter.send({0, i}, next());
    });
  }
  void set_sthld(Cycle t, std::uint32_t threshold) {
    at(t, [=] { control.send({0, threshold}, next()); });
  }
  void registers_moved(Cycle t, unsigned s) {
    at(t, [=] {
      WarpTransfer w{next(), nullptr, static_cast<std::uint16_t>(s), WarpTransfer::Kind::registers_moved};
      cache->in.status(w);
    });
  }
  IssueScheduler& module() { return scheduler; }

  IssueScheduler scheduler;
  Sender<FetchTransfer> player;
  Sinks<IssueTransfer> collectors;
  Sender<RetireTransfer> arbiter;
  Sink<BarrierTransfer> barrier_sink;
  Sender<EnteredTransfer> dispatcher;
  Sender<ControlTransfer> control;
  std::unique_ptr<Sink<WarpTransfer>> cache;
};

}  // namespace subcore::test
