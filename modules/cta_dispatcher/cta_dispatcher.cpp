#include "subcore/modules/cta_dispatcher/cta_dispatcher.h"

#include <algorithm>
#include <ostream>

namespace subcore {

CtaDispatcher::CtaDispatcher(const sc_core::sc_module_name& name, unsigned sub_cores, unsigned warp_slots,
                             unsigned cta_slots, const std::optional<MbarrierTiming>& mbarriers)
    : TickingModule(name),
      cta_socket("cta_socket"),
      launch_socket("launch_socket", sub_cores),
      barrier_socket("barrier_socket", sub_cores),
      store_socket("store_socket"),
      mbarrier_socket("mbarrier_socket", mbarriers.has_value() ? 1 : 0),
      sub_cores_(sub_cores),
      ctas_(cta_slots),
      cta_of_warp_(std::size_t{sub_cores} * warp_slots, -1),
      mbarrier_timing_(mbarriers.value_or(MbarrierTiming{})),
      mbarrier_waits_(counter_list_, mbarriers.has_value(), "mbarrier_waits", "waits",
                      "waits of warps for phases of mbarriers"),
      incomplete_(counter_list_, mbarriers.has_value(), "incomplete_mbarriers", "waits",
                  "waits at mbarriers that ended without the phase, because every warp of the CTA waited") {
  for (auto& s : mbarrier_socket) s.on_receive<&CtaDispatcher::mbarrier_told>(this);
  cta_socket.on_receive<&CtaDispatcher::arrived>(this);
  for (unsigned s = 0; s < sub_cores; ++s) {
    launch_socket[s].on_status<&CtaDispatcher::warp_finished>(this, s);
    barrier_socket[s].on_receive<&CtaDispatcher::reached_barrier>(this, s);
  }
  store_socket.on_receive<&CtaDispatcher::store_came>(this);
}

void CtaDispatcher::arrived(unsigned, CtaTransfer& t) {
  if (t.kernel_start != kernel_start_) {
    kernel_start_ = t.kernel_start;
    if (on_kernel_) on_kernel_(kernel_start_);
  }
  ++handed_over_;
  arriving_.put(t);
  wake(t.stamp);
}

void CtaDispatcher::warp_finished(unsigned sub_core, LaunchTransfer& t) {
  finished_.put({t.stamp, t.warp_slot * sub_cores_ + sub_core});
  wake(t.stamp);
}

void CtaDispatcher::reached_barrier(unsigned sub_core, BarrierTransfer& t) {
  const unsigned slot = t.warp_slot * sub_cores_ + sub_core;
  barriers_.put({t.stamp, slot, {slot, t.name, t.warps, t.kind == BarrierTransfer::Kind::reached}});
  wake(t.stamp);
}

void CtaDispatcher::store_came(unsigned, StoreTransfer& t) {
  stores_.put(t);
  wake(t.stamp);
}

void CtaDispatcher::mbarrier_told(unsigned, MbarrierTransfer& t) {
  mbarriers_.put({t.stamp, t.kind == MbarrierTransfer::Kind::copied, t});
  wake(t.stamp);
}

void CtaDispatcher::go_on(unsigned warp, Cycle now) {
  --at_mbarriers_;
  BarrierTransfer b{now + mbarrier_timing_.wait, static_cast<std::uint16_t>(warp / sub_cores_),
                    BarrierTransfer::Kind::released};
  barrier_socket[warp % sub_cores_].status(b);
}

// Arrivals and questions take some time until they reach the mbarrier.
void CtaDispatcher::take(const MbarrierTransfer& t, Cycle now) {
  using Kind = MbarrierTransfer::Kind;
  Cta& c = ctas_[t.cta_slot];
  if (t.kind == Kind::copying) {
    t.step == AsyncStep::load ? c.mbarriers.begin_copy(t.number, t.mbarrier) : void(++c.bulk_stores);
  } else if (t.kind == Kind::copied) {
    if (t.step == AsyncStep::load)
      c.mbarriers.end_copy(t.number, static_cast<std::uint64_t>(t.bytes), [&](unsigned w) { go_on(w, now); });
    else
      --c.bulk_stores;
    leave_if_over(c, now);
  } else if (t.kind == Kind::promised) {
    ++c.coming;
  } else {
    if (t.kind != Kind::kept) ++c.coming;
    MbarrierTransfer later = t;
    later.stamp = now + mbarrier_timing_.arrival - 1;
    effects_.put(later);
  }
}

void CtaDispatcher::take_effect(const MbarrierTransfer& t, Cycle now) {
  Cta& c = ctas_[t.cta_slot];
  const auto let_go = [&](unsigned warp) { go_on(warp, now); };
  --c.coming;
  if (t.kind == MbarrierTransfer::Kind::init) {
    c.mbarriers.init(t.mbarrier, t.told ? std::optional(t.threads) : std::nullopt, t.parity);
  } else if (t.kind == MbarrierTransfer::Kind::ask) {
    ++mbarrier_waits_;
    ++at_mbarriers_;
    c.mbarriers.ask(t.mbarrier, t.told ? std::optional(t.parity) : std::nullopt,
                    t.warp_slot * sub_cores_ + t.sub_core, let_go);
  } else {
    const CtaMbarriers::Arrival arrival{t.threads, t.bytes, t.drops};
    c.mbarriers.arrive(t.mbarrier, t.told ? std::optional(arrival) : std::nullopt, let_go);
  }
  leave_if_over(c, now);
}

// If all warps of a CTA wait, some of them at mbarriers, only what is counted here can still let one go on.
void CtaDispatcher::let_stuck_go(Cycle now) {
  for (Cta& c : ctas_) {
    const unsigned waiting = c.mbarriers.waiting();
    if (waiting == 0 || waiting + c.barriers.waiting() < c.live) continue;
    if (c.coming == 0 && c.mbarriers.copies() == 0)
      incomplete_ += c.mbarriers.give_up([&](unsigned warp) { go_on(warp, now); });
  }
}

// Warp i of the CTA takes the i-th free slot of the SM in ascending order. Slot w is in sub-core w mod
// sub-cores, so consecutive warps go to different sub-cores.
void CtaDispatcher::assign(const CtaTransfer& t, Cycle now) {
  const auto free =
      std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& c) { return c.transfer.cta == nullptr; });
  Cta& c = *free;  // the sender knows the room and sends no more than fits
  c.transfer = t;
  c.live = static_cast<unsigned>(t.cta->warps.size());
  c.barriers = {};
  if (mbarrier_socket.size() != 0) c.mbarriers = {};
  ++ctas_run_;
  const int slot = static_cast<int>(free - ctas_.begin());
  unsigned w = 0;
  for (const WarpTrace& warp : t.cta->warps) {
    while (cta_of_warp_[w] >= 0) ++w;
    cta_of_warp_[w] = slot;
    ++live_warps_;
    ++warps_run_;
    LaunchTransfer l{now + 1,
                     &warp,
                     t.code,
                     t.kernel,
                     next_uid_++,
                     static_cast<std::uint16_t>(w / sub_cores_),
                     static_cast<std::uint16_t>(slot)};
    launch_socket[w % sub_cores_].send(l);
  }
}

