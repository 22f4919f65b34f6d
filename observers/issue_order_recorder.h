// IssueOrderRecorder: writes a file of the order in which the warps of each sub-core issue. A later run of
// the same trace reads the file for near bits of the kind shared_oracle (model/passes/issue_order.h).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <filesystem>

#include "subcore/model/passes/issue_order.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

class IssueOrderRecorder {
 public:
  // To be made before the simulation of `gpu` starts. The recorder must outlive the simulation. Throws
  // std::runtime_error if the file cannot be written. The simulation throws the same at the end of each
  // kernel.
  IssueOrderRecorder(Gpu& gpu, const std::filesystem::path& file);
  IssueOrderRecorder(const IssueOrderRecorder&) = delete;
  IssueOrderRecorder& operator=(const IssueOrderRecorder&) = delete;

 private:
  struct SubCoreTap final : TransferObserver<IssueTransfer> {
    void transferred(const IssueTransfer& t) override;
    std::vector<std::uint32_t> warps;
  };
  void end_kernel();

  IssueOrderWriter file_;
  std::deque<SubCoreTap> sub_cores_;
};

}  // namespace subcore
