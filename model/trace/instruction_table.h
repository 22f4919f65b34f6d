// The static instructions met so far, found again by PC and text so that operands are parsed only once.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <bitset>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "subcore/base/text.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/model/trace/trace.h"
#include "subcore/model/trace/trace_position.h"

namespace subcore {

// What an instruction line may have, by the version of the tracer that wrote it.
enum class LineForm : std::uint8_t {
  plain,      // versions 1 to 4: nothing behind the addresses
  immediate,  // version 5, or one that is not told: an immediate behind them
  // Version 6 (Accel-Sim 2.0): registers of all kinds, the commit flag of warpgroup products, words of bulk
  // copies, two immediates, values of registers.
  all_kinds,
};
// The form that lines of a tracer's version have.
LineForm line_form(std::uint32_t tracer_version);

class InstructionTable {
 public:
  // One text that lines of a PC carried after the mask. Several texts may share a PC, and several texts may
  // mean the same static instruction (an immediate, a blank at the end).
  struct Variant {
    std::uint32_t code;    // index into CodeTable::instructions
    std::uint32_t next;    // next variant of this PC, 0 = none
    std::size_t text;      // start of its text
    std::uint32_t length;  // up to the end of the line, or to the access width if the text is open
    std::uint8_t reuse;    // the line's own flags, whatever a sidecar says
    std::uint8_t listed;   // registers that the line lists, of all kinds
    std::uint8_t sources;  // those of them that are listed as sources
    AsyncStep async;       // none if the line has no record of it
    bool open;             // what follows the text is another with each line
    bool access;           // addresses of lanes follow the text
    bool stored;           // and belong to the warp's addresses
    bool bulk;             // words of a bulk copy follow the text
  };

  InstructionTable(CodeTable& code, const OperandOptions& options, const Sidecar* sidecar)
      : code_(code), options_(options), sidecar_(sidecar) {
    variants_.push_back({});  // index 0 ends every chain
  }

  void take_form(LineForm form) { form_ = form; }
  // Registers that a thread has, 0 = unknown: a line that names another is an error.
  void limit_registers(unsigned count) { registers_ = count; }

  // The variant whose text the line has at [begin, end), or null. With `reuse` >= 0, only one with that mask.
  const Variant* find(std::uint64_t pc, const char* begin, const char* end, int reuse = -1) const {
    const auto length = static_cast<std::size_t>(end - begin);
    unsigned tried = 0;
    for (std::uint32_t i = head(pc); i != 0; i = variants_[i].next) {
      const Variant& v = variants_[i];
      const bool fits = v.open ? length == v.length || (length > v.length && text::is_blank(begin[v.length]))
                               : length == v.length;
      if (fits && std::memcmp(begin, texts_.data() + v.text, v.length) == 0 &&
          (reuse < 0 || reuse == v.reuse))
        return &v;
      if (++tried == longest_walk) return find_by_text(pc, begin, end, reuse);
    }
    return nullptr;
  }
  // Parses the line's text at [begin, end) and enters its meaning into the code table. Throws TraceError by
  // way of `place`, also for an instruction that is not the sidecar's, or not the one that its PC had before.
  Variant define(const TracePosition& position, std::uint64_t pc, const char* begin, const char* end);
  // Does that, and enters the text so that find() finds it.
  const Variant* add(const TracePosition& position, std::uint64_t pc, const char* begin, const char* end);

 private:
  struct Parsed;
  struct Opcode {
    std::uint32_t index = 0;  // in the code table
    OpcodeInfo info;
    const std::string* name = nullptr;
    std::optional<unsigned> results;  // listed_results
    bool calls = false, shuffles = false;
    std::uint8_t matrices = 0;
    CopyStep copies = CopyStep::none;
    bool waits_by_immediate = false;
    AsyncStep async = AsyncStep::none;
    bool commits = false;             // has a commit flag, if the form of lines has one
    unsigned predicates_written = 0;  // how many predicates it may write
  };
  static constexpr std::uint64_t indexed_pcs = std::uint64_t{1} << 22;  // beyond: kernels do not get so long

  // Most PCs have one or two texts. Where immediates vary, one may have as many as it has executions.
  static constexpr unsigned longest_walk = 8;
  using Index = std::unordered_multimap<std::size_t, std::uint32_t>;

