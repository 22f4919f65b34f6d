#include "subcore/observers/kernel_recorder.h"

#include <algorithm>
#include <type_traits>

#include "subcore/model/statistics/result_columns.h"

namespace subcore {
namespace {

void add_difference(std::string&, const std::string&, const std::string&) {}  // names
template <class Number>
void add_difference(Number& sum, Number now, Number before) {
  sum += now - before;
}

// Adds to every column of `sum` the difference between `now` and `before`.
void add_difference(KernelResult& sum, const KernelResult& now, const KernelResult& before) {
  for (const ResultColumn& c : result_columns().all()) {
    std::visit(
        [&](auto member) {
          if constexpr (!std::is_same_v<decltype(member), std::monostate>)
            add_difference(sum.*member, now.*member, before.*member);
        },
        c.of_kernel);
  }
  for (std::size_t i = 0; i < sum.own.size(); ++i)
    add_difference(sum.own[i].second, now.own[i].second, before.own[i].second);
}

}  // namespace

KernelRecorder::KernelRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
                               std::function<KernelResult()> totals)
    : sc_module(name),
      driver_(driver),
      totals_(std::move(totals)),
      between_cycles_(1, driver.conductor.period()),
      process_("read", between_cycles_.event(), [this] { read(); }),
      end_(driver.kernel_dispatcher.start_cycle()) {
  nothing_.own = totals_().own;
  for (auto& column : nothing_.own) column.second = 0;
  read_ = nothing_;
  driver_.kernel_dispatcher.on_kernel_end([this](const std::string& kernel) { ended(kernel); });
}

void KernelRecorder::ended(const std::string& name) {
  const Cycle now = driver_.conductor.now();
  KernelResult k = nothing_;
  k.name = name;
  k.cycles = now - end_;
  k.ctas = driver_.kernel_dispatcher.ctas_sent() - ctas_;
  k.ctas_at_once = driver_.kernel_dispatcher.ctas_at_once();
  k.instructions_traced = driver_.kernel_dispatcher.instructions_sent() - instructions_;
  end_ = now;
  ctas_ += k.ctas;
  instructions_ += k.instructions_traced;
  kernels_.push_back(std::move(k));
  between_cycles_.start();
}

// Kernels without CTAs end in the same cycle as the kernel before them, and have nothing to count.
void KernelRecorder::read() {
  if (!between_cycles_.due()) return;
  between_cycles_.stop();
  const KernelResult now = totals_();
  add_difference(kernels_[std::min(counted_, kernels_.size() - 1)], now, read_);
  read_ = now;
  counted_ = kernels_.size();
}

std::vector<KernelResult> KernelRecorder::kernels() const {
  std::vector<KernelResult> all = kernels_;
  // Counts since the last kernel's end belong to that kernel, unless another kernel runs and takes them.
  if (counted_ < all.size() || (driver_.finished() && !all.empty()))
    add_difference(all[std::min(counted_, all.size() - 1)], totals_(), read_);
  return all;
}

}  // namespace subcore
