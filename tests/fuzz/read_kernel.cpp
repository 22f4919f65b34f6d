#include "tests/fuzz/read_kernel.h"

#include <boost/functional/hash.hpp>

#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/trace.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {
namespace {

void add(std::size_t& hash, const StaticInstruction& s) {
  for (const std::uint64_t value : {s.pc, std::uint64_t{s.opcode}, std::uint64_t{s.memory_bytes},
                                    std::uint64_t{s.predicates_read}, std::uint64_t{s.predicates_written},
                                    std::uint64_t{s.uniforms_read}, std::uint64_t{s.uniforms_written}})
    boost::hash_combine(hash, value);
  boost::hash_range(hash, s.sources.begin(), s.sources.begin() + s.source_count);
  boost::hash_range(hash, s.destinations.begin(), s.destinations.begin() + s.destination_count);
}

KernelContent content_left(KernelReader& reader) {
  KernelContent content;
  for (CtaTrace cta; reader.next(cta);)
    for (const WarpTrace& warp : cta.warps) {
      content.instructions += warp.records.size();
      for (const TraceRecord& r : warp.records) {
        boost::hash_combine(content.hash, r.code);
        boost::hash_combine(content.hash, r.mask);
      }
      boost::hash_range(content.hash, warp.addresses.begin(), warp.addresses.end());
    }
  for (const StaticInstruction& s : reader.code().instructions) add(content.hash, s);
  return content;
}

}  // namespace

KernelContent read_kernel(const std::filesystem::path& file) {
  OperandOptions options;
  options.predicates = true;
  KernelReader reader(file, options);
  const KernelContent content = content_left(reader);
  reader.rewind();
  expect(content_left(reader) == content, "read again, it has other instructions");
  reader.seek(1);
  expect(content_left(reader).instructions <= content.instructions,
         "without its first CTA, it has more instructions");
  return content;
}

}  // namespace subcore::fuzz
