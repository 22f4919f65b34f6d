#include "subcore/model/policy/fixed_window/near_cache.h"

namespace subcore {
namespace {

// An upper bound of the cycles between the issue of an instruction of fixed latency and its result.
constexpr Cycle longest_latency = 1024;

}  // namespace

NearCache::NearCache(unsigned entries, std::uint64_t seed)
    : all_(bits::first(entries)), entries_(entries), last_(entries, 0), replacement_(seed) {}

// Looks for all sources before it replaces any entry, as Malekeh's collectors do.
void NearCache::look_up(const Instruction& i, Cycle execution, Answers& answers) {
  std::uint32_t missing = 0;
  for (unsigned s = 0; s < i.source_count; ++s) {
    Answer& a = answers[s] = {};
    a.searches = 1;
    const int found = find(i.warp_uid, i.source(s));
    if (found < 0) {
      bits::add(missing, s);
      continue;
    }
    const auto entry = static_cast<unsigned>(found);
    const Entry& e = entries_[entry];
    touch(entry, i.source_is_near(s));
    if (e.filled && execution < e.ready) continue;
    use_.read(entry);
    a.hit = true;
    a.filled = e.filled;
    a.version = e.version;
    a.filler = e.filler;
  }
  // An instruction that waits in a queue leaves nothing here, because the time of its reads is unknown.
  if (!has_fixed_latency(*i.code)) return;
  for (const unsigned s : bits::each(missing)) {
    if (!i.source_is_near(s) || is_pending(i.warp_uid, i.source(s), execution)) continue;
    const unsigned entry = make_room();
    entries_[entry] = {Filler::of(i, s), i.source(s), false, {}, 0};
    touch(entry, true);
    answers[s].fills = 1;
  }
}

void NearCache::fill(const Filler& filler, const Version& version) {
  for (const unsigned e : bits::each(valid_)) {
    Entry& entry = entries_[e];
    if (entry.filled || !(entry.filler == filler)) continue;
    entry.filled = true;
    entry.version = version;
  }
}

WindowCache::Results NearCache::passed(const Instruction& i, Cycle ready) {
  Results results;
  for (unsigned d = 0; d < i.destination_count; ++d) {
    if (!has_counted_result(*i.code)) {
      outdate(i.warp_uid, i.destination(d), d, results);
      continue;
    }
    write({Filler::of(i, 0), i.destination(d), i.result_alone(d), ready, i.destination_is_near(d),
           i.is_partial(d)},
          d, results);
    if (!i.is_whole() && find(i.warp_uid, i.destination(d)) < 0)
      note_pending({i.warp_uid, i.destination(d), ready});
  }
  if (i.followed) return results;
  for (const unsigned e : bits::each(valid_))
    if (entries_[e].filler.warp_uid == i.warp_uid) drop(e);
  return results;
}

WindowCache::Results NearCache::arrived(const LateResult& r) {
  Results results;
  if (r.outdates) {
    outdate(r.warp_uid, r.reg, 0, results);
    return results;
  }
  Filler filler;
  filler.warp_uid = r.warp_uid;
  write({filler, r.reg, r.version, 0, r.near, r.partial}, 0, results);
  return results;
}

void NearCache::write(const Written& w, unsigned n, Results& results) {
  const int found = find(w.filler.warp_uid, w.reg);
  if (found < 0 && (!w.near || w.partial)) return;
  // A result of some lanes removes the entry. A result of the other lanes may come in the same cycle, and the
  // order of ticks decides which of the two comes here first.
  if (w.partial) {
    drop(static_cast<unsigned>(found));
    bits::add(results.dropped, n);
    return;
  }
  bits::add(found < 0 ? results.entered : results.updated, n);
  const unsigned entry = found < 0 ? make_room() : static_cast<unsigned>(found);
  entries_[entry] = {w.filler, w.reg, true, w.version, w.ready};
  use_.written(entry);
  touch(entry, w.near);
}

void NearCache::outdate(std::uint32_t warp_uid, Register reg, unsigned n, Results& results) {
  const int found = find(warp_uid, reg);
  if (found < 0) return;
  drop(static_cast<unsigned>(found));
  bits::add(results.dropped, n);
}

// Also forgets results that were ready long ago, because the bank has them by now.
void NearCache::note_pending(const Pending& p) {
  Pending last = p;
  const auto is_over = [&](const Pending& o) {
    if (o.ready + longest_latency < p.ready) return true;
    if (o.warp_uid != p.warp_uid || o.reg != p.reg) return false;
    last.ready = std::max(last.ready, o.ready);
    return true;
  };
  pending_.erase(std::remove_if(pending_.begin(), pending_.end(), is_over), pending_.end());
  pending_.push_back(last);
}

unsigned NearCache::make_room() {
  const std::uint64_t empty = all_ & ~valid_;
  const unsigned entry =
      empty != 0 ? bits::lowest(empty) : replacement_.victim({valid_, near_, last_.data()});
  drop(entry);
  bits::add(valid_, entry);
  return entry;
}

void NearCache::drop(unsigned entry) {
  use_.gone(entry);
  bits::remove(valid_, entry);
  bits::remove(near_, entry);
}

}  // namespace subcore
