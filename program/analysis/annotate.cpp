#include "subcore/program/analysis/annotate.h"

#include "subcore/base/bits.h"
#include "subcore/base/formatted.h"
#include "subcore/base/json_text.h"
#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/passes/kernel_profile.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> level_names = {"mrf", "orf", "lrf"};
constexpr const char* slot_names = "ABCD";

bool bit(unsigned mask, unsigned k) {
  return bits::has(mask, k);
}

std::string place_name(OperandPlace p) {
  std::string name = level_names[static_cast<std::size_t>(p.level)];
  return p.level == OperandLevel::mrf ? name : name + std::to_string(p.entry);
}

// The destination in words: "window", "banks" or "both".
const char* write_back_name(const Annotation& h, unsigned k) {
  return !bit(h.to_banks, k) ? "window" : bit(h.to_window, k) ? "both" : "banks";
}

std::string reuse_flags_origin(const AnnotatedKernel& kernel) {
  if (kernel.annotation()->reuse_flags_are_synthetic) return "synthetic (the next reader of a slot and bank)";
  return kernel.reader().has_sidecar() ? "traced (sidecar)" : "traced (trace lines)";
}

std::string control_bits_origin(const AnnotatedKernel& kernel) {
  return kernel.annotation()->control_bits_are_synthetic ? "synthetic (the control flow of the trace)"
                                                         : "sidecar";
}

// Control bits in words: "stall 4, yield, results SB0, sources SB1, waits for SB2 SB3".
std::string control_text(const ControlBits& c) {
  std::string out = "stall " + std::to_string(c.stall);
  if (c.yield) out += ", yield";
  const auto barrier = [](unsigned b) { return " SB" + std::to_string(b); };
  if (c.write_barrier != no_barrier) out += ", results" + barrier(c.write_barrier);
  if (c.read_barrier != no_barrier) out += ", sources" + barrier(c.read_barrier);
  if (c.wait_mask != 0) out += ", waits for";
  for (const unsigned b : bits::each(c.wait_mask)) out += barrier(b);
  return out;
}

Json control_json(const StaticInstruction& s) {
  if (!s.controlled) return nullptr;
  const auto barrier = [](std::uint8_t b) { return b == no_barrier ? Json(nullptr) : Json(b); };
  Json waits = Json::array();
  for (const unsigned b : bits::each(s.control.wait_mask)) waits.push_back(b);
  return {{"stall", s.control.stall},
          {"yield", s.control.yield},
          {"write_barrier", barrier(s.control.write_barrier)},
          {"read_barrier", barrier(s.control.read_barrier)},
          {"waits", std::move(waits)}};
}

std::string near_bits_origin(const PassOptions& o) {
  const std::string store = " of a store of " + std::to_string(o.near_bits.store.entries) + " registers";
  switch (o.near_bits.source) {
    case NearBitsSource::none:
      return "none";
    case NearBitsSource::threshold:
      return "profiled over the first warps";
    case NearBitsSource::of_code:
      return "static," + store;
    case NearBitsSource::trained:
      return "trained on the first warps," + store;
    case NearBitsSource::of_file:
      return "of a file";
    case NearBitsSource::oracle:
      return "oracle," + store + ", a bit for each dynamic operand: not shown";
    case NearBitsSource::shared_oracle:
      return "oracle," + store + " of all warps, a bit for each dynamic operand: not shown";
    case NearBitsSource::precise:
      return "precise, a bit for each dynamic operand: not shown";
  }
  return {};
}

class Writer {
 public:
  Writer(const AnnotatedKernel& kernel, const PassOptions& options) : kernel_(kernel), options_(options) {}

  std::string text() const {
    std::string out = header_text();
    out += "   pc    instruction\n";
    for (const std::uint32_t i : ProgramOrder(kernel_.code()).instructions)
      out += instruction_text(kernel_.code().instructions[i]);
    return out;
  }

  Json json(std::uint64_t number) const {
    Json j = Json::object();
    j["kernel"] = number;
    j["name"] = kernel_.header().name;
    j["reuse_bits"] = near_bits_origin(options_);
    j["reuse_flags"] = reuse_flags_origin(kernel_);
    j["control_bits"] = control_bits_origin(kernel_);
    j["write_back"] = summary_json();
    j["strands"] = strands();
    j["intervals"] = kernel_.annotation()->working_sets.size();
    j["instructions"] = Json::array();
    for (const std::uint32_t i : ProgramOrder(kernel_.code()).instructions)
      j["instructions"].push_back(instruction_json(kernel_.code().instructions[i]));
    return j;
  }

