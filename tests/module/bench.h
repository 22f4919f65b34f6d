// A whole SM under a hand-made program: memory behind it, a feeder of CTAs in front, every port watched.
#pragma once

#include <string>

#include "subcore/modules/memory/simple_memory.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "tests/module/kit.h"
#include "tests/module/log.h"
#include "tests/module/program.h"

namespace subcore::test {

// The baseline's parameters with one sub-core, as most tables need them.
PlatformParameters baseline(unsigned collectors = 2);
// One caching collector unit per `collectors`, Malekeh's policies, STHLD fixed.
PlatformParameters malekeh(unsigned collectors = 2, std::uint32_t sthld = 0);
PlatformParameters malekeh_private();
PlatformParameters traditional();
// One bypassing collector per warp, window of three, write-through or write-back.
PlatformParameters bow();
PlatformParameters bow_wr();
// `p` with out-of-order issue by a dependence matrix, eight buffer entries a warp, two fetched per cycle.
PlatformParameters socgpu(PlatformParameters p);

// Control bits and a fixed read window; units take an instruction of fixed latency every `interval` cycles.
PlatformParameters nvidia(unsigned interval = 1);

// OCUs behind an operand cache, two active warps in turn; no compiler pass.
PlatformParameters rfc(unsigned collectors = 2);
PlatformParameters software_rfc(unsigned collectors = 2);
PlatformParameters ltrf(unsigned collectors = 2);
// One scheduler for the SM: 32 warps, 8 banks, 8 collectors, 8 of the warps active if not all are.
PlatformParameters monolithic(PlatformParameters p);

// Sends CTA n in cycle 0 for n < `resident`, and the next one whenever one finishes.
class Feeder : public TickingModule {
 public:
  OutPort<CtaTransfer> cta_socket;
  Feeder(const sc_core::sc_module_name& name, const Program& program, std::size_t resident);
  Cycle tick(Cycle now) override;
  bool finished() const { return finished_ == program_.ctas.size(); }
  Cycle finish_cycle() const { return finish_cycle_; }

 private:
  void cta_finished(unsigned, CtaTransfer& t);
  const Program& program_;
  std::size_t wanted_, sent_ = 0, finished_ = 0;
  Cycle finish_cycle_ = 0;
};

// Rows, with w = dynamic warp id (1 is the first) and i = number of the instruction in its warp:
//   issue w.i c           read w.R bank c        dispatch w.i unit     write w.R bank
//   back s.R bank (written back from a cache; s = warp slot)
//   port_d w.R c          invalidate w.R c       release w.i (first cycle in which the scoreboard is clear)
// A CTA sent in cycle 0 is placed in 1, its warps fetch from 2 on and issue from 3 on.
class Bench : public sc_core::sc_module {
 public:
  Bench(const sc_core::sc_module_name& name, const PlatformParameters& parameters, const Program& program,
        std::size_t resident = 1, const SubCoreHooks& hooks = {});
  bool finished() const { return feeder.finished(); }
  // Modules that are not drained, and counters that do not balance.
  std::vector<std::string> leftovers();
  std::string statistics();

  Conductor conductor;
  Feeder feeder;
  StreamingMultiprocessor sm;
  SimpleMemory memory;
  Log log;

 private:
  void watch(SubCore& s, const std::string& prefix);
};

}  // namespace subcore::test
