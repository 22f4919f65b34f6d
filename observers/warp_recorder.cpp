#include "subcore/observers/warp_recorder.h"

#include <algorithm>

#include "subcore/observers/scope.h"

namespace subcore {
namespace {

bool is_no_warp(StallCause cause) {
  return cause == StallCause::no_warp || cause == StallCause::drained;
}

std::vector<unsigned> registers_of(
    const boost::container::static_vector<InstructionRecord::Operand, max_sources>& operands) {
  std::vector<unsigned> registers;
  for (const InstructionRecord::Operand& o : operands) registers.push_back(o.reg);
  return registers;
}

}  // namespace

class WarpRecorder::SubCoreTaps final : public TransferObserver<LaunchTransfer>,
                                        public TransferObserver<StallEvent> {
 public:
  SubCoreTaps(WarpRecorder& recorder, std::size_t first) : recorder_(recorder), first_(first) {}
  void transferred(const LaunchTransfer& t) override { recorder_.launched(first_ + t.warp_slot, t); }
  void transferred(const StallEvent& e) override { recorder_.stalled(first_ + e.warp_slot, e); }

 private:
  WarpRecorder& recorder_;
  std::size_t first_;  // number of the sub-core's first slot
};

WarpRecorder::WarpRecorder(Options options) : options_(std::move(options)) {
  history_.begin = options_.warp ? never : options_.from;
}

WarpRecorder::~WarpRecorder() = default;

void WarpRecorder::watch(Gpu& gpu) {
  for (StreamingMultiprocessor& sm : gpu.sms)
    for (SubCore& s : sm.sub_cores) {
      const std::string path = std::string(sm.basename()) + "." + s.basename();
      if (!within(path, options_.scope)) continue;
      taps_.push_back(std::make_shared<SubCoreTaps>(*this, history_.slots.size()));
      s.trace_player.launch_socket.observe(*taps_.back());
      s.scheduler.stall_port.observe(*taps_.back());
      for (unsigned slot = 0; slot < s.trace_player.warp_slots(); ++slot)
        history_.slots.push_back({path, slot, {}, {{0, StallCause::no_warp}}, {}});
    }
  gpu.driver.kernel_dispatcher.on_kernel_end([this](const std::string&) { ++kernel_; });
}

void WarpRecorder::launched(std::size_t slot, const LaunchTransfer& t) {
  if (t.kind != LaunchTransfer::Kind::launch) return;
  history_.kernels.resize(std::max(history_.kernels.size(), kernel_ + 1));
  history_.kernels[kernel_] = t.kernel->name;
  std::vector<WarpHistory::Warp>& warps = history_.slots[slot].warps;
  if (!warps.empty() && warps.back().end == never) warps.back().end = t.stamp;
  warps.push_back({t.warp->number, kernel_, t.cta_slot, t.stamp, never});
  warps_ += kernel_ == 0 ? 1 : 0;
  if (options_.warp != t.warp->number || kernel_ != 0 || found_) return;
  found_ = slot;
  found_warp_ = warps.size() - 1;
  history_.begin = std::max(options_.from, t.stamp);
}

// Runs that end before the history begins are forgotten.
void WarpRecorder::stalled(std::size_t slot, const StallEvent& e) {
  WarpHistory::Slot& s = history_.slots[slot];
  if (!s.warps.empty() && is_no_warp(e.cause) && !is_no_warp(s.runs.back().cause) &&
      s.warps.back().end == never)
    s.warps.back().end = e.cycle;
  if (e.cycle > options_.to) return;
  if (e.cycle <= history_.begin)
    s.runs = {{e.cycle, e.cause}};
  else if (s.runs.back().cause != e.cause)
    s.runs.push_back({e.cycle, e.cause});
}

std::size_t WarpRecorder::code_of(const InstructionRecord& record) {
  std::vector<unsigned> destinations, sources = registers_of(record.sources);
  for (const InstructionRecord::Operand& o : record.destinations) destinations.push_back(o.reg);
  const auto [at, is_new] = code_.emplace(
      CodeKey{record.pc, record.opcode, record.mask, destinations, sources}, history_.code.size());
  if (is_new)
    history_.code.push_back({record.pc, record.opcode, std::string(record.unit), record.mask,
                             std::move(destinations), std::move(sources)});
  return at->second;
}

bool WarpRecorder::is_wanted(std::size_t slot) const {
  return !options_.warp || (found_ && history_.slots[slot].sub_core == history_.slots[*found_].sub_core);
}

void WarpRecorder::begins(const InstructionRecord& record, Cycle at) {
  WarpHistory::Life life;
  life.id = record.id;
  life.code = code_of(record);
  life.collector = record.collector;
  life.stages.fill(never);
  life.begin = at;
  life.stages[static_cast<std::size_t>(record.stage)] = at;
  for (unsigned s = 0; s < record.sources.size(); ++s)
    if (record.whereabouts[s] != Whereabouts::here)
      life.moves.push_back({s, record.bank[s], record.whereabouts[s], at});
  under_way_.emplace(record.id, std::pair(std::size_t{record.thread}, std::move(life)));
}

void WarpRecorder::enters(const InstructionRecord& record, Cycle at) {
  WarpHistory::Life& life = under_way_.at(record.id).second;
  Cycle& first = life.stages[static_cast<std::size_t>(record.stage)];
  first = std::min(first, at);
  life.collector = record.collector;
}

void WarpRecorder::moves(const InstructionRecord& record, unsigned source, Whereabouts, Cycle at) {
  under_way_.at(record.id).second.moves.push_back(
      {source, record.bank[source], record.whereabouts[source], at});
}

void WarpRecorder::retires(const InstructionRecord& record, Cycle at) {
  const auto found = under_way_.find(record.id);
  auto& [slot, life] = found->second;
  if (is_wanted(slot) && at > history_.begin && ++instructions_ <= options_.most_instructions) {
    life.end = at;
    history_.slots[slot].instructions.push_back(std::move(life));
  }
  under_way_.erase(found);
}

const WarpHistory::Warp* WarpRecorder::warp() const {
  return found_ ? &history_.slots[*found_].warps[found_warp_] : nullptr;
}

bool WarpRecorder::complete() const {
  return found_ && warp()->end != never;
}

WarpHistory WarpRecorder::history(Cycle end) const {
  WarpHistory history = history_;
  history.end = std::min({end, options_.to, never - 1}) + 1;
  if (complete()) history.end = std::min(history.end, warp()->end);
  history.begin = std::min(history.begin, history.end);
  for (const auto& [id, there] : under_way_)
    if (is_wanted(there.first)) history.slots[there.first].instructions.push_back(there.second);
  std::vector<WarpHistory::Slot> slots;
  for (std::size_t n = 0; n < history.slots.size(); ++n) {
    WarpHistory::Slot& s = history.slots[n];
    if (!is_wanted(n)) continue;
    const auto is_outside = [&](Cycle from, Cycle to) { return from >= history.end || to <= history.begin; };
    s.warps.erase(std::remove_if(s.warps.begin(), s.warps.end(),
                                 [&](const WarpHistory::Warp& w) { return is_outside(w.begin, w.end); }),
                  s.warps.end());
    s.instructions.erase(
        std::remove_if(s.instructions.begin(), s.instructions.end(),
                       [&](const WarpHistory::Life& l) { return is_outside(l.begin, l.end); }),
        s.instructions.end());
    s.runs.erase(std::remove_if(s.runs.begin(), s.runs.end(),
                                [&](const WarpHistory::Run& r) { return r.begin >= history.end; }),
                 s.runs.end());
    std::sort(s.instructions.begin(), s.instructions.end(),
              [](const WarpHistory::Life& a, const WarpHistory::Life& b) { return a.id < b.id; });
    if (n == found_) history.slot = slots.size();
    slots.push_back(std::move(s));
  }
  history.slots = std::move(slots);
  return history;
}

}  // namespace subcore
