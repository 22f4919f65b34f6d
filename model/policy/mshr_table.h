// Miss status holding registers: the lines that are being fetched and the requests that wait for them. A
// fixed number of lines, each with a fixed number of requests.
#pragma once

#include <cstdint>
#include <vector>

#include "model/policy/sectored_tags.h"

namespace subcore {

template <class Request>
class MshrTable {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  MshrTable(std::uint32_t lines, std::uint32_t requests_per_line)
      : per_line_(requests_per_line), entries_(lines), waiting_(std::size_t{lines} * requests_per_line) {
    for (std::uint32_t e = lines; e > 0; --e) spare_.push_back(e - 1);
    active_.reserve(lines);
  }

  // The entry of a line, or none.
  std::uint32_t find(std::uint64_t line) const {
    for (const Active& a : active_) {
      if (a.line == line) return a.entry;
    }
    return none;
  }
  bool full() const { return spare_.empty(); }
  bool empty() const { return active_.empty(); }
  std::size_t lines() const { return active_.size(); }
  // Precondition: not full().
  std::uint32_t allocate(std::uint64_t line) {
    const std::uint32_t e = spare_.back();
    spare_.pop_back();
    entries_[e] = {line, 0, 0};
    active_.push_back({line, e});
    return e;
  }
  bool room(std::uint32_t entry) const { return entries_[entry].count < per_line_; }
  // The sectors of the line that are on their way.
  SectorMask pending(std::uint32_t entry) const { return entries_[entry].pending; }
  void expect(std::uint32_t entry, SectorMask sectors) {
    entries_[entry].pending = static_cast<SectorMask>(entries_[entry].pending | sectors);
  }
  std::uint64_t line(std::uint32_t entry) const { return entries_[entry].line; }
  // `request` waits for `sectors`, all of them on their way. Precondition: room(entry).
  void add(std::uint32_t entry, Request request, SectorMask sectors) {
    Entry& e = entries_[entry];
    waiting_[std::size_t{entry} * per_line_ + e.count++] = {request, sectors};
  }
  // `sectors` have come: calls done(request), in the order in which they were added, for each request that
  // now has all it waited for. An entry that expects nothing more is free again.
  template <class Done>
  void filled(std::uint32_t entry, SectorMask sectors, Done done) {
    Entry& e = entries_[entry];
    e.pending = static_cast<SectorMask>(e.pending & ~sectors);
    Waiting* all = &waiting_[std::size_t{entry} * per_line_];
    std::uint32_t kept = 0;
    for (std::uint32_t n = 0; n < e.count; ++n) {
      all[n].sectors = static_cast<SectorMask>(all[n].sectors & ~sectors);
      if (all[n].sectors == 0) {
        done(all[n].request);
      } else {
        all[kept++] = all[n];
      }
    }
    e.count = kept;
    if (e.pending != 0) return;
    for (Active& a : active_) {
      if (a.entry != entry) continue;
      a = active_.back();
      active_.pop_back();
      break;
    }
    spare_.push_back(entry);
  }

 private:
  struct Entry {
    std::uint64_t line = 0;
    SectorMask pending = 0;
    std::uint32_t count = 0;
  };
  struct Waiting {
    Request request{};
    SectorMask sectors = 0;
  };
  struct Active {
    std::uint64_t line;
    std::uint32_t entry;
  };
  std::uint32_t per_line_;
  std::vector<Entry> entries_;
  std::vector<Waiting> waiting_;  // per entry, per_line_ of them
  std::vector<Active> active_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace subcore
