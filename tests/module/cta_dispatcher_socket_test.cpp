// The CTA dispatcher between test sockets: two sub-cores of two warp slots (slot w of the SM is slot w / 2 of
// sub-core w mod 2), two CTA slots. Transfers to it in t have their effect in t+1.
#include "subcore/modules/cta_dispatcher/cta_dispatcher.h"
#include "tests/module/socket_kit.h"

namespace cta_dispatcher_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct CtaBench : SocketBench {
  CtaBench(const sc_core::sc_module_name& name, TickOrder order)
      : SocketBench(name, order), dispatcher("dispatcher", 2, 2, 2), kernel("kernel"), stores("stores") {
    add(dispatcher);
    kernel.out.bind(dispatcher.cta_socket);
    kernel.on_update = [=](const CtaTransfer& t) {
      REQUIRE(t.kind == CtaTransfer::Kind::finished);
      note(t.stamp, numbered("over ", t.cta->id.x));
    };
    for (unsigned s = 0; s < 2; ++s) {
      dispatcher.launch_socket[s].bind(players.emplace_back(numbered("player", s).c_str()).in);
      players[s].react = [=](LaunchTransfer& t) {
        note(t.stamp, numbered("launch s", t.warp_slot * 2u + s) + numbered(" warp ", t.warp->warp) +
                          numbered(" uid ", t.warp_uid) + numbered(" cta ", t.cta_slot));
      };
    }
    for (unsigned s = 0; s < 2; ++s) {
      barriers.emplace_back(numbered("sub_core", s).c_str()).out.bind(dispatcher.barrier_socket[s]);
      barriers[s].on_update = [=](const BarrierTransfer& t) {
        REQUIRE(t.kind == BarrierTransfer::Kind::released);
        note(t.stamp, numbered("go on s", t.warp_slot * 2u + s));
      };
    }
    stores.out.bind(dispatcher.store_socket);
  }
  // Sends a CTA of `count` warps; CTAs are numbered in the order of these calls.
  void cta(Cycle t, unsigned count) {
    program.add(std::vector<WarpOps>(count, WarpOps{barrier()}));
    const CtaTrace* c = &program.ctas.back();
    at(t, [=] { kernel.send({0, c}, next()); });
  }
  void finish(Cycle t, unsigned w) {
    at(t, [=] {
      LaunchTransfer l;
      l.stamp = next();
      l.warp_slot = static_cast<std::uint16_t>(w / 2);
      l.kind = LaunchTransfer::Kind::finished;
      players[w % 2].in.status(l);
    });
  }
  void arrive(Cycle t, unsigned w) {
    at(t, [=] { barriers[w % 2].send({0, static_cast<std::uint16_t>(w / 2)}, next()); });
  }
  void arrive_named(Cycle t, unsigned w, std::uint8_t name, std::uint8_t warps,
                    BarrierTransfer::Kind kind = BarrierTransfer::Kind::reached) {
    at(t, [=] { barriers[w % 2].send({0, static_cast<std::uint16_t>(w / 2), kind, name, warps}, next()); });
  }
  void store(Cycle t, unsigned cta_slot, StoreTransfer::Kind kind) {
    at(t, [=] { stores.send({0, static_cast<std::uint16_t>(cta_slot), kind}, next()); });
  }
  CtaDispatcher& module() { return dispatcher; }

  Program program;
  CtaDispatcher dispatcher;
  Sender<CtaTransfer> kernel;
  Sinks<LaunchTransfer> players;
  Senders<BarrierTransfer> barriers;
  Sender<StoreTransfer> stores;
};

using Play = std::function<void(CtaBench&)>;

}  // namespace

