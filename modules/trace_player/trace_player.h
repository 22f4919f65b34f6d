// TracePlayer: one warp slot. Plays a warp's trace into the issue scheduler's instruction buffer and gives
// every register operand its version in program order.
#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <vector>

#include "model/policy/fetch_redirect.h"
#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"

namespace subcore {

class TracePlayer : public TickingModule {
 public:
  OutPort<FetchTransfer> instruction_socket;
  InPort<LaunchTransfer> launch_socket;

  // `warp_slot` in the sub-core; `instruction_buffer`: entries of the buffer it fills, `fetch_width`
  // instructions a cycle; `redirect`: when it goes on behind a change of control flow.
  TracePlayer(const sc_core::sc_module_name& name, unsigned sub_core, unsigned warp_slot,
              unsigned instruction_buffer, unsigned fetch_width = 1,
              FetchRedirect redirect = FetchRedirect::perfect);

  Cycle tick(Cycle now) override;
  bool drained() const override { return warp_ == nullptr && in_flight_ == 0; }
  void report_waiting(std::ostream& out) const override;

 private:
  void launch(unsigned, LaunchTransfer& t);
  void credit(unsigned, FetchTransfer& t) { wake(t.stamp); }
  void news(unsigned, FetchTransfer& t);
  bool redirected() const;
  Instruction& acquire();
  void fill(Instruction& i);

  const WarpTrace* warp_ = nullptr;
  const CodeTable* code_ = nullptr;
  const KernelHeader* kernel_ = nullptr;
  std::size_t next_ = 0;     // record to play
  std::size_t address_ = 0;  // where its addresses start
  unsigned in_flight_ = 0;   // fetched, not retired
  std::uint32_t warp_uid_ = 0;
  std::uint16_t cta_slot_ = 0;
  Cycle start_ = never;   // first cycle in which the warp may fetch
  Cycle finish_ = never;  // last instruction retired: report from this cycle on
  // The last fetched instruction, if it must issue or retire before the next is fetched; and from when on
  // one may be.
  const Instruction* awaited_ = nullptr;
  Cycle resume_ = 0;
  std::uint8_t sub_core_;
  std::uint16_t slot_;
  unsigned fetch_width_;
  FetchRedirect redirect_;
  std::vector<std::unique_ptr<Instruction>> pool_;
  std::vector<Instruction*> spare_;
  // Counts of writes per register. They go on from warp to warp, as the data in the banks does.
  std::array<Version, 256> versions_{};
  std::bitset<256> written_;  // by the warp that plays now
  std::uint32_t live_ = 0;    // lanes that are left of it
};

}  // namespace subcore
