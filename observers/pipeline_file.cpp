#include "subcore/observers/pipeline_file.h"

#include <stdexcept>

#include "subcore/base/bits.h"
#include "subcore/observers/packed_file.h"
#include "subcore/observers/text.h"

namespace subcore {

namespace {

constexpr std::size_t longest_line = 128;  // but for names

// "command id column", to be continued behind a tab.
char* put_line(char* to, char command, const InstructionRecord& life, unsigned column) {
  to = put(put(put(to, command), '\t'), life.id);
  return put(put(put(to, '\t'), std::uint64_t{column}), '\t');
}

char* put_stage(char* to, const InstructionRecord& life) {
  static constexpr char names[] = {'F', 'W', 'I', 'C', 'R', 'X', 'B'};
  to = put(put_line(to, 'S', life, 0), names[static_cast<std::size_t>(life.stage)]);
  if (life.stage == PipelineStage::collect) to = put(to, std::uint64_t{life.collector});
  if (life.stage == PipelineStage::wait && !life.cause.empty()) to = put(put(to, ':'), life.cause);
  return put(to, '\n');
}

char* put_whereabouts(char* to, const InstructionRecord& life, unsigned source) {
  static constexpr std::string_view names[] = {"", "b", "port", "read", "cache"};
  to = put(put_line(to, 'S', life, 1 + source), names[static_cast<std::size_t>(life.whereabouts[source])]);
  if (life.whereabouts[source] == Whereabouts::bank) to = put(to, std::uint64_t{life.bank[source]});
  return put(to, '\n');
}

}  // namespace

KanataWriter::KanataWriter(PackedFile& file) : file_(file) {
  file_.used(put(file_.room(longest_line), "Kanata\t0004\n"));
}

// Returns room for an event of `life`, behind the line for the cycles that have passed.
char* KanataWriter::begin(const InstructionRecord& life, Cycle at) {
  char* to = file_.room(longest_name(life) + life.sub_core->size() + life.cause.size() +
                        (4 + 2 * max_sources) * longest_line);
  if (at == now_) return to;
  to = put(put(to, now_ == never ? "C=\t" : "C\t"), now_ == never ? at : at - now_);
  now_ = at;
  return put(to, '\n');
}

void KanataWriter::begins(const InstructionRecord& life, Cycle at) {
  char* to = put(put(begin(life, at), "I\t"), life.id);
  to = put(put(put(to, '\t'), life.sequence), '\t');
  to = put(put(to, std::uint64_t{life.thread}), '\n');
  to = put(put_name(put_line(to, 'L', life, 0), life), '\n');
  to = put(put_line(to, 'L', life, 1), *life.sub_core);
  to = put(put(to, ", warp slot "), std::uint64_t{life.warp_slot});
  to = put(put(to, ", CTA slot "), std::uint64_t{life.cta_slot});
  to = put(put(to, ", instruction "), life.sequence);
  to = put_hex(put(to, " of its warp, lanes 0x"), life.mask, 8);
  to = put(put(to, ", unit "), life.unit);
  if (life.since != at) to = put(put(to, ", as it is since cycle "), life.since);
  to = put_stage(put(to, '\n'), life);
  for (unsigned s = 0; s < life.sources.size(); ++s) {
    if (life.whereabouts[s] != Whereabouts::here) to = put_whereabouts(to, life, s);
    if (life.producers[s] == InstructionRecord::none) continue;
    to = put(put(to, "W\t"), life.id);
    to = put(put(put(to, '\t'), life.producers[s]), "\t0\n");
  }
  file_.used(to);
}

void KanataWriter::enters(const InstructionRecord& life, Cycle at) {
  char* to = put_stage(begin(life, at), life);
  const std::uint32_t hits =
      bits::below<std::uint32_t>(static_cast<unsigned>(life.sources.size())) & ~life.asked;
  if (life.stage == PipelineStage::ready && hits != 0) {
    to = put(put_line(to, 'L', life, 1), "; hits in collector ");
    to = put(put(to, std::uint64_t{life.collector}), ':');
    for (const unsigned h : bits::each(hits)) to = put(put(to, " R"), std::uint64_t{life.sources[h].reg});
    to = put(to, '\n');
  }
  file_.used(to);
}

// An operand is read before it is here, from its bank or from the operand cache.
void KanataWriter::moves(const InstructionRecord& life, unsigned source, Whereabouts before, Cycle at) {
  char* to = begin(life, at);
  if (life.whereabouts[source] != Whereabouts::here) {
    to = put_whereabouts(to, life, source);
  } else if (before != Whereabouts::here) {
    to = put_line(to, 'E', life, 1 + source);
    to = put(to, before == Whereabouts::cache ? "cache\n" : "read\n");
  }
  file_.used(to);
}

void KanataWriter::retires(const InstructionRecord& life, Cycle at) {
  char* to = put(put(begin(life, at), "R\t"), life.id);
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
