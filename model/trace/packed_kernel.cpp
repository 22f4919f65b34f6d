// A kernel out of its packed file. Static instructions are parsed from the text of the forms, with the
// options of whoever asks, as if their lines had just been met.
#include <cstring>

#include "model/trace/kernel_header.h"
#include "model/trace/kernel_source.h"
#include "model/trace/line_source.h"
#include "model/trace/packed_reader.h"
#include "model/trace/text.h"

namespace subcore {
namespace {

KernelHeader header_of(const std::filesystem::path& file, const PackedReader& packed) {
  LineSource lines(file.string() + ": header", packed.header());
  return read_kernel_header(lines);
}

class PackedKernel : public KernelSource, private Place {
 public:
  PackedKernel(const std::filesystem::path& file, const OperandOptions& options)
      : packed_(file),
        body_(file, options, header_of(file, packed_),
              options.use_sidecar ? packed_.sidecar() : std::nullopt) {}
  KernelBody& body() override { return body_; }
  bool next(CtaTrace& cta) override;
  void rewind() override;
  std::uint64_t bytes_read() const override { return packed_.bytes_read(); }
  std::uint64_t bytes_total() const override { return packed_.bytes_total(); }

 private:
  // What a form means to those who have these options.
  struct Meaning {
    std::uint32_t code = 0;
    bool known = false, access = false, stored = false;
  };
  void read_warp(PackedWarp& packed, WarpTrace& warp);
  void meet(std::uint32_t form);
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const override;

  PackedReader packed_;
  KernelBody body_;
  std::vector<Meaning> meanings_;
  const CtaTrace* cta_ = nullptr;  // these are where an error is
  const WarpTrace* warp_ = nullptr;
  std::size_t instruction_ = 0;
};

std::string text_of(const Dim3& id) {
  return std::to_string(id.x) + "," + std::to_string(id.y) + "," + std::to_string(id.z);
}

bool PackedKernel::next(CtaTrace& cta) {
  std::uint32_t warps = 0;
  cta_ = nullptr;
  warp_ = nullptr;
  if (!packed_.next_cta(cta.id, warps)) {
    body_.end(*this, cta);
    return false;
  }
  body_.begin_cta(*this, cta.id, text_of(cta.id));
  cta_ = &cta;
  if (packed_.forms().size() > meanings_.size()) meanings_.resize(packed_.forms().size());
  for (std::uint32_t i = 0; i < warps; ++i) {
    PackedWarp packed = packed_.next_warp();
    const std::uint32_t limit = body_.header.warps_per_cta();
    if (packed.warp >= limit)
      fail("bad warp '" + std::to_string(packed.warp) + "'", "0 to " + std::to_string(limit - 1));
    WarpTrace& warp = body_.begin_warp(*this, cta, i, packed.warp);
    warp_ = &warp;
    read_warp(packed, warp);
    warp_ = nullptr;
  }
  body_.end_cta(cta, warps);
  return true;
}

void PackedKernel::read_warp(PackedWarp& packed, WarpTrace& warp) {
  warp.records.resize(packed.count);
  warp.addresses.resize(packed.access_bytes);
  TraceRecord *record = warp.records.data(), *const records_end = record + packed.count;
  std::uint8_t *access = warp.addresses.data(), *const accesses_end = access + packed.access_bytes;
  while (packed_.next_run(packed)) {
    const PackedRun run = packed.run;
    if (run.count > static_cast<std::size_t>(records_end - record)) packed_.fail_damaged();
    const Meaning* m = meanings_.data() + run.form;
    for (std::uint32_t i = 0; i < run.count; ++i, ++m) {
      if (!m->known) {
        instruction_ = static_cast<std::size_t>(record - warp.records.data());
        meet(run.form + i);
      }
      *record++ = {m->code, run.mask};
      if (!m->access || run.mask == 0) continue;
      std::uint8_t* const end = packed_.next_access(packed, run.form + i, access, accesses_end);
      if (m->stored) access = end;
    }
  }
  if (record != records_end) packed_.fail_damaged();
  packed_.end_warp(packed);
  warp.addresses.resize(static_cast<std::size_t>(access - warp.addresses.data()));
}

void PackedKernel::meet(std::uint32_t number) {
  // One behind the other, they are a line without a mask and an access.
  const std::string_view line = packed_.line(number), tail = packed_.tail(number);
  text::Cursor cursor{line.data(), tail.data() + tail.size()};
  std::uint64_t pc = 0;
  if (!text::parse_hex(cursor.word(), pc)) packed_.fail_damaged();
  const char* begin = cursor.at == cursor.end ? cursor.at : cursor.at + 1;
  const InstructionTable::Variant& v = *body_.table.add(*this, pc, begin, cursor.end);
  meanings_[number] = {v.code, true, v.access, v.stored};
}

void PackedKernel::rewind() {
  packed_.rewind();
  body_.rewind();
}

void PackedKernel::fail(const std::string& problem, const std::string& expected) const {
  std::string where;
  if (cta_ != nullptr) where = ", thread block " + text_of(cta_->id);
  if (warp_ != nullptr)
    where += ", warp " + std::to_string(warp_->warp) + ", instruction " + std::to_string(instruction_ + 1);
  packed_.fail("kernel " + body_.header.name + where + ": " + problem, expected);
}

}  // namespace

std::unique_ptr<KernelSource> open_packed_kernel(const std::filesystem::path& file,
                                                 const OperandOptions& options) {
  return std::make_unique<PackedKernel>(file, options);
}

}  // namespace subcore
