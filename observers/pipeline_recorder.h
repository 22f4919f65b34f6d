// PipelineRecorder: collects the records of warp instructions in sub-cores (observers/pipeline.h) from
// observers on their sockets, and tells them to a reader in order of cycles, whatever order modules tick in.
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

// The instructions that are told: those of some sub-cores, in some cycles.
struct PipelineWindow {
  std::string scope;           // only sub-cores whose path begins so, e.g. "sm_0.sub_core_1"; empty = all
  Cycle from = 0, to = never;  // first and last cycle told
};

class PipelineRecorder {
 public:
  // `reader` must outlive the recorder, which must outlive the simulation of what it watches. A PipelineFile
  // need not.
  PipelineRecorder(PipelineReader& reader, PipelineWindow window);
  ~PipelineRecorder();

  // Returns how many sub-cores of the SM are in scope. Paths of sub-cores begin with the SM's base name.
  unsigned watch(StreamingMultiprocessor& sm, const PlatformParameters& parameters);
  // Throws std::runtime_error if no sub-core is in scope.
  void watch(Gpu& gpu);
  // At the end of a run, whose last cycle is `end`: tells what is left to tell. Throws std::runtime_error if
  // the window has not come by then.
  void close(Cycle end);
  // The last cycle of the window is over, or the recorder has been closed or stopped.
  bool over() const { return over_; }
  // The reader is told nothing any more.
  void stop() { over_ = true; }

 private:
  class SubCoreTaps;
  struct Event {
    enum class Kind : std::uint8_t { begin, stage, move, end };
    Cycle stamp = 0;
    std::uint64_t order = 0;  // within a cycle: by warp slot of all, then in program order
    InstructionRecord* record = nullptr;
    Kind kind = Kind::begin;
    PipelineStage stage = PipelineStage::fetch;
    Whereabouts whereabouts = Whereabouts::here;
    std::uint8_t source = 0, bank = 0;
    std::uint16_t number = 0;  // the collector's number, or the cause of a wait
  };
  // The record that wrote each register of a warp last, if it is told. Records begin in program order, and
  // one that is under way when the window opens was not overtaken by another write of its registers.
  struct Writers {
    Writers() { of.fill(InstructionRecord::none); }
    std::uint32_t warp_uid = 0;
    std::array<std::uint64_t, 256> of;
  };

  InstructionRecord& new_record();
  void put(const Event& e) { events_.put(e); }
  void note_retired(Cycle now);
  // Tells the events before cycle `limit`; all of these have been put.
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
  std::vector<InstructionRecord*> under_way_;  // begun before the window, until that opens
  std::vector<Writers> writers_;               // per thread
  std::uint64_t next_id_ = 0;
  unsigned retired_ = 0;  // since something was told
  bool open_ = false, over_ = false;
};

}  // namespace subcore
