#include "model/policy/issue/dependence_matrix.h"

#include <algorithm>

#include "model/bits.h"
#include "model/policy/issue/issue_window.h"

namespace subcore {

DependenceMatrix::DependenceMatrix(unsigned entries, const DependenceOptions& o)
    : entries_(entries),
      rows_(entries),
      all_(bits::first(entries)),
      war_(o.war_release == OrderRelease::operand_collection ? Until::collected : Until::written_back),
      memory_(o.memory_release == OrderRelease::operand_collection ? Until::collected : Until::written_back),
      older_(o.older_release == ControlRelease::issue ? Until::issue : Until::written_back),
      stop_(o.control_release == ControlRelease::issue ? Until::issue : Until::written_back),
      barriers_wait_(o.barriers_wait) {}

DependenceMatrix::Entry DependenceMatrix::entry_of(const Instruction& i) {
  Entry e;
  const StaticInstruction& code = *i.code;
  e.control = code.kind == InstructionKind::control;
  e.exit = code.kind == InstructionKind::exit;
  for (unsigned p = 0; p < predicate_count; ++p) {
    e.reads[256 + p] = bits::has(code.predicates_read, p);
    e.writes[256 + p] = i.mask != 0 && bits::has(code.predicates_written, p);
  }
  for (unsigned s = 0; s < i.source_count; ++s) e.reads.set(i.source(s));
  for (unsigned d = 0; d < i.destination_count; ++d) e.writes.set(i.destination(d));
  if (i.mask == 0) return e;
  e.barrier = code.kind == InstructionKind::barrier;
  e.barrier_waits = barrier_waits_for(i);
  e.access = memory_access_of(i);
  return e;
}

DependenceMatrix::Until DependenceMatrix::depends(const Entry& a, const Entry& p) const {
  if (((a.reads | a.writes) & p.writes).any()) return Until::written_back;  // R1 WAW, R2
  // R3. And a warp waits at one barrier at a time, and does not end at one, whatever R8 says.
  if (p.barrier && (a.access.loads || a.access.stores || a.barrier || a.exit)) return Until::written_back;
  Until until = Until::none;
  if ((a.writes & p.reads).any()) until = std::max(until, war_);          // R1 WAR
  if (a.access.stays_behind(p.access)) until = std::max(until, memory_);  // R4, R5
  if (a.control) until = std::max(until, older_);                         // R6
  if (p.control) until = std::max(until, stop_);                          // R7
  if (barriers_wait_ && (a.barrier || a.exit)) {                          // R8
    until = std::max(until, older_);
    if (a.barrier && p.barrier_waits) until = std::max(until, Until::entered);
  }
  return until;
}

unsigned DependenceMatrix::insert(const Instruction& i) {
  const unsigned e = bits::lowest(all_ & ~valid_);
  const Entry a = entry_of(i);
  Row row;
  for (const unsigned p : bits::each(valid_)) {
    switch (depends(a, entries_[p])) {
      case Until::written_back:
        bits::add(row.until_written_back, p);
        break;
      case Until::collected:
        if (!entries_[p].collected) bits::add(row.until_collected, p);
        break;
      case Until::entered:
        if (!entries_[p].entered) bits::add(row.until_entered, p);
        break;
      case Until::issue:
        if (!bits::has(issued_, p)) bits::add(row.until_issue, p);
        break;
      case Until::none:
        break;
    }
  }
  entries_[e] = a;
  rows_[e] = row;
  bits::add(valid_, e);
  return e;
}

int DependenceMatrix::candidate() const {
  for (const unsigned e : bits::each(valid_ & ~issued_)) {
    if (row(e) == 0) return static_cast<int>(e);
  }
  return -1;
}

void DependenceMatrix::issue(unsigned entry) {
  bits::add(issued_, entry);
  for (Row& r : rows_) bits::remove(r.until_issue, entry);
}

void DependenceMatrix::collected(unsigned entry) {
  entries_[entry].collected = true;
  for (Row& r : rows_) bits::remove(r.until_collected, entry);
}

void DependenceMatrix::entered(unsigned entry) {
  entries_[entry].entered = true;
  for (Row& r : rows_) bits::remove(r.until_entered, entry);
}

void DependenceMatrix::written_back(unsigned entry) {
  bits::remove(valid_, entry);
  bits::remove(issued_, entry);
  for (Row& r : rows_) bits::remove(r.until_written_back, entry);
}

}  // namespace subcore
