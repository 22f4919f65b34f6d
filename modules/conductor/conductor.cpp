#include "subcore/modules/conductor/conductor.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "subcore/base/bits.h"

namespace subcore {

std::string problem_of_clock(double nanoseconds) {
  const double got = sc_core::sc_time(nanoseconds, sc_core::SC_NS).to_seconds() * 1e9;
  if (std::abs(got - nanoseconds) <= 1e-3 * nanoseconds) return {};
  std::ostringstream text;
  text << "clock_period_ns " << nanoseconds << ": the time resolution of this simulation is "
       << sc_core::sc_get_time_resolution()
       << "; expected a resolution that divides the period (sc_set_time_resolution)";
  return text.str();
}

sc_core::sc_time clock_period(double nanoseconds) {
  const std::string problem = problem_of_clock(nanoseconds);
  if (!problem.empty()) fail(report_id::clock, problem);
  return {nanoseconds, sc_core::SC_NS};
}

Conductor::Conductor(const sc_core::sc_module_name& name, sc_core::sc_time period, TickOrder order,
                     std::uint64_t seed)
    : sc_module(name),
      period_(period),
      wake_event_("wake_event"),
      order_(order),
      seed_(seed),
      process_("beat", wake_event_, [this] { beat(); }) {}

Conductor::~Conductor() {
  for (BeatObserver* o : beat_observers_) o->observed_ = nullptr;
}

BeatObserver::~BeatObserver() {
  if (observed_ == nullptr) return;
  auto& all = observed_->beat_observers_;
  all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

void Conductor::observe_beats(BeatObserver& observer) {
  observer.observed_ = this;
  beat_observers_.push_back(&observer);
}

void Conductor::add(TickingModule& module, Cycle (*tick)(TickingModule*, Cycle)) {
  module.ring_ = this;
  ticked_.push_back({&module, tick});
}

void Conductor::follow(Conductor& leader) {
  leader_ = &leader;
  number_ = static_cast<unsigned>(leader.group_.size());
  leader.group_.push_back(this);
}

void Conductor::before_end_of_elaboration() {
  if (order_ == TickOrder::reverse) std::reverse(ticked_.begin(), ticked_.end());
  if (order_ == TickOrder::shuffled) {
    std::mt19937_64 random(seed_);
    for (std::size_t i = ticked_.size(); i > 1; --i) std::swap(ticked_[i - 1], ticked_[random() % i]);
  }
  for (unsigned i = 0; i < ticked_.size(); ++i) ticked_[i].module->position_ = i;
  resize(static_cast<unsigned>(ticked_.size()));
}

// All modules tick once in cycle 0.
void Conductor::start_of_simulation() {
  for (unsigned i = 0; i < ticked_.size(); ++i) wake(i, 0);
  if (leader_ == this || beat_observers_.empty()) return;
  for (BeatObserver* o : beat_observers_) leader_->observe_beats(*o);
  beat_observers_.clear();
}

// An observer may ask for a pass of the leader in a cycle in which no module is awake.
void Conductor::tell_beat_observers(Cycle now) {
  for (BeatObserver* o : beat_observers_) {
    const Cycle next = o->beat_done(now);
    if (next != never) schedule(next);
  }
}

void Conductor::schedule(Cycle at) {
  Calendar& calendar = leader_->calendar_;
  if (at >= calendar.at(number_)) return;
  calendar.move(number_, at);
  if (!leader_->beating_) leader_->notify(at);  // during a beat, the end of the beat notifies
}

void Conductor::notify(Cycle at) {
  if (at >= notified_ || failed_) return;  // an earlier or equal notification is pending
  notified_ = at;
  // The calculation is in integers of the time's value, without floating point.
  const auto target = at * period_.value();
  const auto stamp = sc_core::sc_time_stamp().value();
  wake_event_.notify(sc_core::sc_time::from_value(target > stamp ? target - stamp : 0));
}

// Puts modules that would still tick in this cycle to sleep, so that pass() need not ask failed_ before each
// tick.
void Conductor::stop() const {
  if (failed()) return;
  leader_->failed_ = true;
  for (Conductor* c : leader_->group_) {
    for (Ticked& p : c->ticked_) p.tick = [](TickingModule*, Cycle) { return never; };
  }
  for (const Conductor* c : leader_->group_) {
    for (const auto& f : c->on_failure_) f();
  }
}

void Conductor::pass_all(Cycle now) {
  calendar_.take(now, [&](unsigned member) { group_[member]->pass(now); });
  if (!beat_observers_.empty()) tell_beat_observers(now);
}

void Conductor::beat() {
  if (failed_) return;
  const Cycle now = notified_;
  beat_.store(now, std::memory_order_relaxed);
  notified_ = never;
  beating_ = true;
  try {
    pass_all(now);
  } catch (const Failure&) {
    stop();
  } catch (...) {
    beating_ = false;
    stop();
    throw;
  }
  beating_ = false;
  if (failed_) {
    ticking_.store(nullptr, std::memory_order_relaxed);
    return;
  }
  ended_.store(cycles_ended() + 1, std::memory_order_relaxed);
  const Cycle next = calendar_.next();
  if (next != never) notify(next);
}

void Conductor::pass(Cycle now) {
  begin(now);
  std::atomic<const TickingModule*>& ticking = leader_->ticking_;
  for (unsigned w = 0; w < words(); ++w) {
    const Ticked* const ticked = ticked_.data() + w * 64;
    for (const unsigned bit : bits::each(take(w))) {
      const Ticked& p = ticked[bit];
      ticking.store(p.module, std::memory_order_relaxed);
      const Cycle next = p.tick(p.module, now);
      if (next != never) wake(w * 64 + bit, next);
    }
  }
  ticking.store(nullptr, std::memory_order_relaxed);
  Cycle next = never;
  for (CycleObserver* o : observers_) {
    if (o->cycle_done(now)) next = now + 1;
  }
  end();
  next = std::min(next, next_work());
  if (next != never) schedule(next);
}

}  // namespace subcore
