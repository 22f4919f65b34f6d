// CtaDispatcher of one SM. The dispatcher deals the warps of a CTA to the warp slots of the sub-cores. A
// barrier is released when the warps that meet there have arrived (model/policy/cta_barriers.h). The
// dispatcher reports a CTA whose warps have finished and whose stores memory has answered.
//
// On machines with a copy engine, the dispatcher also keeps the mbarriers of CTAs
// (model/policy/cta_mbarriers.h). If every warp of a running CTA waits at an mbarrier or a barrier, and
// nothing is under way that an mbarrier counts, the warps at mbarriers go on.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <optional>
#include <vector>

#include "subcore/model/policy/cta_barriers.h"
#include "subcore/model/policy/cta_mbarriers.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

// Times of an mbarrier in cycles: until it has an arrival or a question, and until a warp goes on.
struct MbarrierTiming {
  Cycle arrival = 1, wait = 1;
};

class CtaDispatcher final : public TickingModule {
 public:
  InPort<CtaTransfer> cta_socket;
  PortVector<OutPort<LaunchTransfer>> launch_socket;   // a socket per sub-core
  PortVector<InPort<BarrierTransfer>> barrier_socket;  // a socket per sub-core
  InPort<StoreTransfer> store_socket;
  // Transfers that mbarriers count. No socket on machines without a copy engine.
  PortVector<InPort<MbarrierTransfer>> mbarrier_socket;

  // `mbarriers`: empty on machines without a copy engine.
  CtaDispatcher(const sc_core::sc_module_name& name, unsigned sub_cores, unsigned warp_slots_per_sub_core,
                unsigned cta_slots, const std::optional<MbarrierTiming>& mbarriers = std::nullopt);

  // Calls `f` with the start of a kernel (CtaTransfer::kernel_start) when the first of its CTAs comes to this
  // SM. Nothing of the kernel has begun here yet, and all earlier kernels have ended.
  void on_kernel(std::function<void(Cycle)> f) { on_kernel_ = std::move(f); }

  // CTAs that have been handed over and whose end the sender has not heard of by the end of cycle `now`,
  // which is the present cycle.
  unsigned ctas(Cycle now) const { return handed_over_ + (leaving_from_ > now ? leaving_ : 0); }

  Cycle tick(Cycle now) override;

  std::vector<Signal> signals() override;
  bool drained() const override {
    return arriving_.empty() && finished_.empty() && barriers_.empty() && stores_.empty() &&
           mbarriers_.empty() && effects_.empty() && live_warps_ == 0 && live_stores_ == 0;
  }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Cta {
    CtaTransfer transfer;  // cta == nullptr: the slot is free
    unsigned live = 0;     // warps that have not finished
    unsigned stores = 0;   // stores that are over, but not answered
    CtaBarriers barriers;
    CtaMbarriers mbarriers;
    unsigned bulk_stores = 0;  // stores and other bulk copies that no mbarrier counts
    unsigned coming = 0;       // arrivals and questions on their way, and promised arrivals
    bool is_over() const {
      return live == 0 && stores == 0 && mbarriers.copies() == 0 && bulk_stores == 0 && coming == 0;
    }
  };
  // Here a warp has its slot of the SM: slot w is in sub-core w mod sub_cores.
  struct WarpEvent {
    Cycle stamp = 0;
    unsigned warp_slot = 0;
  };
  struct BarrierEvent {
    Cycle stamp = 0;
    unsigned warp_slot = 0;
    CtaBarriers::Arrival arrival;
  };
  // The end of a copy comes behind all other events of the same cycle. So the order in which the copy engine
  // and the load/store unit tick cannot be seen.
  struct MbarrierEvent {
    Cycle stamp = 0;
    bool is_end = false;
    MbarrierTransfer transfer;
  };
  void arrived(unsigned, CtaTransfer& t);
  void warp_finished(unsigned sub_core, LaunchTransfer& t);
  void reached_barrier(unsigned sub_core, BarrierTransfer& t);
  void store_came(unsigned, StoreTransfer& t);
  void mbarrier_told(unsigned, MbarrierTransfer& t);
  void take(const MbarrierTransfer& t, Cycle now);
  void take_effect(const MbarrierTransfer& t, Cycle now);
  void go_on(unsigned warp, Cycle now);
  void let_stuck_go(Cycle now);
  void assign(const CtaTransfer& t, Cycle now);
  void release(const CtaBarriers::Warps& warps, Cycle now);
  void leave_if_over(Cta& c, Cycle now);

  unsigned sub_cores_;
  std::vector<Cta> ctas_;
  std::vector<int> cta_of_warp_;  // -1: the slot is free
  PayloadEventQueue<CtaTransfer> arriving_;
  PayloadEventQueue<WarpEvent, &WarpEvent::warp_slot> finished_;
  PayloadEventQueue<BarrierEvent, &BarrierEvent::warp_slot> barriers_;
  PayloadEventQueue<StoreTransfer> stores_;
  MbarrierTiming mbarrier_timing_;
  PayloadEventQueue<MbarrierEvent, &MbarrierEvent::is_end> mbarriers_;
  PayloadEventQueue<MbarrierTransfer> effects_;  // due when the mbarrier has them
  unsigned at_mbarriers_ = 0;                    // warps that wait at mbarriers
  std::uint32_t next_uid_ = 1;
  std::function<void(Cycle)> on_kernel_;
  Cycle kernel_start_ = never;  // start of the last CTA's kernel
  unsigned handed_over_ = 0;    // CTAs that are not over
  unsigned leaving_ = 0;        // CTAs whose end was told last; the sender hears from here on:
  Cycle leaving_from_ = 0;
  unsigned live_warps_ = 0, live_stores_ = 0;
  Counter ctas_run_{counter_list_, "ctas", "CTAs", "CTAs run"};
  Counter warps_run_{counter_list_, "warps", "warps", "warps run"};
  Counter barrier_releases_{counter_list_, "barrier_releases", "barriers",
                            "barriers that all warps of a CTA reached"};
  Counter mbarrier_waits_, incomplete_;
};

}  // namespace subcore