 private:
  std::uint64_t strands() const {
    std::uint64_t count = 0;
    for (const Annotation& h : kernel_.annotation()->instructions) count += h.strand_start ? 1 : 0;
    return count;
  }

  std::string header_text() const {
    const WriteBackSummary& w = *kernel_.annotation()->write_back;
    const auto share = [](const char* label, const WriteBackCounts& c) {
      return formatted("    %-22s banks %5.1f %%  window %5.1f %%  both %5.1f %%  of %llu\n", label,
                       percent(c.banks_only, c.total()), percent(c.window_only, c.total()),
                       percent(c.both, c.total()), static_cast<unsigned long long>(c.total()));
    };
    std::string out = "Kernel " + kernel_.header().name + "\n";
    out += "  near/far bits: " + near_bits_origin(options_) + "\n";
    out += "  reuse flags: " + reuse_flags_origin(kernel_) + "\n";
    out += "  control bits: " + control_bits_origin(kernel_) + "\n";
    out +=
        "  all other hints: from the control flow of this trace; write-back hints are\n"
        "  profile-optimistic\n";
    out += formatted("  write-back, window of %u:\n", options_.write_back_window);
    out += share("destinations", w.destinations) + share("dynamic writes", w.writes);
    out += formatted("    %-22s %llu of the window-only destinations\n", "liveness doubts",
                     static_cast<unsigned long long>(w.unconfirmed));
    out += formatted("    %-22s %5.1f %% of %llu\n", "reads in the window", percent(w.window_reads, w.reads),
                     static_cast<unsigned long long>(w.reads));
    out += formatted("  %llu strands, ORF of %u, LRF of %u; %llu intervals of %u registers\n",
                     static_cast<unsigned long long>(strands()), options_.orf_entries, options_.lrf_entries,
                     static_cast<unsigned long long>(kernel_.annotation()->working_sets.size()),
                     options_.interval_registers);
    return out;
  }

  // Why an operand is near or far: "12/16" means that 12 of 16 executions were near. Empty without a vote.
  std::string vote_text(const StaticInstruction& s, unsigned operand) const {
    const ReuseProfile::Vote v = vote(s, operand);
    return v.near + v.far == 0 ? "" : formatted(" %u/%u", v.near, v.near + v.far);
  }
  ReuseProfile::Vote vote(const StaticInstruction& s, unsigned operand) const {
    const ReuseProfile* votes = kernel_.near_votes();
    return votes == nullptr ? ReuseProfile::Vote{} : votes->vote(s, operand);
  }
  Json operand_json(const StaticInstruction& s, Register r, bool is_near, unsigned operand) const {
    const ReuseProfile::Vote v = vote(s, operand);
    return {{"register", r}, {"near", is_near}, {"near_executions", v.near}, {"far_executions", v.far}};
  }

  // An instruction's annotations: "R4 near 4/4 window>orf1" for each destination, "R2 far dead <lrf0
  // keep:orf2" for each source.
  std::string instruction_text(const StaticInstruction& s) const {
    const Annotation& h = *s.annotation;
    std::string out = h.strand_start ? "   ---- strand\n" : "";
    out += formatted("   %04llx  %-20.40s interval %u (%zu)", static_cast<unsigned long long>(s.pc),
                     std::string(kernel_.code().opcode_name(s)).c_str(), h.interval, h.working_set->count());
    if (s.reuse_mask != 0) {
      out += "  reuse ";
      for (unsigned slot = 0; slot < operand_slots; ++slot)
        if (bit(s.reuse_mask, slot)) out += slot_names[slot];
    }
    out += '\n';
    if (s.controlled) out += "           " + control_text(s.control) + '\n';
    for (unsigned k = 0; k < s.destination_count; ++k) {
      out += formatted("           -> R%-3u %-4s%s to %-6s", s.destinations[k],
                       bit(s.destination_near, k) ? "near" : "far", vote_text(s, max_sources + k).c_str(),
                       write_back_name(h, k));
      out += "  " + place_name(h.write_to[k]);
      if (h.write_to[k].level != OperandLevel::mrf && bit(h.write_banks, k)) out += "+mrf";
      out += '\n';
    }
    for (unsigned k = 0; k < s.source_count; ++k) {
      out +=
          formatted("           <- R%-3u %-4s%s %-9s", s.sources[k], bit(s.source_near, k) ? "near" : "far",
                    vote_text(s, k).c_str(), bit(h.last_use, k) ? "dead" : "");
      out += "  " + place_name(h.read_from[k]);
      if (bit(h.keep_source, k)) out += ", kept in orf" + std::to_string(h.keep_entry[k]);
      out += '\n';
    }
    return out;
  }

