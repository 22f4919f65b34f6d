// One warp slot behind an operand cache. Everything around the cache is in its simplest form. There are a
// scoreboard, banks that are an array of versions, and a data path that does what may happen next in random
// order. The rig relies on the arbiter's guarantees: writes of a bank go before its reads, and in the order
// in which they came.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/model/policy/random.h"
#include "subcore/model/trace/program_order.h"

namespace subcore::test {

// A warp's instructions, with the versions of a trace player and the annotations of a pass.
class CachedWarp {
 public:
  explicit CachedWarp(std::uint32_t uid = 1, std::uint16_t slot = 0) : uid_(uid), slot_(slot) {}

  Instruction& add(const std::vector<Register>& destinations, const std::vector<Register>& sources,
                   std::uint32_t mask = ~0u, bool long_latency = false) {
    StaticInstruction& code = codes_.emplace_back();
    if (long_latency) {
      code.execution = ExecutionClass::load_store;
      code.kind = InstructionKind::load;
      code.space = MemorySpace::global;
    }
    code.source_count = static_cast<std::uint8_t>(sources.size());
    code.destination_count = static_cast<std::uint8_t>(destinations.size());
    std::copy(sources.begin(), sources.end(), code.sources.begin());
    std::copy(destinations.begin(), destinations.end(), code.destinations.begin());
    Instruction& i = all.emplace_back();
    i.code = &code;
    i.mask = mask;
    i.sequence = all.size() - 1;
    i.warp_uid = uid_;
    i.warp_slot = slot_;
    i.source_count = mask == 0 ? std::uint8_t{0} : code.source_count;
    i.destination_count = mask == 0 ? std::uint8_t{0} : code.destination_count;
    for (unsigned s = 0; s < i.source_count; ++s) i.operands[s].expected = versions_[sources[s]];
    for (unsigned d = 0; d < i.destination_count; ++d) {
      if (versions_[destinations[d]] == 0) i.fresh = i.first = static_cast<std::uint8_t>(i.fresh | 1u << d);
      i.produced[d] = ++versions_[destinations[d]];
    }
    return i;
  }
  // The annotation of the n-th instruction, to be filled in.
  Annotation& annotation(std::size_t n) {
    while (annotations_.size() < codes_.size()) annotations_.emplace_back();
    for (std::size_t k = 0; k < codes_.size(); ++k) codes_[k].annotation = &annotations_[k];
    return annotations_[n];
  }
  // The registers that are live before each instruction. These sets are exact, because the warp goes straight
  // on. Lanes that a partial write leaves out keep the older value. So a partial write counts as a read,
  // unless there is no older value.
  std::vector<RegisterSet> live_in() const {
    std::vector<RegisterSet> live(all.size() + 1);
    for (std::size_t n = all.size(); n-- > 0;) {
      const Instruction& i = all[n];
      live[n] = live[n + 1];
      for (unsigned d = 0; d < i.destination_count; ++d) live[n].set(i.destination(d), i.is_partial(d));
      for (unsigned s = 0; s < i.source_count; ++s) live[n].set(i.source(s));
    }
    return live;
  }
  std::deque<Instruction> all;

 private:
  std::deque<StaticInstruction> codes_;
  std::deque<Annotation> annotations_;
  std::array<std::uint32_t, 256> versions_{};
  std::uint32_t uid_;
  std::uint16_t slot_;
};

class CacheRig {
 public:
  struct Counters {
    std::uint64_t hits = 0, misses = 0, write_backs = 0, kept_from_banks = 0, leaves = 0, fills = 0;
    std::uint64_t prefetches = 0, overtaken_prefetches = 0;
    std::uint64_t early_hits = 0;               // hits whose value was still on its way
    std::uint64_t cached = 0, cached_read = 0;  // results that the cache kept; of these, hit at least once
  };

  // `strands`: the warp leaves only where a strand starts.
  CacheRig(OperandCachePolicy& policy, Random& random, bool strands = false)
      : policy_(policy), random_(random), strands_(strands) {}

  // Does something that may happen next, until the warp has ended and its registers have left.
  void run(CachedWarp& warp) {
    warp_ = &warp;
    next_ = retired_ = 0;
    bank_.fill({});
    state_ = State::pending;
    unread_.clear();
    while (retired_ < warp.all.size() || state_ != State::pending) {
      const unsigned action = random_.below(8);
      if (action < 2) {
        issue();
        continue;  // between the question of to_banks() and written(), only this may happen
      }
      write_cache();
      if (action == 2) deliver();
      if (action == 3) dispatch();
      if (action == 4) announce();
      if (action == 5) write_bank();
      if (action == 6) rearrange();
      if (action == 7) fetch();
    }
    check_use();
  }
  std::uint32_t bank(Register r) const { return bank_[r].write; }
  Counters counters;

