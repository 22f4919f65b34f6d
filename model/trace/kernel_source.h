// Readers of one kernel's trace file, as text and in packed form. Both fill a KernelBody.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <optional>

#include "subcore/model/trace/cta_index.h"
#include "subcore/model/trace/instruction_table.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

// A kernel as far as it has been read, and the checks that hold for every form of file.
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
  // The contents that a line may have. A file without a version gets the benefit of the doubt.
  const LineForm form;

  // A CTA begins (`as_written` is its name in messages), a CTA ends, or the last one has ended. Each function
  // fails through `position` if that cannot be.
  void begin_cta(const TracePosition& position, const Dim3& id, std::string_view as_written);
  void end_cta(CtaTrace& cta, std::size_t warps);
  void end(const TracePosition& position) const;
  // Begins a warp of the current CTA, the `used`-th that is read. The caller fills its records and addresses.
  WarpTrace& begin_warp(const TracePosition& position, CtaTrace& cta, std::size_t used, std::uint32_t warp);
  // CTA `cta` will be the next one. The CTAs before it count as read.
  void seek(std::uint64_t cta);

 private:
  std::uint64_t ctas_ = 0;
  std::vector<bool> seen_ctas_;
  std::uint64_t seen_warps_ = 0;  // warps of the current CTA, at most 32
};

class KernelSource {
 public:
  virtual ~KernelSource() = default;
  // The header and the code. Their tables have everything that next() has read.
  virtual KernelBody& body() = 0;
  // Reads the next CTA in the order of the file. False if there is none. Throws TraceError.
  virtual bool next(CtaTrace& cta) = 0;
  // Makes the first CTA the next one.
  virtual void rewind() = 0;
  // The index of the CTAs; null if they are known only by reading them.
  virtual const CtaIndex* index() const { return nullptr; }
  // Makes CTA `cta`, counted from 0, the next one; behind the last there is none. The tables of the body then
  // also have the code of the CTAs before it. Without an index, those CTAs are read.
  virtual void seek(std::uint64_t cta);
  // Bytes that were read of the stored file, for progress.
  virtual std::uint64_t bytes_read() const = 0;
  // Bytes of the whole file.
  virtual std::uint64_t bytes_total() const = 0;
};

// Throws TraceError if the file is no packed kernel of a known version. `name` is the file for which it
// stands.
std::unique_ptr<KernelSource> open_packed_kernel(const std::filesystem::path& file,
                                                 const std::filesystem::path& name,
                                                 const OperandOptions& options);

// A listener is called for every instruction line, with its PC and mask, and the text behind them. `v` is the
// table's entry for the line. The TraceRecord gets the number that line() returns, instead of the static
// instruction's.
class LineListener {
 public:
  virtual ~LineListener() = default;
  // Called in the order of the file.
  virtual std::uint32_t line(const TracePosition& position, const InstructionTable::Variant& v,
                             std::string_view pc, std::uint32_t mask, std::string_view text) = 0;
};
// With a listener, CTAs are not for simulation: the records have the listener's numbers, and all accesses are
// kept, even those that bypass the load/store unit.
std::unique_ptr<KernelSource> open_text_kernel(const std::filesystem::path& file,
                                               const OperandOptions& options,
                                               LineListener* listener = nullptr);

}  // namespace subcore
