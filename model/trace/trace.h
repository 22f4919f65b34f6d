// Warp-instruction traces as Accel-Sim writes them (trace-format of version 1 to 6), or packed, read kernel
// by kernel and CTA by CTA: no more of a file is in memory than the CTAs that somebody holds, or a packed
// block.
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

// A trace that cannot be read. what() is one line: `file:line: problem; expected ...`, or what names the
// place in a packed file.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// How many registers a traced tensor operand stands for when only the first is named.
enum class TensorOperands : std::uint8_t { x2, exact, named };

constexpr std::array<std::string_view, 3> names(TensorOperands) {
  return {"x2", "exact", "named"};
}

// The way of SHFL: through the integer unit, as in the simulators of the papers, or through the load/store
// unit. A compiler that manages barriers counts on the second: memory instructions read their sources in
// order.
enum class ShufflePath : std::uint8_t { integer, load_store };

constexpr std::array<std::string_view, 2> names(ShufflePath) {
  return {"integer", "load_store"};
}

// Options that say what counts as an operand (operands.*).
struct OperandOptions {
  TensorOperands tensor = TensorOperands::x2;
  bool count_rz = false;              // RZ counts as an operand (like the papers' simulator)
  bool use_sidecar = true;            // take exact widths from kernel-N.sass[.xz|.gz] when it is there
  bool count_predicated_off = false;  // operands of instructions without an active lane count
  // Predicates order instructions like registers, as far as a sidecar names them, or else the trace; and so
  // do uniform registers and predicates that the trace names (tracer version 6).
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

// In order of first appearance. Addresses are stable, and a player finds each by its number without the
// divisions of a deque.
using StaticInstructions =
    boost::container::stable_vector<StaticInstruction, std::allocator<StaticInstruction>>;

// The static instructions of one kernel.
struct CodeTable {
  StaticInstructions instructions;
  std::vector<std::string> opcode_names;
  std::map<std::string, std::uint64_t>
      unknown_opcodes;  // opcode -> static instructions run with its family's class
  // Static instructions, by opcode, whose results are other registers by the sidecar than by the table of
  // opcodes. No such opcode is known.
  std::map<std::string, std::uint64_t> sidecar_results;
  std::string_view opcode_name(const StaticInstruction& s) const { return opcode_names[s.opcode]; }
};

// The size of the window of shared or local addresses, in bytes.
inline constexpr std::uint64_t address_window_bytes = std::uint64_t{16} << 20;
// The memory that a generic access really reaches: shared or local memory when the address lies in the 16 MiB
// window that starts at the header's base (0 = no window), global memory otherwise. Other spaces are returned
// as given.
MemorySpace resolve_space(const KernelHeader& header, MemorySpace space, std::uint64_t address);

// One dynamic instruction of a warp in its shortest form. It has an encoded access in the warp's `addresses`
// iff its static instruction has memory_bytes != 0 and mask != 0.
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
  std::uint32_t number = 0;   // among the kernel's warps, in the order of the trace (AnnotatedKernel)
  std::uint32_t lanes = ~0u;  // lanes at first: the last warp of a CTA may have fewer threads than lanes
  std::vector<TraceRecord> records;
  std::vector<std::uint8_t> addresses;  // encoded accesses of the memory records, in order (addresses.h)
  // Of each instruction that has a record and ran in some lane, in order; empty of older tracers' traces.
  std::vector<AsyncRecord> async;
  std::vector<std::uint64_t> bulk_addresses;  // global addresses of the bulk copies
  std::uint32_t warpgroup_warps = 0;  // of its warpgroup, that the CTA has and that run; 0 = not known
  // Precise reuse bits, only when near bits are precise: per record, sources in the first max_sources bits,
  // destinations in the next ones.
  std::vector<NearBits> near;
};

// The warps of one CTA.
struct CtaTrace {
  Dim3 id{0, 0, 0};
  std::vector<WarpTrace> warps;  // in ascending warp id; a trace may leave warps out
};

// The lanes that are left of a warp's `lanes` behind one of its instructions. EXIT is recorded with the mask
// of those that go. A lane that a trace lets run on all the same has not gone.
inline std::uint32_t lanes_left(std::uint32_t lanes, const StaticInstruction& s, std::uint32_t mask) {
  return s.kind == InstructionKind::exit ? lanes & ~mask : lanes | mask;
}

class KernelSource;

