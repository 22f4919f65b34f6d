// The kernel dispatcher between a trace and the CTA sockets of two SMs.
#include "subcore/modules/kernel_dispatcher/kernel_dispatcher.h"

#include <memory>

#include <catch2/catch.hpp>

#include "tests/module/kit.h"
#include "tests/unit/trace_files.h"

namespace kernel_dispatcher_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Two kernels, of five CTAs and of one, each CTA a warp of one instruction; an SM has room for two.
TraceProgram two_kernels(const TemporaryFolder& folder) {
  TraceProgram program;
  for (const unsigned ctas : {5u, 1u}) {
    std::string text = header("3", "(" + std::to_string(ctas) + ",1,1)");
    for (unsigned c = 0; c < ctas; ++c) {
      text += "#BEGIN_TB\nthread block = " + std::to_string(c) +
              ",0,0\nwarp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n";
    }
    program.kernels.push_back(folder.write("kernel-" + std::to_string(ctas) + ".traceg", text));
  }
  return program;
}

// Every CTA is over 10 cycles after the dispatcher has sent it.
struct DispatchBench : Stage {
  DispatchBench(const sc_core::sc_module_name& name, const TraceProgram& program, Cycle launch_cycles,
                CtaDispatch rate)
      : Stage(name), dispatcher("dispatcher", 2, {2, 8, 65536, 65536}, {}, {}, launch_cycles, rate) {
    conductor.add(dispatcher);
    for (unsigned s = 0; s < 2; ++s) {
      sinks.push_back(std::make_unique<Sink<CtaTransfer>>(("sm" + std::to_string(s)).c_str()));
      dispatcher.cta_socket[s].bind(sinks[s]->in);
      sinks[s]->react = [this, s](CtaTransfer& t) {
        CtaTransfer done = t;
        done.stamp = t.stamp + 9;
        done.kind = CtaTransfer::Kind::finished;
        sinks[s]->in.status(done);
      };
    }
    dispatcher.run(program);
  }
  KernelDispatcher dispatcher;
  std::vector<std::unique_ptr<Sink<CtaTransfer>>> sinks;
};
using Cycles = std::vector<Cycle>;

}  // namespace

TEST_CASE("CTAs: one a cycle for the GPU, or one a cycle for each SM, in turn") {
  const TemporaryFolder folder;
  const TraceProgram program = two_kernels(folder);
  DispatchBench gpu("gpu", program, 0, CtaDispatch::gpu), sm("sm", program, 0, CtaDispatch::sm);
  run_cycles(100);
  // CTAs that are sent are usable in the next cycle. The fifth CTA waits for room until 10. The second kernel
  // waits for that CTA, until 20.
  CHECK(gpu.sinks[0]->stamps() == Cycles{1, 3, 11});
  CHECK(gpu.sinks[1]->stamps() == Cycles{2, 4, 21});
  CHECK(sm.sinks[0]->stamps() == Cycles{1, 2, 11});
  CHECK(sm.sinks[1]->stamps() == Cycles{1, 2, 21});
  CHECK(gpu.dispatcher.drained());
  CHECK(sm.dispatcher.drained());
}

TEST_CASE("CTAs: every kernel takes its launch latency") {
  const TemporaryFolder folder;
  const TraceProgram program = two_kernels(folder);
  DispatchBench gpu("gpu", program, 100, CtaDispatch::gpu), sm("sm", program, 100, CtaDispatch::sm);
  run_cycles(500);
  CHECK(gpu.sinks[0]->stamps() == Cycles{101, 103, 111});
  CHECK(gpu.sinks[1]->stamps() == Cycles{102, 104, 221});
  CHECK(sm.sinks[0]->stamps() == Cycles{101, 102, 111});
  CHECK(sm.sinks[1]->stamps() == Cycles{101, 102, 221});
  CHECK(gpu.dispatcher.finished());
  CHECK(sm.dispatcher.finished());
}

TEST_CASE("CTAs: parts of kernels run, and waves are told of when they have been sent") {
  const TemporaryFolder folder;
  TraceProgram program = two_kernels(folder);
  // Of five CTAs the first two and the last one; of the other kernel all, which is one.
  program.parts = {{0, 2, 4, 1}, {}};
  DispatchBench gpu("gpu", program, 0, CtaDispatch::gpu);
  Cycles waves;
  gpu.dispatcher.on_wave([&] { waves.push_back(gpu.conductor.now()); });
  run_cycles(100);
  CHECK(gpu.sinks[0]->stamps() == Cycles{1, 3});
  CHECK(gpu.sinks[1]->stamps() == Cycles{2, 13});
  // The last CTA is in no wave, nor is the other kernel.
  CHECK(waves == Cycles{0, 1});
  CHECK(gpu.dispatcher.ctas_sent() == 4);
  CHECK(gpu.dispatcher.finished());
}

TEST_CASE("CTAs: a part that the kernel does not have is an error") {
  const TemporaryFolder folder;
  TraceProgram program = two_kernels(folder);
  program.parts = {{5, KernelPart::none, KernelPart::none, 0}, {}};
  DispatchBench gpu("gpu", program, 0, CtaDispatch::gpu);
  CHECK_THROWS_WITH(run_cycles(100),
                    Catch::Contains("has no CTA at place 6, from which on the kernel is to run"));
}

}  // namespace kernel_dispatcher_test
