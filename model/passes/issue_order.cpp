#include "subcore/model/passes/issue_order.h"

#include <stdexcept>
#include <system_error>

#include "subcore/model/trace/trace.h"

namespace subcore {

void refuse_order() {
  throw TraceError("the order of issue is of another kernel; expected the order of a run of the same trace");
}

IssueOrderWriter::IssueOrderWriter(const std::filesystem::path& file)
    : path_(file), file_(file, std::ios::binary) {
  if (!file_) throw std::runtime_error("cannot write " + path_.string());
}

void IssueOrderWriter::put(const void* data, std::size_t bytes) {
  file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

void IssueOrderWriter::append(const KernelIssueOrder& kernel) {
  const std::uint64_t sub_cores = kernel.sub_cores.size();
  put(&sub_cores, sizeof sub_cores);
  for (const std::vector<std::uint32_t>& order : kernel.sub_cores) {
    const std::uint64_t instructions = order.size();
    put(&instructions, sizeof instructions);
    put(order.data(), instructions * sizeof order[0]);
  }
  if (!file_.flush()) throw std::runtime_error("cannot write " + path_.string());
}

IssueOrderReader::IssueOrderReader(const std::filesystem::path& file)
    : path_(file), file_(file, std::ios::binary) {
  std::error_code error;
  bytes_left_ = std::filesystem::file_size(file, error);
  if (error || !file_) throw TraceError(path_.string() + ": cannot be read; expected an order of issue");
}

void IssueOrderReader::get(void* data, std::size_t bytes) {
  if (bytes > bytes_left_ || !file_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes)))
    throw TraceError(path_.string() + ": ends too early; expected the order of issue of every kernel");
  bytes_left_ -= bytes;
}

// The number of things that follow. Each thing has `bytes_of_each` bytes.
std::uint64_t IssueOrderReader::count(std::size_t bytes_of_each) {
  std::uint64_t n;
  get(&n, sizeof n);
  if (n > bytes_left_ / bytes_of_each)
    throw TraceError(path_.string() + ": has fewer bytes than its head says; expected an order of issue");
  return n;
}

KernelIssueOrder IssueOrderReader::next() {
  KernelIssueOrder kernel;
  kernel.sub_cores.resize(count(sizeof(std::uint64_t)));
  for (std::vector<std::uint32_t>& order : kernel.sub_cores) {
    order.resize(count(sizeof order[0]));
    get(order.data(), order.size() * sizeof order[0]);
  }
  return kernel;
}

}  // namespace subcore
