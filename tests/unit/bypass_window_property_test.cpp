// The bypass window against a naive reference over random programs. Everything around the window is in its
// simplest form: a bank that is an array of versions, and a data path that does what may happen next in
// random order.
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>

#include <catch2/catch.hpp>

#include "subcore/model/policy/random.h"
#include "tests/unit/annotated_warp.h"
#include "tests/unit/tracked_window.h"

namespace bypass_window_property_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A list of lines in the order in which they were allocated. The rest is calculated from the program on
// request.
class Reference {
 public:
  struct Line {
    Register reg;
    std::size_t used;     // last instruction that read or wrote the line
    std::size_t content;  // readers after this one need the line's value
    std::optional<std::uint32_t> data;
    bool dirty = false, dies_here = false;
    const Instruction *filler = nullptr, *producer = nullptr;
  };
  struct Found {
    std::set<unsigned> hits, shared, misses;
  };

  Reference(const BypassWindowOptions& o, const std::deque<Instruction>& program)
      : o_(o), program_(program) {}

  Found insert(const Instruction& i) {
    back.clear();
    const std::size_t n = i.sequence;
    Found f;
    for (unsigned s = 0; s < i.source_count; ++s) {
      Line* l = line(i.source(s));
      if (l == nullptr || l->used + o_.instructions <= n) {
        f.misses.insert(s);
        continue;
      }
      l->used = n;
      (l->data ? f.hits : f.shared).insert(s);
    }
    undispatched.insert(n);
    for (std::size_t k = lines.size(); k-- > 0;) {
      if (lines[k].used + o_.instructions <= n) leave(k, false);
    }
    for (const unsigned s : f.misses) {
      if (Line* l = make(i.source(s), n, static_cast<std::size_t>(-1))) l->filler = &i;
    }
    for (unsigned d = 0; d < i.destination_count; ++d) write(i, d);
    return f;
  }
  void fill(const Instruction& i, Register r, std::uint32_t v) {
    Line* l = line(r);
    if (l == nullptr || l->filler != &i) return;
    l->filler = nullptr;
    l->data = v;
  }
  bool result(const Instruction& i, unsigned d, bool partial) {
    Line* l = line(i.destination(d));
    if (l == nullptr || l->producer != &i) return false;
    l->producer = nullptr;
    l->data = i.produced[d];
    l->dirty = o_.write_back && !partial;
    return true;
  }
  Line* line(Register r) {
    for (Line& l : lines) {
      if (l.reg == r) return &l;
    }
    return nullptr;
  }

  std::vector<Line> lines;
  std::set<std::size_t> undispatched;
  std::vector<std::pair<Register, std::uint32_t>> back;
  unsigned forced = 0;

 private:
  bool needed(const Line& l) const {
    for (const std::size_t n : undispatched) {
      const Instruction& i = program_[n];
      if (l.content != static_cast<std::size_t>(-1) && n <= l.content) continue;
      for (unsigned s = 0; s < i.source_count; ++s) {
        if (i.source(s) == l.reg) return true;
      }
    }
    return false;
  }
  void leave(std::size_t k, bool for_room) {
    Line l = lines[k];
    if (for_room && l.dies_here && o_.write_back && (l.dirty || l.producer != nullptr)) {
      ++forced;
      l.dies_here = false;
    }
    if (l.dirty && !l.dies_here) back.emplace_back(l.reg, *l.data);
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(k));
  }
  Line* make(Register r, std::size_t n, std::size_t content) {
    if (lines.size() == o_.entries) {
      const auto victim = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return !needed(l); });
      if (victim == lines.end()) return nullptr;
      leave(static_cast<std::size_t>(victim - lines.begin()), true);
    }
    lines.push_back({r, n, content, {}, false, false, nullptr, nullptr});
    return &lines.back();
  }
  void write(const Instruction& i, unsigned d) {
    const Register r = i.destination(d);
    const Annotation* h = i.code->annotation;
    const bool window = h == nullptr || (h->to_window >> d & 1) != 0;
    const bool banks = h == nullptr || (h->to_banks >> d & 1) != 0;
    const bool partial = o_.partial_safe && i.mask != ~0u;
    Line* l = line(r);
    if (l != nullptr && l->dirty) {
      if (partial) back.emplace_back(r, *l->data);
      l->dirty = false;
    }
    if (!window) {
      if (l != nullptr) lines.erase(lines.begin() + (l - lines.data()));
      return;
    }
    if (l == nullptr && partial) return;
    const bool dies = !banks && !partial && o_.program_order;
    if (l == nullptr) l = make(r, i.sequence, i.sequence);
    if (l == nullptr) {
      if (dies && o_.write_back) ++forced;
      return;
    }
    l->used = i.sequence;
    l->producer = &i;
    l->dies_here = dies;
    if (!partial) {
      l->content = i.sequence;
      l->data.reset();
      l->filler = nullptr;
    }
  }

  BypassWindowOptions o_;
  const std::deque<Instruction>& program_;
};

