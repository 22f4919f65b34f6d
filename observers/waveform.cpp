#include "subcore/observers/waveform.h"

#include <algorithm>
#include <stdexcept>

#include "subcore/base/whole_file.h"
#include "subcore/modules/protocol/warp_names.h"
#include "subcore/observers/packed_file.h"
#include "subcore/observers/scope.h"

namespace subcore {
Waveform::Waveform(Conductor& conductor, const WaveformOptions& options)
    : options_(options),
      conductor_(conductor),
      // Time in picoseconds: usual clock periods are whole numbers of picoseconds.
      period_(static_cast<std::uint64_t>(conductor.period().to_seconds() * 1e12 + 0.5)),
      file_(options.file, options.aside, period_) {
  if (!options.on.empty()) trigger_ = std::make_unique<Trigger>(options.on);
}

std::filesystem::path Waveform::save_file_of(std::filesystem::path waveform) {
  if (waveform.extension() == ".gz" || waveform.extension() == ".xz") waveform.replace_extension();
  return waveform.replace_extension(".gtkw");
}

std::filesystem::path Waveform::save_file() const {
  return options_.aside.empty() ? save_file_of(options_.file) : save_file_aside(options_.aside);
}

std::filesystem::path Waveform::causes_file() const {
  return options_.aside.empty() ? causes_file_of(options_.file) : causes_file_aside(options_.aside);
}

// A path in SystemC's hierarchy begins with the platform, which a scope may leave out.
bool Waveform::in_scope(const std::string& path) const {
  return within(path, options_.scope) || within(path, root_ + '.' + options_.scope);
}
bool Waveform::near_scope(const std::string& path) const {
  return in_scope(path) || within(options_.scope, path) || within(root_ + '.' + options_.scope, path);
}

void Waveform::add(const std::string& path, const std::string& group, std::vector<Signal> signals) {
  if (root_.empty()) root_ = path.substr(0, path.find('.'));
  if (!signals.empty()) declared_.push_back({path, group, std::move(signals)});
}

void Waveform::add(Module& module) {
  const std::string path = module.name();
  if (root_.empty()) root_ = path.substr(0, path.find('.'));
  if (!in_scope(path)) return;
  const std::size_t before = declared_.size();
  add(path, "", module.signals());
  found_ |= declared_.size() != before;
}

void Waveform::add(SubCore& sub_core) {
  for (Module* m : sub_core.modules()) add(*m);
  const std::string path = sub_core.name();
  if (!trigger_ || !near_scope(path)) return;
  for (unsigned slot = 0; slot < sub_core.trace_player.warp_slots(); ++slot)
    trigger_->watch_stall(path + '.' + slot_name(slot),
                          [&sub_core, slot](Cycle now) { return sub_core.scheduler.stall_cause(slot, now); });
  for (OperandPath& c : sub_core.collectors) trigger_->watch_flush(c.name(), [&c] { return c.flushes(); });
}

void Waveform::add(StreamingMultiprocessor& sm) {
  for (auto& s : sm.sub_cores) add(s);
  for (Module* m : sm.modules()) add(*m);
  if (!trigger_ || !near_scope(sm.name())) return;
  trigger_->watch_stale(sm.name(), [&sm] { return sm.check().stale(); });
  trigger_->watch_sthld(sm.name(), [&sm] { return sm.control.sthld(); });
}

void Waveform::add(Gpu& gpu) {
  add(gpu.name(), "run", gpu.driver.kernel_dispatcher.signals());
  for (auto& sm : gpu.sms) add(sm);
  for (Module* m : gpu.memory->modules()) add(*m);
  for (Module* m : gpu.added()) add(*m);
  if (gpu.sthld_controller) add(gpu.name(), "sthld", gpu.sthld_controller->signals());
}

void Waveform::begin() {
  if (!found_)
    throw std::runtime_error("waveform scope '" + options_.scope +
                             "': no module has that path; expected e.g. sm_0.sub_core_0");
  const auto declare = [this](const std::string& path, const std::string& group, const std::string& name,
                              unsigned bits, Signal::Form form, bool row) {
    const unsigned number = file_.declare(path, name, bits, form);
    if (row) save_file_.row(path, group, name, bits, form);
    values_.push_back(form == Signal::Form::mask || form == Signal::Form::per_cycle ? 0 : Signal::x);
    return number;
  };
  // The first variable is the cycle, on which write_cycles() and fold() rely.
  declare(root_, "run", "cycle", 48, Signal::Form::number, true);
  if (trigger_) event_variable_ = declare(root_, "run", "event", 1, Signal::Form::text, true);
  for (Declared& d : declared_) {
    bool keyed = false;
    for (Signal& s : d.signals) {
      if (s.form == Signal::Form::key) {
        keyed = s.value != nullptr;
        if (keyed) groups_.push_back({std::move(s.value), 0, {}});
        continue;
      }
      const unsigned number =
          declare(d.path, d.group.empty() ? s.group : d.group, s.name, s.bits, s.form, s.interesting);
      std::vector<Variable>& into = keyed ? groups_.back().variables : always_;
      into.push_back({number, s.form, std::move(s.value), std::move(s.text)});
      into.back().raw = values_[number];
    }
  }
  declared_.clear();
  file_.end_declarations();
  base_ = values_;
  conductor_.observe_beats(*this);
}

void Waveform::change(Cycle cycle, unsigned variable, std::uint64_t value) {
  values_[variable] = value;
  if (!started_) return;
  if (!trigger_ || recording_)
    file_.change(variable, value);
  else
    kept_.push_back({cycle, variable, value});
}

// Most texts were already made, often just before.
std::uint64_t Waveform::number_of_text(const Variable& v, std::uint64_t value) {
  const std::uint64_t hash = value * 0x9e3779b97f4a7c15u + v.number * 0xc2b2ae3d27d4eb4fu;
  Text& t = texts_[hash >> 32 & (texts_.size() - 1)];
  if (t.value != value || t.variable != v.number) t = {value, v.number, file_.number_of(v.text(value))};
  return t.number;
}

bool Waveform::sample(Variable& v, Cycle cycle) {
  std::uint64_t value = v.value(cycle);
  if (value == v.raw && v.form != Signal::Form::per_cycle) return false;
  if (v.form == Signal::Form::per_cycle) {
    const std::uint64_t total = value;
    value -= v.raw;
    v.raw = total;
  } else {
    v.raw = value;
    if (v.form == Signal::Form::text && value != Signal::x) value = number_of_text(v, value);
  }
  if (value == values_[v.number]) return false;
  change(cycle, v.number, value);
  return true;
}

bool Waveform::sample(Cycle cycle) {
  bool changed = false;
  for (Group& g : groups_) {
    const std::uint64_t key = g.key(cycle);
    if (key == g.last && primed_) continue;
    g.last = key;
    for (Variable& v : g.variables) changed |= sample(v, cycle);
  }
  for (Variable& v : always_) changed |= sample(v, cycle);
  return changed;
}

// The file then goes on to the end of cycle `up_to`.
void Waveform::write_cycles(Cycle up_to) {
  while (written_ < up_to) {
    file_.begin_cycle(++written_);
    file_.change(0, written_);
    values_[0] = written_;
  }
}

// After a change the waveform looks at one more cycle, so that a pulse ends although the model goes to sleep.
// The waveform also looks at the cycle before the first, so that totals that count up are known from there
// on.
Cycle Waveform::beat_done(Cycle cycle) {
  if (closed_) return never;
  const Cycle prime = options_.from == 0 ? 0 : options_.from - 1;
  if (cycle < prime) return prime;
  if (cycle > options_.to) return never;
  if (!primed_) {
    sample(cycle);
    if (trigger_) trigger_->look(cycle, true);
    primed_ = true;
    if (options_.from != 0) return options_.from;
    start(cycle);
    return cycle + 1;
  }
  if (!started_) {
    sample(cycle);
    start(cycle);
    return cycle + 1;
  }
  bool changed = false;
  if (trigger_) {
    while (const auto e = trigger_->overdue(cycle)) event(*e);
    end_event(std::min(cycle, event_at_ + 1));
    if (recording_ && cycle > keep_until_) end_piece();
    end_event(cycle);
  }
  if (!trigger_ || recording_) write_cycles(cycle);
  changed |= sample(cycle);
  looked_ = cycle;
  if (trigger_) {
    if (const auto e = trigger_->look(cycle, false)) {
      event(*e);
      changed = true;
    }
    if (cycle + 1 > options_.around) fold(cycle + 1 - options_.around);
  }
  return changed && cycle < options_.to ? cycle + 1 : never;
}

void Waveform::start(Cycle cycle) {
  started_ = true;
  looked_ = cycle;
  values_[0] = cycle;
  base_ = values_;
  if (trigger_) return;
  file_.begin_cycle(cycle);
  file_.dump(values_);
  written_ = first_ = cycle;
}

// Folds changes up to the end of cycle `up_to` into the beginning of the next piece, because they are too old
// for any piece.
void Waveform::fold(Cycle up_to) {
  for (; !kept_.empty() && kept_.front().cycle <= up_to; kept_.pop_front())
    base_[kept_.front().variable] = kept_.front().value;
}

void Waveform::event(const Trigger::Event& e) {
  const Cycle first = e.cycle - std::min(e.cycle - options_.from, options_.around);
  if (recording_ && first > keep_until_ + 1) end_piece();
  if (!recording_) begin_piece(found_event_ ? std::max(first, written_ + 1) : first);
  if (e.cycle > event_at_) end_event(event_at_ + 1);
  event_at_ = e.cycle;
  found_event_ = true;
  keep_until_ =
      std::max(keep_until_, std::min(options_.to, e.cycle + std::min(options_.around, never - e.cycle)));
  write_cycles(e.cycle);
  change(e.cycle, event_variable_, file_.number_of(e.text));
}

// The row of the event becomes x again.
void Waveform::end_event(Cycle at) {
  if (values_[event_variable_] == Signal::x) return;
  if (recording_ && at > keep_until_) return;  // belongs to the next piece, if there is one
  if (recording_) write_cycles(at);
  change(at, event_variable_, Signal::x);
}

void Waveform::begin_piece(Cycle first) {
  if (found_event_ && first > written_ + 1) {
    file_.begin_cycle(written_ + 1);
    file_.dump_nothing();
  }
  fold(first);
  base_[0] = first;
  file_.begin_cycle(first);
  file_.dump(base_);
  written_ = first;
  for (; !kept_.empty(); kept_.pop_front()) {
    write_cycles(kept_.front().cycle);
    file_.change(kept_.front().variable, kept_.front().value);
  }
  recording_ = true;
  if (!found_event_) first_ = first;
}

void Waveform::end_piece() {
  write_cycles(keep_until_);
  recording_ = false;
  base_ = values_;
}

void Waveform::close(Cycle end) {
  close(end, options_.file);
}

// `name` is the final name of the waveform.
void Waveform::close(Cycle end, const std::filesystem::path& name) {
  closed_ = true;
  if (!started_)
    throw std::runtime_error("the first cycle of the waveform, " + std::to_string(options_.from) +
                             ", never came: the run ended in cycle " + std::to_string(end) +
                             "; expected --vcd-from of at most that");
  if (trigger_ && !found_event_)
    throw std::runtime_error("the waveform waited for an event that never came: " + options_.on +
                             ", up to cycle " + std::to_string(std::min(end, options_.to)) +
                             "; expected another --vcd-on, or none");
  const Cycle last = std::min(options_.to, std::max(end, looked_));
  if (!trigger_) {
    write_cycles(last);
  } else {
    if (recording_) write_cycles(std::min(last, keep_until_));
    if (written_ < last) {
      file_.begin_cycle(written_ + 1);
      file_.dump_nothing();
    }
  }
  file_.close();
  write_whole_file(causes_file(), SaveFile::causes_text());
  write_whole_file(save_file(), save_file_.text(name.filename().string(), causes_file_of(name).string(),
                                                period_, first_ * period_));
}

bool Waveform::close_partial(const std::string& reason) {
  if (closed_ || !started_ || (trigger_ && !found_event_)) return false;
  file_.comment("partial: the run failed: " + reason);
  const bool is_aside = !options_.aside.empty();
  const std::filesystem::path save = save_file(), causes = causes_file(), name = partial_name(options_.file);
  close(looked_, name);
  std::filesystem::rename(save, is_aside ? partial_aside(save) : save_file_of(name));
  std::filesystem::rename(causes, is_aside ? partial_aside(causes) : causes_file_of(name));
  std::filesystem::rename(is_aside ? options_.aside : options_.file,
                          is_aside ? partial_aside(options_.aside) : name);
  return true;
}

bool Waveform::close_failed(Cycle now) {
  if (!trigger_ || !started_) return false;
  if (now > looked_) beat_done(now);
  if (!found_event_) return false;
  close(now);
  return true;
}

}  // namespace subcore
