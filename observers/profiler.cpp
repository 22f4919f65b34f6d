#include "subcore/observers/profiler.h"

#include <algorithm>
#include <tuple>

namespace subcore {

Profiler::Profiler(Gpu& gpu) : gpu_(gpu) {
  KernelDispatcher& dispatcher = gpu.driver.kernel_dispatcher;
  for (auto& socket : dispatcher.cta_socket) socket.observe(state_->rows);
  dispatcher.on_kernel_end([s = state_.get()](const std::string&) { s->rows.kernel_ended(); });
  for (auto& sm : gpu.sms)
    for (unsigned s = 0; s < sm.sub_cores.size(); ++s) observe(sm, s);
  gpu.keep(state_);
}

void Profiler::observe(StreamingMultiprocessor& sm, unsigned index) {
  const PlatformParameters& p = gpu_.parameters();
  const RegisterFileParameters& file = p.sub_core.register_file;
  const CollectorParameters& collector = p.sub_core.collector;
  SubCore& s = sm.sub_cores[index];
  Part& part = state_->parts.emplace_back(
      std::string(sm.basename()) + "." + s.basename(), state_->rows, p.sub_core.warp_slots,
      BankMap(file.banks, file.bank_warp_id, index, p.multiprocessor.sub_cores),
      collector.kind->keeps_values() && collector.dup_source_is_hit, p.gpu.start_cycle);
  s.scheduler.stall_port.observe(part.stalls);
  OperandProfile& o = part.operands;
  for (auto& port : s.scheduler.issue_socket) port.observe(o.issues);
  for (unsigned b = 0; b < s.arbiter.bank_socket.size(); ++b) s.arbiter.bank_socket[b].observe(o.accesses[b]);
  s.arbiter.retire_socket.observe(o.retired);
  for (auto& c : s.collectors)
    if (auto* port = c.write_back_port()) port->observe(o.given_back);
  if (s.operand_cache) {
    for (auto& port : s.operand_cache->miss_socket) port.observe(o.asked);
    s.operand_cache->prefetch_socket.observe(o.asked);
    s.operand_cache->write_back_socket.observe(o.given_back);
    for (auto& port : s.operand_cache->bank_socket) port.observe(o.arrived);
  } else {
    for (auto& c : s.collectors) c.read_socket.observe(o.asked);
    for (auto& unit : s.units) unit.result_socket.observe(o.arrived);
    sm.load_store.result_socket[index].observe(o.arrived);
  }
  if (s.warpgroup_unit) {
    s.warpgroup_unit->read_socket.observe(o.asked);
    s.warpgroup_unit->written_socket.observe(o.given_back);
  }
}

RunProfile Profiler::profile(const RunResult& result) {
  RunProfile p;
  take_result(p, result);
  for (Part& part : state_->parts) {
    part.stalls.close(result.cycles);
    for (unsigned b = 0; b < part.operands.banks().size(); ++b)
      p.banks.push_back({part.name, b, part.operands.banks()[b]});
    for (unsigned s = 0; s < part.stalls.slots().size(); ++s)
      p.warps.push_back({part.name, s, part.stalls.slots()[s]});
  }
  p.instructions.assign(state_->rows.rows().begin(), state_->rows.rows().end());
  // The order of rows depends on the order in which modules tick.
  std::sort(p.instructions.begin(), p.instructions.end(), [](const auto& a, const auto& b) {
    return std::tie(a.kernel, a.pc, a.opcode) < std::tie(b.kernel, b.pc, b.opcode);
  });
  p.no_instruction = state_->rows.none();
  return p;
}

}  // namespace subcore
