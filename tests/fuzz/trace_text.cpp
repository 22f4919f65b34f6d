// A kernel's trace as text: read with the passes of a compiler, read by the register-cache study, and packed.
#include "subcore/model/trace/pack.h"
#include "subcore/program/analysis/annotate.h"
#include "subcore/program/analysis/study/trace_lines.h"
#include "tests/fuzz/read_kernel.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void trace_text(std::string_view input) {
  const auto file = write("kernel-1.traceg", input);
  accepts([&] {
    StudyTraceLines lines(file);
    for (StudyLine line; lines.next(line);) {
    }
  });
  KernelContent content;
  if (!accepts([&] { content = read_kernel(file); })) return;
  const auto packed = scratch() / "text.packed";
  pack_kernel(file, packed, [](double) {});
  expect(read_kernel(packed) == content, "the packed trace has other instructions");
  accepts([&] { annotate(open_trace(file), {}); });
}

}  // namespace subcore::fuzz
