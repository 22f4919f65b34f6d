#include "tests/fuzz/read_kernel.h"

#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/trace.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {
namespace {

std::uint64_t instructions_left(KernelReader& reader) {
  std::uint64_t count = 0;
  for (CtaTrace cta; reader.next(cta);)
    for (const WarpTrace& warp : cta.warps) count += warp.records.size();
  return count;
}

}  // namespace

std::uint64_t read_kernel(const std::filesystem::path& file) {
  OperandOptions options;
  options.predicates = true;
  KernelReader reader(file, options);
  const std::uint64_t count = instructions_left(reader);
  reader.rewind();
  expect(instructions_left(reader) == count, "read again, it has another number of instructions");
  reader.seek(1);
  expect(instructions_left(reader) <= count, "without its first CTA, it has more instructions");
  return count;
}

}  // namespace subcore::fuzz