void CtaDispatcher::release(const CtaBarriers::Warps& warps, Cycle now) {
  ++barrier_releases_;
  for (const unsigned w : warps) {
    BarrierTransfer b{now + 1, static_cast<std::uint16_t>(w / sub_cores_), BarrierTransfer::Kind::released};
    barrier_socket[w % sub_cores_].status(b);
  }
}

void CtaDispatcher::leave_if_over(Cta& c, Cycle now) {
  if (!c.is_over()) return;
  CtaTransfer done{now + 1, c.transfer.cta};
  done.kind = CtaTransfer::Kind::finished;
  c.transfer.cta = nullptr;
  --handed_over_;
  if (leaving_from_ != done.stamp) leaving_ = 0;
  leaving_from_ = done.stamp;
  ++leaving_;
  cta_socket.status(done);
}

Cycle CtaDispatcher::tick(Cycle now) {
  const auto let_go = [&](const CtaBarriers::Warps& warps) { release(warps, now); };
  barriers_.take(now, [&](const BarrierEvent& e) {
    Cta& c = ctas_[static_cast<std::size_t>(cta_of_warp_[e.warp_slot])];
    c.barriers.arrive(e.arrival, c.live, let_go);
  });
  stores_.take(now, [&](const StoreTransfer& s) {
    Cta& c = ctas_[s.cta_slot];
    if (s.kind == StoreTransfer::Kind::over) {
      ++c.stores, ++live_stores_;
    } else {
      --c.stores, --live_stores_;
      leave_if_over(c, now);
    }
  });
  finished_.take(now, [&](const WarpEvent& e) {
    int& slot = cta_of_warp_[e.warp_slot];
    Cta& c = ctas_[static_cast<std::size_t>(slot)];
    slot = -1;
    --live_warps_;
    if (--c.live == 0) {
      leave_if_over(c, now);
    } else {
      c.barriers.finished(c.live, let_go);
    }
  });
  if (!mbarriers_.empty() || !effects_.empty()) {
    mbarriers_.take(now, [&](const MbarrierEvent& e) { take(e.transfer, now); });
    effects_.take(now, [&](const MbarrierTransfer& t) { take_effect(t, now); });
  }
  if (at_mbarriers_ != 0) let_stuck_go(now);
  arriving_.take(now, [&](const CtaTransfer& t) { assign(t, now); });
  return effects_.next();
}

void CtaDispatcher::report_waiting(std::ostream& out) const {
  for (std::size_t i = 0; i < ctas_.size(); ++i) {
    const Cta& c = ctas_[i];
    if (c.transfer.cta == nullptr) continue;
    out << name() << ": CTA " << c.transfer.cta->id.x << ',' << c.transfer.cta->id.y << ','
        << c.transfer.cta->id.z << ": " << c.live << " warps live, " << c.barriers.waiting()
        << " at a barrier, " << c.stores << " stores not answered";
    if (c.mbarriers.waiting() != 0 || c.mbarriers.copies() != 0)
      out << ", " << c.mbarriers.waiting() << " at an mbarrier, " << c.mbarriers.copies() << " bulk copies";
    out << '\n';
  }
}

std::vector<Signal> CtaDispatcher::signals() {
  SignalList list;
  list.number("live_warps", 8, [this](Cycle) { return std::uint64_t{live_warps_}; })
      .number("unanswered_stores", 16, [this](Cycle) { return std::uint64_t{live_stores_}; });
  return list;
}

}  // namespace subcore
