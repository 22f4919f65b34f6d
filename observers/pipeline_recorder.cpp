#include "subcore/observers/pipeline_recorder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/modules/protocol/warp_names.h"
#include "subcore/observers/scope.h"

namespace subcore {
namespace {

std::string_view cause_of(unsigned number) {
  return number < stall_causes.size() ? line_of(static_cast<StallCause>(number)).name : "";
}

}  // namespace

// Observers on the sockets of one sub-core. Every stamp is the first cycle in which a transfer counts.
// Transfers that were sent in a cycle are therefore known in that cycle, and no later one tells of an earlier
// cycle. Reads that wait are the exception (see served()).
class PipelineRecorder::SubCoreTaps {
 public:
  SubCoreTaps(PipelineRecorder& recorder, SubCore& sub_core, std::string path, unsigned index,
              const PlatformParameters& p)
      : recorder_(recorder),
        path_(std::move(path)),
        first_thread_(recorder.threads_),
        port_limited_(p.sub_core.register_file.collector_port_limit != 0),
        map_(p.sub_core.register_file.banks, p.sub_core.register_file.bank_warp_id, index,
             p.multiprocessor.sub_cores),
        code_(sub_core.trace_player.warp_slots()),
        alive_(sub_core.trace_player.warp_slots()),
        waiting_(sub_core.arbiter.bank_socket.size()) {
    tap<&SubCoreTaps::launched>(sub_core.trace_player.launch_socket, 0);
    tap<&SubCoreTaps::fetched>(sub_core.trace_player.instruction_socket, 0);
    for (unsigned c = 0; c < sub_core.collectors.size(); ++c) {
      tap<&SubCoreTaps::issued>(sub_core.scheduler.issue_socket[c], c);
      tap<&SubCoreTaps::asked>(sub_core.arbiter.read_socket[c], c);
      tap<&SubCoreTaps::delivered>(sub_core.collectors[c].source_socket, c);
      tap<&SubCoreTaps::complete>(sub_core.collectors[c].dispatch_socket, c);
    }
    for (unsigned b = 0; b < waiting_.size(); ++b)
      tap<&SubCoreTaps::served>(sub_core.arbiter.bank_socket[b], b);
    for (unsigned u = 0; u < execution_unit_count; ++u) {
      tap<&SubCoreTaps::dispatched>(sub_core.dispatch.unit_socket[u], u);
      tap<&SubCoreTaps::finished>(sub_core.result_socket(u), u);
    }
    tap<&SubCoreTaps::retired>(sub_core.arbiter.retire_socket, 0);
    tap<&SubCoreTaps::stalled>(sub_core.scheduler.stall_port, 0);
  }
  // The first cycle that is not decided yet: some operand's place, or why some instruction waits, is unknown.
  // Events of the stall port come late, but in order of cycles.
  Cycle undecided() const {
    Cycle first = alive_count_ == 0 ? never : stalls_told_;
    for (const auto& bank : waiting_)
      for (const Read& r : bank) first = std::min(first, r.undecided);
    return first;
  }

 private:
  template <auto Method, class Payload>
  struct Tap final : TransferObserver<Payload> {
    Tap(SubCoreTaps& t, unsigned n) : taps(t), index(n) {}
    void transferred(const Payload& payload) override { (taps.*Method)(index, payload); }
    SubCoreTaps& taps;
    unsigned index;
  };
  template <auto Method, template <class> class Port, class Payload>
  void tap(Port<Payload>& port, unsigned index) {
    auto observer = std::make_shared<Tap<Method, Payload>>(*this, index);
    port.observe(*observer);
    observers_.push_back(std::move(observer));
  }
  struct Alive {
    const Instruction* instruction;
    InstructionRecord* record;
    std::uint32_t asked = 0;  // sources that have been asked for
    Cycle collects = 0;       // first cycle of PipelineStage::collect
  };
  struct Read {
    InstructionRecord* record;
    unsigned slot;
    Cycle undecided;  // first cycle in which the operand's place has not been told
    Whereabouts whereabouts = Whereabouts::here;
  };