  static Json counts_json(const WriteBackCounts& c) {
    return {{"banks_only", c.banks_only}, {"window_only", c.window_only}, {"both", c.both}};
  }
  Json summary_json() const {
    const WriteBackSummary& w = *kernel_.annotation()->write_back;
    return {{"origin", "profile-optimistic"},
            {"window", options_.write_back_window},
            {"window_ends_at_taken_branch", options_.window_ends_at_taken_branch},
            {"destinations", counts_json(w.destinations)},
            {"writes", counts_json(w.writes)},
            {"unconfirmed", w.unconfirmed},
            {"reads", w.reads},
            {"window_reads", w.window_reads}};
  }

  Json instruction_json(const StaticInstruction& s) const {
    const Annotation& h = *s.annotation;
    Json j = Json::object();
    j["pc"] = s.pc;
    j["opcode"] = kernel_.code().opcode_name(s);
    j["strand_start"] = h.strand_start;
    j["interval"] = h.interval;
    j["working_set"] = Json::array();
    for (unsigned r = 0; r < h.working_set->size(); ++r)
      if (h.working_set->test(r)) j["working_set"].push_back(r);
    j["live_in"] = Json::array();
    for (unsigned r = 0; r < h.live_in.size(); ++r)
      if (h.live_in.test(r)) j["live_in"].push_back(r);
    j["reuse_mask"] = s.reuse_mask;
    j["control"] = control_json(s);
    j["destinations"] = Json::array();
    for (unsigned k = 0; k < s.destination_count; ++k) {
      Json o = operand_json(s, s.destinations[k], bit(s.destination_near, k), max_sources + k);
      o.update({{"write_back", write_back_name(h, k)},
                {"level", place_name(h.write_to[k])},
                {"banks", bit(h.write_banks, k)}});
      j["destinations"].push_back(std::move(o));
    }
    j["sources"] = Json::array();
    for (unsigned k = 0; k < s.source_count; ++k) {
      Json o = operand_json(s, s.sources[k], bit(s.source_near, k), k);
      o.update({{"dead", bit(h.last_use, k)}, {"level", place_name(h.read_from[k])}});
      j["sources"].push_back(std::move(o));
      if (bit(h.keep_source, k)) j["sources"].back()["keep"] = "orf" + std::to_string(h.keep_entry[k]);
    }
    return j;
  }

  const AnnotatedKernel& kernel_;
  const PassOptions& options_;
};

}  // namespace

AnnotatedTrace annotate(const TraceProgram& program, const AnnotateRequest& request,
                        const ProgressCallback& progress) {
  PassOptions options = request.options;
  options.write_back = options.dead = options.liveness = options.strands = options.intervals = true;
  if (options.control_bits == ControlBitsSource::sidecar) options.control_bits = ControlBitsSource::automatic;
  const std::size_t count = program.kernels.size();
  if (request.kernel) require_kernel(program, *request.kernel);
  const std::size_t first = request.kernel ? *request.kernel - 1 : 0;
  const std::size_t end = request.kernel ? *request.kernel : count;
  AnnotatedTrace result;
  Json kernels = Json::array();
  for (std::size_t k = first; k < end; ++k) {
    if (progress) progress(static_cast<double>(k - first) / static_cast<double>(end - first));
    const AnnotatedKernel kernel(program.kernels[k], request.operands, options);
    const Writer writer(kernel, options);
    if (k != first) result.text += '\n';
    result.text += writer.text();
    kernels.push_back(writer.json(k + 1));
  }
  if (progress) progress(1.0);
  result.json = json_text({{"trace", program.name}, {"kernels", std::move(kernels)}});
  return result;
}

}  // namespace subcore
