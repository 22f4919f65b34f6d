#include "subcore/model/trace/kernel_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

KernelReader::KernelReader(const std::filesystem::path& file, const OperandOptions& options)
    : source_(is_packed(file) ? open_packed_kernel(file, options) : open_text_kernel(file, options)) {}
KernelReader::~KernelReader() = default;

const KernelHeader& KernelReader::header() const {
  return source_->body().header;
}
CodeTable& KernelReader::code() {
  return source_->body().code;
}
const CodeTable& KernelReader::code() const {
  return source_->body().code;
}
bool KernelReader::has_sidecar() const {
  return source_->body().sidecar.has_value();
}
bool KernelReader::next(CtaTrace& cta) {
  return source_->next(cta);
}
void KernelReader::rewind() {
  source_->rewind();
}
const CtaIndex* KernelReader::index() const {
  return source_->index();
}
void KernelReader::seek(std::uint64_t cta) {
  source_->seek(cta);
}
std::uint64_t KernelReader::bytes_read() const {
  return source_->bytes_read();
}
std::uint64_t KernelReader::bytes_total() const {
  return source_->bytes_total();
}

CtaIndex cta_index(const std::filesystem::path& kernel) {
  KernelReader reader(kernel, {});
  if (const CtaIndex* known = reader.index()) return *known;
  CtaIndex index;
  CtaTrace cta;
  while (reader.next(cta)) {
    std::uint64_t instructions = 0;
    for (const WarpTrace& warp : cta.warps) instructions += warp.records.size();
    index.instructions.push_back(static_cast<std::uint32_t>(instructions));
    index.total += instructions;
  }
  return index;
}

KernelSize kernel_size(const std::filesystem::path& kernel) {
  if (is_packed(kernel))
    if (const std::optional<KernelSize> size = PackedReader::size_of(kernel)) return *size;
  const CtaIndex index = cta_index(kernel);
  return {index.instructions.size(), index.total};
}

}  // namespace subcore
