#include "subcore/observers/issue_order_recorder.h"

#include <utility>

namespace subcore {

IssueOrderRecorder::IssueOrderRecorder(Gpu& gpu, const std::filesystem::path& file) : file_(file) {
  for (StreamingMultiprocessor& sm : gpu.sms)
    for (SubCore& sub_core : sm.sub_cores) {
      SubCoreTap& tap = sub_cores_.emplace_back();
      for (auto& port : sub_core.scheduler.issue_socket) port.observe(tap);
    }
  gpu.driver.kernel_dispatcher.on_kernel_end([this](const std::string&) { end_kernel(); });
}

void IssueOrderRecorder::SubCoreTap::transferred(const IssueTransfer& t) {
  const Instruction& i = *t.instruction;
  if (t.kind == IssueTransfer::Kind::issue && touches_operands(*i.code, i.mask))
    warps.push_back(i.warp->number);
}

// A kernel begins when the one before it has drained.
void IssueOrderRecorder::end_kernel() {
  KernelIssueOrder order;
  for (SubCoreTap& s : sub_cores_) order.sub_cores.push_back(std::exchange(s.warps, {}));
  file_.append(order);
}

}  // namespace subcore
