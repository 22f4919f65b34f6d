// The signals that modules offer, in a trace file of SystemC's beside what else the user traces there:
//
//   sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file("all");
//   sc_trace(file, gpu, "gpu");                           // every module, as gpu.sm_0.sub_core_0...
//   sc_trace(file, gpu, gpu.sms[0].load_store, "lsu");    // or one of them
//   sc_trace(file, his_signal, "his_signal");
//
// Before the simulation starts. Waveform (waveform.h) writes smaller files, faster, and only what is asked
// for.
#pragma once

#include <deque>
#include <string>

#include "subcore/platforms/gpu.h"

namespace subcore {

// Values are those at the end of each cycle that had work. Numbers and masks have their bits, `x` where there
// is nothing to show; words are their first 16 characters in ASCII; what is no number is a double.
class SignalTrace : private BeatObserver {
 public:
  // `conductor`: of the platform, or of one of its SMs. As with signals of SystemC's, what is traced must
  // outlive the file's last cycle.
  SignalTrace(sc_core::sc_trace_file* file, Conductor& conductor);

  void add(Module& module, const std::string& name);
  void add(Gpu& gpu, const std::string& name);

 private:
  static constexpr unsigned text_bits = 16 * 8;
  struct Value {
    explicit Value(Signal s);
    static int length_of(const Signal& s);
    void sample(Cycle cycle);
    Signal signal;
    std::uint64_t last = 0;  // last value of the signal
    bool changed = false;    // in the cycle sampled last
    sc_dt::sc_lv_base bits;
    double real = 0;
  };
  Cycle beat_done(Cycle cycle) override;

  sc_core::sc_trace_file* file_;
  std::deque<Value> values_;
};

// The GPU keeps what is needed, so it must outlive the file's last cycle.
void sc_trace(sc_core::sc_trace_file* file, Gpu& gpu, const std::string& name);
// Traces one of its modules alone.
void sc_trace(sc_core::sc_trace_file* file, Gpu& gpu, Module& module, const std::string& name);

}  // namespace subcore
