// Checks the promises of the recipe for an execution unit, on a library to which the recipe has been applied,
// and on a run.
#include <cstdio>

#include <systemc>

#include "subcore/model/isa/issue_distance.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/statistics/statistics.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"

using namespace subcore;

namespace {

int failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("does not hold: %s\n", what);
  ++failures;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return 2;
  const auto info = opcode_info("IMAD.WIDE");
  check(info && info->execution == ExecutionClass::multiply, "multiply-adds are of the new class");
  check(opcode_info("IADD3")->execution == ExecutionClass::integer, "additions are of the old one");
  check(unit_of(ExecutionClass::multiply) == ExecutionUnitKind::multiply, "the class has its unit");
  check(name(ExecutionUnitKind::multiply) == "multiply", "the unit has its name");
  StaticInstruction multiply;
  multiply.execution = ExecutionClass::multiply;
  check(has_counted_result(multiply) && !has_queue(ExecutionUnitKind::multiply),
        "the compiler counts on its latency");
  check(uses_reuse_cache(ExecutionClass::multiply), "it uses the reuse cache");
  check(issue_pipe(75, "XMAD", *opcode_info("XMAD")) == IssuePipe::fma, "it has its row's pipe");

  // A trace with multiply-adds runs on the unit, by the timing of the unit's own key.
  PlatformParameters p = load_platform(find_platform("malekeh"));
  check(p.sub_core.execution.of(ExecutionClass::multiply).latency == 6, "its key has its row's default");
  Gpu gpu("gpu", p);
  gpu.run(open_trace(argv[1]));
  sc_core::sc_start();
  StatisticsGroup statistics;
  gpu.register_statistics(statistics);
  const std::uint64_t instructions = statistics.sum("unit_multiply.instructions");
  std::printf("%llu instructions in unit_multiply\n", static_cast<unsigned long long>(instructions));
  check(gpu.finished() && instructions > 0, "the unit runs what is of its class");
  return failures;
}
