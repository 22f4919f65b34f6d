#include "subcore/program/analysis/study/cache_run.h"

#include <stdexcept>

#include "subcore/base/bits.h"
#include "subcore/base/formatted.h"

namespace subcore {
namespace {

using Events = RegisterCacheEvents;
using Kind = StudyOperand::Kind;

// The saving against `before`, in percent. Negative if there are more accesses than before, for example
// writes.
double reduction(std::uint64_t before, std::uint64_t after) {
  return before == 0 ? 0
                     : 100.0 * (static_cast<double>(before) - static_cast<double>(after)) /
                           static_cast<double>(before);
}

template <typename T>
T energy(std::uint64_t file_reads, std::uint64_t file_writes, std::uint64_t cache_reads,
         std::uint64_t cache_writes, const StudyEnergy& e) {
  return static_cast<T>(file_reads) * static_cast<T>(e.file_read) +
         static_cast<T>(file_writes) * static_cast<T>(e.file_write) +
         static_cast<T>(cache_reads) * static_cast<T>(e.cache_read) +
         static_cast<T>(cache_writes) * static_cast<T>(e.cache_write);
}

template <typename T>
double saving(const StudyCounters& c, const StudyEnergy& e) {
  const T before = energy<T>(c.baseline_reads, c.baseline_writes, 0, 0, e);
  const T after = energy<T>(c.file_reads, c.file_writes, c.cache_reads, c.cache_writes, e);
  return before > 0 ? static_cast<double>((before - after) / before * 100) : 0;
}

}  // namespace

StudyRatios ratios_of(const StudyCounters& c) {
  const std::uint64_t reads = c.read_hits + c.read_misses, writes = c.write_hits + c.write_misses;
  return {percent(c.read_hits, reads), percent(c.write_hits, writes),
          percent(c.read_hits + c.write_hits, reads + writes), reduction(c.baseline_reads, c.file_reads),
          reduction(c.baseline_writes, c.file_writes)};
}

double energy_reduction(const StudyCounters& c, const StudyEnergy& e, bool single_precision) {
  return single_precision ? saving<float>(c, e) : saving<double>(c, e);
}

std::uint64_t StudyCacheRun::BankCount::banks_of(std::uint32_t mask) const {
  for (unsigned step = 1; step < lanes; step <<= 1) mask |= mask >> step;
  return bits::count(mask & firsts);
}

StudyCacheRun::StudyCacheRun(const RegisterCacheParameters& parameters,
                             const std::vector<unsigned>& bank_bits)
    : parameters_(parameters), bank_bits_(bank_bits) {
  const ThreadRegisterCache valid(parameters);
  for (const unsigned bits : bank_bits) {
    if (bits < 32 || bits > 1024 || (bits & (bits - 1)) != 0)
      throw std::invalid_argument("bank width " + std::to_string(bits) +
                                  "; expected 32, 64, 128, 256, 512 or 1024 bits");
    BankCount b;
    b.lanes = bits / 32;
    for (unsigned lane = 0; lane < 32; lane += b.lanes) bits::add(b.firsts, lane);
    banks_.push_back(b);
  }
  if (banks_.empty()) throw std::invalid_argument("no bank width; expected at least one");
  active_.reserve(32);
}

StudyCounters StudyCacheRun::counters(std::size_t width) const {
  StudyCounters c = counters_;
  c.cache_reads = banks_.at(width).reads;
  c.cache_writes = banks_.at(width).writes;
  return c;
}

StudyCacheRun::Warp& StudyCacheRun::warp_of(std::uint32_t warp) {
  Warp& w = warps_[warp % warps_.size()];
  if (w.caches.empty()) {
    w.caches.emplace_back(parameters_);
    w.lanes.push_back(~std::uint32_t{0});
  }
  return w;
}

// Lists the caches of the masked lanes. A cache that other lanes share is copied first.
void StudyCacheRun::select(Warp& w, std::uint32_t mask) {
  active_.clear();
  const std::size_t before = w.lanes.size();
  for (std::size_t i = 0; i < before; ++i) {
    const std::uint32_t in = w.lanes[i] & mask;
    if (in == 0) continue;
    if (in == w.lanes[i]) {
      active_.push_back(i);
      continue;
    }
    w.lanes[i] &= ~in;
    const std::size_t added = w.lanes.size();
    w.lanes.push_back(in);
    if (added == w.caches.size())
      w.caches.push_back(w.caches[i]);
    else
      w.caches[added] = w.caches[i];
    active_.push_back(added);
  }
}

// Lets lanes share a cache again when their states have become the same.
void StudyCacheRun::merge(Warp& w) {
  for (std::size_t i = 0; i < w.lanes.size(); ++i)
    for (std::size_t j = i + 1; j < w.lanes.size();) {
      if (!w.caches[i].same_state(w.caches[j])) {
        ++j;
        continue;
      }
      w.lanes[i] |= w.lanes[j];
      w.lanes[j] = w.lanes.back();
      std::swap(w.caches[j], w.caches[w.lanes.size() - 1]);
      w.lanes.pop_back();
    }
}

bool StudyCacheRun::wanted(const Warp& w, unsigned reg) const {
  for (const StudyInstruction& ahead : w.queue)
    for (const StudyOperand& o : ahead.operands)
      // RFC-sim also compares the position of an address with the register.
      if (o.reg == reg && (o.kind != Kind::address || parameters_.rfcsim_compat)) return true;
  return false;
}

void StudyCacheRun::process(Warp& w, const StudyInstruction& instruction) {
  const std::uint32_t now = ++w.clock;
  const std::uint32_t mask = instruction.mask;
  if (mask == 0 || instruction.operands.empty()) return;
  select(w, mask);
  for (const std::size_t i : active_) w.caches[i].begin_instruction(now);
  for (const StudyOperand& o : instruction.operands) {
    if (o.kind == Kind::address) continue;
    const bool source = o.kind == Kind::source;
    const bool want =
        !source && parameters_.allocation == RegisterCacheAllocation::look_ahead && wanted(w, o.reg);
    std::uint32_t hits = 0, cache_reads = 0, cache_writes = 0, file_reads = 0, file_writes = 0;
    for (const std::size_t i : active_) {
      const std::uint8_t events =
          source ? w.caches[i].read(o.reg, o.position, o.flagged) : w.caches[i].write(o.reg, want);
      const std::uint32_t lanes = w.lanes[i];
      if (events & Events::hit) hits |= lanes;
      if (events & Events::cache_read) cache_reads |= lanes;
      if (events & Events::cache_write) cache_writes |= lanes;
      if (events & Events::file_read) file_reads |= lanes;
      if (events & Events::file_write) file_writes |= lanes;
    }
    (source ? counters_.baseline_reads : counters_.baseline_writes) += bits::count(mask);
    (source ? counters_.read_hits : counters_.write_hits) += bits::count(hits);
    (source ? counters_.read_misses : counters_.write_misses) += bits::count(mask & ~hits);
    counters_.file_reads += bits::count(file_reads);
    counters_.file_writes += bits::count(file_writes);
    for (BankCount& b : banks_) {
      b.reads += b.banks_of(cache_reads);
      b.writes += b.banks_of(cache_writes);
    }
  }
  constexpr std::uint32_t merge_interval = 8;
  if (w.lanes.size() > 1 && now % merge_interval == 0) merge(w);
}

void StudyCacheRun::process_front(Warp& w) {
  const StudyInstruction front = std::move(w.queue.front());
  w.queue.pop_front();
  process(w, front);
}

void StudyCacheRun::execute(std::uint32_t warp, const StudyInstruction& instruction) {
  Warp& w = warp_of(warp);
  if (parameters_.allocation != RegisterCacheAllocation::look_ahead || parameters_.window == 0) {
    process(w, instruction);
    return;
  }
  w.queue.push_back(instruction);
  if (w.queue.size() > parameters_.window) process_front(w);
}

void StudyCacheRun::end_warp(std::uint32_t warp) {
  if (parameters_.rfcsim_compat) return;
  Warp& w = warp_of(warp);
  while (!w.queue.empty()) process_front(w);
}

void StudyCacheRun::end_kernel() {
  if (parameters_.rfcsim_compat) return;
  for (Warp& w : warps_)
    for (std::size_t i = 0; i < w.lanes.size(); ++i) {
      const std::uint64_t written = std::uint64_t{w.caches[i].drain()} * bits::count(w.lanes[i]);
      counters_.drained += written;
      counters_.file_writes += written;
    }
}

bool StudyCacheRun::end_marker() {
  Warp& w = warp_of(0);
  if (!parameters_.rfcsim_compat || w.queue.empty()) return true;
  process_front(w);
  return false;
}

}  // namespace subcore
