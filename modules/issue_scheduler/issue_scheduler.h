// IssueScheduler of one sub-core: instruction buffers, scoreboards, warp priority and collector allocation.
// Issues at most one instruction per cycle (Malekeh, Fig. 6).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/config/platform.h"
#include "model/policy/allocation.h"
#include "model/policy/scoreboard.h"
#include "model/policy/warp_priority.h"
#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"
#include "modules/protocol/ring.h"

namespace subcore {

class IssueScheduler : public TickingModule {
 public:
  sc_core::sc_vector<InPort<FetchTransfer>> instruction_socket;  // one per warp slot
  sc_core::sc_vector<OutPort<IssueTransfer>> issue_socket;       // one per collector (port R)
  InPort<ResultTransfer> retire_socket;
  OutPort<BarrierTransfer> barrier_socket;
  InPort<ControlTransfer> sthld_socket;

  // What a cycle was spent on. Kept from one look to the next, so that sleeping costs nothing.
  enum class State : std::uint8_t { empty, hazard, no_collector, waiting, issued };

  struct Counters {
    std::uint64_t issued = 0, retired = 0, predicated_off = 0;
    std::uint64_t near_flushes = 0, barriers = 0;
    std::array<std::uint64_t, 5> cycles{};  // by State
  };

  IssueScheduler(const sc_core::sc_module_name& name, const SubCoreParameters& parameters,
                 std::uint64_t seed);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  struct Warp {
    Scoreboard scoreboard;
    std::uint16_t head = 0, count = 0;    // ring in buffer_
    std::uint16_t ordered_in_flight = 0;  // stores and shared-memory accesses a barrier must wait for
    bool at_barrier = false;
  };
  struct Buffered {
    Instruction* instruction;
    Cycle stamp;
  };
  struct Held {                          // what a collector has been given
    Instruction* instruction = nullptr;  // until its operands are collected
    unsigned slot = 0;                   // warp slot of the last instruction
    CollectorStatus news;                // status to take over at news_stamp
    Cycle news_stamp = never;
    bool news_frees = false;
  };

  void fetched(unsigned slot, FetchTransfer& t);
  void collector_freed(unsigned c, IssueTransfer& t);
  void collector_status(unsigned c, IssueTransfer& t);
  void retire(unsigned, ResultTransfer& t);
  void set_sthld(unsigned, ControlTransfer& t);
  void barrier_released(unsigned, BarrierTransfer& t);

  void take_over(Cycle now);
  void take_status(unsigned c);
  void evaluate(unsigned slot, Cycle now);
  void issue(unsigned slot, unsigned c, Cycle now);
  WarpMask owners() const;
  State decide(Cycle now);
  Buffered& head(unsigned slot) { return buffer_[slot * capacity_ + warps_[slot].head]; }
  const Buffered& head(unsigned slot) const { return buffer_[slot * capacity_ + warps_[slot].head]; }

  unsigned capacity_;
  AllocationFailure alloc_fail_;
  std::unique_ptr<WarpPriority> priority_;
  std::unique_ptr<AllocationPolicy> allocation_;
  std::vector<Warp> warps_;
  std::vector<Buffered> buffer_;
  std::vector<std::uint32_t> uid_;  // per slot: dynamic id of the warp whose instructions are buffered
  std::vector<CollectorView> collectors_;
  std::vector<Held> held_;
  Ring<ResultTransfer> retiring_;  // in arrival order, which is stamp order
  std::vector<BarrierTransfer> released_;
  WarpMask eligible_ = 0;  // head instruction has no hazard
  WarpMask changed_ = 0;   // to be evaluated again
  unsigned busy_ = 0;      // collectors that hold an instruction
  bool news_ = false;      // some Held has a status to take over
  int last_issued_ = -1;
  std::uint64_t issues_ = 0;
  ControlTransfer control_{never, 0};  // STHLD to take over
  State state_ = State::empty;
  Cycle state_since_ = 0;
  Cycle last_issue_cycle_ = never;
  Counters counters_;
};

}  // namespace subcore
