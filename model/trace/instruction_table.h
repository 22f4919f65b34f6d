// The static instructions met so far, which are found by PC and text, so that operands are parsed only once.
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

// The contents of an instruction line, by the version of the tracer that wrote it.
enum class LineForm : std::uint8_t {
  plain,      // versions 1 to 4: nothing behind the addresses
  immediate,  // version 5, or unknown: an immediate behind them
  // Version 6 (Accel-Sim 2.0): registers of all kinds, the commit flag of warpgroup products, words of bulk
  // copies, two immediates, values of registers.
  all_kinds,
};
// The form of lines of a tracer's version.
LineForm line_form(std::uint32_t tracer_version);

class InstructionTable {
 public:
  // A text that lines of a PC had behind the mask. Several texts may share a PC. Several texts may also mean
  // the same static instruction, with another immediate or a blank at the end.
  struct Variant {
    std::uint32_t code;    // index into CodeTable::instructions
    std::uint32_t next;    // next variant of this PC, 0 = none
    std::size_t text;      // start of its text
    std::uint32_t length;  // up to the end of the line or, for an open text, to the access width
    std::uint8_t reuse;    // the line's own flags, even if there is a sidecar
    std::uint8_t listed;   // registers of all kinds that the line lists
    std::uint8_t sources;  // registers among them that are listed as sources
    AsyncStep async;       // none if the line has no record
    bool open;             // the part behind the text differs from line to line
    bool access;           // addresses of lanes follow the text
    bool stored;           // the addresses belong to the warp's addresses
    bool bulk;             // words of a bulk copy follow the text
  };

  InstructionTable(CodeTable& code, const OperandOptions& options, const Sidecar* sidecar)
      : code_(code), options_(options), sidecar_(sidecar) {
    variants_.push_back({});  // index 0 ends every chain
  }

  void take_form(LineForm form) { form_ = form; }
  // Sets the number of registers of a thread, 0 = unknown. A line that names a higher register is an error.
  void limit_registers(unsigned count) { registers_ = count; }

  // The variant with the line's text at [begin, end), or null. With `reuse` >= 0, only a variant with that
  // mask.
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
  // Parses the line's text at [begin, end) and enters its meaning into the code table. Throws TraceError
  // through `position`, also for an instruction that is not the sidecar's, or not the one that its PC had
  // before.
  Variant define(const TracePosition& position, std::uint64_t pc, const char* begin, const char* end);
  // Does the same, and also enters the text so that find() finds it.
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
    bool commits = false;             // has a commit flag, if lines of this form have one
    unsigned predicates_written = 0;  // most predicates that it may write
  };
  static constexpr std::uint64_t indexed_pcs = std::uint64_t{1} << 22;  // kernels are not longer

  // Most PCs have one or two texts. With varying immediates, a PC may have as many texts as executions.
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
  // Decides which registers of the line are results, by the sidecar or else by the opcode.
  void choose_results(Parsed& parsed, const SidecarEntry* entry) const;
  void parse_behind_sources(const TracePosition& position, text::Cursor& cursor, Parsed& parsed) const;
  void check_sidecar(const TracePosition& position, std::uint64_t pc, const Parsed& parsed,
                     const SidecarEntry& entry) const;
  void check_pc(const TracePosition& position, const Parsed& parsed, const StaticInstruction& instruction,
                const SidecarEntry* entry);
  void expand(const TracePosition& position, const Parsed& parsed, StaticInstruction& out);
  bool is_factor(const Parsed& parsed, std::uint64_t pc);
  // Notes predicates and uniform registers, if the options ask for them.
  void note_predicates(const Parsed& parsed, const SidecarEntry* entry, StaticInstruction& out) const;
  const Opcode& opcode(const TracePosition& position, std::string_view name);
  std::uint32_t enter(const StaticInstruction& instruction, const Parsed& parsed);
  void note_constants(const StaticInstruction& instruction, const Parsed& parsed);

  CodeTable& code_;
  OperandOptions options_;
  const Sidecar* sidecar_;
  LineForm form_ = LineForm::plain;
  unsigned registers_ = 0;
  bool calls_ = false;          // the kernel has called a function
  std::bitset<256> constants_;  // registers whose last new writer, so far, uses no other register
  // By PC and second register of IMAD.WIDE: whether that register is a factor. The first line decides.
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

// The facts by which a line's tail is read: the line's form, and how many registers of all kinds it lists. If
// the instruction has a record, the record gets the line's values. With two sources or more, `value` is that
// of the last source in lane `lane`.
struct TailForm {
  LineForm form = LineForm::plain;
  unsigned listed = 0, sources = 0;
  AsyncRecord* record = nullptr;
  unsigned lane = 0;
};

// Parses the tail behind the operands or the access: immediates, values of the listed registers, and
// `reuse=<mask>`, whose mask is returned. Each part may be missing. If there is an immediate, `immediate`,
// unless null, becomes the word of the last one.
std::uint8_t parse_tail(const TracePosition& position, text::Cursor cursor, const TailForm& form,
                        std::string_view* immediate = nullptr);
// The word of the last immediate at the beginning of a tail. Empty if there is none.
std::string_view last_immediate(text::Cursor cursor);

// Reads `mode addresses...` and the tail behind them. Appends the encoded access to `out`, unless that is
// null.
std::uint8_t parse_access(const TracePosition& position, const char* begin, const char* end,
                          std::uint32_t mask, const TailForm& form, std::vector<std::uint8_t>* out);

// Reads the words of a bulk copy, and the tail behind them: `mbarrier multicast [CTA mask] bytes
// out-of-bounds-bytes mode addresses...`. Mode 3 is `count` and that many addresses, and mode 4 is `base
// count` and differences. If no lane runs, the words may be missing. Appends the addresses to `out` if there
// is a record.
std::uint8_t parse_bulk_copy(const TracePosition& position, text::Cursor cursor, std::uint32_t mask,
                             const TailForm& form, std::vector<std::uint64_t>& out);
// Takes those words without checks, from a line that has been read before.
void skip_bulk_copy(text::Cursor& cursor);
// Takes the values behind `Val`, without checks, and returns their canonical words. All registers but the
// last source become 0. The last source keeps its value in lane `lane` alone.
std::string take_last_value(text::Cursor& cursor, unsigned listed, unsigned lane);

// Marks, in the records of a whole warp, the questions that are asked again before the mbarrier's other phase
// is asked for (AsyncRecord::retried).
void note_retries(std::vector<AsyncRecord>& records);

// Whether the text behind the mask is REPLAY_START or REPLAY_END. These marks, which are no instructions,
// enclose a part of the trace that Accel-Sim's simulator repeats.
bool is_replay_mark(text::Cursor cursor);

}  // namespace subcore
