#include "subcore/modules/collector/boc.h"

#include <algorithm>
#include <ostream>

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/steering/window.h"
#include "subcore/modules/protocol/warp_names.h"

namespace subcore {
namespace {

BypassWindowOptions window_options(const CollectorParameters& p, const BocChoice& own, bool program_order) {
  return {own.window, p.entries, own.write_policy == WritePolicy::write_back,
          p.partial_write == PartialWrite::safe, program_order};
}

// Whether the branch was not taken, which traces do not say. Instructions are 8 or 16 bytes long.
bool falls_through(std::uint64_t branch_pc, std::uint64_t pc) {
  return pc > branch_pc && pc - branch_pc <= 16;
}

}  // namespace

Boc::Boc(const sc_core::sc_module_name& name, const CollectorParameters& p, const BocChoice& own,
         const CollectorSite& site)
    : Collector(name, site.index, p.slots),
      destination_socket("destination_socket"),
      write_back_(own.write_policy == WritePolicy::write_back),
      window_(window_options(p, own, site.program_order)),
      span_(own.in_flight == InFlight::window ? own.window : 1),
      latches_(span_),
      fillers_(span_),
      duplicates_hit_(p.dup_source_is_hit),
      flush_on_taken_(p.branch == BranchHandling::flush_on_taken) {
  issue_socket.on_receive<&Boc::issued>(this);
  source_socket.on_receive<&Boc::delivered>(this);
  destination_socket.on_receive<&Boc::result>(this);
  dispatch_socket.on_credit<&Boc::dispatched>(this);
  collecting_.reserve(span_);
}

// Parts of a BOC (BOW, section IV-B). The window has a port for the crossbar, a port for results and a port
// for the units. Each entry of the window has tag, valid, ready, the last instruction that used the entry,
// and with write-back a dirty bit. Each instruction that is collected has valid, ready and the entry of each
// slot.
void Boc::inventory(Inventory& list) const {
  const BypassWindowOptions& window = window_.options();
  list.add("window", HardwareKind::data, window.entries, operand_bits, 3);
  list.add("window_tags", HardwareKind::tag, window.entries, register_bits);
  list.add("window_state", HardwareKind::state, window.entries,
           2 + (window.write_back ? 1 : 0) + width_of(window.instructions));
  list.add("operand_table", HardwareKind::state, std::uint64_t{span_} * slots(),
           2 + width_of(window.entries));
}

void Boc::issued(unsigned, IssueTransfer& t) {
  apply_due(t.stamp - 1);
  Instruction& i = *t.instruction;
  check_slots(i);
  if (!holds_ || warp_uid_ != i.warp_uid) change_warp(i);
  if (flush_on_taken_) end_window_at_taken_branch(i, t.stamp);
  note_occupancy(t.stamp - 1);
  const WindowLookup& found = window_.insert(i);
  last_used_ = window_.used();
  note_accesses(i, found);
  if (found.reserved != 0)
    tell_steering(destination_socket, t.stamp, {SteeringUpdate::Kind::reserved, found.reserved, 0, 0, &i});
  tell_changes(t.stamp);
  ++counters_.instructions;
  counters_.source_operands += i.source_count;
  counters_.hits += bits::count(found.hits | found.shared);
  if (duplicates_hit_ && touches_operands(*i.code, i.mask)) {
    counters_.source_operands += i.code->duplicate_sources;
    counters_.hits += i.code->duplicate_sources;
  }
  collecting_.push_back({&i, found.index, found.shared | found.misses, t.stamp,
                         std::max(t.stamp, found.ready), i.code->execution == ExecutionClass::load_store});
  if (const Collecting& c = collecting_.back(); c.missing == 0) times_.operands += c.complete - c.begun;
  auto& filler = fillers_[found.index % span_];
  for (const unsigned s : bits::each(found.shared)) filler[s] = found.filler[s];
  for (const unsigned s : bits::each(found.misses)) filler[s] = &i;
  ask(i, found.misses, t.stamp);
  // The scheduler has assumed that this instruction leaves no room here.
  IssueTransfer now{t.stamp, nullptr, IssueTransfer::Kind::status, status()};
  issue_socket.status(now);
  move();
  tell_if_complete(t.stamp);
}

// The instruction's own latch gets a copy of each operand that is found or that comes for an older
// instruction.
void Boc::note_accesses(const Instruction& i, const WindowLookup& found) {
  for (unsigned s = 0; s < i.source_count; ++s) {
    const Register r = i.source(s);
    window_accesses.access(tag_search, r);
    if (bits::has(found.misses, s)) continue;
    window_accesses.access(fwd_rd, r);
    window_accesses.access(fwd_wr, r);
  }
}

// Drops what the previous warp left in the window: that warp's registers are dead.
void Boc::change_warp(const Instruction& i) {
  window_.reset();
  holds_ = true;
  warp_uid_ = i.warp_uid;
  warp_number_ = warp_number(i);
  after_branch_ = false;
  last_insertion_ = never;
}

void Boc::end_window_at_taken_branch(const Instruction& i, Cycle stamp) {
  if (after_branch_ && !falls_through(branch_pc_, i.code->pc)) {
    window_.flush();
    tell_changes(stamp);
  }
  after_branch_ = i.code->kind == InstructionKind::control;
  branch_pc_ = i.code->pc;
}

// A delivery on port S serves the instruction that asked and all instructions that wait for the same
// register.
void Boc::delivered(unsigned, OperandTransfer& t) {
  const Register r = t.instruction->source(t.slot);
  window_.fill(*t.instruction, r, t.version, t.stamp);
  const Cycle stamp = t.stamp;
  const Instruction* const filler = t.instruction;
  const Version version = t.version;
  for (Collecting& c : collecting_) {
    for (const unsigned s : bits::each(c.missing)) {
      if (fillers_[c.index % span_][s] != filler || c.instruction->source(s) != r) continue;
      bits::remove(c.missing, s);
      c.instruction->operands[s].collected = version;
      c.complete = std::max(c.complete, stamp);
      if (c.missing == 0) times_.operands += c.complete - c.begun;
    }
  }
  move();
  tell_if_complete(stamp);
}

void Boc::dispatched(unsigned, DispatchTransfer& t) {
  const auto latch = std::find_if(latches_.begin(), latches_.end(),
                                  [&](const Latch& l) { return l.instruction == t.instruction; });
  times_.left(*t.instruction, latch->moved, t.stamp);
  *latch = {nullptr, t.stamp};
  move();
}

// Moves every instruction whose operands are complete and whose latch is free.
void Boc::move() {
  bool memory_ahead = false;
  for (std::size_t n = 0; n < collecting_.size();) {
    Collecting& c = collecting_[n];
    if (c.missing == 0 && !(c.memory && memory_ahead)) {
      const Cycle complete = c.complete;
      if (c.memory) c.complete = std::max(c.complete, memory_left_);
      const bool moving = moves(c.complete, latches_[c.index % span_].free);
      times_.latch += c.complete - complete;
      if (moving) {
        leave(n);
        continue;
      }
    }
    memory_ahead |= c.memory;
    ++n;
  }
}

void Boc::leave(std::size_t n) {
  const Collecting c = collecting_[n];
  apply_due(c.complete - 1);
  leaving_.put({c.complete, c.index});
  latches_[c.index % span_] = {c.instruction, never, c.complete};
  times_.spent(*c.instruction, c.complete - c.begun);
  if (c.memory) memory_left_ = c.complete;
  collecting_.erase(collecting_.begin() + static_cast<std::ptrdiff_t>(n));
  DispatchTransfer d{c.complete, c.instruction};
  dispatch_socket.send(d);
  IssueTransfer left{c.complete, c.instruction, IssueTransfer::Kind::left, status()};
  issue_socket.credit(left);
}

void Boc::result(unsigned, DestinationTransfer& t) {
  apply_due(t.stamp - 1);
  window_accesses.access(tag_search, t.reg);
  results_.put(t);
  wake(t.stamp);
}

void Boc::apply_due(Cycle now) {
  leaving_.take(now, [this](const Departure& d) { window_.dispatched(d.index); });
  results_.take(now, [&](const DestinationTransfer& t) { apply(t, now); });
}

void Boc::apply(const DestinationTransfer& t, Cycle now) {
  if (!holds_ || warp_uid_ != t.warp_uid) {
    ++counters_.late_results;
    return;
  }
  if (window_.result(t.reg, t.write(), t.partial())) {
    ++counters_.result_writes;
    return;
  }
  ++counters_.late_results;
  if (write_back_.exists() && !t.partial()) {
    ++counters_.late_write_backs;
    write_back_.send(t.reg, t.version, index_, now + 1);
  }
}

// Tells others what the window has given up to make room. The arbiter hears of slots that it steers results
// to, and the banks get values.
void Boc::tell_changes(Cycle stamp) {
  for (const BypassWindow::Release& r : window_.released()) {
    tell_steering(destination_socket, stamp,
                  {SteeringUpdate::Kind::released, bits::one<std::uint8_t>(r.destination), 0, 0, r.producer});
  }
  for (const BypassWindow::Value& v : window_.written_back())
    write_back_.send(v.reg, v.version, index_, stamp);
}

Cycle Boc::tick(Cycle now) {
  apply_due(now);
  move();
  return never;
}

// The collector takes another instruction when the instruction `span_` places before that one has left.
bool Boc::takes_another() const {
  return collecting_.empty() || window_.next_index() - collecting_.front().index < span_;
}

// Among several instructions, the oldest keeps another one from coming in.
void Boc::tell_if_complete(Cycle stamp) {
  if (takes_another()) return;
  Collecting& oldest = collecting_.front();
  if (oldest.missing != 0 || oldest.told || latches_[oldest.index % span_].free != never) return;
  oldest.told = true;
  tell_complete(*oldest.instruction, std::max(oldest.complete, stamp));
}

void Boc::note_occupancy(Cycle now) {
  if (last_insertion_ != never) {
    const unsigned quarter = last_used_ == 0 ? 0 : (last_used_ * 4 - 1) / window_.size();
    const Cycle spent = now - last_insertion_;
    occupancy_.cycles[quarter] += spent;
    occupancy_.all += spent;
    occupancy_.entries += last_used_ * spent;
  }
  last_insertion_ = now;
}

void Boc::register_statistics(StatisticsGroup& g) {
  g.counters(counter_list_);
  g.counters(window_.counters().list);
  g.counters(occupancy_.list);
  const EntryUse& use = window_.use();
  register_use(g, use.use(), [&use] { return static_cast<double>(use.unread()); });
}

void Boc::report_waiting(std::ostream& out) const {
  for (const Collecting& c : collecting_) report_collecting(out, *c.instruction, bits::count(c.missing));
  write_back_.report_waiting(out, name());
}

std::vector<Signal> Boc::signals() {
  SignalList list(signal_prefix());
  list.number("collecting", 6, [this](Cycle) { return std::uint64_t{collecting_.size()}; })
      .activity([this](Cycle) { return counters_.instructions + counters_.result_writes; })
      .text(
          "holder", [this](Cycle) { return holds_ ? std::uint64_t{warp_number_} : Signal::x; },
          [](std::uint64_t warp) { return 'w' + std::to_string(warp); })
      .aside()
      .per_cycle("hits", 6, [this](Cycle) -> std::uint64_t { return counters_.hits; })
      .per_cycle("misses", 6,
                 [this](Cycle) -> std::uint64_t { return counters_.source_operands - counters_.hits; })
      .per_cycle("results", 8, [this](Cycle) -> std::uint64_t { return counters_.result_writes; })
      .per_cycle("flush", 1, [this](Cycle) -> std::uint64_t { return window_.counters().flushes; });
  for (unsigned n = 0; n < span_; ++n) {
    const std::string number = std::to_string(n) + '_';
    const auto find = [this, n](Cycle) -> const Instruction* {
      return n < collecting_.size() ? collecting_[n].instruction : nullptr;
    };
    list.key([this, n, find](Cycle c) {
          return SignalList::identity(find(c)) * 32 + (n < collecting_.size() ? collecting_[n].missing : 0);
        })
        .instruction(number, find)
        .number(number + "missing", 6, [this, n](Cycle) {
          return n < collecting_.size() ? std::uint64_t{bits::count(collecting_[n].missing)} : Signal::x;
        });
  }
  // Entries change at insertions, results and deliveries.
  list.key([this](Cycle) {
    std::uint64_t missing = 0;
    for (const Collecting& c : collecting_) missing = missing * 31 + c.missing;
    return warp_uid_ + window_.next_index() * 0x9e3779b97f4a7c15u +
           window_.valid_mask() * 0xc2b2ae3d27d4eb4fu + window_.dirty_mask() * 0x165667b19e3779f9u +
           counters_.result_writes * 0x27d4eb2f165667c5u + missing * 0x85ebca77c2b2ae63u;
  });
  for (unsigned e = 0; e < window_.size(); ++e) {
    list.marked("entry_" + std::to_string(e), {"dirty", "awaited"}, [this, e](Cycle) {
      if (!bits::has(window_.valid_mask(), e)) return Signal::x;
      return marked_register(window_.tag(e),
                             (bits::has(window_.dirty_mask(), e) ? 1u : 0u) | (window_.filled(e) ? 0u : 2u));
    });
  }
  return list;
}

void BocChoice::describe(ParameterVisitor& v) {
  v.choice("write_policy", write_policy, "results go to the banks at once, or when they leave the window");
  v.field("window", window, {1, 32}, "instructions",
          "IW: a value is kept for this many instructions after its last use");
  v.choice("in_flight", in_flight,
           "instructions that a collector holds at once: as many as the window has, or 1");
}

void BocChoice::check(Checker& c) const {
  const std::string allocation = c.word("sub_core.collector.allocation");
  c.require(allocation == "private", "sub_core.collector.allocation", {"sub_core.collector.kind"},
            "sub_core.collector.allocation " + in_quotes(allocation) +
                " lets warps share bypassing collectors, but each such collector belongs to one warp; "
                "expected private");
  const std::uint64_t entries = c.whole("sub_core.collector.entries");
  c.require(
      entries >= window, "sub_core.collector.entries",
      {"sub_core.collector.window", "sub_core.collector.kind"},
      std::to_string(entries) + " entries cannot keep one operand for each of " + std::to_string(window) +
          " instructions (sub_core.collector.window); expected sub_core.collector.entries of at least " +
          std::to_string(window));
  // Without program order a younger write could overtake an older read, and the window would keep the wrong
  // value for later readers. SOCGPU's matrix orders writes and reads itself.
  if (c.is("sub_core.scheduler.issue", "in_order") && in_flight != InFlight::one)
    c.require(!c.is("sub_core.scheduler.war_guard", "off"), "sub_core.scheduler.war_guard",
              {"sub_core.collector.kind", "sub_core.collector.in_flight", "sub_core.scheduler.issue"},
              "'off' lets a younger write overtake an older instruction that waits in the same window "
              "(sub_core.collector.kind boc); expected operand_collection or write_back, or "
              "sub_core.collector.in_flight 1");
  if (!c.on("passes.write_back")) return;
  // A value that only the window needs is never written back, so compiler and collector must mean one window.
  const std::uint64_t planned = c.whole("passes.write_back_window");
  c.require(planned <= window, "passes.write_back_window", {"sub_core.collector.window"},
            std::to_string(planned) + " instructions are more than the collector keeps, " +
                std::to_string(window) + " (sub_core.collector.window); expected at most " +
                std::to_string(window));
  c.require(
      !c.is("sub_core.collector.branch", "flush_on_taken") || c.on("passes.window_ends_at_taken_branch"),
      "passes.window_ends_at_taken_branch", {"sub_core.collector.branch"},
      "the compiler does not know that windows end at taken branches (sub_core.collector.branch "
      "flush_on_taken); expected true");
}

Collector* BocChoice::make(const char* name, const CollectorParameters& p, const CollectorSite& site) const {
  return new Boc(name, p, *this, site);
}

std::unique_ptr<ResultSteering> BocChoice::make_steering(const CollectorParameters& p,
                                                         unsigned warp_slots) const {
  return std::make_unique<WindowSteering>(
      WindowSteering::Options{write_policy == WritePolicy::write_back, p.partial_write == PartialWrite::safe},
      warp_slots);
}

}  // namespace subcore
