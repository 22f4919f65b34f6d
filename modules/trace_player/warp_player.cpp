#include "subcore/modules/trace_player/warp_player.h"

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/trace/addresses.h"

namespace subcore {

void WarpPlayer::launch(const LaunchTransfer& t) {
  const WarpTrace& warp = *t.warp;
  warp_ = &warp;
  record_ = warp.records.data();
  records_ = static_cast<std::uint32_t>(warp.records.size());
  addresses_ = warp.addresses.data();
  async_ = warp.async.empty() ? nullptr : warp.async.data();
  near_ = warp.near.empty() ? nullptr : warp.near.data();
  code_ = t.code;
  kernel_ = t.kernel;
  next_ = 0;
  warp_uid_ = t.warp_uid;
  cta_slot_ = t.cta_slot;
  written_.reset();
  live_ = warp.lanes;
}

void WarpPlayer::fill(Instruction& i, FreeList<AccumulatorWrites>& accumulated) {
  const TraceRecord record = record_[next_];
  const StaticInstruction& code = code_->instructions[record.code];
  i.code = &code;
  i.kernel = kernel_;
  i.mask = record.mask;
  i.live = live_ | record.mask;
  live_ = lanes_left(i.live, code, record.mask);
  i.sequence = next_;
  i.warp_uid = warp_uid_;
  i.warp_slot = slot_;
  i.cta_slot = cta_slot_;
  i.sub_core = sub_core_;
  i.addresses = nullptr;
  if (code.memory_bytes != 0 && record.mask != 0) {
    i.addresses = addresses_;
    addresses_ += encoded_size(addresses_);
  }
  if (has_record(code.async)) i.async = async_ != nullptr && record.mask != 0 ? async_++ : nullptr;
  if (near_ == nullptr) {
    i.source_near = code.source_near;
    i.destination_near = code.destination_near;
  } else {
    i.source_near = static_cast<SourceSet>(near_[next_]);
    i.destination_near = static_cast<std::uint16_t>(near_[next_] >> max_sources);
  }
  // An instruction that is predicated off passes through the pipeline. Such an instruction touches no
  // operand, unless such operands are to be counted.
  const bool touches = touches_operands(code, record.mask);
  const unsigned sources = touches ? code.source_count : 0, results = touches ? code.destination_count : 0;
  i.source_count = static_cast<std::uint8_t>(sources);
  i.destination_count = static_cast<std::uint8_t>(results);
  i.warp = warp_;
  i.code_table = code_;
  for (unsigned s = 0; s < sources; ++s) i.operands[s].expected = writes_[code.sources[s]];
  i.fresh = code.annotation != nullptr ? code.annotation->ends_older : std::uint8_t{0};
  i.first = 0;
  for (unsigned d = 0; d < results; ++d) {
    if (!written_[code.destinations[d]]) {
      written_[code.destinations[d]] = true;
      bits::add(i.first, d);
    }
    i.produced[d] = ++writes_[code.destinations[d]];
  }
  i.fresh |= i.first;
  i.accumulated = nullptr;
  ++next_;
  i.followed = next_ < records_;
  if (i.is_product()) number_accumulators(i, accumulated);
}

void WarpPlayer::number_accumulators(Instruction& i, FreeList<AccumulatorWrites>& accumulated) {
  const Accumulators& all = i.code->accumulators;
  i.accumulated = &accumulated.take();
  for (unsigned n = 0; n < all.count; ++n) {
    written_[all.first + n] = true;
    (*i.accumulated)[n] = ++writes_[all.first + n];
  }
}

bool WarpPlayer::redirected() const {
  if (next_ == records_) return false;
  const TraceRecord last = record_[next_ - 1], next = record_[next_];
  return redirects_fetch({code_->instructions[last.code], last.mask},
                         {code_->instructions[next.code], next.mask},
                         kernel_ != nullptr ? kernel_->binary_version : 0);
}

}  // namespace subcore
