#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/trace/kernel_source.h"
#include "subcore/model/trace/line_source.h"

namespace subcore {
namespace {

constexpr std::uint64_t tracked_ctas = std::uint64_t{1} << 26;  // 8 MiB of bits at most

}  // namespace

KernelBody::KernelBody(const std::filesystem::path& file, const OperandOptions& options,
                       const KernelHeader& h, std::optional<Sidecar> s)
    : path(file),
      header(h),
      sidecar(std::move(s)),
      table(code, options, sidecar ? &*sidecar : nullptr),
      form(line_form(h.tracer_version)) {
  table.take_form(form);
  table.limit_registers(header.registers_per_thread);
  if (header.grid.count() <= tracked_ctas) seen_ctas_.resize(header.grid.count());
}

void KernelBody::begin_cta(const TracePosition& position, const Dim3& id, std::string_view as_written) {
  const Dim3& grid = header.grid;
  if (id.x >= grid.x || id.y >= grid.y || id.z >= grid.z)
    position.fail("bad thread block " + quoted(as_written),
                  "x,y,z inside the grid (" + std::to_string(grid.x) + "," + std::to_string(grid.y) + "," +
                      std::to_string(grid.z) + ")");
  seen_warps_ = 0;
  ++ctas_;
  if (seen_ctas_.empty()) return;
  const std::uint64_t index = (std::uint64_t{id.z} * grid.y + id.y) * grid.x + id.x;
  if (seen_ctas_[index])
    position.fail("thread block " + quoted(as_written) + " given twice", "each thread block once");
  seen_ctas_[index] = true;
}

void KernelBody::end_cta(CtaTrace& cta, std::size_t warps) {
  cta.warps.resize(warps);
  const auto by_id = [](const WarpTrace& a, const WarpTrace& b) { return a.warp < b.warp; };
  if (!std::is_sorted(cta.warps.begin(), cta.warps.end(), by_id))
    std::sort(cta.warps.begin(), cta.warps.end(), by_id);
}

// Apart from this check, a file that is cut between two CTAs looks complete.
void KernelBody::end(const TracePosition& position) const {
  if (ctas_ != header.grid.count())
    position.fail("file ends after " + std::to_string(ctas_) + " thread blocks",
                  std::to_string(header.grid.count()) + " of them, as the grid says");
}

WarpTrace& KernelBody::begin_warp(const TracePosition& position, CtaTrace& cta, std::size_t used,
                                  std::uint32_t number) {
  if (bits::has(seen_warps_, number))
    position.fail("warp " + std::to_string(number) + " given twice in one thread block", "each warp once");
  bits::add(seen_warps_, number);
  if (used == cta.warps.size()) cta.warps.emplace_back();
  WarpTrace& warp = cta.warps[used];
  warp.warp = number;
  warp.lanes = header.lanes_of(number);
  warp.near.clear();
  return warp;
}

void KernelBody::seek(std::uint64_t cta) {
  ctas_ = cta;
  std::fill(seen_ctas_.begin(), seen_ctas_.end(), false);
}

void KernelSource::seek(std::uint64_t cta) {
  rewind();
  CtaTrace before;
  while (cta > 0 && next(before)) --cta;
}

}  // namespace subcore
