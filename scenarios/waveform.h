// Waveforms: a change-driven VCD writer for the signals that modules offer, limited to a scope and a window
// of cycles. It samples after each cycle that had work; values between such cycles cannot change.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <boost/iostreams/filtering_stream.hpp>

#include "platforms/gpu.h"

namespace subcore {

struct WaveformOptions {
  std::filesystem::path file;   // packed if it ends in .gz or .xz
  std::filesystem::path aside;  // written here instead; whoever sets it moves it to `file`
  std::string scope;            // only modules whose path begins so, e.g. "sm_0.sub_core_1"; empty = all
  Cycle from = 0, to = never;   // first and last cycle written
};

class Waveform {
 public:
  // Throws std::runtime_error if the file cannot be written or no module is in scope. The file gets its name
  // in close(); a run that fails leaves none.
  Waveform(Gpu& gpu, const WaveformOptions& options);
  ~Waveform();
  void close();
  // Where the bytes go until close().
  static std::filesystem::path temporary(std::filesystem::path file) { return file += ".part"; }

 private:
  struct Variable {
    std::string code;
    unsigned bits;
    std::function<std::uint64_t(Cycle)> value;
    std::uint64_t last;
  };
  // The variables that the ticks of one conductor can change.
  struct Group : CycleObserver {
    Waveform* owner = nullptr;
    std::vector<Variable> variables;
    bool cycle_done(Cycle cycle) override { return owner->sample(*this, cycle); }
  };
  void declare(Gpu& gpu);
  void add(Group& group, std::vector<Signal> signals, const std::string& path);
  bool sample(Group& group, Cycle cycle);
  void write(const Variable& v);
  void put(const std::string& text) { buffer_ += text; }
  void flush();
  void write_out(std::string& bytes);
  [[noreturn]] void fail(const std::string& reason) const;

  WaveformOptions options_;
  std::filesystem::path temporary_;
  std::FILE* out_ = nullptr;
  // Text of the file is collected in buffer_ and goes through packer_, if there is one, to packed_.
  std::string buffer_, packed_;
  std::unique_ptr<boost::iostreams::filtering_ostream> packer_;
  std::vector<std::unique_ptr<Group>> groups_;
  std::vector<std::string> open_scopes_;
  unsigned next_code_ = 0;
  Cycle last_time_ = never;
  std::string timescale_;
  std::uint64_t period_ = 1;
};

}  // namespace subcore
