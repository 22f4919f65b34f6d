// The order in which the warps of each sub-core issued in a run. The limit of a store that warps share needs
// this order, because no limit knows which warp comes next.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

namespace subcore {

// The order of one kernel.
struct KernelIssueOrder {
  // For each sub-core, the warp (WarpTrace::number) of each issued instruction that touched operands. A
  // warp's instructions come in program order.
  std::vector<std::vector<std::uint32_t>> sub_cores;
};

// Throws TraceError that the order has other warps or instructions than the kernel.
[[noreturn]] void refuse_order();

// A file with the orders of a run's kernels, in the order in which the kernels ended.
class IssueOrderWriter {
 public:
  // Throws std::runtime_error, as append() does, if the file cannot be written.
  explicit IssueOrderWriter(const std::filesystem::path& file);
  void append(const KernelIssueOrder& kernel);

 private:
  void put(const void* data, std::size_t bytes);

  std::filesystem::path path_;
  std::ofstream file_;
};

// Reads a file that IssueOrderWriter wrote on the same kind of machine. Throws TraceError for any other file.
class IssueOrderReader {
 public:
  explicit IssueOrderReader(const std::filesystem::path& file);
  // The order of the next kernel.
  KernelIssueOrder next();

 private:
  void get(void* data, std::size_t bytes);
  std::uint64_t count(std::size_t bytes_of_each);

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t bytes_left_ = 0;
};

}  // namespace subcore
