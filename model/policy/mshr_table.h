// Miss status holding registers: the lines that are being fetched, and the requests that wait for them. There
// is a fixed number of registers, each with a fixed number of requests.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/policy/sectored_tags.h"

namespace subcore {

// The unit of a register: a line with all of its sectors that are on their way, or one sector.
enum class MshrUnit : std::uint8_t { line, sector };
constexpr std::array<std::string_view, 2> names(MshrUnit) {
  return {"line", "sector"};
}

template <class Request>
class MshrTable {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  // With MshrUnit::sector a line takes a register for each sector that is on its way. A request waits in the
  // registers of all its sectors.
  MshrTable(std::uint32_t registers, std::uint32_t requests_per_register, MshrUnit unit = MshrUnit::line)
      : unit_(unit), registers_(registers), per_register_(requests_per_register), entries_(registers) {
    for (std::uint32_t e = registers; e > 0; --e) spare_.push_back(e - 1);
    std::size_t hashes = 1;
    while (hashes < registers) hashes *= 2;
    first_.assign(hashes, none);
  }

  // The entry of a line, or `none`.
  std::uint32_t find(std::uint64_t line) const {
    std::uint32_t e = first_[hash(line)];
    while (e != none && entries_[e].line != line) e = entries_[e].next;
    return e;
  }
  // Whether there are registers to fetch these sectors for the line of the entry, or for a new line if
  // `entry` is none. No sector may be on its way already.
  bool room(std::uint32_t entry, SectorMask sectors) const {
    if (unit_ == MshrUnit::sector) return used_ + bits::count(sectors) <= registers_;
    return entry != none || !spare_.empty();
  }
  bool empty() const { return lines() == 0; }
  std::size_t lines() const { return registers_ - spare_.size(); }
  // Precondition: room(none, ...).
  std::uint32_t allocate(std::uint64_t line) {
    const std::uint32_t e = spare_.back();
    spare_.pop_back();
    entries_[e].line = line;
    entries_[e].next = std::exchange(first_[hash(line)], e);
    return e;
  }
  // Whether one more request may wait for these sectors of the entry.
  bool joins(std::uint32_t entry, SectorMask sectors) const {
    const Entry& e = entries_[entry];
    if (unit_ == MshrUnit::line) return e.requests.size() < per_register_;
    for (const unsigned s : bits::each(std::uint64_t{sectors})) {
      if (e.waiting[s] >= per_register_) return false;
    }
    return true;
  }
  // The sectors of the line that are on their way.
  SectorMask pending(std::uint32_t entry) const { return entries_[entry].pending; }
  // Marks the sectors as on their way. Precondition: room(entry, sectors).
  void expect(std::uint32_t entry, SectorMask sectors) {
    entries_[entry].pending = static_cast<SectorMask>(entries_[entry].pending | sectors);
    used_ += bits::count(sectors);
  }
  std::uint64_t line(std::uint32_t entry) const { return entries_[entry].line; }
  // Lets `request` wait for `sectors`, which are all on their way. Precondition: joins(entry, sectors).
  void add(std::uint32_t entry, Request request, SectorMask sectors) {
    Entry& e = entries_[entry];
    for (const unsigned s : bits::each(std::uint64_t{sectors})) ++e.waiting[s];
    e.requests.push_back({request, sectors});
  }
  // Calls visit(request) for each request that waits for any of these sectors.
  template <class Visit>
  void for_each_waiting(std::uint32_t entry, SectorMask sectors, Visit visit) const {
    for (const Waiting& w : entries_[entry].requests) {
      if ((w.sectors & sectors) != 0) visit(w.request);
    }
  }
  // `sectors` have come. Calls done(request) for each request that now has all its sectors, in the order in
  // which requests were added. An entry that expects nothing more is free again.
  template <class Done>
  void filled(std::uint32_t entry, SectorMask sectors, Done done) {
    Entry& e = entries_[entry];
    e.pending = static_cast<SectorMask>(e.pending & ~sectors);
    used_ -= bits::count(sectors);
    for (const unsigned s : bits::each(std::uint64_t{sectors})) e.waiting[s] = 0;
    std::size_t kept = 0;
    for (std::size_t n = 0; n < e.requests.size(); ++n) {
      Waiting w = e.requests[n];
      w.sectors = static_cast<SectorMask>(w.sectors & ~sectors);
      if (w.sectors == 0) {
        done(w.request);
      } else {
        e.requests[kept++] = w;
      }
    }
    e.requests.resize(kept);
    if (e.pending != 0) return;
    std::uint32_t* link = &first_[hash(e.line)];
    while (*link != entry) link = &entries_[*link].next;
    *link = e.next;
    spare_.push_back(entry);
  }

 private:
  static constexpr unsigned max_sectors = 4;
  struct Waiting {
    Request request{};
    SectorMask sectors = 0;
  };
  struct Entry {
    std::uint64_t line = 0;
    std::uint32_t next = none;  // next entry in the chain of the line's hash
    SectorMask pending = 0;
    std::array<std::uint32_t, max_sectors> waiting{};  // by sector: how many requests still wait for it
    std::vector<Waiting>
        requests;  // grows on demand: a GPU has many entries, and few of them have many requests
  };
  std::size_t hash(std::uint64_t line) const {
    return (line * 0x9e3779b97f4a7c15u) >> 32 & (first_.size() - 1);
  }
  MshrUnit unit_;
  std::uint32_t registers_, per_register_;
  std::uint32_t used_ = 0;  // sectors on their way
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> first_;  // first entry of each chain; a chain has the lines of one hash
  std::vector<std::uint32_t> spare_;
};

}  // namespace subcore
