#include "subcore/modules/trace_player/trace_player.h"

#include <algorithm>
#include <ostream>

#include "subcore/base/bits.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {

TracePlayer::TracePlayer(const sc_core::sc_module_name& name, unsigned sub_core, unsigned warp_slots,
                         unsigned instruction_buffer, unsigned fetch_width, FetchRedirect redirect)
    : TickingModule(name),
      instruction_socket("instruction_socket"),
      launch_socket("launch_socket"),
      fetch_width_(fetch_width),
      redirect_(redirect),
      look_(warp_slots) {
  instruction_socket.on_credit<&TracePlayer::credit>(this);
  instruction_socket.on_status<&TracePlayer::went_on>(this);
  launch_socket.on_receive<&TracePlayer::launch>(this);
  for (unsigned w = 0; w < warp_slots; ++w)
    slots_.push_back({Credits(instruction_buffer), never, never, 0, nullptr, 0, WarpPlayer(sub_core, w)});
}

void TracePlayer::note(unsigned slot, Cycle at) {
  look_[slot] = bits::has(asked_, slot) ? std::min(look_[slot], at) : at;
  bits::add(asked_, slot);
}

void TracePlayer::launch(unsigned, LaunchTransfer& t) {
  Slot& s = slots_[t.warp_slot];
  s.player.launch(t);
  s.start = t.stamp;
  s.finish = s.player.is_over() ? t.stamp : never;
  look_at(t.warp_slot, t.stamp);
}

void TracePlayer::credit(unsigned, FetchTransfer& t) {
  slots_[t.warp_slot].buffer.give_back(t.stamp);
  look_at(t.warp_slot, t.stamp);
}

Cycle TracePlayer::tick(Cycle now) {
  Cycle next = never;
  for (const unsigned slot : bits::each(asked_)) {
    if (look_[slot] <= now) {
      bits::remove(asked_, slot);
      const Cycle again = play(slot, now);
      if (again != never) note(slot, again);
    }
    if (bits::has(asked_, slot)) next = std::min(next, look_[slot]);
  }
  return next;
}

// Returns when to look at the slot again.
Cycle TracePlayer::play(unsigned slot, Cycle now) {
  Slot& s = slots_[slot];
  if (s.start > now) return s.start;
  if (s.finish <= now) {
    s.start = s.finish = never;
    LaunchTransfer done;
    done.stamp = now + 1;
    done.warp_slot = static_cast<std::uint16_t>(slot);
    done.kind = LaunchTransfer::Kind::finished;
    launch_socket.status(done);
    return never;
  }
  if (s.awaited != nullptr) return never;  // the awaited instruction wakes us
  if (s.resume > now) return s.resume;
  for (unsigned n = 0; n < fetch_width_; ++n) {
    if (s.player.is_over() || !s.buffer.ready(now)) break;
    Instruction& i = pool_.take();
    s.player.fill(i, accumulated_);
    const bool wait = redirect_ != FetchRedirect::perfect && s.player.redirected();
    i.redirects = wait && redirect_ == FetchRedirect::issue;
    if (wait) s.awaited = &i;
    ++s.in_flight;
    s.buffer.take();
    FetchTransfer t{now + 1, &i, i.warp_slot};
    instruction_socket.send(t);
    if (wait) return never;
  }
  return s.player.is_over() ? s.finish : s.buffer.ready_at(now + 1);
}

// An instruction has issued or retired.
void TracePlayer::went_on(unsigned, FetchTransfer& t) {
  const bool issued = t.kind == FetchTransfer::Kind::issued;
  Slot& s = slots_[t.warp_slot];
  if (t.instruction == s.awaited && issued == (redirect_ == FetchRedirect::issue)) {
    s.awaited = nullptr;
    s.resume = t.stamp;
    look_at(t.warp_slot, t.stamp);
  }
  if (issued) return;
  if (t.instruction->accumulated != nullptr) give_back_accumulated(*t.instruction);
  pool_.give_back(*t.instruction);
  --s.in_flight;
  if (s.in_flight == 0 && s.player.is_over()) {
    s.finish = t.stamp;
    look_at(t.warp_slot, t.stamp);
  }
}

bool TracePlayer::drained() const {
  return std::all_of(slots_.begin(), slots_.end(),
                     [](const Slot& s) { return s.start == never && s.in_flight == 0; });
}

void TracePlayer::report_waiting(std::ostream& out) const {
  for (const Slot& s : slots_) {
    if (s.start == never) continue;
    out << name() << ": w" << s.player.warp_number() << " in "
        << slot_name(static_cast<unsigned>(&s - slots_.data())) << " at instruction " << s.player.next()
        << " of " << s.player.records() << ", " << s.in_flight << " in flight\n";
  }
}

}  // namespace subcore
