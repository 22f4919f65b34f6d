// Replays warps in a machine without time that obeys annotations. Every operand that a warp reads is compared
// with program order: the value in each active lane, and the version of the register.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "subcore/model/passes/annotation.h"
#include "subcore/model/trace/trace.h"

namespace subcore::test {

inline constexpr std::uint32_t garbage = 0xdeadbeef;

// A copy of a register: the last writer of each lane, and the last writer of all. 0 is the value from before
// the kernel.
struct Copy {
  std::array<std::uint32_t, warp_lanes> lanes{};
  std::uint32_t version = 0;
  void spoil() {
    lanes.fill(garbage);
    version = garbage;
  }
  void write(std::uint32_t mask, std::uint32_t value) {
    for (unsigned l = 0; l < warp_lanes; ++l)
      if (mask >> l & 1u) lanes[l] = value;
    version = value;
  }
};

struct ReplayCounts {
  std::uint64_t reads = 0, wrong = 0;
  std::uint64_t bank_reads = 0, bank_writes = 0, other_reads = 0;
  std::uint64_t prefetched = 0, dropped = 0;
};

class Replay {
 public:
  Replay(const WarpTrace& warp, const CodeTable& code) : warp_(warp), code_(code) {}
  ReplayCounts counts;

 protected:
  void check(const Copy& copy, Register r, std::uint32_t mask) {
    ++counts.reads;
    bool right = copy.version == truth_[r].version;
    for (unsigned l = 0; l < warp_lanes; ++l)
      if ((mask >> l & 1u) && copy.lanes[l] != truth_[r].lanes[l]) right = false;
    if (!right) ++counts.wrong;
  }
  std::uint32_t define(Register r, std::uint32_t mask) {
    truth_[r].write(mask, ++last_value_);
    return last_value_;
  }
  std::uint32_t newest(Register r) const { return truth_[r].version; }
  const WarpTrace& warp_;
  const CodeTable& code_;
  std::array<Copy, 256> banks_{};

 private:
  std::array<Copy, 256> truth_{};
  std::uint32_t last_value_ = 0;
};

// BOW-WR with hints. A partial write goes to the banks, and merges into the window's copy or evicts it.
class WindowReplay : public Replay {
 public:
  using Replay::Replay;
  ReplayCounts run(std::uint32_t window, bool merge, bool flush_on_taken) {
    const auto& records = warp_.records;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const StaticInstruction& s = code_.instructions[records[i].code];
      const Annotation& h = *s.annotation;
      const std::uint32_t mask = records[i].mask;
      if (mask != 0)
        for (unsigned k = 0; k < s.source_count; ++k) read(s.sources[k], mask, i, window);
      for (unsigned r = 0; r < entries_.size(); ++r)
        if (entries_[r].present && i - entries_[r].touched >= window) evict(r);
      if (mask != 0)
        for (unsigned k = 0; k < s.destination_count; ++k) write(s.destinations[k], mask, i, h, k, merge);
      if (flush_on_taken && i + 1 < records.size() &&
          (code_.instructions[records[i + 1].code].pc != s.pc + 16 ||
           (s.kind == InstructionKind::control && mask != 0)))
        for (unsigned r = 0; r < entries_.size(); ++r) evict(r);
    }
    return counts;
  }

 private:
  struct Entry {
    Copy copy;
    std::size_t touched = 0;
    bool present = false, dirty = false;
  };
  void clean(unsigned r) {
    Entry& e = entries_[r];
    if (e.present && e.dirty) {
      banks_[r] = e.copy;
      ++counts.bank_writes;
    }
    e.dirty = false;
  }
  void evict(unsigned r) {
    clean(r);
    entries_[r].present = false;
  }
  void read(Register r, std::uint32_t mask, std::size_t now, std::uint32_t window) {
    Entry& e = entries_[r];
    if (e.present && now - e.touched >= window) evict(r);
    if (e.present) {
      ++counts.other_reads;
    } else {
      ++counts.bank_reads;
      e.copy = banks_[r];
      e.present = true;
      e.dirty = false;
    }
    e.touched = now;
    check(e.copy, r, mask);
  }
  void write(Register r, std::uint32_t mask, std::size_t now, const Annotation& h, unsigned k, bool merge) {
    const bool to_window = h.to_window >> k & 1u, to_banks = h.to_banks >> k & 1u;
    Entry& e = entries_[r];
    const std::uint32_t older = newest(r);
    const std::uint32_t value = define(r, mask);
    if (mask != ~0u) {
      merge ? clean(r) : evict(r);
      // The lanes that a partial write leaves out must be in the banks, unless they are not needed.
      const bool merges = older != 0 && !(h.ends_older >> k & 1u);
      const bool found = banks_[r].version == older;
      banks_[r].write(mask, value);
      if (merges && !found) banks_[r].version = garbage;
      ++counts.bank_writes;
      if (e.present) {
        e.copy.write(mask, value);
        e.touched = now;
      }
    } else if (!to_window) {
      banks_[r].write(mask, value);
      ++counts.bank_writes;
      e.present = e.dirty = false;
    } else {
      e.copy.write(mask, value);
      e.present = true;
      e.dirty = to_banks;
      e.touched = now;
    }
  }
  std::array<Entry, 256> entries_{};
};

