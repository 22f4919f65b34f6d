#include "subcore/model/passes/write_back.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string_view>

#include "subcore/base/bits.h"
#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

bool is_jump(std::string_view opcode) {
  constexpr std::string_view jumps[] = {"BRA", "BRX",  "JMP",  "JMX", "JCAL",   "CAL",   "RET",
                                        "BRK", "CONT", "SYNC", "KIL", "PLONGJ", "LONGJ", "RTT"};
  return std::any_of(std::begin(jumps), std::end(jumps),
                     [&](std::string_view j) { return opcode.substr(0, j.size()) == j; });
}

}  // namespace

void WindowProfile::know_jumps(const CodeTable& code) {
  for (std::size_t i = jumps_.size(); i < code.instructions.size(); ++i) {
    const StaticInstruction& s = code.instructions[i];
    jumps_.push_back(s.kind == InstructionKind::control && is_jump(code.opcode_name(s)));
  }
}

void WindowProfile::close(const Definition& d) {
  Fates& f = fates_[d.instruction][d.destination];
  if (d.inside)
    ++(d.beyond ? f.mixed : f.inside);
  else
    ++(d.beyond ? f.beyond : f.unread);
}

void WindowProfile::read(Register r, std::uint32_t mask, std::uint64_t now) {
  RegisterState& state = registers_[r];
  ++reads_;
  if (state.seen && now - state.touched < window_ && state.epoch == epoch_) ++window_reads_;
  state.seen = true;
  state.touched = now;
  state.epoch = epoch_;
  for (Definition& d : state.definitions) {
    if (now - d.touched >= window_ || d.epoch != epoch_) d.left = true;
    d.touched = now;
    d.epoch = epoch_;
    if ((d.lanes & mask) != 0) (d.left ? d.beyond : d.inside) = true;
  }
}

// A warpgroup's product reads and writes its accumulators in the banks.
void WindowProfile::accumulate(Register r, bool reads, std::uint32_t mask) {
  RegisterState& state = registers_[r];
  state.seen = false;
  std::size_t kept = 0;
  for (Definition& d : state.definitions) {
    d.beyond = d.beyond || (reads && (d.lanes & mask) != 0);
    d.lanes &= ~mask;
    d.left = true;
    if (d.lanes == 0)
      close(d);
    else
      state.definitions[kept++] = d;
  }
  state.definitions.resize(kept, Definition{});
}

void WindowProfile::note_partial(const Definition& whole, StaticDestination over) {
  auto& noted = fates_[whole.instruction][whole.destination].partly_over;
  const bool known = std::any_of(noted.begin(), noted.end(), [&](const StaticDestination& p) {
    return p.instruction == over.instruction && p.destination == over.destination;
  });
  if (!known) noted.push_back(over);
}

bool WindowProfile::is_merged(const Fates& fates, const KernelProfile& profile) {
  return std::any_of(fates.partly_over.begin(), fates.partly_over.end(), [&](const StaticDestination& p) {
    return !bits::has(profile.instructions()[p.instruction].ends_older, p.destination);
  });
}

void WindowProfile::write(Register r, std::uint32_t instruction, std::uint32_t destination,
                          std::uint32_t mask, std::uint64_t now) {
  RegisterState& state = registers_[r];
  state.seen = true;
  state.touched = now;
  state.epoch = epoch_;
  auto& open = state.definitions;
  // The youngest definition comes last, and still has every lane that it wrote.
  if (mask != all_lanes && !open.empty() && open.back().lanes == all_lanes)
    note_partial(open.back(), {instruction, destination});
  std::size_t kept = 0;
  for (Definition& d : open) {
    d.lanes &= ~mask;
    // A collector need not merge lanes, so only the banks are sure to keep the rest of the older value.
    d.left = true;
    if (d.lanes == 0)
      close(d);
    else
      open[kept++] = d;
  }
  open.resize(kept, Definition{});
  open.push_back({instruction, destination, mask, now, epoch_, false, false, false});
  if (mask != all_lanes) ++fates_[instruction][destination].partial;
}

