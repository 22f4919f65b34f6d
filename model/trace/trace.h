// Warp-instruction traces as Accel-Sim writes them (trace-format of version 1 to 6), or packed. Traces are
// read kernel by kernel and CTA by CTA. Memory holds only the CTAs that are in use, or a packed block.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/stable_vector.hpp>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/trace/cta_index.h"

namespace subcore {

// A trace that cannot be read. The message is one line: `file:line: problem; expected ...`, or with the place
// in a packed file.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How many registers a traced tensor operand stands for, if only the first is named.
enum class TensorOperands : std::uint8_t { x2, exact, named };

constexpr std::array<std::string_view, 3> names(TensorOperands) {
  return {"x2", "exact", "named"};
}

// The path of SHFL: through the integer unit, as in the simulators of the papers, or through the load/store
// unit. A compiler that manages barriers counts on the load/store unit, because memory instructions read
// their sources in order.
enum class ShufflePath : std::uint8_t { integer, load_store };

constexpr std::array<std::string_view, 2> names(ShufflePath) {
  return {"integer", "load_store"};
}

// Options that decide what counts as an operand (operands.*).
struct OperandOptions {
  TensorOperands tensor = TensorOperands::x2;
  bool count_rz = false;              // RZ counts as an operand (as in the papers' simulator)
  bool use_sidecar = true;            // exact widths come from kernel-N.sass[.xz|.gz] if it is there
  bool count_predicated_off = false;  // operands of instructions without an active lane count
  // Predicates order instructions as registers do, if a sidecar or else the trace names them. So do uniform
  // registers and predicates that the trace names (tracer version 6).
  bool predicates = false;
  ShufflePath shuffles = ShufflePath::integer;
};

// Threads of a CTA, CTAs of a grid, or the place of one of them.
struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

// The header of a kernel's trace.
struct KernelHeader {
  std::string name;
  std::uint64_t id = 0;
  Dim3 grid, block;
  std::uint32_t shared_memory_bytes = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t binary_version = 0;  // 60..121; 0 = not given
  std::uint64_t stream = 0;
  std::uint64_t shared_base = 0, local_base = 0;
  std::uint32_t tracer_version = 0;
  bool line_info = false;
  // The lanes that have a thread in warp `warp` of a CTA.
  std::uint32_t lanes_of(std::uint32_t warp) const {
    const std::uint64_t before = std::uint64_t{warp} * warp_lanes, threads = block.count();
    if (threads >= before + warp_lanes) return ~0u;
    return threads <= before ? 0u : (1u << (threads - before)) - 1;
  }
  std::uint32_t warps_per_cta() const {
    return static_cast<std::uint32_t>((block.count() + warp_lanes - 1) / warp_lanes);
  }
};

// Static instructions in order of first appearance. Addresses are stable, and a player finds each by its
// number without the divisions of a deque.
using StaticInstructions =
    boost::container::stable_vector<StaticInstruction, std::allocator<StaticInstruction>>;

// The static instructions of one kernel.
struct CodeTable {
  StaticInstructions instructions;
  std::vector<std::string> opcode_names;
  std::map<std::string, std::uint64_t>
      unknown_opcodes;  // opcode -> static instructions that run with the class of its family
  // By opcode: the static instructions whose results are other registers by the sidecar than by the table of
  // opcodes. No such opcode is known.
  std::map<std::string, std::uint64_t> sidecar_results;
  std::string_view opcode_name(const StaticInstruction& s) const { return opcode_names[s.opcode]; }
};

// The size of the window of shared or local addresses, in bytes.
inline constexpr std::uint64_t address_window_bytes = std::uint64_t{16} << 20;
// The memory that a generic access really reaches. If the address lies in the 16 MiB window that starts at
// the header's base (0 = no window), it is shared or local memory, else global memory. Other spaces are
// returned unchanged.
MemorySpace resolve_space(const KernelHeader& header, MemorySpace space, std::uint64_t address);

// One dynamic instruction of a warp in its shortest form. The instruction has an encoded access in the warp's
// `addresses` if its static instruction has memory_bytes != 0 and mask != 0, and only then.
struct TraceRecord {
  std::uint32_t code;  // index into CodeTable::instructions
  std::uint32_t mask;  // active lanes and predicate
};

// Near bits of an instruction's operands.
using NearBits = std::uint64_t;
static_assert(max_sources + max_destinations <= 8 * sizeof(NearBits));

// All instructions of one warp, in program order.
struct WarpTrace {
  std::uint32_t warp = 0;     // warp id in the CTA
  std::uint32_t number = 0;   // number among the kernel's warps, in the order of the trace (AnnotatedKernel)
  std::uint32_t lanes = ~0u;  // lanes at the start: the last warp of a CTA may have fewer threads than lanes
  std::vector<TraceRecord> records;
  std::vector<std::uint8_t> addresses;  // encoded accesses of the memory records, in order (addresses.h)
  // A record for each instruction that has one and ran in some lane, in order. Empty for traces of older
  // tracers.
  std::vector<AsyncRecord> async;
  std::vector<std::uint64_t> bulk_addresses;  // global addresses of the bulk copies
  std::uint32_t warpgroup_warps = 0;          // running warps of its warpgroup in the CTA; 0 = not known
  // Dynamic near bits, if the platform asks for them. By record: sources in the first max_sources bits,
  // destinations in the next ones.
  std::vector<NearBits> near;
};

// The warps of one CTA.
struct CtaTrace {
  Dim3 id{0, 0, 0};
  std::vector<WarpTrace> warps;  // in ascending warp id; a trace may leave warps out
};

// The lanes of a warp's `lanes` that are left behind one of its instructions. EXIT is recorded with the mask
// of the lanes that end. A lane that runs on in the trace has not ended.
inline std::uint32_t lanes_left(std::uint32_t lanes, const StaticInstruction& s, std::uint32_t mask) {
  return s.kind == InstructionKind::exit ? lanes & ~mask : lanes | mask;
}

class KernelSource;

// One kernel's trace file, text or packed. If the process has a cache (trace_cache.h) with a packed copy of
// the text, the copy is read. Only bytes_read() and index() show the difference. Throws TraceError for
// anything malformed, where it is met.
class KernelReader {
 public:
  KernelReader(const std::filesystem::path& file, const OperandOptions& options);
  ~KernelReader();
  KernelReader(const KernelReader&) = delete;
  KernelReader& operator=(const KernelReader&) = delete;

