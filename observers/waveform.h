// Waveform: writes the changes of signals that modules offer into a VCD file, for a scope and some cycles.
// Beside the file it writes a save file, by which GTKWave shows the signals in groups. Values are those at
// the end of each cycle. The waveform looks at signals after each cycle with work, because values cannot
// change between such cycles.
//
//   subcore::Waveform waveform(gpu.driver.conductor, options);
//   waveform.add(gpu);                             // or SMs, sub-cores, modules of your own
//   waveform.begin();                              // before the simulation starts
//   ...
//   waveform.close(gpu.finish_cycle());
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "subcore/modules/protocol/ring.h"
#include "subcore/observers/save_file.h"
#include "subcore/observers/trigger.h"
#include "subcore/observers/vcd_file.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

// The settings of a waveform, and where it is written.
struct WaveformOptions {
  std::filesystem::path file;   // packed if it ends in .gz or .xz
  std::filesystem::path aside;  // if set, written here, and the caller moves it to `file`
  std::string scope;            // only modules whose path begins so, e.g. "sm_0.sub_core_1"; empty = all
  Cycle from = 0, to = never;   // first and last cycle written
  std::string on = {};          // if not empty: only cycles around such events (trigger.h)
  Cycle around = 100;           // cycles before and after an event
};

class Waveform : private BeatObserver {
 public:
  // `conductor` is the platform's, or an SM's. Throws std::runtime_error if the file cannot be written, and
  // any exception of Trigger for options.on.
  Waveform(Conductor& conductor, const WaveformOptions& options);

  // Adds signals of the modules in scope, under the modules' names in the hierarchy of SystemC.
  void add(Module& module);
  void add(SubCore& sub_core);
  void add(StreamingMultiprocessor& sm);
  void add(Gpu& gpu);
  // Adds signals that belong to no module, and so to every scope.
  void add(const std::string& path, const std::string& group, std::vector<Signal> signals);
  // Throws std::runtime_error if no module is in scope. Afterwards nothing can be added.
  void begin();
  // The run is over in cycle `end`. Nothing of later cycles is written. Throws std::runtime_error if the file
  // cannot be written, or if the run ended before the window or without an event.
  void close(Cycle end);
  // The run has failed in cycle `now`. Looks for events of that cycle. True: there was one, and the file is
  // closed and complete.
  bool close_failed(Cycle now);

  // For a run that has failed: closes the waveform at that cycle, with a comment that gives the reason. The
  // file is at partial_name() of the file, or at partial_aside() of options.aside. If the waveform has no
  // cycle, or has been closed before, there is no file, and the function returns false.
  bool close_partial(const std::string& reason);

  // The save file of a waveform, and the file by which the save file shows stall causes in colours.
  static std::filesystem::path save_file_of(std::filesystem::path waveform);
  static std::filesystem::path save_file_aside(std::filesystem::path aside) { return aside += ".gtkw"; }
  static std::filesystem::path causes_file_of(const std::filesystem::path& waveform) {
    return save_file_of(waveform).replace_extension(".causes");
  }
  static std::filesystem::path causes_file_aside(std::filesystem::path aside) { return aside += ".causes"; }

 private:
  struct Variable {
    unsigned number;  // in the file
    Signal::Form form;
    std::function<std::uint64_t(Cycle)> value;
    std::function<std::string(std::uint64_t)> text;
    std::uint64_t raw = 0;  // last value of `value`; for per_cycle, the total
  };
  struct Group {  // variables that are read when the key has changed
    std::function<std::uint64_t(Cycle)> key;
    std::uint64_t last = 0;
    std::vector<Variable> variables;
  };
  struct Change {
    Cycle cycle;
    unsigned variable;
    std::uint64_t value;
  };

  bool in_scope(const std::string& path) const;
  bool near_scope(const std::string& path) const;
  Cycle beat_done(Cycle cycle) override;
  bool sample(Cycle cycle);
  bool sample(Variable& v, Cycle cycle);
  std::uint64_t number_of_text(const Variable& v, std::uint64_t value);
  void change(Cycle cycle, unsigned variable, std::uint64_t value);
  void write_cycles(Cycle up_to);
  void start(Cycle cycle);
  void event(const Trigger::Event& e);
  void end_event(Cycle at);
  void begin_piece(Cycle first);
  void end_piece();
  void fold(Cycle up_to);
  std::filesystem::path save_file() const;
  std::filesystem::path causes_file() const;
  void close(Cycle end, const std::filesystem::path& name);

  WaveformOptions options_;
  Conductor& conductor_;
  std::uint64_t period_;
  VcdFile file_;
  SaveFile save_file_;
  std::string root_;  // outermost scope
  struct Declared {
    std::string path, group;
    std::vector<Signal> signals;
  };
  std::vector<Declared> declared_;  // until begin()
  bool found_ = false;              // a module in scope
  std::vector<Group> groups_;
  std::vector<Variable> always_;  // variables without a key
  struct Text {
    std::uint64_t value = Signal::x;
    unsigned variable = 0;
    std::uint64_t number = 0;  // in the file
  };
  std::vector<Text> texts_ = std::vector<Text>(1 << 16);
  std::vector<std::uint64_t> values_;  // by variable, at the end of the cycle looked at last
  bool closed_ = false;
  bool primed_ = false;   // the cycle before the first has been looked at
  bool started_ = false;  // the first cycle has been looked at
  Cycle first_ = 0;       // in the file
  Cycle written_ = 0;     // the last cycle written to the file
  Cycle looked_ = 0;      // the last cycle looked at

  // With events, the file has several pieces. Changes since base_ are kept until they are too old.
  std::unique_ptr<Trigger> trigger_;
  bool found_event_ = false, recording_ = false;
  Cycle keep_until_ = 0;
  std::vector<std::uint64_t> base_;
  Ring<Change> kept_;
  unsigned event_variable_ = 0;
  Cycle event_at_ = 0;  // cycle of the last event
};

}  // namespace subcore