void WindowProfile::add(const WarpTrace& warp, const CodeTable& code) {
  fates_.resize(std::max(fates_.size(), code.instructions.size()));
  know_jumps(code);
  const auto& records = warp.records;
  std::uint32_t live = warp.lanes;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const TraceRecord& record = records[i];
    const StaticInstruction& s = code.instructions[record.code];
    if (record.mask != 0) {
      // Lanes that have exited read nothing any more, so a result of all other lanes is whole.
      for (unsigned k = 0; k < s.source_count; ++k) read(s.sources[k], record.mask, i);
      for (unsigned k = 0; k < s.destination_count; ++k)
        write(s.destinations[k], record.code, k, record.mask | ~live, i);
      for_each_accumulator(s, [&](Register r) { accumulate(r, s.accumulators.read, record.mask | ~live); });
    }
    live = lanes_left(live, s, record.mask);
    if (!ends_at_branch_ || i + 1 == records.size()) continue;
    const std::uint64_t next = code.instructions[records[i + 1].code].pc;
    constexpr std::uint64_t longest = 16;  // bytes of an instruction
    if ((record.mask != 0 && jumps_[record.code]) || next <= s.pc || next - s.pc > longest) ++epoch_;
  }
  for (RegisterState& state : registers_) {
    for (const Definition& d : state.definitions) close(d);
    state.definitions.clear();
    state.seen = false;
  }
}

void WindowProfile::put(std::string& out) const {
  put_bytes(out, std::uint64_t{fates_.size()});
  for (const auto& of_instruction : fates_)
    for (const Fates& f : of_instruction) {
      for (const std::uint64_t n : {f.unread, f.beyond, f.inside, f.mixed, f.partial}) put_bytes(out, n);
      put_bytes(out, f.partly_over);
    }
  put_bytes(out, reads_);
  put_bytes(out, window_reads_);
}

void WindowProfile::take(ByteTaker& text, const CodeTable& code) {
  fates_.resize(text.take_count());
  for (auto& of_instruction : fates_)
    for (Fates& f : of_instruction) {
      for (std::uint64_t* n : {&f.unread, &f.beyond, &f.inside, &f.mixed, &f.partial})
        *n = text.take<std::uint64_t>();
      f.partly_over = text.take_all<StaticDestination>();
    }
  reads_ = text.take<std::uint64_t>();
  window_reads_ = text.take<std::uint64_t>();
  know_jumps(code);
}

// Whether no path of the observed control flow leads from the definition to a read outside the window.
bool WindowProfile::confirmed(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                              std::uint32_t instruction, unsigned destination) const {
  const Register r = code.instructions[instruction].destinations[destination];
  const auto& profiles = profile.instructions();
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;  // instruction, distance from the last touch
  std::deque<std::pair<std::uint32_t, std::uint32_t>> open;
  const auto go_on = [&](std::uint32_t from, std::uint32_t distance) {
    for (const std::uint32_t next : profiles[from].warp_successors)
      if (seen.insert({next, distance}).second) open.emplace_back(next, distance);
  };
  go_on(instruction, 1);
  while (!open.empty()) {
    const auto [at, distance] = open.front();
    open.pop_front();
    if (distance >= window_) {
      if (liveness.in[at].test(r)) return false;
      continue;
    }
    const StaticInstruction& s = code.instructions[at];
    if (s.has_accumulator(r)) return false;
    const bool reads = std::find(s.sources.begin(), s.sources.begin() + s.source_count, r) !=
                       s.sources.begin() + s.source_count;
    bool ends = false;
    for (unsigned k = 0; k < s.destination_count; ++k)
      if (s.destinations[k] == r && bits::has(profiles[at].kills(), k)) ends = true;
    if (!ends) go_on(at, reads && profiles[at].runs != 0 && !profiles[at].off ? 1 : distance + 1);
  }
  return true;
}

WriteBackSummary WindowProfile::apply(const CodeTable& code, const KernelProfile& profile,
                                      const Liveness& liveness, PartialWriteBack partial,
                                      std::deque<Annotation>& annotations) const {
  WriteBackSummary summary;
  summary.reads = reads_;
  summary.window_reads = window_reads_;
  for (std::uint32_t i = 0; i < fates_.size(); ++i) {
    for (unsigned k = 0; k < code.instructions[i].destination_count; ++k) {
      const Fates& f = fates_[i][k];
      const std::uint64_t writes = f.unread + f.beyond + f.inside + f.mixed;
      if (writes == 0) continue;
      const auto count = [&](std::uint64_t WriteBackCounts::*fate) {
        ++(summary.destinations.*fate);
        summary.writes.*fate += writes;
      };
      const bool free = f.partial == 0 || (partial == PartialWriteBack::covering &&
                                           bits::has(profile.instructions()[i].ends_older, k));
      if (free && f.inside == 0 && f.mixed == 0) {
        bits::remove(annotations[i].to_window, k);
        count(&WriteBackCounts::banks_only);
      } else if (free && f.beyond == 0 && f.mixed == 0 && !is_merged(f, profile)) {
        bits::remove(annotations[i].to_banks, k);
        count(&WriteBackCounts::window_only);
        if (!confirmed(code, profile, liveness, i, k)) ++summary.unconfirmed;
      } else {
        count(&WriteBackCounts::both);
      }
    }
  }
  return summary;
}

}  // namespace subcore
