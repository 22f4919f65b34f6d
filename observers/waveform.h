// Waveform: writes the signals that modules offer into a VCD file, from change to change, limited to a scope
// and to some cycles; and beside it a save file, by which GTKWave shows them in groups. Values are those at
// the end of each cycle. It looks after each cycle that had work; values between such cycles cannot change.
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

// Contents of a waveform, and where it is written.
struct WaveformOptions {
  std::filesystem::path file;   // packed if it ends in .gz or .xz
  std::filesystem::path aside;  // written here instead; whoever sets it moves it to `file`
  std::string scope;            // only modules whose path begins so, e.g. "sm_0.sub_core_1"; empty = all
  Cycle from = 0, to = never;   // first and last cycle written
  std::string on = {};          // if not empty: only cycles around such events (trigger.h)
  Cycle around = 100;           // cycles before and after an event
};

class Waveform : private BeatObserver {
 public:
  // `conductor`: of the platform, or of one of its SMs. Throws std::runtime_error if the file cannot be
  // written, and what Trigger throws of options.on.
  Waveform(Conductor& conductor, const WaveformOptions& options);

  // Adds signals of the modules in scope, under the modules' names in the hierarchy of SystemC.
  void add(Module& module);
  void add(SubCore& sub_core);
  void add(StreamingMultiprocessor& sm);
  void add(Gpu& gpu);
  // Adds signals of no module, in any scope.
  void add(const std::string& path, const std::string& group, std::vector<Signal> signals);
  // Throws std::runtime_error if no module is in scope. Nothing can be added any more.
  void begin();
  // The run is over in cycle `end`; nothing is written of what may come later. Throws std::runtime_error if
  // the file cannot be written, or if what was asked for did not come: the window, or an event.
  void close(Cycle end);
  // The run has failed in cycle `now`; events of it are looked for. True: there was one, and the file is
  // there, closed.
  bool close_failed(Cycle now);

  // For a run that has failed: closes the waveform up to there, with a comment that gives the reason, at
  // partial_name() of the file, or at partial_aside() of options.aside. If the waveform has no cycle, or has
  // been closed before, it leaves no file, and returns false.
  bool close_partial(const std::string& reason);

  // The save file that goes with a waveform, and the file by which it shows stall causes in colours.
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
    std::uint64_t raw = 0;  // last of `value`; of per_cycle: the total
  };
  struct Group {  // variables that are asked when the key has changed
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
  std::vector<std::uint64_t> values_;  // by variable, at the end of the last cycle looked at
  bool closed_ = false;
  bool primed_ = false;   // the cycle before the first has been looked at
  bool started_ = false;  // the first has been looked at, too
  Cycle first_ = 0;       // in the file
  Cycle written_ = 0;     // the last one that the file has got to
  Cycle looked_ = 0;      // the last one looked at

  // With events: a file of pieces. Changes since base_ are kept until they are too old.
  std::unique_ptr<Trigger> trigger_;
  bool found_event_ = false, recording_ = false;
  Cycle keep_until_ = 0;
  std::vector<std::uint64_t> base_;
  Ring<Change> kept_;
  unsigned event_variable_ = 0;
  Cycle event_at_ = 0;  // cycle of the last event
};

}  // namespace subcore