  Alive& alive(const Instruction& i) {
    auto& all = alive_[i.warp_slot];
    return *std::find_if(all.begin(), all.end(), [&](const Alive& a) { return a.instruction == &i; });
  }
  std::uint64_t order_of(const InstructionRecord& l) const {
    return std::uint64_t{l.thread} << 40 | l.sequence;
  }
  void stage(InstructionRecord& l, PipelineStage s, Cycle at, unsigned number = 0) {
    Event e{at, order_of(l), &l, Event::Kind::stage};
    e.stage = s;
    e.number = static_cast<std::uint16_t>(number);
    recorder_.put(e);
  }
  void move(InstructionRecord& l, unsigned source, Whereabouts p, unsigned bank, Cycle at) {
    Event e{at, order_of(l), &l, Event::Kind::move};
    e.whereabouts = p;
    e.source = static_cast<std::uint8_t>(source);
    e.bank = static_cast<std::uint8_t>(bank);
    recorder_.put(e);
  }

  void launched(unsigned, const LaunchTransfer& t) { code_[t.warp_slot] = t.code; }
  void fetched(unsigned, const FetchTransfer& t) {
    const unsigned slot = t.warp_slot;
    const Instruction& i = *t.instruction;
    InstructionRecord& l = recorder_.new_record();
    l.sub_core = &path_;
    l.thread = first_thread_ + slot;
    l.pc = i.code->pc;
    l.sequence = i.sequence;
    // A program that was made by hand may have no names.
    const CodeTable& code = *code_[slot];
    l.opcode = i.code->opcode < code.opcode_names.size() ? code.opcode_name(*i.code) : "?";
    l.warp_uid = i.warp_uid;
    l.warp = warp_number(i);
    l.mask = i.mask;
    l.warp_slot = i.warp_slot;
    l.cta_slot = i.cta_slot;
    l.unit = name(unit_of(i.code->execution));
    for (unsigned s = 0; s < i.source_count; ++s) l.sources.push_back({i.source(s), i.operands[s].expected});
    for (unsigned d = 0; d < i.destination_count; ++d)
      l.destinations.push_back({i.destination(d), i.produced[d]});
    alive_[slot].push_back({&i, &l});
    recorder_.put({t.stamp - 1, order_of(l), &l, Event::Kind::begin});
    ++alive_count_;
    stage(l, PipelineStage::wait, t.stamp, static_cast<unsigned>(StallCause::none));
  }
  // The next instruction that the warp would issue goes on waiting, for another cause.
  void stalled(unsigned, const StallEvent& e) {
    stalls_told_ = std::max(stalls_told_, e.cycle);
    if (e.instruction == nullptr || e.cause == StallCause::issued) return;
    stage(*alive(*e.instruction).record, PipelineStage::wait, e.cycle, static_cast<unsigned>(e.cause));
  }
  void issued(unsigned c, const IssueTransfer& t) {
    Alive& a = alive(*t.instruction);
    a.collects = t.stamp;
    stage(*a.record, PipelineStage::issue, t.stamp - 1, c);
    stage(*a.record, PipelineStage::collect, t.stamp, c);
  }
  void asked(unsigned, const OperandTransfer& t) {
    Alive& a = alive(*t.instruction);
    bits::add(a.asked, t.slot);
    waiting_[map_.bank(t.reg, t.warp_slot)].push_back({a.record, t.slot, t.stamp});
  }
  // Bank b is read or written in the cycle before the stamp. In the cycles before that one the bank was idle,
  // so reads that wait for the bank have waited for their port until then.
  void served(unsigned b, const OperandTransfer& t) {
    const Cycle now = t.stamp - 1;
    bool found = t.kind != OperandTransfer::Kind::read;
    for (std::size_t n = 0; n < waiting_[b].size();) {
      Read& r = waiting_[b][n];
      if (r.undecided < now && port_limited_) waits(r, Whereabouts::port, b, r.undecided);
      if (!found && r.slot == t.slot && r.record == alive(*t.instruction).record) {
        found = true;
        if (r.undecided < now && !port_limited_) waits(r, Whereabouts::bank, b, r.undecided);
        waits(r, Whereabouts::read, b, now);
        waiting_[b].erase(waiting_[b].begin() + static_cast<std::ptrdiff_t>(n));
        continue;
      }
      if (r.undecided <= now) {
        waits(r, Whereabouts::bank, b, port_limited_ ? now : r.undecided);
        r.undecided = now + 1;
      }
      ++n;
    }
  }
  void waits(Read& r, Whereabouts where, unsigned b, Cycle at) {
    if (r.whereabouts != where) move(*r.record, r.slot, where, b, at);
    r.whereabouts = where;
  }
  // An operand that no bank was asked for comes from the operand cache.
  void delivered(unsigned, const OperandTransfer& t) {
    Alive& a = alive(*t.instruction);
    if (!bits::has(a.asked, t.slot) && a.collects < t.stamp)
      move(*a.record, t.slot, Whereabouts::cache, 0, a.collects);
    bits::add(a.asked, t.slot);
    move(*a.record, t.slot, Whereabouts::here, 0, t.stamp);
  }
  void complete(unsigned, const DispatchTransfer& t) {
    stage(*alive(*t.instruction).record, PipelineStage::ready, t.stamp);
  }
  void dispatched(unsigned, const DispatchTransfer& t) {
    stage(*alive(*t.instruction).record, PipelineStage::execute, t.stamp);
  }
  void finished(unsigned, const ResultTransfer& t) {
    stage(*alive(*t.instruction).record, PipelineStage::write_back, t.stamp);
  }
  void retired(unsigned, const RetireTransfer& t) {
    Alive& a = alive(*t.instruction);
    recorder_.put({t.stamp, order_of(*a.record), a.record, Event::Kind::end});
    alive_[t.instruction->warp_slot].erase(alive_[t.instruction->warp_slot].begin() +
                                           (&a - alive_[t.instruction->warp_slot].data()));
    --alive_count_;
    recorder_.note_retired(t.stamp - 1);
  }