// An instruction after its insertion.
struct Path {
  Instruction* instruction;
  std::uint64_t index;
  std::set<unsigned> missing, shared;
  std::array<const Instruction*, max_sources> filler;
  std::set<unsigned> pending;  // results to come, once dispatched
  bool dispatched = false;
};

AnnotatedWarp random_warp(Random& random, unsigned registers, unsigned length) {
  AnnotatedWarp warp;
  for (unsigned n = 0; n < length; ++n) {
    std::set<Register> sources, destinations;
    for (unsigned s = random.below(4); s > 0; --s)
      sources.insert(static_cast<Register>(random.below(registers)));
    for (unsigned d = random.below(3); d > 0; --d)
      destinations.insert(static_cast<Register>(random.below(registers)));
    const unsigned lanes = random.below(8);
    warp.add({destinations.begin(), destinations.end()}, {sources.begin(), sources.end()},
             lanes == 0   ? 0u
             : lanes == 1 ? 0xffu
                          : ~0u);
  }
  return warp;
}

class Check {
 public:
  Check(const BypassWindowOptions& o, AnnotatedWarp& warp, Random& random, std::size_t span)
      : o_(o), warp_(warp), random_(random), span_(span), window_(o), reference_(o, warp.all) {}

  // Something that may happen next, until everything has.
  void run() {
    while (retired_ < warp_.all.size()) {
      switch (random_.below(4)) {
        case 0:
          insert();
          break;
        case 1:
          deliver();
          break;
        case 2:
          dispatch();
          break;
        default:
          finish();
      }
      compare();
    }
  }
  const BypassWindow::Counters& counters() const { return window_.counters(); }
  std::uint64_t hits() const { return hits_; }

