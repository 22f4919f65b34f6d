// OperandPath: the base class of what stands between issue and dispatch. A path has the ports that the
// sub-core sees: port R towards the issue scheduler, reads, port S, and the way out to dispatch. Kinds that
// keep results have port D. Kinds that keep values which the banks do not have yet write these values back
// later.
//
// Results of a run are sums of counters, which every kind declares under the same names:
// * source_operands: source operands after normalisation.
//
// Kinds that keep values also declare:
// * cache_read_hits: source operands that were found here.
// * cache_writes: results that were written here.
// * cache_writes_used and cache_writes_unused: the two parts of cache_writes (model/policy/result_use.h).
// * incomplete_hits: hits without some of the lanes that were read (partial_write ignore).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <iosfwd>
#include <string>

#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class OperandPath : public TickingModule {
 public:
  InPort<IssueTransfer> issue_socket;  // port R
  OutPort<OperandTransfer> read_socket;
  InPort<OperandTransfer> source_socket;  // port S
  OutPort<DispatchTransfer> dispatch_socket;

  // `index`: the path's number in the sub-core. `slots`: source operands of an instruction, 1 to max_sources.
  OperandPath(const sc_core::sc_module_name& name, unsigned index, unsigned slots)
      : TickingModule(name),
        issue_socket("issue_socket"),
        read_socket("read_socket"),
        source_socket("source_socket"),
        dispatch_socket("dispatch_socket"),
        index_(static_cast<std::uint8_t>(index)),
        slots_(slots) {}

  virtual InPort<DestinationTransfer>* port_d() { return nullptr; }
  virtual OutPort<OperandTransfer>* write_back_port() { return nullptr; }

  // How often the path dropped all that it held, or ended a window early.
  virtual std::uint64_t flushes() const { return 0; }

 protected:
  unsigned slots() const { return slots_; }
  // Checks that an instruction has no more source operands than there are slots. Too many source operands are
  // an error with id "/subcore/slots".
  void check_slots(const Instruction& i) const {
    if (i.source_count > slots_) report_slots(i);
  }
  // Writes a line of the watchdog's report. `missing`: operands that have not come.
  void report_collecting(std::ostream& out, const Instruction& i, unsigned missing) const;
  // Prefix of the names of the path's signals.
  std::string signal_prefix() const { return "c" + std::to_string(index_) + '_'; }

  const std::uint8_t index_;

 private:
  void report_slots(const Instruction& i) const;
  const unsigned slots_;
};

}  // namespace subcore