 private:
  enum class State { pending, entering, active };

  struct Path {
    Instruction* instruction;
    std::set<unsigned> missing;  // sources to come from the banks
    // Sources that hit, and that come when the banks bring them for an older instruction.
    std::map<unsigned, OperandCachePolicy::OperandOnItsWay> early{};
    bool has_all() const { return missing.empty() && early.empty(); }
    bool dispatched = false, announced = false, cached = false;
    std::uint8_t to_banks = 0;  // destinations to be written there
  };

  // A hit that counts for a result may also have been of a copy that came back from the banks.
  void check_use() const {
    const ResultUse& use = policy_.use();
    REQUIRE(policy_.unread());
    CHECK(use.used + use.unused + *policy_.unread() == counters.cached);
    if (counters.fills + counters.prefetches == 0)
      CHECK(use.used == counters.cached_read);
    else
      CHECK(use.used <= counters.cached_read);
  }
  void write_back_dirty() {
    for (const OperandCachePolicy::Dirty& d : policy_.dirty()) {
      ++counters.write_backs;
      for (Path& p : paths_) {  // earlier writes go first
        for (unsigned n = 0; n < p.instruction->destination_count; ++n) {
          if (p.announced && p.instruction->destination(n) == d.reg && (p.to_banks >> n & 1u) != 0)
            write_bank(p, n);
        }
      }
      bank_[d.reg] = d.version;
    }
    policy_.clear_dirty();
  }
  bool bank_write_pending(Register r) const {
    for (const Path& p : paths_) {
      for (unsigned d = 0; d < p.instruction->destination_count; ++d) {
        if (p.announced && p.instruction->destination(d) == r && (p.to_banks >> d & 1u) != 0) return true;
      }
    }
    return false;
  }
  bool may_issue(const Instruction& i) const {
    for (const Path& p : paths_) {
      const Instruction& o = *p.instruction;
      for (unsigned d = 0; d < o.destination_count; ++d) {
        for (unsigned s = 0; s < i.source_count; ++s)
          if (i.source(s) == o.destination(d)) return false;
        for (unsigned e = 0; e < i.destination_count; ++e)
          if (i.destination(e) == o.destination(d)) return false;
      }
      for (unsigned s = 0; s < o.source_count && !p.dispatched; ++s) {
        for (unsigned d = 0; d < i.destination_count; ++d)
          if (i.destination(d) == o.source(s)) return false;
      }
    }
    return true;
  }
  const RegisterSet* working_set(const Instruction& i) const {
    return i.code->annotation == nullptr ? nullptr : i.code->annotation->working_set;
  }
  void issue() {
    if (state_ != State::active || next_ == warp_->all.size() || !may_issue(warp_->all[next_])) return;
    Instruction& i = warp_->all[next_];
    if (working_set(i) != interval_) {
      write_cache();
      enter(i);
      return;
    }
    ++next_;
    Path p;
    p.instruction = &i;
    for (unsigned s = 0; s < i.source_count; ++s) {
      const OperandCachePolicy::Lookup found = policy_.read(i, s);
      if (found.hit) {
        ++counters.hits;
        counters.cached_read += unread_.erase({i.source(s), found.version.write});
        i.operands[s].collected = found.version;
        if (found.on_its_way) p.early[s] = *found.on_its_way;
        counters.early_hits += found.on_its_way.has_value();
      } else {
        ++counters.misses;
        p.missing.insert(s);
      }
    }
    policy_.issued(i);
    write_back_dirty();
    paths_.push_back(p);
  }
  void deliver() {
    for (Path& p : paths_) {
      if (p.missing.empty() || random_.below(2) == 0) continue;
      const unsigned s = *p.missing.begin();
      const Register r = p.instruction->source(s);
      if (bank_write_pending(r)) continue;
      p.missing.erase(s);
      p.instruction->operands[s].collected = bank_[r];
      if (policy_.keeps_fills()) counters.fills += policy_.filled(*p.instruction, s, bank_[r]);
      deliver_early(p.instruction->sequence, s, bank_[r]);
      return;
    }
  }
  void deliver_early(std::uint64_t sequence, unsigned source, const Version& version) {
    for (Path& p : paths_)
      for (auto e = p.early.begin(); e != p.early.end();) {
        const bool comes = e->second.sequence == sequence && e->second.source == source;
        if (comes) p.instruction->operands[e->first].collected = version;
        e = comes ? p.early.erase(e) : std::next(e);
      }
  }
  void dispatch() {
    for (Path& p : paths_) {
      if (p.dispatched || !p.has_all() || random_.below(2) == 0) continue;
      for (unsigned s = 0; s < p.instruction->source_count; ++s) {
        CAPTURE(p.instruction->sequence, unsigned{p.instruction->source(s)});
        REQUIRE(wrong_lanes(*p.instruction, s) == 0);
      }
      p.dispatched = true;
      return;
    }
  }
  void announce() {
    for (Path& p : paths_) {
      if (!p.dispatched || p.announced || random_.below(4) != 0) continue;
      p.announced = true;
      const unsigned all = (1u << p.instruction->destination_count) - 1;
      p.to_banks = static_cast<std::uint8_t>(policy_.to_banks(*p.instruction) & all);
      counters.kept_from_banks += bits::count(all & ~p.to_banks);
      return;
    }
  }
  void write_cache() {
    for (Path& p : paths_) {
      if (!p.announced || p.cached) continue;
      p.cached = true;
      for (unsigned d = 0; d < p.instruction->destination_count; ++d) {
        if (policy_.written(*p.instruction, d)) {
          ++counters.cached;
          unread_.insert({p.instruction->destination(d), p.instruction->produced[d]});
        }
        // Write-backs go in order behind results that are still on their way. No such result is of this
        // register.
        write_back_dirty();
        counters.overtaken_prefetches += missing_.count(p.instruction->destination(d));
      }
    }
    retire();
  }
  void write_bank(Path& p, unsigned d) {
    const Register r = p.instruction->destination(d);
    p.to_banks = static_cast<std::uint8_t>(p.to_banks & ~(1u << d));
    bank_[r] = merged(bank_[r], *p.instruction, d);
  }
  void write_bank() {
    for (Path& p : paths_) {
      if (!p.cached || p.to_banks == 0 || random_.below(2) == 0) continue;
      write_bank(p, bits::lowest(p.to_banks));
      break;
    }
    retire();
  }
  void retire() {
    for (std::size_t k = paths_.size(); k-- > 0;) {
      if (!paths_[k].cached || paths_[k].to_banks != 0) continue;
      paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(k));
      ++retired_;
    }
  }
  void enter(const Instruction& next) {
    state_ = State::entering;
    interval_ = working_set(next);
    std::vector<Register> missing;
    policy_.enter(next.warp_slot, next, missing);
    write_back_dirty();
    missing_ = {missing.begin(), missing.end()};
    REQUIRE(missing_.size() == missing.size());
    counters.prefetches += missing.size();
  }
  void rearrange() {
    const bool ended = next_ == warp_->all.size();
    if (state_ == State::pending && !ended) {
      enter(warp_->all[next_]);
    } else if (state_ == State::entering && missing_.empty()) {
      state_ = State::active;
    } else if (state_ == State::active && (ended || random_.below(16) == 0)) {
      if (!ended && strands_ && !warp_->all[next_].code->annotation->strand_start) return;
      if (ended && !paths_.empty()) return;
      state_ = State::pending;
      ++counters.leaves;
      policy_.leave(warp_->all.front().warp_slot);
      write_back_dirty();
    }
  }
  void fetch() {
    for (const Register r : missing_) {
      if (random_.below(2) == 0 || bank_write_pending(r)) continue;
      policy_.fetched(warp_->all.front().warp_slot, r, bank_[r]);
      missing_.erase(r);
      return;
    }
  }

  OperandCachePolicy& policy_;
  Random& random_;
  bool strands_;
  CachedWarp* warp_ = nullptr;
  std::vector<Path> paths_;
  std::array<Version, 256> bank_{};
  std::set<Register> missing_;
  std::set<std::pair<Register, std::uint32_t>> unread_;  // results that were cached and not hit
  std::size_t next_ = 0, retired_ = 0;
  State state_ = State::pending;
  const RegisterSet* interval_ = nullptr;
};

// Up to three sources and two destinations of few registers; now and then a load, a partial write, or
// nothing.
inline void add_random(CachedWarp& warp, Random& random, const std::vector<Register>& registers) {
  std::set<Register> sources, destinations;
  const auto any = [&] { return registers[random.below(static_cast<unsigned>(registers.size()))]; };
  for (unsigned s = random.below(4); s > 0; --s) sources.insert(any());
  for (unsigned d = random.below(3); d > 0; --d) destinations.insert(any());
  const unsigned lanes = random.below(12);
  warp.add({destinations.begin(), destinations.end()}, {sources.begin(), sources.end()},
           lanes == 0  ? 0u
           : lanes < 3 ? 0xffu
                       : ~0u,
           random.below(5) == 0);
}

}  // namespace subcore::test
