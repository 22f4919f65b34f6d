#include "subcore/model/policy/issue/dependence_matrix.h"

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/policy/issue/copy_groups.h"
#include "subcore/model/policy/issue/issue_window.h"

namespace subcore {

DependenceMatrix::DependenceMatrix(unsigned entries, const DependenceOptions& o, DependenceCounts* counts,
                                   unsigned products)
    : entries_(entries),
      rows_(entries),
      all_(bits::first(entries)),
      war_(o.war_release == OrderRelease::operand_collection ? Until::collected : Until::written_back),
      memory_(o.memory_release == OrderRelease::operand_collection ? Until::collected : Until::written_back),
      older_(o.older_release == ControlRelease::issue ? Until::issue : Until::written_back),
      stop_(o.control_release == ControlRelease::issue ? Until::issue : Until::written_back),
      limit_(products),
      barriers_wait_(o.barriers_wait),
      counts_(counts) {}

DependenceMatrix::Entry DependenceMatrix::entry_of(const Instruction& i) {
  Entry e;
  const StaticInstruction& code = *i.code;
  e.control = code.kind == InstructionKind::control;
  e.exit = code.kind == InstructionKind::exit;
  e.long_latency = is_long_latency(code);
  e.predicates_read = code.predicates_read;
  e.uniforms_read = code.uniforms_read;
  for (unsigned s = 0; s < i.source_count; ++s) e.reads.set(i.source(s));
  for (unsigned d = 0; d < i.destination_count; ++d) e.writes.set(i.destination(d));
  e.fixed_result = i.destination_count != 0 && has_fixed_latency(code);
  if (i.mask == 0) return e;
  e.warpgroup = code.warpgroup;
  e.accumulators = code.accumulators;
  for_each_accumulator(code, [&](Register r) {
    e.writes.set(r);
    if (code.accumulators.read) e.reads.set(r);
  });
  e.predicates_written = code.predicates_written;
  e.uniforms_written = code.uniforms_written;
  e.barrier = code.kind == InstructionKind::barrier;
  e.barrier_waits = barrier_waits_for(i);
  e.arrives = arrives_at_barrier(code);
  e.at_mbarrier = waits_at_mbarrier(i);
  e.access = memory_access_of(i);
  e.copies = copy_step(i);
  return e;
}

// The event of an older instruction `p` that `a` awaits because of a warpgroup's products. Products issue in
// order.
DependenceMatrix::Dependence DependenceMatrix::on_product(const Entry& a, const Entry& p) const {
  Dependence d;
  const bool is_product = p.warpgroup == WarpgroupStep::product;
  if (a.warpgroup == WarpgroupStep::arrive && p.fixed_result)
    d.add(Until::written_back, StallCause::products);
  if (a.warpgroup == WarpgroupStep::wait && is_product && p.products_group < a.products_group)
    d.add(Until::written_back, StallCause::products);
  if (a.warpgroup == WarpgroupStep::product && is_product)
    d.add(p.product + limit_ <= a.product ? Until::written_back : Until::collected, StallCause::products);
  return d;
}

DependenceMatrix::Dependence DependenceMatrix::depends(const Entry& a, const Entry& p) const {
  Dependence d = on_product(a, p);
  if (p.at_mbarrier) d.add(Until::written_back, StallCause::mbarrier);
  if (a.warpgroup == WarpgroupStep::product && p.warpgroup == WarpgroupStep::product &&
      a.accumulators.same_registers(p.accumulators))
    return d;
  if (a.reads_from(p))  // R2
    d.add(Until::written_back, p.long_latency ? StallCause::raw_long : StallCause::raw_short);
  if (a.writes_over(p)) d.add(Until::written_back, StallCause::waw);  // R1 WAW
  // R3. A warp waits at one barrier at a time, and does not end at one, whatever R8 says.
  if (p.barrier && (a.access.loads || a.access.stores || a.barrier || a.exit))
    d.add(Until::written_back, StallCause::barrier);
  if (p.reads_from(a)) d.add(war_, StallCause::war);  // R1 WAR
  if (a.access.stays_behind(p.access))                // R4, R5
    d.add(a.access.follows_in_unit(p.access) ? std::min(memory_, Until::entered) : memory_,
          StallCause::memory_order);
  if (a.control) d.add(older_, StallCause::control);  // R6
  if (p.control) d.add(stop_, StallCause::control);   // R7
  if (barriers_wait_ && (a.barrier || a.exit)) {      // R8
    d.add(older_, StallCause::control);
    if (a.barrier && p.barrier_waits) d.add(Until::entered, StallCause::memory_order);
  }
  if (a.arrives && p.barrier_waits) d.add(Until::entered, StallCause::memory_order);
  const bool is_copying = p.copies == CopyStep::copy || p.copies == CopyStep::end_group;
  if (a.copies == CopyStep::wait && is_copying && p.group < a.group)
    d.add(Until::written_back, StallCause::copy_groups);
  const bool may_need_copies =
      a.access.loads || a.access.stores || a.barrier || a.arrives || a.copies == CopyStep::wait;
  if (p.copies == CopyStep::wait && may_need_copies) d.add(Until::issue, StallCause::copy_groups);
  return d;
}

StallCause DependenceMatrix::cause(unsigned entry) const {
  StallCause worst = StallCause::issued;
  for (const unsigned p : bits::each(row(entry)))
    worst = farther(worst, depends(entries_[entry], entries_[p]).cause);
  return worst;
}

void DependenceMatrix::count(StallCause cause, const Entry& a, const Entry& p) {
  switch (cause) {
    case StallCause::raw_short:
    case StallCause::raw_long:
      ++counts_->raw;
      break;
    case StallCause::war:
    case StallCause::waw:
      ++counts_->war_waw;
      break;
    case StallCause::control:
      ++(p.control ? counts_->stop : a.control ? counts_->control : counts_->order);
      break;
    default:
      ++counts_->order;
  }
}

// Whether an event of an instruction in the buffer, which is not written back yet, has happened.
bool DependenceMatrix::is_over(Until event, unsigned entry) const {
  if (event == Until::collected) return entries_[entry].collected;
  if (event == Until::entered) return entries_[entry].entered;
  return event == Until::none || (event == Until::issue && bits::has(issued_, entry));
}

// No entry waits for the event any longer.
void DependenceMatrix::end(Until event, unsigned entry) {
  for (Row& r : rows_) bits::remove(r.until[static_cast<std::size_t>(event)], entry);
}

// Groups follow the rules in warpgroup_products.h.
void DependenceMatrix::number_product(Entry& a, const Instruction& i) {
  const bool is_product = a.warpgroup == WarpgroupStep::product;
  if (is_product) a.product = products_++;
  a.products_group = product_groups_;
  if (is_product) product_open_ = !i.code->ends_group;
  if (is_product ? i.code->ends_group : a.warpgroup == WarpgroupStep::wait && product_open_)
    ++product_groups_;
  if (a.warpgroup != WarpgroupStep::wait) return;
  product_open_ = false;
  a.products_group = product_groups_ - std::min<std::uint64_t>(product_groups_, i.code->open_groups);
}

unsigned DependenceMatrix::insert(const Instruction& i) {
  const unsigned e = bits::lowest(all_ & ~valid_);
  Entry a = entry_of(i);
  a.group = groups_;
  if (a.copies == CopyStep::wait) a.group -= std::min<std::uint64_t>(groups_, i.code->open_groups);
  if (a.copies == CopyStep::end_group) ++groups_;
  number_product(a, i);
  Row row;
  for (const unsigned p : bits::each(valid_)) {
    const Dependence d = depends(a, entries_[p]);
    if (!is_over(d.until, p)) bits::add(row.until[static_cast<std::size_t>(d.until)], p);
    if (counts_ != nullptr && bits::has(row.all(), p)) count(d.cause, a, entries_[p]);
  }
  if (counts_ != nullptr) counts_->all += bits::count(row.all());
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
  end(Until::issue, entry);
}

void DependenceMatrix::collected(unsigned entry) {
  entries_[entry].collected = true;
  end(Until::collected, entry);
}

void DependenceMatrix::entered(unsigned entry) {
  entries_[entry].entered = true;
  end(Until::entered, entry);
}

void DependenceMatrix::written_back(unsigned entry) {
  bits::remove(valid_, entry);
  bits::remove(issued_, entry);
  end(Until::written_back, entry);
}

}  // namespace subcore
