// CopyEngine of one SM (the TMA unit of sm_90). The copy engine takes bulk copies from the load/store unit in
// the order in which they come and cuts each into requests of 128-byte lines. The engine hands the requests,
// at its own pace, to the load/store unit, which sends them to memory, past the L1. A copy is over when all
// its data have been written, to shared memory or to memory. The load/store unit then hears of the end.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/policy/bandwidth.h"
#include "subcore/model/policy/coalescer.h"
#include "subcore/modules/copy_engine/copy_engine_parameters.h"
#include "subcore/modules/memory/memory_lines.h"
#include "subcore/modules/protocol/credits.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/ring.h"

namespace subcore {

class CopyEngine final : public TickingModule {
 public:
  InPort<BulkCopyTransfer> copy_socket;  // from the load/store unit; requests to memory go back

  // `shape`: the shape of memory requests.
  CopyEngine(const sc_core::sc_module_name& name, const CopyEngineParameters& parameters, RequestShape shape);

  Cycle tick(Cycle now) override;

  std::vector<Signal> signals() override;
  bool drained() const override { return copies_.empty() && arriving_.empty() && answers_.empty(); }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Copy {
    BulkCopyTransfer transfer;
    std::uint32_t next_address = 0;       // next of the record's addresses
    std::uint64_t address = 0, left = 0;  // next byte of the current address, and how many are left
    std::uint32_t unanswered = 0;         // requests without an answer
    bool cut = false;                     // all requests have been made
    bool sent = false;                    // all requests have been handed on
  };
  struct Request {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  // Requests that wait in the load/store unit at most. The unit takes one request a cycle.
  static constexpr unsigned requests_not_left = 4;

  void told(unsigned, BulkCopyTransfer& t);
  void arrived(const BulkCopyTransfer& t);
  void request_left(const BulkCopyTransfer& t);
  void tell_read(Instruction* i, Cycle stamp);
  void take_answer(const BulkCopyTransfer& t, Cycle now);
  void cut_line(Copy& c);
  Cycle send(Cycle now);
  void end_if_over(std::size_t n, Cycle now);
  Copy* first_unsent();

  CopyEngineParameters p_;
  RequestShape shape_;
  Bandwidth pace_;
  std::uint64_t free_ = 0;  // when the next request may go, in Bandwidth's fractions of a cycle
  PayloadEventQueue<BulkCopyTransfer> arriving_;
  std::vector<Copy> copies_;  // copies under way, the oldest first; cut one after the other
  Ring<Request> requests_;    // requests of one line of the first copy that is not sent
  Credits room_{requests_not_left};
  std::uint32_t under_way_ = 0;  // requests under way, of all copies
  PayloadEventQueue<BulkCopyTransfer> answers_;
  Counter count_{counter_list_, "copies", "copies", "bulk copies, to and from shared memory, and prefetches"};
  Counter bytes_{counter_list_, "bytes", "bytes", "bytes of bulk copies, those out of bounds left out"};
  Counter sent_{counter_list_, "requests", "requests", "memory requests of bulk copies"};
};

}  // namespace subcore