// A value is destroyed when it is read for the last time.
class LastUseReplay : public Replay {
 public:
  using Replay::Replay;
  ReplayCounts run() {
    for (const TraceRecord& record : warp_.records) {
      if (record.mask == 0) continue;
      const StaticInstruction& s = code_.instructions[record.code];
      for (unsigned k = 0; k < s.source_count; ++k) check(banks_[s.sources[k]], s.sources[k], record.mask);
      for (unsigned k = 0; k < s.source_count; ++k)
        if (s.annotation->last_use >> k & 1u) {
          banks_[s.sources[k]].spoil();
          ++counts.dropped;
        }
      for (unsigned k = 0; k < s.destination_count; ++k)
        banks_[s.destinations[k]].write(record.mask, define(s.destinations[k], record.mask));
    }
    return counts;
  }
};

// Software RFC. Files forget everything at a strand's start, and hold nothing in lanes that were not written.
class StrandReplay : public Replay {
 public:
  using Replay::Replay;
  ReplayCounts run(unsigned orf_entries, unsigned lrf_entries) {
    std::array<std::vector<Copy>, 3> files;
    files[1].resize(orf_entries);
    files[2].resize(lrf_entries);
    const auto place = [&](OperandPlace p) -> Copy& {
      return files.at(static_cast<std::size_t>(p.level)).at(p.entry);
    };
    for (const TraceRecord& record : warp_.records) {
      const StaticInstruction& s = code_.instructions[record.code];
      const Annotation& h = *s.annotation;
      if (h.strand_start)
        for (auto& file : files)
          for (Copy& c : file) c.spoil();
      if (record.mask == 0) continue;
      for (unsigned k = 0; k < s.source_count; ++k) {
        const Register r = s.sources[k];
        if (h.read_from[k].level != OperandLevel::mrf) {
          check(place(h.read_from[k]), r, record.mask);
          ++counts.other_reads;
          continue;
        }
        check(banks_[r], r, record.mask);
        ++counts.bank_reads;
      }
      for (unsigned k = 0; k < s.source_count; ++k) {
        if (!(h.keep_source >> k & 1u)) continue;
        Copy& kept = files[1].at(h.keep_entry[k]);
        kept.spoil();
        for (unsigned l = 0; l < warp_lanes; ++l)
          if (record.mask >> l & 1u) kept.lanes[l] = banks_[s.sources[k]].lanes[l];
        kept.version = banks_[s.sources[k]].version;
      }
      for (unsigned k = 0; k < s.destination_count; ++k) {
        const std::uint32_t value = define(s.destinations[k], record.mask);
        if (h.write_to[k].level != OperandLevel::mrf) {
          place(h.write_to[k]).spoil();
          place(h.write_to[k]).write(record.mask, value);
        }
        if (h.write_banks >> k & 1u) {
          banks_[s.destinations[k]].write(record.mask, value);
          ++counts.bank_writes;
        }
      }
    }
    return counts;
  }
};

// LTRF+: registers that are not live are neither fetched nor written back. `pause` deactivates the warp
// before an instruction.
class IntervalReplay : public Replay {
 public:
  using Replay::Replay;
  ReplayCounts run(const std::function<bool()>& pause) {
    std::uint32_t interval = ~0u;
    for (const TraceRecord& record : warp_.records) {
      const StaticInstruction& s = code_.instructions[record.code];
      const Annotation& h = *s.annotation;
      if (h.interval != interval || pause()) {
        for (unsigned r = 0; r < partition_.size(); ++r) leave(r, h);
        interval = h.interval;
        for (unsigned r = 0; r < partition_.size(); ++r)
          if (h.working_set->test(r)) enter(r, h);
      }
      if (record.mask == 0) continue;
      for (unsigned k = 0; k < s.source_count; ++k) {
        if (!partition_[s.sources[k]].present) ++counts.wrong;
        check(partition_[s.sources[k]].copy, s.sources[k], record.mask);
      }
      for (unsigned k = 0; k < s.destination_count; ++k) {
        Slot& slot = partition_[s.destinations[k]];
        if (!slot.present) ++counts.wrong;
        slot.copy.write(record.mask, define(s.destinations[k], record.mask));
        slot.dirty = true;
      }
    }
    return counts;
  }

 private:
  struct Slot {
    Copy copy;
    bool present = false, dirty = false;
  };
  void leave(unsigned r, const Annotation& next) {
    Slot& slot = partition_[r];
    if (slot.present && slot.dirty && next.live_in.test(r)) {
      banks_[r] = slot.copy;
      ++counts.bank_writes;
    } else if (slot.present && slot.dirty) {
      banks_[r].spoil();  // no read may need the value
      ++counts.dropped;
    }
    slot.present = slot.dirty = false;
  }
  void enter(unsigned r, const Annotation& here) {
    Slot& slot = partition_[r];
    slot.present = true;
    if (here.live_in.test(r)) {
      slot.copy = banks_[r];
      ++counts.prefetched;
    } else {
      slot.copy.spoil();
    }
  }
  std::array<Slot, 256> partition_{};
};

}  // namespace subcore::test
