#include "subcore/observers/signal_trace.h"

#include <cstring>

namespace subcore {

// The number of bits of the value, plus one where that number is a multiple of 32. For a multiple of 32
// SystemC shifts in a way that C++ leaves undefined.
int SignalTrace::Value::length_of(const Signal& s) {
  const auto bits = static_cast<int>(s.form == Signal::Form::text ? text_bits : s.bits);
  return bits % 32 == 0 ? bits + 1 : bits;
}

SignalTrace::Value::Value(Signal s) : signal(std::move(s)), bits(length_of(signal)) {
  if (signal.form == Signal::Form::mask || signal.form == Signal::Form::per_cycle) bits = 0;
}

void SignalTrace::Value::sample(Cycle cycle) {
  const std::uint64_t now = signal.value(cycle);
  if (signal.form == Signal::Form::per_cycle) {
    const std::uint64_t added = now - last;
    changed = added != 0 || changed;
    if (changed) bits = added;
    changed = added != 0;
    last = now;
    return;
  }
  changed = now != last || cycle == 0;
  if (!changed) return;
  last = now;
  if (signal.form == Signal::Form::real) {
    std::memcpy(&real, &now, sizeof real);
  } else if (now == Signal::x && signal.form != Signal::Form::mask) {
    bits = sc_dt::sc_lv_base(sc_dt::SC_LOGIC_X, bits.length());
  } else if (signal.form == Signal::Form::text) {
    bits = 0;
    const std::string text = signal.text(now).substr(0, text_bits / 8);
    for (std::size_t n = 0; n < text.size(); ++n) {
      const auto from = static_cast<int>(8 * (text.size() - 1 - n));
      bits.range(from + 7, from) = static_cast<unsigned char>(text[n]);
    }
  } else {
    bits = now;
  }
}

SignalTrace::SignalTrace(sc_core::sc_trace_file* file, Conductor& conductor) : file_(file) {
  conductor.observe_beats(*this);
}

void SignalTrace::add(Module& module, const std::string& name) {
  for (Signal& s : module.signals()) {
    if (s.form == Signal::Form::key) continue;
    const std::string path = name + '.' + s.name;
    Value& v = values_.emplace_back(std::move(s));
    if (v.signal.form == Signal::Form::real)
      sc_core::sc_trace(file_, v.real, path);
    else
      sc_core::sc_trace(file_, v.bits, path);
  }
}

void SignalTrace::add(Gpu& gpu, const std::string& name) {
  const std::size_t length = std::strlen(gpu.name());
  const auto add_as = [&](Module& m) { add(m, name + (m.name() + length)); };
  add_as(gpu.driver.kernel_dispatcher);
  add_as(gpu.driver.launch_registers);
  for (StreamingMultiprocessor& sm : gpu.sms) {
    for (SubCore& s : sm.sub_cores)
      for (Module* m : s.modules()) add_as(*m);
    for (Module* m : sm.modules()) add_as(*m);
  }
  for (Module* m : gpu.memory->modules()) add_as(*m);
  for (Module* m : gpu.added()) add(*m, name + '.' + m->name());
  if (gpu.sthld_controller) add_as(*gpu.sthld_controller);
}

// The cycle in which a pulse ends may have no work, so the trace asks for one more cycle.
Cycle SignalTrace::beat_done(Cycle cycle) {
  bool changed = false;
  for (Value& v : values_) {
    v.sample(cycle);
    changed |= v.changed;
  }
  return changed ? cycle + 1 : never;
}

void sc_trace(sc_core::sc_trace_file* file, Gpu& gpu, const std::string& name) {
  auto trace = std::make_shared<SignalTrace>(file, gpu.driver.conductor);
  trace->add(gpu, name);
  gpu.keep(trace);
}

void sc_trace(sc_core::sc_trace_file* file, Gpu& gpu, Module& module, const std::string& name) {
  auto trace = std::make_shared<SignalTrace>(file, gpu.driver.conductor);
  trace->add(module, name);
  gpu.keep(trace);
}

}  // namespace subcore
