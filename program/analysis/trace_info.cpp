#include "subcore/program/analysis/trace_info.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/base/formatted.h"
#include "subcore/base/json_text.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/trace_cache.h"

namespace subcore {
namespace {

constexpr std::array<const char*, memory_space_count> space_names = {"none",  "global",   "shared",
                                                                     "local", "constant", "generic"};

void count_warp(const WarpTrace& warp, const KernelReader& reader, std::vector<std::uint64_t>& runs,
                TraceInfo& info) {
  const CodeTable& code = reader.code();
  runs.resize(code.instructions.size());
  std::size_t at = 0;  // place in the warp's encoded accesses
  LaneAddresses lanes;
  for (const TraceRecord& record : warp.records) {
    const StaticInstruction& s = code.instructions[record.code];
    ++runs[record.code];
    const bool touches = touches_operands(s, record.mask);
    ++info.by_sources[touches ? s.source_count : 0];
    if (touches) {
      info.register_reads += s.source_count;
      info.register_writes += s.destination_count;
      info.duplicate_sources += s.duplicate_sources;
      info.max_sources = std::max<unsigned>(info.max_sources, s.source_count);
    }
    if (record.mask == 0) {
      ++info.predicated_off;
      continue;
    }
    if (s.kind != InstructionKind::load && s.kind != InstructionKind::store &&
        s.kind != InstructionKind::atomic)
      continue;
    MemorySpace space = s.space;
    if (s.memory_bytes != 0) {
      const std::uint8_t* encoded = warp.addresses.data() + at;
      at += encoded_size(encoded);
      if (space == MemorySpace::generic) {
        decode_addresses(encoded, record.mask, lanes);
        space = resolve_space(reader.header(), space, lanes.address[bits::lowest(record.mask)]);
      }
    }
    ++info.memory_by_space[static_cast<std::size_t>(space)];
  }
}

void add_code(const CodeTable& code, const std::vector<std::uint64_t>& runs, TraceInfo& info) {
  info.static_instructions += code.instructions.size();
  for (const StaticInstruction& s : code.instructions) {
    const std::uint64_t n = s.index < runs.size() ? runs[s.index] : 0;
    info.instructions += n;
    info.by_class[static_cast<std::size_t>(s.execution)] += n;
    info.by_opcode[std::string(code.opcode_name(s))] += n;
  }
  for (const auto& [opcode, n] : code.unknown_opcodes) info.unknown_opcodes[opcode] += n;
  for (const auto& [opcode, n] : code.sidecar_results) info.sidecar_results[opcode] += n;
}

// The counts, the most frequent first. Equal counts are ordered by name, so that they keep their places.
std::vector<std::pair<std::string, std::uint64_t>> by_frequency(
    const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

void print_count(std::string& out, const char* label, std::uint64_t n) {
  print(out, "  %-24s %14llu\n", label, static_cast<unsigned long long>(n));
}

void print_share(std::string& out, const std::string& label, std::uint64_t n, std::uint64_t whole) {
  print(out, "  %-24.48s %14llu  %5.1f %%\n", label.c_str(), static_cast<unsigned long long>(n),
        percent(n, whole));
}

void print_histogram(std::string& out, const ReuseHistogram& reuse) {
  struct Band {
    unsigned low, high;
    const char* label;
  };
  constexpr Band bands[] = {{0, 1, "1"},     {2, 2, "2"},       {3, 3, "3"},       {4, 6, "4-6"},
                            {7, 10, "7-10"}, {11, 20, "11-20"}, {21, 31, "21-31"}, {32, 32, "32 or more"}};
  const std::uint64_t all = reuse.total();
  out += "\nReuse distance (instructions from a register's use to its next read)\n";
  for (const Band& band : bands) {
    std::uint64_t n = 0;
    for (unsigned d = band.low; d <= band.high; ++d) n += reuse.reuses[d];
    const double share = percent(n, all);
    print(out, "  %-12s %14llu  %5.1f %%  ", band.label, static_cast<unsigned long long>(n), share);
    out.append(static_cast<std::size_t>(share / 2 + 0.5), '#');
    out += '\n';
  }
  print(out, "  beyond 3: %.1f %%   beyond 10: %.1f %%   never read again: %llu\n",
        100 * reuse.share_beyond(3), 100 * reuse.share_beyond(10),
        static_cast<unsigned long long>(reuse.never));
}

}  // namespace

TraceInfo collect_trace_info(const TraceProgram& program, const OperandOptions& options,
                             const ProgressCallback& progress) {
  TraceInfo info;
  info.name = program.name;
  info.skipped_commands = program.skipped_commands.size();
  double total = 0, done = 0;
  for (const auto& file : program.kernels) total += static_cast<double>(std::filesystem::file_size(file));
  const auto report = [&](double bytes) {
    if (progress) progress(total > 0 ? std::min(1.0, bytes / total) : 1.0);
  };
  CtaTrace cta;
  for (const auto& file : program.kernels) {
    keep_copy(file);
    KernelReader reader(file, options);
    std::vector<std::uint64_t> runs;
    ++info.kernels;
    info.kernels_with_sidecar += reader.has_sidecar() ? 1 : 0;
    while (reader.next(cta)) {
      ++info.ctas;
      info.warps += cta.warps.size();
      info.missing_warps += reader.header().warps_per_cta() - cta.warps.size();
      for (const WarpTrace& warp : cta.warps) {
        count_warp(warp, reader, runs, info);
        info.reuse.add(warp, reader.code());
      }
      if (info.ctas % 64 == 0) report(done + static_cast<double>(reader.bytes_read()));
    }
    add_code(reader.code(), runs, info);
    done += static_cast<double>(reader.bytes_total());
    report(done);
  }
  return info;
}

std::string trace_info_text(const TraceInfo& info) {
  std::string out = "Trace " + info.name + "\n";
  print_count(out, "kernels", info.kernels);
  print_count(out, "  with sidecar", info.kernels_with_sidecar);
  print_count(out, "thread blocks", info.ctas);
  print_count(out, "warps", info.warps);
  if (info.missing_warps) print_count(out, "warps left out", info.missing_warps);
  print_count(out, "static instructions", info.static_instructions);
  print_count(out, "warp instructions", info.instructions);
  print_share(out, "  predicated off", info.predicated_off, info.instructions);
  if (info.skipped_commands) print_count(out, "skipped list commands", info.skipped_commands);

  out += "\nRegister operands (after normalisation)\n";
  print_count(out, "reads", info.register_reads);
  print_count(out, "writes", info.register_writes);
  print_count(out, "duplicate sources", info.duplicate_sources);
  print_count(out, "most sources at once", info.max_sources);

  out += "\nInstructions by execution class\n";
  for (std::size_t c = 0; c < execution_class_count; ++c)
    if (info.by_class[c])
      print_share(out, std::string(name(static_cast<ExecutionClass>(c))), info.by_class[c],
                  info.instructions);

  std::uint64_t accesses = 0;
  for (const std::uint64_t n : info.memory_by_space) accesses += n;
  out += "\nMemory instructions by space\n";
  for (std::size_t s = 0; s < memory_space_count; ++s)
    if (info.memory_by_space[s]) print_share(out, space_names[s], info.memory_by_space[s], accesses);

  constexpr std::size_t listed = 20;
  const auto opcodes = by_frequency(info.by_opcode);
  out += "\nInstructions by opcode\n";
  for (std::size_t i = 0; i < std::min(listed, opcodes.size()); ++i)
    print_share(out, opcodes[i].first, opcodes[i].second, info.instructions);
  if (opcodes.size() > listed) {
    std::uint64_t rest = 0;
    for (std::size_t i = listed; i < opcodes.size(); ++i) rest += opcodes[i].second;
    print_share(out, std::to_string(opcodes.size() - listed) + " others", rest, info.instructions);
  }
  if (!info.unknown_opcodes.empty()) {
    out += "\nUnknown opcodes, run with the class of their family (static instructions)\n";
    for (const auto& [opcode, n] : by_frequency(info.unknown_opcodes)) print_count(out, opcode.c_str(), n);
  }
  if (!info.sidecar_results.empty()) {
    out += "\nResults that only the sidecar distinguishes from sources (static instructions)\n";
    for (const auto& [opcode, n] : by_frequency(info.sidecar_results)) print_count(out, opcode.c_str(), n);
  }
  print_histogram(out, info.reuse);
  return out;
}

std::string trace_info_json(const TraceInfo& info) {
  using Json = nlohmann::ordered_json;
  Json j = Json::object();
  j["trace"] = info.name;
  j["kernels"] = info.kernels;
  j["kernels_with_sidecar"] = info.kernels_with_sidecar;
  j["skipped_commands"] = info.skipped_commands;
  j["ctas"] = info.ctas;
  j["warps"] = info.warps;
  j["missing_warps"] = info.missing_warps;
  j["static_instructions"] = info.static_instructions;
  j["instructions"] = info.instructions;
  j["predicated_off"] = info.predicated_off;
  j["register_reads"] = info.register_reads;
  j["register_writes"] = info.register_writes;
  j["duplicate_sources"] = info.duplicate_sources;
  j["max_sources"] = info.max_sources;
  for (std::size_t c = 0; c < execution_class_count; ++c)
    object_in(j, "instructions_by_class")[std::string(name(static_cast<ExecutionClass>(c)))] =
        info.by_class[c];
  for (std::size_t s = 1; s < memory_space_count; ++s)
    object_in(j, "memory_by_space")[space_names[s]] = info.memory_by_space[s];
  j["instructions_by_opcode"] = Json::object();
  for (const auto& [opcode, n] : by_frequency(info.by_opcode)) j["instructions_by_opcode"][opcode] = n;
  j["unknown_opcodes"] = Json::object();
  for (const auto& [opcode, n] : info.unknown_opcodes) j["unknown_opcodes"][opcode] = n;
  j["sidecar_results"] = Json::object();
  for (const auto& [opcode, n] : info.sidecar_results) j["sidecar_results"][opcode] = n;
  Json& reuse = object_in(j, "reuse");
  reuse["distances"] = info.reuse.reuses;  // index = distance; the last one counts 32 or more
  reuse["total"] = info.reuse.total();
  reuse["never"] = info.reuse.never;
  reuse["share_beyond_3"] = info.reuse.share_beyond(3);
  reuse["share_beyond_10"] = info.reuse.share_beyond(10);
  return json_text(j);
}

}  // namespace subcore
