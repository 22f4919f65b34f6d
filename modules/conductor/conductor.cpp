#include "modules/conductor/conductor.h"

#include <algorithm>
#include <random>

namespace subcore {

Conductor::Conductor(const sc_core::sc_module_name& name, sc_core::sc_time period, TickOrder order,
                     std::uint64_t seed)
    : sc_module(name), period_(period), wake_event_("wake_event"), order_(order), seed_(seed) {
  SC_HAS_PROCESS(Conductor);
  SC_METHOD(pass);
  sensitive << wake_event_;
  dont_initialize();
}

void Conductor::add(TickingModule& module) {
  module.conductor_ = this;
  modules_.push_back(&module);
}

void Conductor::before_end_of_elaboration() {
  if (order_ == TickOrder::reverse) std::reverse(modules_.begin(), modules_.end());
  if (order_ == TickOrder::shuffled) {
    std::mt19937_64 random(seed_);
    for (std::size_t i = modules_.size(); i > 1; --i) std::swap(modules_[i - 1], modules_[random() % i]);
  }
  for (unsigned i = 0; i < modules_.size(); ++i) modules_[i]->place_ = i;
  words_ = static_cast<unsigned>((modules_.size() + 63) / 64);
  ring_.assign(std::size_t{ring_cycles} * words_, 0);
  row_.assign(words_, 0);
}

void Conductor::start_of_simulation() {
  // Everyone looks once at cycle 0.
  for (unsigned i = 0; i < modules_.size(); ++i) mark(i, 0);
  if (!modules_.empty()) schedule(0);
}

void Conductor::mark(unsigned place, Cycle at) {
  const unsigned row = at % ring_cycles;
  ring_[std::size_t{row} * words_ + place / 64] |= std::uint64_t{1} << (place % 64);
  occupied_ |= std::uint64_t{1} << row;
}

void Conductor::wake(unsigned place, Cycle at) {
  const Cycle first = started_ ? cycle_ + 1 : 0;  // a pass that has begun is closed
  at = std::max(at, first);
  if (at - first < ring_cycles - 1) {
    mark(place, at);
  } else {
    far_.push({at, place});
  }
  if (!in_pass_) schedule(at);
}

Cycle Conductor::next_work() const {
  Cycle next = never;
  if (occupied_ != 0) {
    // Rotate so that bit 0 is the first cycle not yet walked.
    const unsigned shift = (cycle_ + 1) % ring_cycles;
    const std::uint64_t rotated =
        shift == 0 ? occupied_ : (occupied_ >> shift) | (occupied_ << (ring_cycles - shift));
    next = cycle_ + 1 + static_cast<Cycle>(__builtin_ctzll(rotated));
  }
  if (!far_.empty()) next = std::min(next, far_.top().at);
  return next;
}

void Conductor::schedule(Cycle at) {
  if (at >= scheduled_) return;  // an earlier or equal notification is pending
  scheduled_ = at;
  // Integer arithmetic on the time's value: no floating point on the way.
  const auto target = at * period_.value();
  const auto stamp = sc_core::sc_time_stamp().value();
  wake_event_.notify(sc_core::sc_time::from_value(target > stamp ? target - stamp : 0));
}

void Conductor::pass() {
  cycle_ = scheduled_;
  scheduled_ = never;
  started_ = true;
  in_pass_ = true;
  ++passes_;
  while (!far_.empty() && far_.top().at - cycle_ < ring_cycles - 1) {
    mark(far_.top().place, far_.top().at);
    far_.pop();
  }
  const unsigned row = cycle_ % ring_cycles;
  std::uint64_t* bits = &ring_[std::size_t{row} * words_];
  std::copy(bits, bits + words_, row_.begin());
  std::fill(bits, bits + words_, 0);
  occupied_ &= ~(std::uint64_t{1} << row);
  for (unsigned w = 0; w < words_; ++w) {
    for (std::uint64_t left = row_[w]; left != 0; left &= left - 1) {
      const unsigned place = w * 64 + static_cast<unsigned>(__builtin_ctzll(left));
      const Cycle next = modules_[place]->tick(cycle_);
      if (next != never) wake(place, next);
    }
  }
  Cycle next = never;
  for (CycleObserver* o : observers_) {
    if (o->cycle_done(cycle_)) next = cycle_ + 1;
  }
  in_pass_ = false;
  next = std::min(next, next_work());
  if (next != never) schedule(next);
}

}  // namespace subcore
