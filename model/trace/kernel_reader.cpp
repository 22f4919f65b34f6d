#include <stdexcept>

#include "subcore/model/trace/kernel_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/trace.h"
#include "subcore/model/trace/trace_cache.h"

namespace subcore {

KernelReader::KernelReader(const std::filesystem::path& file, const OperandOptions& options)
    : file_(file), options_(options) {
  if (is_packed(file)) {
    source_ = open_packed_kernel(file, file, options);
    return;
  }
  if (const auto copy = trace_cache() != nullptr ? trace_cache()->find(file) : std::nullopt) {
    try {
      source_ = open_packed_kernel(*copy, file, options);
      copy_ = *copy;
      return;
    } catch (const std::runtime_error&) {  // the copy is damaged, or can no longer be opened
      trace_cache()->forget(*copy);
    }
  }
  source_ = open_text_kernel(file, options);
}
KernelReader::~KernelReader() = default;

// Reads the text in place of its copy, because an error in the text has a better message, for the same place.
// If the text has no error, the copy is damaged, and code from it is already in use.
void KernelReader::fail_as_text() const {
  const auto text = open_text_kernel(file_, options_);
  CtaTrace cta;
  while (text->next(cta)) {
  }
  if (trace_cache() != nullptr) trace_cache()->forget(copy_);
  throw TraceError(file_.string() + ": its packed copy " + copy_.string() +
                   " was damaged and has been removed; expected the command to be run again");
}

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
  if (copy_.empty()) return source_->next(cta);
  try {
    return source_->next(cta);
  } catch (const TraceError&) {
  }
  fail_as_text();
}
void KernelReader::rewind() {
  source_->rewind();
}
const CtaIndex* KernelReader::index() const {
  return source_->index();
}
void KernelReader::seek(std::uint64_t cta) {
  if (copy_.empty()) return source_->seek(cta);
  try {
    return source_->seek(cta);
  } catch (const TraceError&) {
  }
  fail_as_text();
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
