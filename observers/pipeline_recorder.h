// PipelineRecorder: collects the records of warp instructions in sub-cores (observers/pipeline.h) from
// observers on their sockets. The recorder tells the records to a reader in order of cycles, in whatever
// order modules tick.
//
//   Timeline reader;
//   PipelineRecorder recorder(reader, {"sm_0.sub_core_0", 1000, 1200});
//   recorder.watch(sm, platform);   // before the simulation starts
//   sc_start(); recorder.close(sm.conductor.now());
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "subcore/base/free_list.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/observers/pipeline.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

// The instructions that are told: those of some sub-cores in some cycles.
struct PipelineWindow {
  std::string scope;           // only sub-cores whose path begins so, e.g. "sm_0.sub_core_1"; empty = all
  Cycle from = 0, to = never;  // first and last cycle told
};

class PipelineRecorder {
 public:
  // `reader` must outlive the recorder. The recorder must outlive the simulation of what it watches; a
  // PipelineFile need not.
  PipelineRecorder(PipelineReader& reader, PipelineWindow window);
  ~PipelineRecorder();

  // Returns how many sub-cores of the SM are in scope. Paths of sub-cores begin with the SM's base name.
  unsigned watch(StreamingMultiprocessor& sm, const PlatformParameters& parameters);
  // Throws std::runtime_error if no sub-core is in scope.
  void watch(Gpu& gpu);
  // To be called at the end of a run, whose last cycle is `end`: tells the remaining events. Throws
  // std::runtime_error if the run ended before the window.
  void close(Cycle end);
  // Whether the last cycle of the window is over, or the recorder has been closed or stopped.
  bool over() const { return over_; }
  // The reader is told nothing from now on.
  void stop() { over_ = true; }

 private:
  class SubCoreTaps;
  struct Event {
    enum class Kind : std::uint8_t { begin, stage, move, end };
    Cycle stamp = 0;
    std::uint64_t order = 0;  // order within a cycle: by warp slot over all sub-cores, then in program order
    InstructionRecord* record = nullptr;
    Kind kind = Kind::begin;
    PipelineStage stage = PipelineStage::fetch;
    Whereabouts whereabouts = Whereabouts::here;
    std::uint8_t source = 0, bank = 0;
    std::uint16_t number = 0;  // the collector's number, or the cause of a wait
  };
  // For each register of a warp, the record that wrote it last, if that record is told. Records begin in
  // program order. No other write of the same register has overtaken a record that is under way when the
  // window opens.
  struct Writers {
    Writers() { of.fill(InstructionRecord::none); }
    std::uint32_t warp_uid = 0;
    std::array<std::uint64_t, 256> of;
  };

  InstructionRecord& new_record();
  void put(const Event& e) { events_.put(e); }
  void note_retired(Cycle now);
  // Tells the events before cycle `limit`, all of which have been put.
  void tell(Cycle limit);
  void tell(const Event& e);
  bool passed_at_once(const Event& e) const;
  void open();
  void show(InstructionRecord& record, Cycle at);

  PipelineReader& reader_;
  PipelineWindow window_;
  std::vector<std::unique_ptr<SubCoreTaps>> sub_cores_;
  unsigned threads_ = 0;
  PayloadEventQueue<Event, &Event::order> events_;
  FreeList<InstructionRecord> records_;
  std::vector<InstructionRecord*> under_way_;  // begun before the window; empty once it opens
  std::vector<Writers> writers_;               // per thread
  std::uint64_t next_id_ = 0;
  unsigned retired_ = 0;  // since the last telling
  bool open_ = false, over_ = false;
};

}  // namespace subcore
