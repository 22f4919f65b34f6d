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
std::uint64_t KernelReader::bytes_read() const {
  return source_->bytes_read();
}
std::uint64_t KernelReader::bytes_total() const {
  return source_->bytes_total();
}

}  // namespace subcore
