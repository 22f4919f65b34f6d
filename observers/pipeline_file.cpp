#include "subcore/observers/pipeline_file.h"

#include <stdexcept>

#include "subcore/base/bits.h"
#include "subcore/observers/packed_file.h"
#include "subcore/observers/text.h"

namespace subcore {

namespace {

constexpr std::size_t longest_line = 128;  // without names

// Writes "command id column". The caller goes on behind a tab.
char* put_line(char* to, char command, const InstructionRecord& record, unsigned column) {
  to = put(put(put(to, command), '\t'), record.id);
  return put(put(put(to, '\t'), std::uint64_t{column}), '\t');
}

char* put_stage(char* to, const InstructionRecord& record) {
  static constexpr char names[] = {'F', 'W', 'I', 'C', 'R', 'X', 'B'};
  to = put(put_line(to, 'S', record, 0), names[static_cast<std::size_t>(record.stage)]);
  if (record.stage == PipelineStage::collect) to = put(to, std::uint64_t{record.collector});
  if (record.stage == PipelineStage::wait && !record.cause.empty()) to = put(put(to, ':'), record.cause);
  return put(to, '\n');
}

char* put_whereabouts(char* to, const InstructionRecord& record, unsigned source) {
  static constexpr std::string_view names[] = {"", "b", "port", "read", "cache"};
  to =
      put(put_line(to, 'S', record, 1 + source), names[static_cast<std::size_t>(record.whereabouts[source])]);
  if (record.whereabouts[source] == Whereabouts::bank) to = put(to, std::uint64_t{record.bank[source]});
  return put(to, '\n');
}

}  // namespace

KanataWriter::KanataWriter(PackedFile& file) : file_(file) {
  file_.used(put(file_.room(longest_line), "Kanata\t0004\n"));
}

// Writes the line for the cycles that have passed, and returns room for an event of `record` behind it.
char* KanataWriter::begin(const InstructionRecord& record, Cycle at) {
  char* to = file_.room(longest_name(record) + record.sub_core->size() + record.cause.size() +
                        (4 + 2 * max_sources) * longest_line);
  if (at == now_) return to;
  to = put(put(to, now_ == never ? "C=\t" : "C\t"), now_ == never ? at : at - now_);
  now_ = at;
  return put(to, '\n');
}

void KanataWriter::begins(const InstructionRecord& record, Cycle at) {
  char* to = put(put(begin(record, at), "I\t"), record.id);
  to = put(put(put(to, '\t'), record.sequence), '\t');
  to = put(put(to, std::uint64_t{record.thread}), '\n');
  to = put(put_name(put_line(to, 'L', record, 0), record), '\n');
  to = put(put_line(to, 'L', record, 1), *record.sub_core);
  to = put(put(to, ", s"), std::uint64_t{record.warp_slot});
  to = put(put(to, ", CTA slot "), std::uint64_t{record.cta_slot});
  to = put(put(to, ", instruction "), record.sequence);
  to = put_hex(put(to, " of its warp, lanes 0x"), record.mask, 8);
  to = put(put(to, ", unit "), record.unit);
  if (record.since != at) to = put(put(to, ", as it is since cycle "), record.since);
  to = put_stage(put(to, '\n'), record);
  for (unsigned s = 0; s < record.sources.size(); ++s) {
    if (record.whereabouts[s] != Whereabouts::here) to = put_whereabouts(to, record, s);
    if (record.producers[s] == InstructionRecord::none) continue;
    to = put(put(to, "W\t"), record.id);
    to = put(put(put(to, '\t'), record.producers[s]), "\t0\n");
  }
  file_.used(to);
}

void KanataWriter::enters(const InstructionRecord& record, Cycle at) {
  char* to = put_stage(begin(record, at), record);
  const SourceSet hits = bits::first<SourceSet>(record.sources.size()) & ~record.asked;
  if (record.stage == PipelineStage::ready && hits != 0) {
    to = put(put_line(to, 'L', record, 1), "; hits in collector ");
    to = put(put(to, std::uint64_t{record.collector}), ':');
    for (const unsigned h : bits::each(hits)) to = put(put(to, " R"), std::uint64_t{record.sources[h].reg});
    to = put(to, '\n');
  }
  file_.used(to);
}

// An operand is read from its bank or from the operand cache before it is here.
void KanataWriter::moves(const InstructionRecord& record, unsigned source, Whereabouts before, Cycle at) {
  char* to = begin(record, at);
  if (record.whereabouts[source] != Whereabouts::here) {
    to = put_whereabouts(to, record, source);
  } else if (before != Whereabouts::here) {
    to = put_line(to, 'E', record, 1 + source);
    to = put(to, before == Whereabouts::cache ? "cache\n" : "read\n");
  }
  file_.used(to);
}

void KanataWriter::retires(const InstructionRecord& record, Cycle at) {
  char* to = put(put(begin(record, at), "R\t"), record.id);
  to = put(put(put(to, '\t'), retired_++), "\t0\n");
  file_.used(to);
}

PipelineFile::State::State(const PipelineFileOptions& options)
    : file(std::make_unique<PackedFile>(options.file, options.aside, "the pipeline view")),
      writer(*file),
      recorder(writer, options.window),
      path(options.aside.empty() ? options.file : options.aside),
      partial_path(options.aside.empty() ? partial_name(options.file) : partial_aside(options.aside)) {}

PipelineFile::PipelineFile(Gpu& gpu, const PipelineFileOptions& options)
    : state_(std::make_shared<State>(options)) {
  state_->recorder.watch(gpu);
  gpu.keep(state_);
}

PipelineFile::~PipelineFile() {
  state_->recorder.stop();
  state_->file.reset();
}

bool PipelineFile::close_partial(Cycle end) {
  try {
    state_->recorder.close(end);
  } catch (const std::runtime_error&) {  // no instruction had come into the window
    return false;
  }
  if (!state_->writer.has_begun()) return false;
  state_->file->close();
  std::filesystem::rename(state_->path, state_->partial_path);
  return true;
}

void PipelineFile::close(Cycle end) {
  state_->recorder.close(end);
  state_->file->close();
}

}  // namespace subcore
