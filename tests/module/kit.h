// Test sockets for one module: a script that acts in given cycles, ends of data paths that record, and
// hand-made instructions to send through them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"
#include "tests/module/program.h"

namespace subcore::test {

inline sc_core::sc_time cycles(double n) {
  return {n, sc_core::SC_NS};
}

inline void run_cycles(Cycle n) {
  sc_core::sc_start(cycles(static_cast<double>(n)));
}

// Runs actions in given cycles.
class Script : public TickingModule {
 public:
  explicit Script(const sc_core::sc_module_name& name) : TickingModule(name) {}
  void at(Cycle cycle, std::function<void(Cycle)> action) { actions_[cycle].push_back(std::move(action)); }
  Cycle tick(Cycle now) override {
    const auto due = actions_.find(now);
    if (due != actions_.end()) {
      for (const auto& action : due->second) action(now);
    }
    const auto next = actions_.upper_bound(now);
    return next == actions_.end() ? never : next->first;
  }

 private:
  std::map<Cycle, std::vector<std::function<void(Cycle)>>> actions_;
};

// The receiving end of a path, which keeps every transfer. `react`, if set, sees a transfer first, to answer
// it.
template <class Payload>
class Sink : public sc_core::sc_module {
 public:
  InPort<Payload> in;
  std::vector<Payload> seen;
  std::function<void(Payload&)> react;
  explicit Sink(const sc_core::sc_module_name& name) : sc_module(name), in("in") {
    in.template on_receive<&Sink::receive>(this);
  }
  std::vector<Cycle> stamps() const {
    std::vector<Cycle> all;
    for (const Payload& p : seen) all.push_back(p.stamp);
    return all;
  }

 private:
  void receive(unsigned, Payload& p) {
    seen.push_back(p);
    if (react) react(p);
  }
};

// The sending end of a path, which records the transfers that come back.
template <class Payload>
class Source : public sc_core::sc_module {
 public:
  OutPort<Payload> out;
  std::vector<Payload> credits, update;
  explicit Source(const sc_core::sc_module_name& name, unsigned credit = 0)
      : sc_module(name), out("out", credit) {
    out.template on_credit<&Source::credited>(this);
    out.template on_status<&Source::told>(this);
  }
  // Sends in cycle `now`: usable from the next on.
  void send(Cycle now, Payload p) {
    p.stamp = now + 1;
    out.send(p);
  }

 private:
  void credited(unsigned, Payload& p) { credits.push_back(p); }
  void told(unsigned, Payload& p) { update.push_back(p); }
};

// Sends one instruction after the other, each as soon as the path has a credit; records the cycles.
class EagerSource : public TickingModule {
 public:
  OutPort<DispatchTransfer> out;
  std::vector<Cycle> sent;
  EagerSource(const sc_core::sc_module_name& name, std::vector<Instruction*> instructions)
      : TickingModule(name), out("out", 1), instructions_(std::move(instructions)) {
    out.on_credit<&EagerSource::credited>(this);
  }
  Cycle tick(Cycle now) override {
    if (sent.size() == instructions_.size() || !out.ready(now)) return never;
    DispatchTransfer t{now + 1, instructions_[sent.size()]};
    sent.push_back(now);
    out.send(t);
    return out.ready_at(now + 1);
  }

 private:
  void credited(unsigned, DispatchTransfer& t) { wake(t.stamp); }
  std::vector<Instruction*> instructions_;
};

// Dynamic instructions that live as long as the test; addresses and static code are kept beside them.
class Instructions {
 public:
  Instruction* add(const Op& op, unsigned sub_core = 0) {
    Program& p = programs_.emplace_back();
    p.add({{op}});
    const WarpTrace& w = p.ctas[0].warps[0];
    Instruction& i = all_.emplace_back();
    p.code.instructions[0].pc = 16 * (all_.size() - 1);
    i.code = &p.code.instructions[0];
    i.addresses = w.addresses.empty() ? nullptr : w.addresses.data();
    i.mask = op.mask;
    i.sequence = all_.size() - 1;
    i.warp_uid = 1;
    i.sub_core = static_cast<std::uint8_t>(sub_core);
    i.source_count = op.mask != 0 ? op.code.source_count : std::uint8_t{0};
    i.destination_count = op.mask != 0 ? op.code.destination_count : std::uint8_t{0};
    return &i;
  }

 private:
  std::deque<Program> programs_;
  std::deque<Instruction> all_;
};

// The text that a module writes for the watchdog.
inline std::string waiting_report(const Module& module) {
  std::ostringstream report;
  module.report_waiting(report);
  return report.str();
}

// The parts of a module's hardware, a row for each.
inline std::vector<std::string> parts_of(const Module& module) {
  Inventory all;
  module.inventory(all);
  std::vector<std::string> rows;
  for (const HardwarePart& p : all.parts())
    rows.push_back(p.name + ": " + std::to_string(p.words) + " x " + std::to_string(p.bits) + ", " +
                   std::to_string(p.ports) + " ports");
  return rows;
}

// Counts the accesses of a module's stores by event. The module has one port for them.
class AccessCounts final : public TransferObserver<StoreAccess> {
 public:
  explicit AccessCounts(const Module& module) : port_(*module.access_ports().at(0)) { port_.observe(*this); }
  void transferred(const StoreAccess& a) override { ++counts_[port_.events().at(a.event)]; }
  unsigned operator[](const std::string& event) { return counts_[event]; }

 private:
  AccessPort& port_;
  std::map<std::string, unsigned> counts_;
};

// The parts every module test has: a conductor with a script on it.
struct Stage : sc_core::sc_module {
  explicit Stage(const sc_core::sc_module_name& name, TickOrder order = TickOrder::pipeline)
      : sc_module(name), conductor("conductor", cycles(1), order, 1), script("script") {
    conductor.add(script);
  }
  Conductor conductor;
  Script script;
};

}  // namespace subcore::test