  const Variant* find_by_text(std::uint64_t pc, const char* begin, const char* end, int reuse) const;
  std::string_view text_of(const Variant& v) const { return {texts_.data() + v.text, v.length}; }
  std::uint32_t head(std::uint64_t pc) const {
    if (pc % 8 == 0 && pc < indexed_pcs) return pc / 8 < heads_.size() ? heads_[pc / 8] : 0;
    const auto it = far_heads_.find(pc);
    return it == far_heads_.end() ? 0 : it->second;
  }
  std::uint32_t& head_slot(std::uint64_t pc);
  Parsed parse(const TracePosition& position, const char* begin, const char* end);
  void check_registers(const TracePosition& position, const Parsed& parsed) const;
  // Decides which registers of the line are results: by the sidecar, or without one by the opcode.
  void choose_results(Parsed& parsed, const SidecarEntry* entry) const;
  void parse_behind_sources(const TracePosition& position, text::Cursor& cursor, Parsed& parsed) const;
  void check_sidecar(const TracePosition& position, std::uint64_t pc, const Parsed& parsed,
                     const SidecarEntry& entry) const;
  void check_pc(const TracePosition& position, const Parsed& parsed, const StaticInstruction& instruction,
                const SidecarEntry* entry);
  void expand(const TracePosition& position, const Parsed& parsed, StaticInstruction& out);
  bool is_factor(const Parsed& parsed, std::uint64_t pc);
  // Notes predicates and uniform registers, which the options ask for.
  void note_predicates(const Parsed& parsed, const SidecarEntry* entry, StaticInstruction& out) const;
  const Opcode& opcode(const TracePosition& position, std::string_view name);
  std::uint32_t enter(const StaticInstruction& instruction, const Parsed& parsed);

  CodeTable& code_;
  OperandOptions options_;
  const Sidecar* sidecar_;
  LineForm form_ = LineForm::plain;
  unsigned registers_ = 0;
  bool calls_ = false;          // the kernel has called a function
  std::bitset<256> constants_;  // registers that the last instruction met which writes them makes of no other
  // By PC and second register of IMAD.WIDE: whether that is a factor, as was found when it was first met.
  std::map<std::pair<std::uint64_t, Register>, bool> factors_;
  std::vector<Variant> variants_;
  std::string texts_;
  std::vector<std::uint32_t> heads_;
  std::unordered_map<std::uint64_t, std::uint32_t> far_heads_;
  std::unordered_map<std::string_view, Opcode> opcodes_;  // by name
  Index by_text_;                                         // hash of PC and text -> variant
  Index by_meaning_;  // hash of PC and meaning -> instruction of the code table
  std::unordered_map<std::uint64_t, std::uint32_t>
      first_at_;  // by PC: the instruction that stood there first
};

// A line's form, and how many registers of all kinds it lists: what its tail goes by. Where the instruction
// has a record, that gets what the line says: where it has two sources or more, the value that the last has
// in lane `lane`.
struct TailForm {
  LineForm form = LineForm::plain;
  unsigned listed = 0, sources = 0;
  AsyncRecord* record = nullptr;
  unsigned lane = 0;
};

// Parses the tail behind the operands or the access: immediates, values of the listed registers, and
// `reuse=<mask>`, the mask of which is returned. Each may be missing. `immediate`, unless null, becomes the
// word of the last immediate if there is one.
std::uint8_t parse_tail(const TracePosition& position, text::Cursor cursor, const TailForm& form,
                        std::string_view* immediate = nullptr);
// The word of the last immediate that begins a tail; empty if none does.
std::string_view last_immediate(text::Cursor cursor);

// Reads `mode addresses...` and the tail behind them; appends the encoded access to `out` unless null.
std::uint8_t parse_access(const TracePosition& position, const char* begin, const char* end,
                          std::uint32_t mask, const TailForm& form, std::vector<std::uint8_t>* out);

// Reads the words of a bulk copy, and the tail behind them: `mbarrier multicast [CTA mask] bytes
// out-of-bounds-bytes mode addresses...`. Mode 3 is `count` and so many addresses, mode 4 `base count` and
// differences. Nothing has to stand there where no lane runs. Appends the addresses to `out` if there is a
// record.
std::uint8_t parse_bulk_copy(const TracePosition& position, text::Cursor cursor, std::uint32_t mask,
                             const TailForm& form, std::vector<std::uint64_t>& out);
// Takes those words, unchecked: for whoever looks at a line that has been read.
void skip_bulk_copy(text::Cursor& cursor);
// The canonical words of the values behind `Val`, unchecked: of all registers but the last source 0, and of
// that the one in lane `lane` alone. Takes the words.
std::string take_last_value(text::Cursor& cursor, unsigned listed, unsigned lane);

// Finds, in the records of a whole warp, the questions that are asked once more before the mbarrier's other
// phase is asked for (AsyncRecord::retried).
void note_retries(std::vector<AsyncRecord>& records);

// Whether the text behind the mask is one of the marks around a part of the trace that Accel-Sim's simulator
// runs again and again (REPLAY_START, REPLAY_END). They are no instructions.
bool is_replay_mark(text::Cursor cursor);

}  // namespace subcore
