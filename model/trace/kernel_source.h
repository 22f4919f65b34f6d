// Readers of one kernel's trace file: of its text, and of its packed form. Both fill a KernelBody.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <optional>

#include "subcore/model/trace/cta_index.h"
#include "subcore/model/trace/instruction_table.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// A kernel as far as it has been read, and the checks that hold however it is written down.
class KernelBody {
 public:
  KernelBody(const std::filesystem::path& file, const OperandOptions& options, const KernelHeader& header,
             std::optional<Sidecar> sidecar);
  KernelBody(const KernelBody&) = delete;
  KernelBody& operator=(const KernelBody&) = delete;

  const std::filesystem::path path;
  const KernelHeader header;
  CodeTable code;
  const std::optional<Sidecar> sidecar;
  InstructionTable table;
  // What a line may have: a file that does not tell its version gets the benefit of the doubt.
  const LineForm form;

  // A thread block begins (`as_written` in messages), a thread block ends, or the last one has ended. Each
  // fails by way of `place` if that cannot be.
  void begin_cta(const TracePosition& position, const Dim3& id, std::string_view as_written);
  void end_cta(CtaTrace& cta, std::size_t warps);
  void end(const TracePosition& position) const;
  // Begins a warp of the current thread block, the `used`-th that is read; its records and addresses are left
  // to the caller.
  WarpTrace& begin_warp(const TracePosition& position, CtaTrace& cta, std::size_t used, std::uint32_t warp);
  // CTA `cta` will be the next one: those before are taken to be there.
  void seek(std::uint64_t cta);

 private:
  std::uint64_t ctas_ = 0;
  std::vector<bool> seen_ctas_;
  std::uint64_t seen_warps_ = 0;  // warps of the current CTA, which has 32 at most
};

class KernelSource {
 public:
  virtual ~KernelSource() = default;
  // Header and code; its tables have what next() has read.
  virtual KernelBody& body() = 0;
  // The next CTA, in the order of the file; false if there is none. Throws TraceError.
  virtual bool next(CtaTrace& cta) = 0;
  // The first CTA is next again.
  virtual void rewind() = 0;
  // The CTAs; null where only reading them tells.
  virtual const CtaIndex* index() const { return nullptr; }
  // CTA `cta` is next, counted from 0; behind the last, there is none. The tables of the body have what the
  // CTAs before it have, too. Unless there is an index, reads them.
  virtual void seek(std::uint64_t cta);
  // Bytes read of the file as it is stored, for progress.
  virtual std::uint64_t bytes_read() const = 0;
  // Bytes of the whole file.
  virtual std::uint64_t bytes_total() const = 0;
};

// Throws TraceError if it is no packed kernel of a version that is read. `name`: the file that it stands for.
std::unique_ptr<KernelSource> open_packed_kernel(const std::filesystem::path& file,
                                                 const std::filesystem::path& name,
                                                 const OperandOptions& options);

// A listener is told of every instruction line: its PC and mask, and the text behind them. `v` is the table's
// entry for it. line() returns the number that goes into the TraceRecord in place of the static
// instruction's.
class LineListener {
 public:
  virtual ~LineListener() = default;
  // Called in the order of the file.
  virtual std::uint32_t line(const TracePosition& position, const InstructionTable::Variant& v,
                             std::string_view pc, std::uint32_t mask, std::string_view text) = 0;
};
// With a listener, CTAs are not what they are for a simulation: the records have its numbers, and all
// accesses are kept, those of the load/store unit and others.
std::unique_ptr<KernelSource> open_text_kernel(const std::filesystem::path& file,
                                               const OperandOptions& options,
                                               LineListener* listener = nullptr);

}  // namespace subcore
