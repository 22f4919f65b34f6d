// TracePlayer of one sub-core: plays the traces of its warps into the issue scheduler's instruction buffers,
// each warp slot at its own pace.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/base/free_list.h"
#include "subcore/modules/protocol/credits.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/trace_player/warp_player.h"

namespace subcore {

class TracePlayer final : public TickingModule {
 public:
  // Every transfer says which warp slot it is for. Credits are counted per slot.
  OutPort<FetchTransfer> instruction_socket;
  InPort<LaunchTransfer> launch_socket;

  // `instruction_buffer`: entries of each warp's buffer. `fetch_width`: instructions that come into it in a
  // cycle at most. `redirect`: when a warp's fetching goes on behind a change of control flow.
  TracePlayer(const sc_core::sc_module_name& name, unsigned sub_core, unsigned warp_slots,
              unsigned instruction_buffer, unsigned fetch_width = 1,
              FetchRedirect redirect = FetchRedirect::perfect);

  Cycle tick(Cycle now) override;
  unsigned warp_slots() const { return static_cast<unsigned>(slots_.size()); }
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  struct alignas(64) Slot {
    Credits buffer;          // free entries of the warp's instruction buffer
    Cycle start = never;     // first cycle in which the warp may fetch; never: no warp plays
    Cycle finish = never;    // the last instruction has retired; to be reported from here on
    unsigned in_flight = 0;  // instructions that are fetched and have not retired
    // The last fetched instruction, if it must issue or retire before the next one is fetched; and the first
    // cycle in which the next one may be fetched.
    const Instruction* awaited = nullptr;
    Cycle resume = 0;
    alignas(64) WarpPlayer player;
  };
  void launch(unsigned, LaunchTransfer& t);
  void credit(unsigned, FetchTransfer& t);
  void went_on(unsigned, FetchTransfer& t);
  [[gnu::noinline]] void give_back_accumulated(const Instruction& i) {
    accumulated_.give_back(*i.accumulated);
  }
  void note(unsigned slot, Cycle at);
  void look_at(unsigned slot, Cycle at) {
    note(slot, at);
    wake(at);
  }
  Cycle play(unsigned slot, Cycle now);

  unsigned fetch_width_;
  FetchRedirect redirect_;
  std::vector<Slot> slots_;
  std::uint64_t asked_ = 0;  // slots that are to be looked at
  std::vector<Cycle> look_;  // by slot: the first cycle in which to look; valid if in asked_
  FreeList<Instruction> pool_;
  FreeList<AccumulatorWrites> accumulated_;  // for products of warpgroups in the pool
};

}  // namespace subcore
