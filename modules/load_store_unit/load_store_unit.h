// LoadStoreUnit: each SM has one, which its sub-cores share. Shared memory (with its banks) and constants are
// here. All other accesses are coalesced and sent over memory_socket. The socket speaks the TLM-2.0 base
// protocol (AT), so that any memory model can be bound to it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/base/numbered_slots.h"
#include "subcore/model/policy/coalescer.h"
#include "subcore/model/policy/warpgroup_meeting.h"
#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/load_store_unit/load_store_parameters.h"
#include "subcore/modules/memory/at_initiator.h"
#include "subcore/modules/memory/data_access.h"
#include "subcore/modules/memory/memory_transaction.h"
#include "subcore/modules/protocol/credits.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/operand_check.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/ring.h"
#include "subcore/modules/protocol/transport_socket.h"
#include "subcore/modules/warpgroup_unit/warpgroup_parameters.h"

namespace subcore {

class LoadStoreUnit final : public TickingModule, private tlm::tlm_bw_transport_if<> {
 public:
  PortVector<InPort<DispatchTransfer>> unit_socket;   // a socket per sub-core
  PortVector<OutPort<ResultTransfer>> result_socket;  // a socket per sub-core
  OutPort<StoreTransfer> store_socket;  // stores that end before they are answered (store_done: sent)
  // Matrix products of warpgroups, whose operands are in shared memory: a socket per sub-core, or no socket.
  PortVector<InPort<ProductTransfer>> product_socket;
  // On machines with a copy engine: bulk copies for it, and transfers that mbarriers count.
  PortVector<OutPort<BulkCopyTransfer>> copy_socket;
  PortVector<OutPort<MbarrierTransfer>> mbarrier_socket;
  InitiatorSocket<> memory_socket;

  struct Counters {
    CounterList& list;
    Counter loads{list, "loads", "instructions", "global and local loads"};
    Counter stores{list, "stores", "instructions", "global and local stores"};
    Counter atomics{list, "atomics", "instructions", "atomics and reductions outside shared memory"};
    Counter shared{list, "shared", "instructions", "shared memory accesses"};
    Counter shared_passes{list, "shared_passes", "passes",
                          "cycles in which the banks of shared memory were read or written, also by copies"};
    Counter shared_conflicts{list, "shared_conflicts", "passes",
                             "passes that were needed because lanes accessed different words of one bank"};
    Counter other{list, "other", "instructions", "constants, fences, and accesses without an active lane"};
    Counter requests{list, "requests", "requests", "memory requests after coalescing"};
    Counter masked_requests{list, "masked_requests", "requests",
                            "requests of stores that write only a part of their bytes"};
    Counter requested_bytes{list, "requested_bytes", "bytes", "bytes of memory requests"};
    std::uint64_t responses = 0;  // no statistic, because at the end it equals the requests
  };

  // `products`: null on machines that make no products of warpgroups. `bulk_copies`: the machine has a copy
  // engine.
  LoadStoreUnit(const sc_core::sc_module_name& name, unsigned sub_cores,
                const LoadStoreParameters& parameters, unsigned result_latches, OperandCheck& check,
                const Conductor& conductor, const WarpgroupTiming* products = nullptr,
                bool bulk_copies = false);

  Cycle tick(Cycle now) override;

  std::vector<Signal> signals() override;
  bool drained() const override;
  std::uint64_t requests_served() const override { return counters_.responses + bulk_responses_; }
  void report_waiting(std::ostream& out) const override;

 private:
  // A memory instruction with requests under way.
  struct Access {
    Instruction* instruction = nullptr;  // null once over; a store may be over before its answer
    std::uint32_t pending = 0;           // requests that have no answer
    std::uint32_t unsent = 0;            // requests that have not left, of a store that is over when sent
    std::uint64_t pc = 0;
    std::uint32_t warp_uid = 0;
    std::uint16_t cta_slot = 0;
    std::uint32_t warp = 0;  // number of the warp in its kernel
  };
  struct Finish {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
  };
  struct Request {
    MemoryRange range;
    std::uint32_t entry;
    InstructionKind kind;
    bool masked;  // only the bytes of `written` are stored
    ByteMask written;
  };

