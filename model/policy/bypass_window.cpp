#include "subcore/model/policy/bypass_window.h"

#include <algorithm>
#include <stdexcept>

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotation.h"

namespace subcore {

BypassWindow::BypassWindow(const BypassWindowOptions& options)
    : options_(options), all_(bits::first(options.entries)), entries_(options.entries) {
  if (options.instructions < 1 || options.instructions > 32)
    throw std::invalid_argument("a bypass window has 1 to 32 instructions");
  if (options.entries < 1 || options.entries > 64)
    throw std::invalid_argument("a bypass window has 1 to 64 entries");
  written_back_.reserve(options.entries);
  released_.reserve(options.entries);
}

const WindowLookup& BypassWindow::insert(Instruction& i) {
  written_back_.clear();
  released_.clear();
  lookup_.index = next_;
  lookup_.hits = lookup_.shared = lookup_.misses = 0;
  lookup_.ready = 0;
  look_up(i);
  slide();
  give_up_accumulators(*i.code);
  for (const unsigned s : bits::each(lookup_.misses)) {
    const int e = allocate(i.source(s));
    if (e < 0) continue;
    Entry& entry = entries_[static_cast<unsigned>(e)];
    entry.filler = &i;
    entry.users = bits::one(next_ % 64);
  }
  for (unsigned d = 0; d < i.destination_count; ++d) reserve(i, d);
  lookup_.reserved = 0;  // one slot may have displaced another
  for (unsigned d = 0; d < i.destination_count; ++d) {
    const int e = find(i.destination(d));
    if (e >= 0 && entries_[static_cast<unsigned>(e)].producer == &i) bits::add(lookup_.reserved, d);
  }
  ++next_;
  return lookup_;
}

void BypassWindow::look_up(Instruction& i) {
  for (unsigned s = 0; s < i.source_count; ++s) {
    const Register r = i.source(s);
    const int found = find(r);
    Entry* e = found < 0 ? nullptr : &entries_[static_cast<unsigned>(found)];
    // While a result is awaited, the scoreboard keeps its readers away. A reader that comes nevertheless
    // finds nothing.
    if (e == nullptr || next_ - e->touch >= options_.instructions || (!e->filled && e->filler == nullptr)) {
      bits::add(lookup_.misses, s);
      if (forced_[r]) ++counters_.hint_violations;
      forced_.reset(r);
      continue;
    }
    e->touch = next_;
    bits::add(e->users, next_ % 64);
    if (e->filled) {
      bits::add(lookup_.hits, s);
      use_.read(static_cast<unsigned>(found));
      lookup_.ready = std::max(lookup_.ready, e->ready);
      i.operands[s].collected = e->version;
    } else {
      bits::add(lookup_.shared, s);
      lookup_.filler[s] = e->filler;
    }
  }
}

// A warpgroup's product reads and writes its accumulators in the banks.
void BypassWindow::give_up_accumulators(const StaticInstruction& code) {
  if (code.warpgroup != WarpgroupStep::product) return;
  for (const unsigned e : bits::each(valid_)) {
    if (code.accumulators.has(entries_[e].tag)) leave(e, Leaves::flushed);
  }
}

void BypassWindow::slide() {
  for (const unsigned e : bits::each(valid_)) {
    if (next_ - entries_[e].touch >= options_.instructions) leave(e, Leaves::slides);
  }
}

// Makes room for `r` and returns a free entry. If none is free, the entry that was allocated longest ago
// gives way, even if it is still inside the window (section IV-C). Entries that are sources of undispatched
// instructions stay. -1 if there is no such entry.
int BypassWindow::allocate(Register r) {
  if (find(r) >= 0) return -1;  // a result is awaited in an entry of r
  std::uint64_t free = all_ & ~valid_;
  if (free == 0) {
    int oldest = -1;
    for (const unsigned e : bits::each(valid_)) {
      if (entries_[e].users != 0) continue;
      if (oldest < 0 || entries_[e].order < entries_[static_cast<unsigned>(oldest)].order)
        oldest = static_cast<int>(e);
    }
    if (oldest < 0) {
      ++counters_.no_room;
      return -1;
    }
    leave(static_cast<unsigned>(oldest), Leaves::displaced);
    bits::add(free, static_cast<unsigned>(oldest));
  }
  const unsigned e = bits::lowest(free);
  Entry& entry = entries_[e];
  entry = Entry{};
  entry.tag = r;
  entry.touch = next_;
  entry.order = allocations_++;
  bits::add(valid_, e);
  return static_cast<int>(e);
}

// Reserves a slot for destination d, as far as its annotation, its lanes and the room allow.
void BypassWindow::reserve(const Instruction& i, unsigned d) {
  const Annotation* annotation = i.code->annotation;
  const Register r = i.destination(d);
  const bool to_window = annotation == nullptr || bits::has(annotation->to_window, d);
  const bool to_banks = annotation == nullptr || bits::has(annotation->to_banks, d);
  const bool partial = options_.partial_safe && !i.is_whole();
  ++(to_window && to_banks ? counters_.to_both : to_window ? counters_.to_window : counters_.to_banks);
  forced_.reset(r);
  int e = find(r);
  if (e >= 0 && bits::has(dirty_, static_cast<unsigned>(e))) {
    // The banks need the lanes that the new result leaves alone, before the result gets there.
    if (partial) {
      write_back(static_cast<unsigned>(e));
    } else {
      ++counters_.overwritten;
      bits::remove(dirty_, static_cast<unsigned>(e));
    }
  }
  if (!to_window) {
    if (e >= 0) remove(static_cast<unsigned>(e));  // the copy is about to be outdated
    return;
  }
  if (partial && e < 0) return;
  if (e < 0) e = allocate(r);
  const bool window_only = !to_banks && options_.program_order && !partial;
  if (e < 0) {
    if (window_only && options_.write_back) {
      ++counters_.forced_write_backs;
      forced_.set(r);
    }
    return;
  }
  Entry& entry = entries_[static_cast<unsigned>(e)];
  entry.touch = next_;
  entry.producer = &i;
  entry.destination = static_cast<std::uint8_t>(d);
  entry.awaited = i.produced[d];
  entry.window_only = window_only;
  if (!partial) {
    use_.gone(static_cast<unsigned>(e));
    entry.filled = false;
    entry.filler = nullptr;
    entry.users = 0;
  }
}

void BypassWindow::leave(unsigned e, Leaves why) {
  Entry& entry = entries_[e];
  if (entry.producer != nullptr) released_.push_back({entry.producer, entry.destination});
  if (why == Leaves::slides) ++counters_.slid_out;
  if (why == Leaves::displaced) ++counters_.displaced;
  // A window-only value is dead when the window leaves it behind, but not when it has to make room.
  const bool awaited = entry.producer != nullptr && options_.write_back;
  if (entry.window_only && why == Leaves::displaced && (bits::has(dirty_, e) || awaited)) {
    ++counters_.forced_write_backs;
    forced_.set(entry.tag);
    entry.window_only = false;
  }
  if (bits::has(dirty_, e) && !entry.window_only) write_back(e);
  remove(e);
}

void BypassWindow::write_back(unsigned e) {
  written_back_.push_back({entries_[e].tag, entries_[e].version});
  bits::remove(dirty_, e);
  ++counters_.write_backs;
}

void BypassWindow::fill(const Instruction& filler, Register r, const Version& v, Cycle ready) {
  const int e = find(r);
  if (e < 0) return;
  Entry& entry = entries_[static_cast<unsigned>(e)];
  if (entry.filler != &filler) return;
  entry.filler = nullptr;
  entry.filled = true;
  entry.version = v;
  entry.ready = ready;
}

bool BypassWindow::result(Register r, const RegisterWrite& result, bool partial) {
  const int found = find(r);
  if (found < 0) return false;
  const auto e = static_cast<unsigned>(found);
  Entry& entry = entries_[e];
  if (entry.producer == nullptr || entry.awaited != result.version.write) return false;
  entry.producer = nullptr;
  if (partial && !entry.filled) {  // there is no value to complete
    remove(e);
    return false;
  }
  entry.version = partial ? result.onto(entry.version) : result.version;
  entry.filled = true;
  entry.ready = 0;
  use_.written(e);
  if (options_.write_back && !partial) bits::add(dirty_, e);
  return true;
}

void BypassWindow::flush() {
  written_back_.clear();
  released_.clear();
  ++counters_.flushes;
  for (const unsigned e : bits::each(valid_)) leave(e, Leaves::flushed);
}

void BypassWindow::reset() {
  written_back_.clear();
  released_.clear();
  counters_.died += bits::count(dirty_);
  use_.all_gone();
  valid_ = dirty_ = 0;
  forced_.reset();
}

bool BypassWindow::holds(Register r, std::uint32_t w) const {
  const int e = find(r);
  return e >= 0 && entries_[static_cast<unsigned>(e)].filled &&
         entries_[static_cast<unsigned>(e)].version.write == w;
}

void BypassWindow::release(unsigned user) {
  for (const unsigned e : bits::each(valid_)) bits::remove(entries_[e].users, user);
}

}  // namespace subcore