  const KernelHeader& header() const;
  CodeTable& code();
  const CodeTable& code() const;
  bool has_sidecar() const;
  // Reads the next CTA into `cta`, whose storage is reused. False at the end of the file.
  bool next(CtaTrace& cta);
  // Starts again with the first CTA. Static instructions keep their index. If the file was read to its end
  // and has not changed, there will be no new ones.
  void rewind();
  // The kernel's CTAs before they are read. Null if they are known only by reading them, as cta_index() does.
  const CtaIndex* index() const;
  // Makes CTA `cta` the next one, in the order of the file and counted from 0. Beyond the last there is none.
  // The code then also has the instructions of the CTAs before it, as if they had been read. With an index,
  // little is unpacked. Without one, the CTAs before are read.
  void seek(std::uint64_t cta);
  // Compressed bytes consumed so far and in all, for progress.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_total() const;

 private:
  [[noreturn]] void fail_as_text() const;

  const std::filesystem::path file_;
  const OperandOptions options_;
  std::filesystem::path copy_;  // read instead of the file; empty: none
  std::unique_ptr<KernelSource> source_;
};

// The CTAs of a kernel that run, by their places in its trace, counted from 0: the CTAs of [first, end), and
// those from `tail` on. The others are left out.
struct KernelPart {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t first = 0, end = none, tail = none;
  std::uint64_t wave = 0;  // CTAs of a wave; the run is measured whenever so many have been sent; 0 = never

  // The first CTA, from place `n` on, that runs; none = there are no more.
  std::uint64_t next(std::uint64_t n) const {
    if (n < first) return first;
    if (n < end) return n;
    return tail == none ? none : n < tail ? tail : n;
  }
  bool is_whole() const { return first == 0 && (end == none || tail <= end); }
};

// The kernels of a trace folder, in the order of its kernelslist.g.
struct TraceProgram {
  std::filesystem::path folder;
  std::string name;                            // for reports (open_trace)
  bool is_named = false;                       // a user gave the name, and not the folder
  std::vector<std::filesystem::path> kernels;  // every file exists
  std::vector<std::string> skipped_commands;   // unknown lines of kernelslist.g, for a note
  std::vector<KernelPart> parts;               // by kernel; empty: all kernels run whole
  std::string selection;                       // "kernel 2 of 5" if other kernels were left out
  std::string selection_name;                  // the same as a part of a name: "kernel=2"
  std::string sample;  // of a sampled run: all that decides its estimates beside `kernels` and `parts`
  // A file of IssueOrderWriter (model/passes/issue_order.h) from an earlier run. Empty: none. Only near bits
  // of the kind shared_oracle need it.
  std::filesystem::path issue_order;
};

// Opens a trace. `path` is a folder with a kernelslist.g, a folder with one such folder below it, that file
// itself, or a single trace file. A kernelslist that names a missing file is an error with its line. The name
// is the folder's, with two exceptions. APPLICATION/ARGUMENTS/traces, as Accel-Sim's tracer makes it, has the
// application's name, if ARGUMENTS can be told from another folder's name. FOLDER/traces has that folder's
// name.
TraceProgram open_trace(const std::filesystem::path& path);
// The binary version in the trace's first kernel. 0 if the kernel has none, or cannot be read.
std::uint32_t binary_version_of(const TraceProgram& program);

// A path, and the name for the one trace there. An empty name: the folder's.
struct TracePath {
  std::filesystem::path path;
  std::string name;
};
// Throws TraceError for a name that cannot name a folder of results.
void require_trace_name(const std::string& name);
// Splits NAME=PATH, unless a file or folder exists whose path has that '='. Throws as require_trace_name()
// does.
TracePath trace_path(const std::string& text);
// The trace of the path, under the path's name if it gives one.
TraceProgram open_trace(const TracePath& path);

// The traces of several paths. Each path may have several such folders below it, which come in the order of
// their paths. A trace that is given twice is an error.
std::vector<TraceProgram> open_traces(const std::vector<TracePath>& paths);
// Gives each trace without a name of its own, as open_traces() does, the name of its folder. The name gets as
// many folders above it as distinguish the traces: APPLICATION/ARGUMENTS, then components before it,
// separated by '/'. Throws TraceError for two traces in one folder, or with the same given name.
void name_apart(std::vector<TraceProgram>& programs);

// Throws TraceError if the program has no such kernel. `kernel` is its place in the list, from 1.
void require_kernel(const TraceProgram& program, std::uint64_t kernel);
// Leaves out all other kernels.
void keep_kernel(TraceProgram& program, std::uint64_t kernel);
// Leaves out all kernels but those that `text` names. `text` is a place in the list ("3", from 1), places
// ("2:5", or "4:" to the last), or a pattern of names with * and ? ("gemm*"). Throws TraceError if it names
// none.
void keep_kernels(TraceProgram& program, const std::string& text);
// Leaves out the CTAs of every kernel except those of places [first, last] in its trace, from 1.
void keep_ctas(TraceProgram& program, std::uint64_t first, std::uint64_t last);

}  // namespace subcore