  bool calls_end_response() const { return p_.initiator.end_resp == EndResponse::call; }
  void accept(unsigned sub_core, DispatchTransfer& t);
  void result_free(unsigned, ResultTransfer& t) { wake(t.stamp); }
  void start(Instruction& i, Cycle now);
  Cycle& in_order(const Instruction& i);
  void write_copy(Instruction& i, Cycle at);
  Cycle pass_banks(unsigned bytes, Cycle at);
  bool start_async(Instruction& i, Cycle now);
  void tell_mbarriers(const Instruction& i, Cycle now);
  void tell_mbarrier(const Instruction& i, std::uint32_t mbarrier, unsigned lanes, Cycle now);
  bool awaits_copies(std::uint32_t warp_uid, std::uint64_t sequence) const;
  void keep_promises(std::uint32_t warp_uid, Cycle now);
  void bulk_told(unsigned, BulkCopyTransfer& t);
  void bulk_over(const BulkCopyTransfer& t);
  void send_bulk_request(Cycle now);
  void bulk_answered(MemoryTransaction& t, Cycle at);
  void begin(MemoryTransaction& t, bool notes_leaving, Cycle now);
  void product_told(unsigned sub_core, ProductTransfer& t);
  void read_for_products(Cycle now);
  std::uint64_t sector_banks(const MemoryRange& range) const;
  void send_requests(Cycle now);
  // A response that is annotated with `delay` can be written back in now + delay, like a result of that
  // latency.
  Cycle due(Cycle now, const sc_core::sc_time& delay) const {
    return now + std::max<Cycle>(2, target_.whole_cycles(delay)) - 1;
  }
  void take_answers(Cycle now);
  void begin_response(MemoryTransaction& t, Cycle at, const sc_core::sc_time& delay);
  void answered(MemoryTransaction& t, Cycle at);
  void describe(std::ostream& out, const Payload& t) const;
  void note_left(Cycle now);
  bool over_when_sent(const StaticInstruction& code) const {
    return code.kind == InstructionKind::store && p_.store_done == StoreDone::sent;
  }
  std::uint64_t outstanding() const { return counters_.requests - counters_.responses; }
  void finish(Instruction* i, Cycle at) { finishing_.put({at, i}); }

  tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  LoadStoreParameters p_;
  OperandCheck& check_;
  std::vector<PayloadEventQueue<DispatchTransfer>> queue_;  // per sub-core
  std::vector<Ring<Instruction*>> finished_;                // per sub-core: results that wait for a latch
  PayloadEventQueue<Finish> finishing_;
  NumberedSlots<Access> accesses_;
  Ring<Request> requests_;           // coalesced requests that are not sent
  std::vector<MemoryRange> ranges_;  // scratch of start()
  std::vector<ByteMask> written_;    // scratch of start()
  TransactionPool pool_;
  // Requests of the copy engine: those to be sent, and those under way by their entries. A bit marks such
  // entries.
  static constexpr std::uint32_t of_bulk = std::uint32_t{1} << 30;
  static bool is_bulk_request(const MemoryTransaction& t) {
    return t.entry != MemoryTransaction::answered && (t.entry & of_bulk) != 0;
  }
  PayloadEventQueue<BulkCopyTransfer> bulk_requests_;
  NumberedSlots<BulkCopyTransfer> bulk_under_way_;
  std::uint64_t bulk_responses_ = 0;
  std::uint32_t bulk_copies_ = 0;  // number of bulk copies so far, and of the next one
  // Arrivals at mbarriers that wait for older LDGSTS of their warps.
  struct Promise {
    std::uint32_t warp_uid = 0;
    std::uint64_t sequence = 0;
    MbarrierTransfer transfer;
  };
  std::vector<Promise> promises_;
  struct Left {
    std::uint32_t entry = 0;
    Cycle at = never;
  };
  // The access whose request left last, and from when on that counts; `never`: it has been counted.
  Left left_;
  struct Answer {
    MemoryTransaction* transaction = nullptr;
    Cycle stamp = 0;
    bool end_response = false;  // END_RESP is still owed
    sc_core::sc_time begins;    // then: when the response begins, maybe within the next cycle
  };
  PayloadEventQueue<Answer> answers_;
  Credits room_;  // room for requests under way
  AtInitiator target_;
  KeepData keep_data_;
  unsigned next_sub_core_ = 0;
  std::uint64_t queued_ = 0, results_ = 0;  // sub-cores that have something in queue_, and in finished_
  Cycle free_at_ = 0;                       // when the next instruction may enter
  std::vector<Cycle> in_order_;             // per sub-core and warp slot: see in_order()
  // Products: transfers of their units, and reads of their operands.
  struct Told {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    ProductTransfer::Kind kind = ProductTransfer::Kind::came;
    std::uint8_t sub_core = 0;
  };
  PayloadEventQueue<Told, &Told::kind, &Told::sub_core> told_;
  WarpgroupTiming products_;
  WarpgroupMeeting meeting_;
  Counters counters_{counter_list_};
};

}  // namespace subcore
