#include "subcore/model/trace/instruction_table.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <utility>

#include <boost/container_hash/hash.hpp>

#include "subcore/model/isa/bulk_copies.h"
#include "subcore/model/isa/warpgroup.h"
#include "subcore/model/trace/sass_text.h"
#include "subcore/model/trace/wait_operands.h"

namespace subcore {

struct InstructionTable::Parsed {
  std::array<Register, max_sources> sources{};
  std::array<Register, max_destinations> destinations{};
  unsigned source_count = 0, destination_count = 0;
  std::string_view opcode;
  std::uint32_t opcode_index = 0;
  const std::string* name = nullptr;
  OpcodeInfo info;
  const Opcode* known = nullptr;
  unsigned access_bytes = 0;
  unsigned listed = 0, listed_sources = 0;  // counts of registers of all kinds
  // As the line names them.
  PredicateSet predicates_read = 0, predicates_written = 0;
  std::uint64_t uniforms_read = 0, uniforms_written = 0;
  bool bulk = false;           // words of a bulk copy follow
  bool ends_group = false;     // the commit flag
  bool other_results = false;  // the sidecar and the opcode name different results
  const char* end = nullptr;   // behind the access width

  // Makes the first `results` registers of the line destinations, and the others sources. A register becomes
  // a destination only if `may_write` allows it, and a source only if `may_read` does.
  template <typename F, typename G>
  void set_results(std::size_t results, F&& may_write, G&& may_read) {
    while (destination_count < results && source_count > 0 && destination_count < max_destinations &&
           may_write(sources[0])) {
      destinations[destination_count++] = sources[0];
      std::copy(sources.begin() + 1, sources.begin() + source_count--, sources.begin());
    }
    while (destination_count > results && source_count < max_sources &&
           may_read(destinations[destination_count - 1])) {
      std::copy_backward(sources.begin(), sources.begin() + source_count, sources.begin() + source_count + 1);
      ++source_count;
      sources[0] = destinations[--destination_count];
    }
  }
};

namespace {

// The number behind `kind` in a word such as R12 or UP0. Nothing for any other word.
std::optional<unsigned> number_in(std::string_view word, std::string_view kind, unsigned most) {
  std::uint64_t number = 0;
  if (word.substr(0, kind.size()) != kind || !text::parse_unsigned(word.substr(kind.size()), number, most))
    return std::nullopt;
  return static_cast<unsigned>(number);
}

// A word of a list of registers. R255 is RZ; P7 and UP7 are always true.
struct ListedRegister {
  bool is_predicate = false;        // P<n> or UP<n>
  std::optional<unsigned> r;        // of R<n>
  std::optional<unsigned> uniform;  // of UR<n>
  PredicateSet predicates = 0;      // the bit of P<n> or UP<n>
};

// Bits of uniform registers from the first on. UR63 and all above it are always zero, and left out.
std::uint64_t uniforms_from(unsigned first, unsigned width) {
  std::uint64_t set = 0;
  for (unsigned u = first; u < std::min(first + width, uniform_count); ++u) bits::add(set, u);
  return set;
}

// Reads a count of registers and as many words, and calls `take` for each. Returns the count.
template <class Take>
unsigned parse_registers(const TracePosition& position, text::Cursor& cursor, const std::string& role,
                         unsigned most, LineForm form, Take&& take) {
  const std::string_view count_word = cursor.word();
  std::uint64_t count = 0;
  if (!text::parse_unsigned(count_word, count, most))
    position.fail("bad " + role + " count " + quoted(count_word),
                  "a number from 0 to " + std::to_string(most));
  const bool all_kinds = form == LineForm::all_kinds;
  for (unsigned i = 0; i < count; ++i) {
    const std::string_view word = cursor.word();
    ListedRegister listed;
    if (!(listed.r = number_in(word, "R", rz))) {
      const std::optional<unsigned> predicate = number_in(word, "P", predicate_count),
                                    uniform = number_in(word, "UP", predicate_count);
      listed.is_predicate = predicate || uniform;
      if (predicate && *predicate != predicate_count) bits::add(listed.predicates, *predicate);
      if (uniform && *uniform != predicate_count)
        bits::add(listed.predicates, first_uniform_predicate + *uniform);
      listed.uniform = number_in(word, "UR", rz);
      if (!all_kinds || (!listed.is_predicate && !listed.uniform))
        position.fail("bad " + role + " register " + quoted(word),
                      all_kinds ? "R0 to R255, UR0 to UR255, P0 to P7 or UP0 to UP7" : "R0 to R255");
    }
    take(listed);
  }
  return static_cast<unsigned>(count);
}

std::size_t hash_of_text(std::uint64_t pc, std::string_view text) {
  std::size_t hash = std::hash<std::string_view>{}(text);
  boost::hash_combine(hash, pc);
  return hash;
}

// If a line's text is open, the end of its access width; else the line's end.
const char* end_of_text(const char* begin, const char* end, LineForm form) {
  text::Cursor cursor{begin, end};
  const auto skip_registers = [&](unsigned most) {
    std::uint64_t count = 0;
    const bool counted = text::parse_unsigned(cursor.word(), count, most);
    for (; counted && count > 0; --count) cursor.word();
    return counted;
  };
  if (!skip_registers(max_destinations)) return end;
  const std::string_view opcode = cursor.word();
  if (!skip_registers(max_sources)) return end;
  if (form == LineForm::all_kinds && is_warpgroup_product(opcode)) cursor.word();
  std::uint64_t bytes = 0;
  const bool counted = text::parse_unsigned(cursor.word(), bytes);
  return counted && (bytes != 0 || form == LineForm::all_kinds) ? cursor.at : end;
}

std::size_t hash_of_meaning(const StaticInstruction& s) {
  std::size_t hash = boost::hash_range(s.sources.begin(), s.sources.begin() + s.source_count);
  boost::hash_range(hash, s.destinations.begin(), s.destinations.begin() + s.destination_count);
  boost::hash_combine(hash, s.pc);
  boost::hash_combine(hash, s.opcode);
  return hash;
}

// Whether two instructions are the same, except for their reuse flags and what they wait for.
bool same_instruction(const StaticInstruction& a, const StaticInstruction& b) {
  return a.pc == b.pc && a.opcode == b.opcode && a.memory_bytes == b.memory_bytes &&
         a.source_count == b.source_count && a.destination_count == b.destination_count &&
         a.duplicate_sources == b.duplicate_sources && a.sources == b.sources &&
         a.destinations == b.destinations && a.source_slots == b.source_slots &&
         a.predicates_read == b.predicates_read && a.predicates_written == b.predicates_written &&
         a.uniforms_read == b.uniforms_read && a.uniforms_written == b.uniforms_written;
}

bool same_meaning(const StaticInstruction& a, const StaticInstruction& b) {
  return same_instruction(a, b) && a.reuse_mask == b.reuse_mask && a.ends_group == b.ends_group &&
         a.open_groups == b.open_groups && a.barrier_name == b.barrier_name &&
         a.barrier_warps == b.barrier_warps;
}

bool has_registers(const SidecarEntry& entry) {
  return !entry.sources.empty() || !entry.destinations.empty();
}

// Whether two opcodes may name the same instruction. Disassemblers of different versions leave out different
// modifiers: LDG.E and LDG.E.SYS may be the same, but LDG.E.64 and LDG.E.SYS are not.
bool may_be_one(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  const auto take = [](std::string_view& opcode) {
    const std::string_view part = base_of(opcode);
    opcode.remove_prefix(std::min(part.size() + 1, opcode.size()));
    return part;
  };
  if (take(a) != take(b)) return false;
  while (!a.empty()) {
    const std::string_view part = take(a);
    bool found = false;
    while (!found && !b.empty()) found = take(b) == part;
    if (!found) return false;
  }
  return true;
}

bool names(const SidecarOperands& operands, Register base) {
  return std::any_of(operands.begin(), operands.end(),
                     [base](const SidecarOperand& o) { return o.base == base; });
}

// The mask in a line's last word, before the rest of the line is parsed.
std::uint8_t last_word_reuse(const TracePosition& position, const char* begin, const char* end) {
  std::string_view line = text::trimmed({begin, static_cast<std::size_t>(end - begin)});
  const std::size_t blank = line.find_last_of(" \t");
  if (blank != std::string_view::npos) line.remove_prefix(blank + 1);
  if (line.substr(0, 6) != "reuse=") return 0;
  return parse_tail(position, {line.data(), line.data() + line.size()}, {});
}

// Registers of an operand by the sidecar: by position, or else where the same register stands in that role.
unsigned sidecar_width(const SidecarOperands& operands, unsigned position, Register base,
                       unsigned otherwise) {
  if (position < operands.size() && operands[position].base == base) return operands[position].width;
  for (const SidecarOperand& o : operands)
    if (o.base == base) return o.width;
  return otherwise;
}

// Appends the registers of a register operand. `met` is called with the place of each, and whether it was
// there already. A run stops at R254, because RZ is no storage.
template <std::size_t N, typename F>
bool append(Register base, unsigned width, bool count_rz, std::array<Register, N>& list, std::uint8_t& count,
            F&& met) {
  if (base == rz) {
    if (!count_rz) return true;
    width = 1;
  }
  for (unsigned i = 0; i < width; ++i) {
    const unsigned number = base + i;
    if (number >= rz && base != rz) break;
    const auto r = static_cast<Register>(number);
    const auto at = std::find(list.begin(), list.begin() + count, r);
    const bool duplicate = at != list.begin() + count;
    if (!duplicate) {
      if (count == N) return false;
      list[count++] = r;
    }
    met(static_cast<std::size_t>(at - list.begin()), duplicate);
  }
  return true;
}

// The name and description of an opcode, or null. There is one copy of each name, which may be kept longer
// than the kernel.
const std::pair<const std::string, OpcodeInfo>* lasting(std::string_view opcode) {
  static std::mutex guard;
  static std::map<std::string, OpcodeInfo, std::less<>> known;
  const std::lock_guard lock(guard);
  if (const auto it = known.find(opcode); it != known.end()) return &*it;
  const auto info = opcode_info(opcode);
  return info ? &*known.emplace(opcode, *info).first : nullptr;
}

}  // namespace

LineForm line_form(std::uint32_t tracer_version) {
  if (tracer_version >= 6) return LineForm::all_kinds;
  return tracer_version == 5 || tracer_version == 0 ? LineForm::immediate : LineForm::plain;
}

InstructionTable::Parsed InstructionTable::parse(const TracePosition& position, const char* begin,
                                                 const char* end) {
  Parsed p;
  text::Cursor cursor{begin, end};
  PredicateSet result_predicates = 0;
  bool lists_predicate = false;  // among the results
  std::optional<unsigned> uniform_result;
  p.listed =
      parse_registers(position, cursor, "destination", max_destinations, form_, [&](const ListedRegister& l) {
        if (l.r) p.destinations[p.destination_count++] = static_cast<Register>(*l.r);
        if (l.uniform) uniform_result = l.uniform;
        lists_predicate = lists_predicate || l.is_predicate;
        result_predicates |= l.predicates;
      });
  p.opcode = cursor.word();
  if (p.opcode.empty()) position.fail("missing opcode", "an opcode after the destinations");
  if (p.opcode[0] < 'A' || p.opcode[0] > 'Z')
    position.fail("bad opcode " + quoted(p.opcode), "a name in capitals");
  const Opcode& known = opcode(position, p.opcode);
  p.opcode_index = known.index;
  p.name = known.name;
  p.info = known.info;
  p.known = &known;
  // Results come first. Predicates behind the result are results, too, as many as the opcode may have.
  unsigned may_write = known.predicates_written;
  const auto take_predicates = [&](PredicateSet predicates) {
    (may_write != 0 ? p.predicates_written : p.predicates_read) |= predicates;
    if (may_write != 0) --may_write;
  };
  if (lists_predicate) take_predicates(result_predicates);
  const UniformWidths widths = uniform_widths(p.opcode, p.info);
  // A result behind a predicate stands first among the sources.
  bool result_follows = lists_predicate && (is_named(p.opcode, "R2UR") || is_named(p.opcode, "ELECT"));
  if (uniform_result) p.uniforms_written = uniforms_from(*uniform_result, widths.written);
  p.listed_sources =
      parse_registers(position, cursor, "source", max_sources, form_, [&](const ListedRegister& l) {
        if (l.is_predicate) return take_predicates(l.predicates);
        may_write = 0;
        if (l.r) p.sources[p.source_count++] = static_cast<Register>(*l.r);
        if (!l.uniform) return;
        (result_follows ? p.uniforms_written : p.uniforms_read) |=
            uniforms_from(*l.uniform, result_follows ? widths.written : widths.read);
        result_follows = false;
      });
  p.listed += p.listed_sources;
  parse_behind_sources(position, cursor, p);
  check_registers(position, p);
  p.end = cursor.at;
  return p;
}

// Takes the commit flag and the access width. NVBit's access width of a bulk copy is not a width per lane.
void InstructionTable::parse_behind_sources(const TracePosition& position, text::Cursor& cursor,
                                            Parsed& p) const {
  const bool all_kinds = form_ == LineForm::all_kinds;
  std::uint64_t number = 0;
  if (all_kinds && p.known->commits) {
    const std::string_view flag = cursor.word();
    if (!text::parse_unsigned(flag, number, 1)) position.fail("bad commit flag " + quoted(flag), "0 or 1");
    p.ends_group = number != 0;
  }
  const std::string_view width = cursor.word();
  p.bulk = all_kinds && is_bulk_copy(p.known->async);
  if (p.bulk) {
    if (!text::parse_unsigned(width, number, 0xffffffffu))
      position.fail("bad access width " + quoted(width), "a number");
    return;
  }
  const unsigned widest = all_kinds ? 32 : 16;
  if (!text::parse_unsigned(width, number, widest) || (number & (number - 1)) != 0)
    position.fail("bad access width " + quoted(width),
                  all_kinds ? "0, 1, 2, 4, 8, 16 or 32" : "0, 1, 2, 4, 8 or 16");
  p.access_bytes = static_cast<unsigned>(number);
}

// Registers are allocated in eights, and a line may name all of them, whatever the compiler has counted. Only
// the named registers are checked. Without a sidecar, the extent of an operand of several registers is a
// guess.
void InstructionTable::check_registers(const TracePosition& position, const Parsed& p) const {
  if (registers_ == 0) return;
  const unsigned allocated = (registers_ + 7) / 8 * 8;
  const auto check = [&](Register r) {
    if (r != rz && r >= allocated)
      position.fail(
          "R" + std::to_string(r) + " in a kernel of " + std::to_string(registers_) + " registers a thread",
          "R0 to R" + std::to_string(allocated - 1) + ", or R255");
  };
  std::for_each_n(p.destinations.begin(), p.destination_count, check);
  std::for_each_n(p.sources.begin(), p.source_count, check);
}

void InstructionTable::choose_results(Parsed& p, const SidecarEntry* entry) const {
  const auto any = [](Register) { return true; };
  const Parsed listed = p;
  if (p.known->results) p.set_results(*p.known->results, any, any);
  if (entry == nullptr || !has_registers(*entry)) return;
  const unsigned by_opcode = p.destination_count;
  p = listed;
  p.set_results(
      entry->destinations.size(), [&](Register r) { return names(entry->destinations, r); },
      [&](Register r) { return names(entry->sources, r); });
  p.other_results = p.destination_count != by_opcode;
}

// Finds a sidecar of another kernel: it has other opcodes at the same program counters, or other results.
// Sources are not compared, because a sidecar that was written by hand may leave them out, or leave out all
// registers.
void InstructionTable::check_sidecar(const TracePosition& position, std::uint64_t pc, const Parsed& p,
                                     const SidecarEntry& entry) const {
  constexpr const char* expected = "the sidecar of this kernel";
  const std::string_view opcode = sass_opcode(sidecar_->text(entry));
  const bool is_opcode = !opcode.empty() && opcode[0] >= 'A' && opcode[0] <= 'Z';
  if (is_opcode && !may_be_one(opcode, p.opcode))
    position.fail(quoted(p.opcode) + " at pc " + pc_text(pc) + ", where " + sidecar_->location_of(entry) +
                      " has " + quoted(opcode),
                  expected);
  if (entry.destinations.empty()) return;
  for (unsigned i = 0; i < p.destination_count; ++i)
    if (p.destinations[i] != rz && !names(entry.destinations, p.destinations[i]))
      position.fail(quoted(p.opcode) + " at pc " + pc_text(pc) + " that writes R" +
                        std::to_string(p.destinations[i]) + ", which " + sidecar_->location_of(entry) +
                        " does not",
                    expected);
}

// A program counter has one instruction. The exception is a kernel that calls functions, because NVBit counts
// from 0 again in each function. With a sidecar there is no exception, because a sidecar could not tell such
// instructions apart.
void InstructionTable::check_pc(const TracePosition& position, const Parsed& p, const StaticInstruction& s,
                                const SidecarEntry* entry) {
  const auto [first_at, is_first] = first_at_.try_emplace(s.pc, s.index);
  if (is_first) {
    if (entry != nullptr) check_sidecar(position, s.pc, p, *entry);
    return;
  }
  const StaticInstruction& first = code_.instructions[first_at->second];
  if (same_instruction(first, s) || (calls_ && sidecar_ == nullptr)) return;
  position.fail(quoted(p.opcode) + " at pc " + pc_text(s.pc) + ", which had " +
                    (first.opcode != s.opcode ? subcore::quoted(*first.name) : "other operands") + " before",
                "one instruction at each program counter");
}

// IMAD.WIDE may list two registers. Returns whether the second one is its factor B, one register, and not its
// addend C, a pair. A factor is often a constant, the size of an element. An addend is an address, whose
// halves are made alike. The last instructions of the trace before this one decide which of the two the
// registers hold.
bool InstructionTable::is_factor(const Parsed& p, std::uint64_t pc) {
  const Register r = p.sources[1];
  const auto [found, first] = factors_.try_emplace({pc, r}, false);
  if (first) found->second = constants_[r] && !constants_[(r + 1u) % constants_.size()];
  return found->second;
}

void InstructionTable::expand(const TracePosition& position, const Parsed& p, StaticInstruction& out) {
  const SidecarEntry* const entry = sidecar_ ? sidecar_->find(out.pc) : nullptr;
  OperandWidths widths = operand_widths(p.opcode, p.info, p.access_bytes, p.sources.data(), p.source_count);
  if (is_named(p.opcode, "IMAD") && p.source_count == 2 && widths.source[1] == 2 && is_factor(p, out.pc))
    widths.source[1] = 1;
  // By some options, all operands of a tensor instruction have the same width, whatever the width they name.
  const bool alike = p.info.is_tensor() && options_.tensor != TensorOperands::exact;
  const unsigned each = options_.tensor == TensorOperands::x2 ? 2 : 1;
  out.touches_when_off = options_.count_predicated_off;
  SourceSlots slots;
  if (entry != nullptr) slots = slots_of(entry->sources, p.sources.data(), p.source_count);
  for (unsigned i = 0; i < p.source_count; ++i) {
    const unsigned slot = i < slots.size() && slots[i] != SidecarOperand::no_slot ? slots[i] : i;
    if (slot < operand_slots && out.slots[slot] == rz) out.slots[slot] = p.sources[i];
    const unsigned named = entry == nullptr
                               ? widths.source[i]
                               : sidecar_width(entry->sources, i, p.sources[i], widths.source[i]);
    unsigned n = 0;
    const auto name_slot = [&](std::size_t k, bool duplicate) {
      if (duplicate) ++out.duplicate_sources;
      if (slot < operand_slots && n++ < named) bits::add(out.source_slots[k], slot);
    };
    if (!append(p.sources[i], alike ? each : named, options_.count_rz, out.sources, out.source_count,
                name_slot))
      position.fail(quoted(p.opcode) + " reads too many registers", "at most " + std::to_string(max_sources));
  }
  for (unsigned i = 0; i < p.destination_count; ++i) {
    const unsigned named =
        entry == nullptr ? widths.destination[i]
                         : sidecar_width(entry->destinations, i, p.destinations[i], widths.destination[i]);
    if (!append(p.destinations[i], alike ? each : named, options_.count_rz, out.destinations,
                out.destination_count, [](std::size_t, bool) {}))
      position.fail(quoted(p.opcode) + " writes too many registers",
                    "at most " + std::to_string(max_destinations));
  }
}

void InstructionTable::note_constants(const StaticInstruction& instruction, const Parsed& p) {
  const bool constant =
      !is_named(p.opcode, "S2R") &&
      std::all_of(p.sources.begin(), p.sources.begin() + p.source_count, [](Register r) { return r == rz; });
  for (unsigned d = 0; d < instruction.destination_count; ++d)
    constants_[instruction.destinations[d]] = constant;
}

// A sidecar knows the predicates of the warp, including guards, and the uniform registers of lines that name
// some.
void InstructionTable::note_predicates(const Parsed& p, const SidecarEntry* entry,
                                       StaticInstruction& out) const {
  constexpr PredicateSet of_warp = bits::below<PredicateSet>(predicate_count);
  out.predicates_read = p.predicates_read;
  out.predicates_written = p.predicates_written;
  out.uniforms_read = p.uniforms_read;
  out.uniforms_written = p.uniforms_written;
  if (entry != nullptr) {
    const auto told = [](PredicateSet line, std::uint8_t sidecar) {
      return static_cast<PredicateSet>((line & ~of_warp) | sidecar);
    };
    out.predicates_read = told(p.predicates_read, entry->predicates_read);
    out.predicates_written = told(p.predicates_written, entry->predicates_written);
  }
  if (entry != nullptr && form_ == LineForm::all_kinds) {
    out.uniforms_read = entry->uniforms_read;
    out.uniforms_written = entry->uniforms_written;
  }
  if (out.uniforms_read != 0) bits::add(out.predicates_read, any_uniform);
  if (out.uniforms_written != 0) bits::add(out.predicates_written, any_uniform);
}

const InstructionTable::Opcode& InstructionTable::opcode(const TracePosition& position,
                                                         std::string_view name) {
  if (const auto it = opcodes_.find(name); it != opcodes_.end()) return it->second;
  const auto* known = lasting(name);
  if (known == nullptr)
    position.fail("unknown opcode " + quoted(name),
                  "an opcode of binary version 60 to 121 or of a known family");
  const auto index = static_cast<std::uint32_t>(code_.opcode_names.size());
  code_.opcode_names.push_back(known->first);
  const Opcode opcode{index,
                      known->second,
                      &known->first,
                      listed_results(name),
                      is_call(name),
                      is_named(name, "SHFL"),
                      matrices_moved(name),
                      copy_step_of(name),
                      waits_by_immediate(name),
                      async_step_of(name),
                      is_warpgroup_product(name),
                      predicates_written_by(base_of(name))};
  return opcodes_.emplace(known->first, opcode).first->second;
}

std::uint32_t& InstructionTable::head_slot(std::uint64_t pc) {
  if (pc % 8 != 0 || pc >= indexed_pcs) return far_heads_[pc];
  if (pc / 8 >= heads_.size()) heads_.resize(std::max<std::size_t>(pc / 8 + 1, heads_.size() * 2));
  return heads_[pc / 8];
}

const InstructionTable::Variant* InstructionTable::find_by_text(std::uint64_t pc, const char* begin,
                                                                const char* end, int reuse) const {
  const std::string_view text{begin, static_cast<std::size_t>(end_of_text(begin, end, form_) - begin)};
  const auto [first, last] = by_text_.equal_range(hash_of_text(pc, text));
  for (auto it = first; it != last; ++it) {
    const Variant& v = variants_[it->second];
    if (text_of(v) == text && code_.instructions[v.code].pc == pc && (reuse < 0 || reuse == v.reuse))
      return &v;
  }
  return nullptr;
}

std::uint32_t InstructionTable::enter(const StaticInstruction& instruction, const Parsed& parsed) {
  const std::size_t hash = hash_of_meaning(instruction);
  const auto [first, last] = by_meaning_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (same_meaning(code_.instructions[it->second], instruction)) return it->second;
  const auto index = static_cast<std::uint32_t>(code_.instructions.size());
  code_.instructions.push_back(instruction);
  code_.instructions.back().index = index;
  by_meaning_.emplace(hash, index);
  note_constants(instruction, parsed);
  if (parsed.other_results) ++code_.sidecar_results[std::string(parsed.opcode)];
  if (!parsed.info.known) ++code_.unknown_opcodes[std::string(parsed.opcode)];
  return index;
}

InstructionTable::Variant InstructionTable::define(const TracePosition& position, std::uint64_t pc,
                                                   const char* begin, const char* end) {
  Parsed p = parse(position, begin, end);
  const SidecarEntry* entry = sidecar_ ? sidecar_->find(pc) : nullptr;
  const bool lists_result = p.destination_count != 0;
  choose_results(p, entry);
  calls_ = calls_ || p.known->calls;
  Variant v{};
  v.access = p.access_bytes != 0;
  v.bulk = p.bulk;
  v.open = v.access || form_ == LineForm::all_kinds;
  v.listed = static_cast<std::uint8_t>(p.listed);
  v.sources = static_cast<std::uint8_t>(p.listed_sources);
  if (form_ == LineForm::all_kinds && has_record(p.known->async)) v.async = p.known->async;
  std::string_view immediate;
  v.reuse = v.open ? last_word_reuse(position, begin, end)
                   : parse_tail(position, {p.end, end}, {form_}, &immediate);
  if (v.open && !v.access) immediate = last_immediate({p.end, end});
  // Accesses that bypass the load/store unit (texture, constant) are checked but not kept.
  const bool kept = p.info.accesses_memory() || p.known->async != AsyncStep::none;
  v.stored = v.access && kept && p.info.space != MemorySpace::constant;

  StaticInstruction s;
  s.pc = pc;
  s.opcode = p.opcode_index;
  s.name = p.name;
  s.execution = p.info.execution;
  s.kind = p.info.kind;
  s.space = p.info.space;
  if (options_.shuffles == ShufflePath::load_store && p.known->shuffles) {
    s.execution = ExecutionClass::load_store;
    s.kind = InstructionKind::exchange;
  }
  s.matrices = p.known->matrices;
  s.copies = p.known->copies;
  s.ends_group = p.ends_group;
  s.behind_predicate = !lists_result && p.destination_count != 0;
  s.memory_bytes = v.stored ? static_cast<std::uint8_t>(p.access_bytes) : 0;
  s.reuse_mask = entry ? entry->reuse_mask : v.reuse;
  s.controlled = entry != nullptr;
  if (entry != nullptr) s.control = entry->control;
  if (options_.predicates) note_predicates(p, entry, s);
  expand(position, p, s);
  if (p.known->waits_by_immediate)
    read_wait_operands(p.opcode, entry ? sidecar_->text(*entry) : std::string_view{}, immediate, s);

  v.code = enter(s, p);
  check_pc(position, p, code_.instructions[v.code], entry);
  v.length = static_cast<std::uint32_t>((v.open ? p.end : end) - begin);
  return v;
}

const InstructionTable::Variant* InstructionTable::add(const TracePosition& position, std::uint64_t pc,
                                                       const char* begin, const char* end) {
  Variant v = define(position, pc, begin, end);
  v.text = texts_.size();
  texts_.append(begin, v.length);
  std::uint32_t& slot = head_slot(pc);
  v.next = slot;
  slot = static_cast<std::uint32_t>(variants_.size());
  by_text_.emplace(hash_of_text(pc, text_of(v)), slot);
  variants_.push_back(v);
  return &variants_.back();
}

}  // namespace subcore
