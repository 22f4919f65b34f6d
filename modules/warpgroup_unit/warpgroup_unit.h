// WarpgroupUnit: a sub-core's part in the matrix products of warpgroups (HGMMA of sm_90), behind its tensor
// core. The unit keeps each product that the core hands on until all warps of the warpgroup have come to it
// and shared memory has given the first operands. The load/store unit says when. Then the unit reads
// accumulators from the banks at the pace of the product, and writes each of them some cycles later. A
// product is complete when all its accumulators are written. Results of other instructions pass through the
// unit in no time.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <bitset>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/operand_check.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/warpgroup_unit/warpgroup_parameters.h"

namespace subcore {

class WarpgroupUnit final : public TickingModule {
 public:
  InPort<ResultTransfer> core_socket;       // from the tensor core
  OutPort<ResultTransfer> result_socket;    // results of the core, and the end of products
  OutPort<ProductTransfer> product_socket;  // to the load/store unit
  OutPort<OperandTransfer> read_socket;     // reads of accumulators, from the banks
  InPort<OperandTransfer> source_socket;    // values of accumulators
  OutPort<OperandTransfer> written_socket;  // new values of accumulators, to the banks

  // `reader`: the unit's number among those that read the banks.
  WarpgroupUnit(const sc_core::sc_module_name& name, unsigned warp_slots, unsigned reader,
                const WarpgroupTiming& timing, OperandCheck& check);

  Cycle tick(Cycle now) override;
  bool drained() const override { return products_.empty() && values_.empty() && events_.empty(); }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Product {
    Instruction* instruction = nullptr;
    Cycle from = 0;     // first cycle in which the operands are there
    unsigned read = 0;  // accumulators that have been asked for, or need not be
    unsigned unwritten = 0;
    bool begun = false, over = false;  // over: the tensor core takes another product
  };
  // A product whose operands are there from a cycle on, or an accumulator that has been written.
  struct Event {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    Register reg = 0;
    bool written = false;
  };
  // An accumulator's new value, to be sent in cycle `stamp`.
  struct Value {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    std::uint8_t number = 0;
  };

  void finished(unsigned, ResultTransfer& t);
  void latch_free(unsigned, ResultTransfer& t);
  void granted(unsigned, ProductTransfer& t);
  void delivered(unsigned, OperandTransfer& t);
  void written(unsigned, OperandTransfer& t);

  void take(const Event& e, Cycle now);
  void complete(Instruction& i, Cycle now);
  Cycle work(Product& p, Cycle now);
  void ask(Product& p, Cycle now);
  void send(const Value& v, Cycle now);

  WarpgroupTiming timing_;
  OperandCheck& check_;
  std::uint8_t reader_;
  boost::container::small_vector<Product, 8> products_;  // in the order in which they begin
  Cycle core_free_ = 0;                                  // first cycle in which another product may begin
  Cycle begun_ = 0;                      // when reads began for the product that has begun last
  std::vector<std::bitset<256>> taken_;  // by warp slot: accumulators read, but not written
  PayloadEventQueue<Event> events_;
  PayloadEventQueue<Value> values_;
  Counter count_{counter_list_, "products", "instructions", "matrix products of the warpgroup"};
  Counter reads_{counter_list_, "accumulator_reads", "operands", "accumulators read from the banks"};
  Counter writes_{counter_list_, "accumulator_writes", "operands", "accumulators written to the banks"};
  Counter busy_{counter_list_, "product_cycles", "cycles", "cycles of the tensor core in products"};
};

}  // namespace subcore
