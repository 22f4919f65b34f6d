// The signals that modules offer, in a SystemC trace file, beside other things that the user traces there:
//
//   sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file("all");
//   sc_trace(file, gpu, "gpu");                           // every module, as gpu.sm_0.sub_core_0...
//   sc_trace(file, gpu, gpu.sms[0].load_store, "lsu");    // or one of them
//   sc_trace(file, his_signal, "his_signal");
//
// Call it before the simulation starts. Waveform (waveform.h) writes smaller files, faster, and writes only
// the signals that were asked for.
#pragma once

#include <deque>
#include <string>

#include "subcore/platforms/gpu.h"

namespace subcore {

// Values are those at the end of each cycle with work. Numbers and masks appear as their bits, or as `x`
// without a value. Words appear as their first 16 characters in ASCII. All other values are doubles.
class SignalTrace : private BeatObserver {
 public:
  // `conductor` is the platform's, or an SM's. As with SystemC's own signals, the traced modules must outlive
  // the file's last cycle.
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

// The GPU keeps the trace's objects, so the GPU must outlive the file's last cycle.
void sc_trace(sc_core::sc_trace_file* file, Gpu& gpu, const std::string& name);
// Traces one module of the GPU alone.
void sc_trace(sc_core::sc_trace_file* file, Gpu& gpu, Module& module, const std::string& name);

}  // namespace subcore
