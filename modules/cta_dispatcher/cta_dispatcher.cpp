#include "subcore/modules/cta_dispatcher/cta_dispatcher.h"

#include <algorithm>
#include <ostream>

namespace subcore {

CtaDispatcher::CtaDispatcher(const sc_core::sc_module_name& name, unsigned sub_cores, unsigned warp_slots,
                             unsigned cta_slots)
    : TickingModule(name),
      cta_socket("cta_socket"),
      launch_socket("launch_socket", sub_cores),
      barrier_socket("barrier_socket", sub_cores),
      store_socket("store_socket"),
      sub_cores_(sub_cores),
      ctas_(cta_slots),
      cta_of_warp_(std::size_t{sub_cores} * warp_slots, -1) {
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

// Warp i of the CTA takes the i-th free slot of the SM in ascending order; slot w lies in sub-core w mod
// sub-cores, so consecutive warps go to different sub-cores.
void CtaDispatcher::assign(const CtaTransfer& t, Cycle now) {
  const auto free =
      std::find_if(ctas_.begin(), ctas_.end(), [](const Cta& c) { return c.transfer.cta == nullptr; });
  Cta& c = *free;  // the sender knows the room and sends no more than fits
  c.transfer = t;
  c.live = static_cast<unsigned>(t.cta->warps.size());
  c.barriers = {};
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
  if (c.live != 0 || c.stores != 0) return;
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
  arriving_.take(now, [&](const CtaTransfer& t) { assign(t, now); });
  return never;
}

void CtaDispatcher::report_waiting(std::ostream& out) const {
  for (std::size_t i = 0; i < ctas_.size(); ++i) {
    const Cta& c = ctas_[i];
    if (c.transfer.cta == nullptr) continue;
    out << name() << ": CTA " << c.transfer.cta->id.x << ',' << c.transfer.cta->id.y << ','
        << c.transfer.cta->id.z << ": " << c.live << " warps live, " << c.barriers.waiting()
        << " at a barrier, " << c.stores << " stores not answered\n";
  }
}

std::vector<Signal> CtaDispatcher::signals() {
  SignalList list;
  list.number("live_warps", 8, [this](Cycle) { return std::uint64_t{live_warps_}; })
      .number("unanswered_stores", 16, [this](Cycle) { return std::uint64_t{live_stores_}; });
  return list;
}

}  // namespace subcore