  PipelineRecorder& recorder_;
  std::string path_;
  unsigned first_thread_;
  bool port_limited_;
  BankMap map_;
  std::vector<const CodeTable*> code_;     // per warp slot
  std::vector<std::vector<Alive>> alive_;  // per warp slot
  unsigned alive_count_ = 0;
  Cycle stalls_told_ = 0;
  std::vector<std::vector<Read>> waiting_;  // per bank, in the order of the arbiter's queue
  std::vector<std::shared_ptr<void>> observers_;
};

PipelineRecorder::PipelineRecorder(PipelineReader& reader, PipelineWindow window)
    : reader_(reader), window_(std::move(window)) {}

PipelineRecorder::~PipelineRecorder() = default;

unsigned PipelineRecorder::watch(StreamingMultiprocessor& sm, const PlatformParameters& parameters) {
  unsigned watched = 0;
  for (unsigned s = 0; s < sm.sub_cores.size(); ++s) {
    SubCore& sub_core = sm.sub_cores[s];
    std::string path = std::string(sm.basename()) + "." + sub_core.basename();
    if (!within(path, window_.scope)) continue;
    sub_cores_.push_back(std::make_unique<SubCoreTaps>(*this, sub_core, std::move(path), s, parameters));
    threads_ += sub_core.trace_player.warp_slots();
    ++watched;
  }
  writers_.resize(threads_);
  return watched;
}

void PipelineRecorder::watch(Gpu& gpu) {
  unsigned watched = 0;
  for (auto& sm : gpu.sms) watched += watch(sm, gpu.parameters());
  if (watched == 0)
    throw std::runtime_error("pipeline scope '" + window_.scope +
                             "': no sub-core has that path; expected e.g. sm_0.sub_core_0");
}

InstructionRecord& PipelineRecorder::new_record() {
  InstructionRecord& record = records_.take();
  record.sources.clear();
  record.destinations.clear();
  record.cause = {};
  record.asked = 0;
  record.stage = PipelineStage::fetch;
  record.whereabouts.fill(Whereabouts::here);
  return record;
}

// Cycle `now` is not complete yet. The cycles before it are.
void PipelineRecorder::note_retired(Cycle now) {
  constexpr unsigned at_once = 64;  // telling in batches costs less
  if (++retired_ < at_once) return;
  retired_ = 0;
  Cycle limit = now;
  for (const auto& s : sub_cores_) limit = std::min(limit, s->undecided());
  tell(limit);
}

void PipelineRecorder::tell(Cycle limit) {
  while (!events_.empty() && events_.front().stamp < limit) {
    const Event e = events_.front();
    events_.pop();
    if (over_ || e.stamp > window_.to) {
      over_ = true;
      if (e.kind == Event::Kind::end) records_.give_back(*e.record);
      continue;
    }
    if (!open_ && e.stamp >= window_.from) open();
    if (!passed_at_once(e)) tell(e);
  }
}

void PipelineRecorder::tell(const Event& e) {
  InstructionRecord& record = *e.record;
  switch (e.kind) {
    case Event::Kind::begin:
      record.since = e.stamp;
      if (open_) {
        show(record, e.stamp);
      } else {
        under_way_.push_back(&record);
      }
      break;
    case Event::Kind::stage:
      record.stage = e.stage;
      record.since = e.stamp;
      if (e.stage == PipelineStage::issue || e.stage == PipelineStage::collect) record.collector = e.number;
      if (e.stage == PipelineStage::wait) record.cause = cause_of(e.number);
      if (open_) reader_.enters(record, e.stamp);
      break;
    case Event::Kind::move: {
      bits::add(record.asked, e.source);
      const Whereabouts before = std::exchange(record.whereabouts[e.source], e.whereabouts);
      record.bank[e.source] = e.bank;
      if (open_) reader_.moves(record, e.source, before, e.stamp);
      break;
    }
    case Event::Kind::end:
      if (open_) {
        reader_.retires(record, e.stamp);
      } else {
        under_way_.erase(std::find(under_way_.begin(), under_way_.end(), &record));
      }
      records_.give_back(record);
      break;
  }
}

// Whether another event of the instruction follows in the same cycle, so that this event has no length.
bool PipelineRecorder::passed_at_once(const Event& e) const {
  for (std::size_t n = 0; n < events_.size(); ++n) {
    const Event& next = events_[n];
    if (next.stamp != e.stamp || next.order != e.order) return false;
    if (next.kind == e.kind && next.source == e.source) return true;
  }
  return false;
}

void PipelineRecorder::open() {
  open_ = true;
  for (InstructionRecord* record : under_way_) show(*record, window_.from);
  under_way_.clear();
}

void PipelineRecorder::show(InstructionRecord& record, Cycle at) {
  record.id = next_id_++;
  Writers& writers = writers_[record.thread];
  if (writers.warp_uid != record.warp_uid) {
    writers = {};
    writers.warp_uid = record.warp_uid;
  }
  for (std::size_t s = 0; s < record.sources.size(); ++s)
    record.producers[s] = writers.of[record.sources[s].reg];
  for (const InstructionRecord::Operand& d : record.destinations) writers.of[d.reg] = record.id;
  reader_.begins(record, at);
}

void PipelineRecorder::close(Cycle end) {
  tell(never);
  if (!open_ && window_.from > end)
    throw std::runtime_error("the pipeline view begins with cycle " + std::to_string(window_.from) +
                             ", but the run ended in " + std::to_string(end) +
                             "; expected a cycle of the run");
  if (!open_) open();
  reader_.ends();
  stop();
}

}  // namespace subcore
