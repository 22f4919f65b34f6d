// The pipeline view as a file for the viewer Konata, in its text format (Kanata 0004).
#pragma once

#include <filesystem>
#include <memory>

#include "subcore/observers/packed_file.h"
#include "subcore/observers/pipeline_recorder.h"

namespace subcore {

// Lane 0 has the stages: F fetch, W wait (and its cause), I issue, C<n> in collector n, R ready, X execute, B
// write back. Lane 1 + s has source operand s while its collector waits for the operand: b<n> for bank n,
// port, read (from its bank), cache (from the operand cache).
class KanataWriter final : public PipelineReader {
 public:
  explicit KanataWriter(PackedFile& file);
  void begins(const InstructionRecord& record, Cycle at) override;
  void enters(const InstructionRecord& record, Cycle at) override;
  void moves(const InstructionRecord& record, unsigned source, Whereabouts before, Cycle at) override;
  void retires(const InstructionRecord& record, Cycle at) override;
  // Whether an instruction has come into the window.
  bool has_begun() const { return now_ != never; }

 private:
  char* begin(const InstructionRecord& record, Cycle at);

  PackedFile& file_;
  Cycle now_ = never;
  std::uint64_t retired_ = 0;
};

// The settings of a pipeline view, and where it is written.
struct PipelineFileOptions {
  std::filesystem::path file;   // packed if it ends in .gz
  std::filesystem::path aside;  // if set, completed here, and the caller moves it to `file`
  PipelineWindow window;
};

class PipelineFile {
 public:
  // Throws std::runtime_error if the file cannot be written or no sub-core is in scope. close() or
  // close_partial() gives the file its name. Without either, no file is left.
  PipelineFile(Gpu& gpu, const PipelineFileOptions& options);
  ~PipelineFile();  // may end before or after the GPU
  PipelineFile(const PipelineFile&) = delete;
  PipelineFile& operator=(const PipelineFile&) = delete;
  // `end` is the last cycle of the run. Throws if the run ended before the window.
  void close(Cycle end);
  // For a run that failed in cycle `end`: closes the view at that cycle. The file is at partial_name() of the
  // file, or at partial_aside() of options.aside. If no instruction has come into the window, there is no
  // file, and the function returns false.
  bool close_partial(Cycle end);

 private:
  struct State {
    explicit State(const PipelineFileOptions& options);
    std::unique_ptr<PackedFile> file;
    KanataWriter writer;
    PipelineRecorder recorder;
    std::filesystem::path path, partial_path;
  };
  std::shared_ptr<State> state_;  // the GPU keeps it, too
};

}  // namespace subcore
