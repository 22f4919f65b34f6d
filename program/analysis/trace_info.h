// The contents of a trace that matter to a sub-core, for choosing traces and for checking that two readers
// see the same program.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "subcore/model/passes/reuse.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

inline constexpr std::size_t memory_space_count = 6;

struct TraceInfo {
  std::string name;
  std::uint64_t kernels = 0, ctas = 0, warps = 0;
  std::uint64_t missing_warps = 0;  // warps that the blocks lack
  std::uint64_t kernels_with_sidecar = 0;
  std::uint64_t skipped_commands = 0;  // lines of the kernel list that are neither kernels nor copies
  std::uint64_t instructions = 0;      // warp instructions, predicated off or not
  std::uint64_t predicated_off = 0;
  std::uint64_t static_instructions = 0;
  std::array<std::uint64_t, execution_class_count> by_class{};
  std::map<std::string, std::uint64_t> by_opcode;
  // Register accesses after normalisation. An instruction that is predicated off touches no register.
  std::uint64_t register_reads = 0, register_writes = 0, duplicate_sources = 0;
  std::array<std::uint64_t, memory_space_count> memory_by_space{};  // accesses; the first lane decides the
                                                                    // space of generic ones
  std::map<std::string, std::uint64_t> unknown_opcodes;             // static instructions
  std::map<std::string, std::uint64_t> sidecar_results;             // static instructions; see CodeTable
  unsigned max_sources = 0;  // the most sources of an instruction that ran
  std::array<std::uint64_t, subcore::max_sources + 1>
      by_sources{};  // instructions by the number of sources that they read
  ReuseHistogram reuse;
};

// A function that is called every now and then with the share of the trace's file bytes that is done, 0 to 1.
using ProgressCallback = std::function<void(double)>;

TraceInfo collect_trace_info(const TraceProgram& program, const OperandOptions& options,
                             const ProgressCallback& progress = {});
std::string trace_info_text(const TraceInfo& info);
std::string trace_info_json(const TraceInfo& info);

}  // namespace subcore