TEST_CASE("CTA dispatcher sockets: warps take the free slots in order, and slots are used again") {
  // CTA 0 takes slots 0 and 1, CTA 1 slot 2. Slot 0 is left in 5 and CTA 0 in 6; CTA 2 comes in 6, too, and
  // finds slots 0, 1 and 3 and the first CTA slot.
  expect<CtaBench>({"1: launch s0 warp 0 uid 1 cta 0", "1: launch s1 warp 1 uid 2 cta 0",
                    "2: launch s2 warp 0 uid 3 cta 1", "6: launch s0 warp 0 uid 4 cta 0",
                    "6: launch s1 warp 1 uid 5 cta 0", "6: launch s3 warp 2 uid 6 cta 0", "6: over 0",
                    "9: over 1", "9: over 2"},
                   Play([](CtaBench& b) {
                     b.cta(0, 2);
                     b.cta(1, 1);
                     b.finish(4, 0);
                     b.finish(5, 1);
                     b.cta(5, 3);
                     for (unsigned w = 0; w < 4; ++w) b.finish(8, w);
                   }));
}

TEST_CASE("CTA dispatcher sockets: a barrier opens when the last live warp has come, or has finished") {
  // CTA 0: slots 0, 1, 2; CTA 1: slot 3, alone at its barrier. The first barrier opens in 6, with the third
  // warp; the second in 9, when the third has finished instead of coming.
  expect<CtaBench>(
      {"1: launch s0 warp 0 uid 1 cta 0", "1: launch s1 warp 1 uid 2 cta 0",
       "1: launch s2 warp 2 uid 3 cta 0", "2: launch s3 warp 0 uid 4 cta 1", "4: go on s3", "6: go on s0",
       "6: go on s1", "6: go on s2", "9: go on s0", "9: go on s1", "12: over 0", "12: over 1"},
      Play([](CtaBench& b) {
        b.cta(0, 3);
        b.cta(1, 1);
        b.arrive(3, 3);
        b.arrive(3, 1);
        b.arrive(4, 0);
        b.arrive(5, 2);
        b.arrive(7, 0);
        b.arrive(7, 1);
        b.finish(8, 2);
        for (const unsigned w : {0u, 1u, 3u}) b.finish(11, w);
      }));
}

TEST_CASE("CTA dispatcher sockets: barriers have names and numbers of warps, and an announced warp goes on") {
  // Slots 0 and 3 meet at barrier 1 in 4, slot 1 at barrier 2 in 6 with slot 2, which does not wait.
  const auto announced = BarrierTransfer::Kind::announced;
  expect<CtaBench>({"1: launch s0 warp 0 uid 1 cta 0", "1: launch s1 warp 1 uid 2 cta 0",
                    "1: launch s2 warp 2 uid 3 cta 0", "1: launch s3 warp 3 uid 4 cta 0", "4: go on s0",
                    "4: go on s3", "6: go on s1", "12: over 0"},
                   Play([=](CtaBench& b) {
                     b.cta(0, 4);
                     b.arrive_named(2, 0, 1, 2);
                     b.arrive_named(2, 1, 2, 2);
                     b.arrive_named(3, 3, 1, 2);
                     b.arrive_named(5, 2, 2, 2, announced);
                     for (unsigned w = 0; w < 4; ++w) b.finish(11, w);
                   }));
}

TEST_CASE("CTA dispatcher sockets: a CTA is over when its warps are and its stores have been answered") {
  // CTA 0's only warp finishes in 5; its two stores are answered in 4 and 8. CTA 1's store comes in the cycle
  // in which its warp finishes, and is answered in 10.
  expect<CtaBench>(
      {"1: launch s0 warp 0 uid 1 cta 0", "2: launch s1 warp 0 uid 2 cta 1", "8: over 0", "10: over 1"},
      Play([](CtaBench& b) {
        b.cta(0, 1);
        b.cta(1, 1);
        b.store(2, 0, StoreTransfer::Kind::over);
        b.at(3, [&b] {
          b.stores.send({0, 0, StoreTransfer::Kind::over}, 4);
          b.stores.send({0, 0, StoreTransfer::Kind::answered}, 4);
        });
        b.finish(4, 0);
        b.finish(6, 1);
        b.store(6, 1, StoreTransfer::Kind::over);
        b.store(7, 0, StoreTransfer::Kind::answered);
        b.store(9, 1, StoreTransfer::Kind::answered);
      }));
}

}  // namespace cta_dispatcher_socket_test
