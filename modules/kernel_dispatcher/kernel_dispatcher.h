// KernelDispatcher: runs the kernels of a trace in order and hands CTAs round robin to the SMs that have
// room. The dispatcher also runs kernels that are launched one by one while the simulation runs. A kernel
// begins when the kernel before it has drained.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "subcore/base/free_list.h"
#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/passes/issue_order.h"
#include "subcore/model/policy/cta_room.h"
#include "subcore/modules/control_registers/control_port.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class KernelDispatcher final : public TickingModule {
 public:
  PortVector<OutPort<CtaTransfer>> cta_socket;  // a socket per SM
  // For each SM, the port to the control socket of a cache that must keep nothing beyond a kernel (an L1,
  // which is not coherent). The dispatcher writes to the port before the first CTA of each kernel arrives.
  // The value is the bytes of shared memory that the kernel's CTAs take in an SM that is full of them. Each
  // port may stay unbound.
  PortVector<ControlPort<Binding::optional>> cache_control_socket;
  // Launches of kernels of the list: one socket per host.
  sc_core::sc_vector<InPort<KernelTransfer>> launch_socket;

  KernelDispatcher(const sc_core::sc_module_name& name, unsigned sms, const CtaRoom::Capacity& capacity,
                   const OperandOptions& operands, const PassOptions& passes, Cycle launch_cycles,
                   CtaDispatch rate, unsigned hosts = 0, Cycle start_cycle = 0);

  // The cycle before which nothing starts.
  Cycle start_cycle() const { return start_cycle_; }

  // Adds a program's kernels to the list that hosts launch from. Launches run in the order of their stamps.
  // If a run() is under way, they come behind it. Otherwise a launch begins a run, which ends when all
  // kernels have ended that were launched by then.
  void load(const TraceProgram& program);
  std::size_t kernels_loaded() const { return list_.kernels.size(); }

  // Runs a program. The call may come before the simulation starts, or whenever finished(): from any process,
  // and from an on_finish function. The first CTA is sent in the cycle of the call, or in the next one if
  // this module has ticked in that cycle already. The module has ticked in cycle 0 and in the cycle in which
  // it finished. Caches and predictors keep what they hold, as between two kernels, and counters go on. A
  // call while a trace is running is an error with id "/subcore/run" and changes nothing.
  void run(const TraceProgram& program);
  // Every run() calls `f`.
  void on_run(std::function<void()> f) { on_run_.push_back(std::move(f)); }
  // Calls `f` in the cycle in which the last CTA of a program's last kernel has finished. Several such
  // functions are called in the order in which they were given.
  void on_finish(std::function<void()> f) { on_finish_.push_back(std::move(f)); }

  // Calls `f` with a kernel's name in the cycle in which its last CTA has finished, before on_finish
  // functions. A kernel without CTAs ends in the cycle in which it would start.
  void on_kernel_end(std::function<void(const std::string&)> f) { on_kernel_end_.push_back(std::move(f)); }

  // Calls `f` in the cycle in which another wave of the kernel's CTAs has been sent (KernelPart::wave), as
  // long as the CTAs lie before the kernel's tail.
  void on_wave(std::function<void()> f) { on_wave_.push_back(std::move(f)); }

  // Does the work of a cycle. A trace that cannot be read is an error with id "/subcore/trace".
  Cycle tick(Cycle now) override;
  bool finished() const { return finished_; }
  // The program that runs now or ran last. For kernels that hosts launch, the program has only the list's
  // name.
  const TraceProgram& program() const { return program_; }
  // Share of the current run's kernel files that has been read, 0 to 1.
  double progress() const;
  std::uint64_t instructions_sent() const { return instructions_; }
  std::uint64_t ctas_sent() const { return ctas_; }
  // The most CTAs that all SMs had at one time, for the kernel that runs or ran last.
  unsigned ctas_at_once() const { return ctas_at_once_; }
  std::uint64_t kernels_started() const { return kernels_; }  // kernels of all runs
  // The binary version of the first kernel that states one; 0: no kernel has stated one yet.
  std::uint32_t binary_version() const { return binary_version_; }
  const std::map<std::string, std::uint64_t>& unknown_opcodes() const { return unknown_opcodes_; }
  // By CompilerBits: the number of kernels whose bits of that kind were made from the trace.
  const std::array<std::uint64_t, compiler_bits_count>& made_up_bits() const { return made_up_bits_; }

  // Signals: the kernel that runs, the number of kernels that have been started, this one included, and the
  // CTAs that are live. Between two kernels the kernel's name is x.
  std::vector<Signal> signals() override;
  bool drained() const override { return finished_ && live_ == 0 && launches_.empty(); }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Resident {
    CtaTrace* cta;
    CtaNeeds needs;
  };
  struct Done {
    Cycle stamp = 0;
    std::uint32_t sm = 0;
    const CtaTrace* cta = nullptr;
  };
  struct Launch {
    Cycle stamp = 0;
    unsigned host = 0;
    std::uint64_t kernel = 0;
  };
  void cta_finished(unsigned sm, CtaTransfer& t);
  void launch(unsigned host, KernelTransfer& t);
  void begin(const TraceProgram& program);
  const std::filesystem::path& next_file();
  bool read_next(CtaTrace& cta);
  void tell_waves();
  void end_kernel(Cycle now);
  std::size_t kernels_of_run() const { return next_kernel_ + queue_.size() + program_left(); }
  std::size_t program_left() const { return program_.kernels.size() - next_of_program_; }
  Cycle dispatch(Cycle now);
  void open_next(Cycle now);
  bool fetch(Cycle now);
  bool send(Cycle now);

  TraceProgram program_, list_;
  std::unique_ptr<IssueOrderReader> issue_order_;  // for the program's kernels; null: the order is not known
  std::size_t next_of_program_ = 0;
  std::size_t next_kernel_ = 0;  // number in the run; launched kernels follow the program's
  std::uint64_t kernels_ = 0;
  PayloadEventQueue<Launch, &Launch::host> launches_;
  std::deque<Launch> queue_;      // launches of the run that have not started
  std::optional<Launch> launch_;  // the launch that runs, if a host made it
  OperandOptions operands_;
  PassOptions passes_;
  CtaRoom::Capacity capacity_;
  Cycle launch_cycles_;
  CtaDispatch rate_;
  Cycle start_cycle_;
  Cycle launched_ = 0;      // first cycle in which a CTA of the kernel may be sent
  Cycle kernel_start_ = 0;  // cycle in which the kernel's first CTA was sent
  std::unique_ptr<AnnotatedKernel> kernel_;
  KernelPart part_;              // CTAs of the kernel that run
  std::uint64_t place_ = 0;      // CTAs of the kernel that have been read or passed over
  std::uint64_t waves_ = 0;      // waves of the kernel that have been sent
  CtaTrace* pending_ = nullptr;  // the CTA that was read last and waits for room
  CtaNeeds needs_;
  std::vector<CtaRoom> room_;                    // per SM
  std::vector<std::vector<Resident>> resident_;  // per SM
  FreeList<CtaTrace> traces_;                    // CTAs that are pending or resident
  PayloadEventQueue<Done, &Done::sm> done_;
  unsigned next_sm_ = 0;
  unsigned live_ = 0, ctas_at_once_ = 0;
  std::uint32_t binary_version_ = 0;
  bool finished_ = true;
  std::vector<std::function<void()>> on_run_, on_finish_;
  std::vector<std::function<void(const std::string&)>> on_kernel_end_;
  std::vector<std::function<void()>> on_wave_;
  std::map<std::string, std::uint64_t> unknown_opcodes_;
  std::array<std::uint64_t, compiler_bits_count> made_up_bits_{};
  Counter ctas_{counter_list_, "ctas", "CTAs", "CTAs handed to SMs"};
  Counter warps_{counter_list_, "warps", "warps", "warps in them"};
  Counter instructions_{counter_list_, "instructions", "instructions",
                        "warp instructions in them, as traced"};
};

}  // namespace subcore