// One kernel's trace file, text or packed. Where the process has a cache (trace_cache.h) with a packed copy
// of the text, that is read; but for bytes_read() and index(), nothing tells the difference. Throws
// TraceError on anything malformed, at the point where it is met.
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
  // Reads the next CTA into `cta` (its storage is reused); false at the end of the file.
  bool next(CtaTrace& cta);
  // Starts again with the first CTA. Static instructions keep their index, and there will be no new ones
  // when the file has been read to its end and is the same.
  void rewind();
  // The kernel's CTAs before they are read; null where only reading them tells: cta_index() does that.
  const CtaIndex* index() const;
  // CTA `cta` is next, in the order of the file and counted from 0; beyond the last, there is none. Code has
  // the instructions of the CTAs before it, too, as if they had been read. With an index, little is unpacked;
  // without one, the CTAs before are read.
  void seek(std::uint64_t cta);
  // Compressed bytes consumed so far and in all, for progress.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_total() const;

 private:
  [[noreturn]] void fail_as_text() const;

  const std::filesystem::path file_;
  const OperandOptions options_;
  std::filesystem::path copy_;  // that is read instead of the file; empty: none
  std::unique_ptr<KernelSource> source_;
};

// The CTAs of a kernel that run, by their places in its trace, from 0: those of [first, end), and those from
// `tail` on. The others are left out.
struct KernelPart {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t first = 0, end = none, tail = none;
  std::uint64_t wave = 0;  // CTAs of a wave, whenever so many have been sent the run is looked at; 0 = never

  // The first CTA that runs, from place `n` on; none = there is no more.
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
  bool is_named = false;                       // by whoever gave the path, not by its folder
  std::vector<std::filesystem::path> kernels;  // every file exists
  std::vector<std::string> skipped_commands;   // unknown lines of kernelslist.g, for a note
  std::vector<KernelPart> parts;               // of each of `kernels`; empty: all of them run whole
  std::string selection;                       // "kernel 2 of 5" if the others were left out
  std::string selection_name;                  // the same as a part of a name: "kernel=2"
  std::string sample;  // of a sampled run, all that decides its estimates and is not in `kernels` and `parts`
  // A file of IssueOrderWriter (model/passes/issue_order.h) about an earlier run; empty: none. Only near bits
  // of the kind shared_oracle ask for it.
  std::filesystem::path issue_order;
};

// `path` is a folder with a kernelslist.g, a folder with one such folder below it, that file itself, or a
// single trace file. A kernelslist that names a missing file is an error with its line. The name is the
// folder's. APPLICATION/ARGUMENTS/traces, as Accel-Sim's tracer makes it, is called by the application, as
// far as arguments can be told from the name of any other folder, and FOLDER/traces by that folder.
TraceProgram open_trace(const std::filesystem::path& path);
// The binary version that the trace's first kernel states; 0 if it states none, or cannot be read.
std::uint32_t binary_version_of(const TraceProgram& program);

// A path, and the name that the one trace there gets; empty: that of its folder.
struct TracePath {
  std::filesystem::path path;
  std::string name;
};
// Throws TraceError for a name that cannot name a folder of results.
void require_trace_name(const std::string& name);
// Takes NAME=PATH apart, unless something is there whose path has that '='. Throws likewise.
TracePath trace_path(const std::string& text);
// The trace of the path, under the path's name if it gives one.
TraceProgram open_trace(const TracePath& path);

// The traces of several paths, each of which may have several such folders below it (in the order of their
// paths). A trace given twice is an error.
std::vector<TraceProgram> open_traces(const std::vector<TracePath>& paths);
// Gives each that has no name of its own, as open_traces() has done, the name of its folder, longer by as
// many folders above it as tell it apart: APPLICATION/ARGUMENTS, then components before it, separated by '/'.
// Throws TraceError for two in one folder, or of one given name.
void name_apart(std::vector<TraceProgram>& programs);

// Throws TraceError if the program has no such kernel, by its place in the list, from 1.
void require_kernel(const TraceProgram& program, std::uint64_t kernel);
// Leaves out all other kernels.
void keep_kernel(TraceProgram& program, std::uint64_t kernel);
// Leaves out all kernels but those that `text` names: a place in the list ("3", from 1), places ("2:5", "4:"
// to the last one), or a pattern of names with * and ? ("gemm*"). Throws TraceError if it names none.
void keep_kernels(TraceProgram& program, const std::string& text);
// Leaves out the CTAs of every kernel but those of places [first, last] in its trace, from 1.
void keep_ctas(TraceProgram& program, std::uint64_t first, std::uint64_t last);

}  // namespace subcore
