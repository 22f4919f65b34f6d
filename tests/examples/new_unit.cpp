// The promises of the recipe for an execution unit, asked of a model to which it has been applied.
#include <cstdio>

#include "subcore/model/isa/issue_distance.h"
#include "subcore/model/isa/opcodes.h"

using namespace subcore;

namespace {

int failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("does not hold: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  const auto info = opcode_info("IMAD.WIDE");
  check(info && info->execution == ExecutionClass::multiply, "multiply-adds are of the new class");
  check(opcode_info("IADD3")->execution == ExecutionClass::integer, "additions are of the old one");
  check(unit_of(ExecutionClass::multiply) == ExecutionUnitKind::multiply, "the class has its unit");
  check(name(ExecutionUnitKind::multiply) == "multiply", "the unit has its name");
  check(has_counted_result(ExecutionClass::multiply) && !has_queue(ExecutionUnitKind::multiply),
        "the compiler counts on its latency");
  check(uses_reuse_cache(ExecutionClass::multiply), "it uses the reuse cache");
  check(issue_pipe("XMAD", *opcode_info("XMAD")) == IssuePipe::fma, "it has its row's pipe");
  return failures;
}