 private:
  // Scoreboard with a WAR guard, and room in the collector.
  bool may_insert(const Instruction& i) const {
    for (const Path& p : paths_) {
      const Instruction& o = *p.instruction;
      if (!p.dispatched && i.sequence - o.sequence >= span_) return false;
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
  void insert() {
    if (next_ == warp_.all.size() || !may_insert(warp_.all[next_])) return;
    Instruction& i = warp_.all[next_++];
    const WindowLookup& found = window_.insert(i);
    const Reference::Found expected = reference_.insert(i);
    Path p{&i, found.index, {}, {}, found.filler, {}, false};
    for (unsigned s = 0; s < i.source_count; ++s) {
      CAPTURE(i.sequence, s);
      REQUIRE((found.hits >> s & 1u) == expected.hits.count(s));
      REQUIRE((found.shared >> s & 1u) == expected.shared.count(s));
      REQUIRE((found.misses >> s & 1u) == expected.misses.count(s));
      if ((found.misses >> s & 1u) != 0) p.missing.insert(s);
      if ((found.shared >> s & 1u) != 0) p.shared.insert(s);
      hits_ += found.hits >> s & 1u;
    }
    std::vector<std::pair<Register, std::uint32_t>> back;
    for (const auto& v : window_.written_back()) {
      back.emplace_back(v.reg, v.version.write);
      bank_[v.reg] = v.version;
    }
    std::sort(back.begin(), back.end());
    std::sort(reference_.back.begin(), reference_.back.end());
    REQUIRE(back == reference_.back);
    for (unsigned d = 0; d < i.destination_count; ++d) p.pending.insert(d);
    paths_.push_back(std::move(p));
  }
  void deliver() {
    for (Path& p : paths_) {
      if (p.missing.empty() || random_.below(2) == 0) continue;
      const unsigned s = *p.missing.begin();
      const Register r = p.instruction->source(s);
      p.missing.erase(s);
      p.instruction->operands[s].collected = bank_[r];
      window_.fill(*p.instruction, r, bank_[r], now_);
      reference_.fill(*p.instruction, r, bank_[r].write);
      for (Path& other : paths_) {
        for (auto o = other.shared.begin(); o != other.shared.end();) {
          if (other.instruction->source(*o) == r && other.filler[*o] == p.instruction) {
            other.instruction->operands[*o].collected = bank_[r];
            o = other.shared.erase(o);
          } else {
            ++o;
          }
        }
      }
      return;
    }
  }
  void dispatch() {
    for (Path& p : paths_) {
      if (p.dispatched || !p.missing.empty() || !p.shared.empty() || random_.below(2) == 0) continue;
      for (unsigned s = 0; s < p.instruction->source_count; ++s) {
        CAPTURE(p.instruction->sequence, s);
        REQUIRE(wrong_lanes(*p.instruction, s) == 0);
      }
      p.dispatched = true;
      window_.dispatched(p.index);
      reference_.undispatched.erase(p.instruction->sequence);
      retire();
      return;
    }
  }
  void finish() {
    for (Path& p : paths_) {
      if (!p.dispatched || random_.below(4) != 0) continue;
      Instruction& i = *p.instruction;
      for (const unsigned d : p.pending) {
        const Register r = i.destination(d);
        const bool partial = o_.partial_safe && i.mask != ~0u;
        const bool held = window_.holds_slot(i, d);
        REQUIRE(held == (reference_.line(r) != nullptr && reference_.line(r)->producer == &i));
        if (held) {
          REQUIRE(window_.result(r, RegisterWrite::of(i, d), partial));
          REQUIRE(reference_.result(i, d, partial));
        }
        if (!held || !o_.write_back || partial) {
          bank_[r] = partial ? merged(bank_[r], i, d) : i.result(d);
        }
      }
      p.pending.clear();
      retire();
      return;
    }
  }
  void retire() {
    for (std::size_t k = paths_.size(); k-- > 0;) {
      if (!paths_[k].dispatched || !paths_[k].pending.empty()) continue;
      paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(k));
      ++retired_;
    }
  }
  void compare() {
    REQUIRE(window_.used() == reference_.lines.size());
    REQUIRE(window_.counters().forced_write_backs == reference_.forced);
    for (const Reference::Line& l : reference_.lines) {
      REQUIRE(window_.has(l.reg));
      if (l.data) REQUIRE(window_.holds(l.reg, *l.data));
    }
  }

  BypassWindowOptions o_;
  AnnotatedWarp& warp_;
  Random& random_;
  std::size_t span_;
  TrackedWindow window_;
  Reference reference_;
  std::vector<Path> paths_;
  std::array<Version, 256> bank_{};
  std::size_t next_ = 0, retired_ = 0;
  std::uint64_t hits_ = 0;
  Cycle now_ = 0;
};

}  // namespace

TEST_CASE("a bypass window agrees with a naive one, and every operand is right") {
  std::uint64_t hits = 0, write_backs = 0, displaced = 0, forced = 0, overwritten = 0, no_room = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    AnnotatedWarp warp = random_warp(random, 4 + random.below(12), 150);
    const unsigned iw = 1 + random.below(7);
    const BypassWindowOptions o{iw, iw + random.below(8), random.below(3) != 0, random.below(4) != 0, true};
    if (random.below(2) == 0) warp.hint_exactly(iw, o.partial_safe);
    Check check(o, warp, random, random.below(3) == 0 ? 1 : iw);
    INFO("seed " << seed);
    check.run();
    hits += check.hits();
    write_backs += check.counters().write_backs;
    displaced += check.counters().displaced;
    forced += check.counters().forced_write_backs;
    overwritten += check.counters().overwritten;
    no_room += check.counters().no_room;
  }
  // The sequences have to reach every corner.
  CHECK(hits > 5000);
  CHECK(write_backs > 1000);
  CHECK(displaced > 1000);
  CHECK(forced > 50);
  CHECK(overwritten > 500);
  CHECK(no_room > 50);
}

}  // namespace bypass_window_property_test
