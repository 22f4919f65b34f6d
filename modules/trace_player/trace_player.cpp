#include "modules/trace_player/trace_player.h"

#include <ostream>

#include "model/bits.h"
#include "model/hints/compiler_hints.h"
#include "model/policy/fetch_redirect.h"
#include "model/trace/addresses.h"

namespace subcore {

TracePlayer::TracePlayer(const sc_core::sc_module_name& name, unsigned sub_core, unsigned warp_slot,
                         unsigned instruction_buffer, unsigned fetch_width, FetchRedirect redirect)
    : TickingModule(name),
      instruction_socket("instruction_socket", instruction_buffer),
      launch_socket("launch_socket"),
      sub_core_(static_cast<std::uint8_t>(sub_core)),
      slot_(static_cast<std::uint16_t>(warp_slot)),
      fetch_width_(fetch_width),
      redirect_(redirect) {
  instruction_socket.on_credit<&TracePlayer::credit>(this);
  instruction_socket.on_status<&TracePlayer::news>(this);
  launch_socket.on_receive<&TracePlayer::launch>(this);
}

void TracePlayer::launch(unsigned, LaunchTransfer& t) {
  warp_ = t.warp;
  code_ = t.code;
  kernel_ = t.kernel;
  next_ = 0;
  address_ = 0;
  warp_uid_ = t.warp_uid;
  cta_slot_ = t.cta_slot;
  written_.reset();
  live_ = warp_->lanes;
  start_ = t.stamp;
  finish_ = warp_->records.empty() ? t.stamp : never;
  wake(t.stamp);
}

Instruction& TracePlayer::acquire() {
  if (spare_.empty()) {  // grows to the most a warp ever has in flight, then never again
    pool_.push_back(std::make_unique<Instruction>());
    spare_.push_back(pool_.back().get());
  }
  Instruction& i = *spare_.back();
  spare_.pop_back();
  return i;
}

void TracePlayer::fill(Instruction& i) {
  const TraceRecord record = warp_->records[next_];
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
    i.addresses = warp_->addresses.data() + address_;
    address_ += encoded_size(i.addresses);
  }
  if (warp_->near.empty()) {
    i.source_near = code.source_near;
    i.destination_near = code.destination_near;
  } else {
    i.source_near = static_cast<std::uint16_t>(warp_->near[next_]);
    i.destination_near = static_cast<std::uint16_t>(warp_->near[next_] >> 16);
  }
  // Predicated off: it passes through the pipeline but touches no operand, unless that is to be counted.
  const bool touches = touches_operands(code, record.mask);
  i.source_count = touches ? code.source_count : std::uint8_t{0};
  i.destination_count = touches ? code.destination_count : std::uint8_t{0};
  i.unwritten = 0;
  for (unsigned s = 0; s < i.source_count; ++s) {
    const Register r = code.sources[s];
    i.expected[s] = versions_[r];
    if (!written_[r]) bits::add(i.unwritten, s);
  }
  i.fresh = code.hints != nullptr ? code.hints->ends_older : std::uint8_t{0};
  for (unsigned d = 0; d < i.destination_count; ++d) {
    if (!written_[code.destinations[d]]) {
      written_[code.destinations[d]] = true;
      bits::add(i.fresh, d);
    }
    i.produced[d] = ++versions_[code.destinations[d]];
  }
  ++next_;
  i.followed = next_ < warp_->records.size();
}

// The instruction just fetched is followed by another, but not by the one behind it in the code.
bool TracePlayer::redirected() const {
  if (redirect_ == FetchRedirect::perfect || next_ == warp_->records.size()) return false;
  const TraceRecord last = warp_->records[next_ - 1], next = warp_->records[next_];
  return redirects_fetch({code_->instructions[last.code], last.mask},
                         {code_->instructions[next.code], next.mask},
                         kernel_ != nullptr ? kernel_->binary_version : 0);
}

Cycle TracePlayer::tick(Cycle now) {
  if (warp_ == nullptr || start_ > now) return never;  // a launch in this cycle counts from its stamp on
  if (finish_ <= now) {
    finish_ = never;
    warp_ = nullptr;
    LaunchTransfer done;
    done.stamp = now + 1;
    done.warp_uid = warp_uid_;
    launch_socket.status(done);
    return never;
  }
  if (awaited_ != nullptr || resume_ > now) return never;  // its news will wake us
  for (unsigned n = 0; n < fetch_width_; ++n) {
    if (next_ == warp_->records.size() || !instruction_socket.ready(now)) break;
    Instruction& i = acquire();
    fill(i);
    const bool wait = redirected();
    i.redirects = wait && redirect_ == FetchRedirect::issue;
    if (wait) awaited_ = &i;
    ++in_flight_;
    FetchTransfer t{now + 1, &i};
    instruction_socket.send(t);
    if (wait) return never;
  }
  return next_ < warp_->records.size() ? instruction_socket.ready_at(now + 1) : never;
}

void TracePlayer::news(unsigned, FetchTransfer& t) {
  if (t.instruction == awaited_ && t.issued == (redirect_ == FetchRedirect::issue)) {
    awaited_ = nullptr;
    resume_ = t.stamp;
    wake(t.stamp);
  }
  if (t.issued) return;
  spare_.push_back(t.instruction);
  --in_flight_;
  if (in_flight_ == 0 && next_ == warp_->records.size()) {
    finish_ = t.stamp;
    wake(t.stamp);
  }
}

void TracePlayer::report_waiting(std::ostream& out) const {
  if (warp_ == nullptr) return;
  out << name() << ": warp " << warp_uid_ << " at instruction " << next_ << " of " << warp_->records.size()
      << ", " << in_flight_ << " in flight\n";
}

}  // namespace subcore
