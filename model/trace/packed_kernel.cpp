// Reads a kernel from its packed file. Static instructions are parsed from the text of the forms, with the
// caller's options, as if their lines had just been met.
#include <algorithm>
#include <utility>

#include "subcore/base/text.h"
#include "subcore/model/isa/bulk_copies.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/kernel_header.h"
#include "subcore/model/trace/kernel_source.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/packed_reader.h"

namespace subcore {
namespace {

KernelHeader header_of(const std::filesystem::path& file, const PackedReader& packed) {
  LineSource lines(file.string() + ": header", packed.header());
  return read_kernel_header(lines);
}

class PackedKernel : public KernelSource, private TracePosition {
 public:
  PackedKernel(const std::filesystem::path& file, const std::filesystem::path& name,
               const OperandOptions& options)
      : packed_(file),
        body_(name, options, header_of(name, packed_),
              options.use_sidecar ? std::move(packed_.sidecar()) : std::nullopt) {}
  KernelBody& body() override { return body_; }
  bool next(CtaTrace& cta) override;
  void rewind() override;
  const CtaIndex* index() const override { return packed_.index(); }
  void seek(std::uint64_t cta) override;
  std::uint64_t bytes_read() const override { return packed_.bytes_read(); }
  std::uint64_t bytes_total() const override { return packed_.bytes_total(); }

 private:
  void read_warp(PackedWarp& packed, WarpTrace& warp);
  void meet(const PackedRun& run, std::size_t before);
  void meet_record(const InstructionTable::Variant& v, text::Cursor behind);
  void add_records(const PackedRun& run, const std::uint8_t* access, WarpTrace& warp) const;
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const override;

  // A form whose lines have an access.
  struct Access {
    std::uint32_t form = 0;
    bool stored = false;
  };

  PackedReader packed_;
  KernelBody body_;
  // The static instructions, under these options, of the forms met so far. There is room behind them.
  static constexpr std::uint32_t step = 4;
  std::uint32_t met_ = 0;
  std::vector<std::uint32_t> codes_;
  // The accesses of all forms, and how many of them come before those of each form and behind the last.
  std::vector<Access> accesses_;
  std::vector<std::uint32_t> accesses_before_{0};
  // A warp is built here and then copied, so that a CTA's storage is only as large as needed.
  std::vector<TraceRecord> records_;
  std::vector<std::uint8_t> addresses_;
  // The records from the tails of forms, and for each form the index of its record, or 0 for none. The forms
  // of most kernels have none.
  std::vector<AsyncRecord> form_records_{{}};
  std::vector<std::uint64_t> form_addresses_;
  std::vector<std::uint32_t> record_of_form_;
  const CtaTrace* cta_ = nullptr;  // with the next two members: the place of an error
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
    body_.end(*this);
    return false;
  }
  body_.begin_cta(*this, cta.id, text_of(cta.id));
  cta_ = &cta;
  const std::uint32_t limit = body_.header.warps_per_cta();
  cta.warps.reserve(std::min(warps, limit));
  for (std::uint32_t i = 0; i < warps; ++i) {
    PackedWarp packed = packed_.next_warp();
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
  if (records_.size() < packed.count + step) records_.resize(packed.count + step);
  if (addresses_.size() < packed.access_bytes + packed::slack)
    addresses_.resize(packed.access_bytes + packed::slack);
  TraceRecord *record = records_.data(), *const records_end = record + packed.count;
  std::uint8_t *access = addresses_.data(), *const accesses_end = access + packed.access_bytes;
  warp.async.clear();
  warp.bulk_addresses.clear();
  while (packed_.next_run(packed)) {
    const PackedRun run = packed.run;
    if (run.count > static_cast<std::size_t>(records_end - record)) packed_.fail_damaged();
    if (run.form + run.count > met_) meet(run, static_cast<std::size_t>(record - records_.data()));
    const std::uint32_t* code = codes_.data() + run.form;
    for (std::size_t i = 0; i < run.count; i += step)
      for (std::size_t k = 0; k < step; ++k) record[i + k] = {code[i + k], run.mask};
    record += run.count;
    if (run.mask == 0) continue;
    const std::uint32_t* before = accesses_before_.data() + run.form;
    const std::uint8_t* const first_access = access;
    for (std::uint32_t i = before[0]; i < before[run.count]; ++i) {
      std::uint8_t* const end = packed_.next_access(packed, accesses_[i].form, access, accesses_end);
      if (accesses_[i].stored) access = end;
    }
    if (form_records_.size() > 1) add_records(run, first_access, warp);
  }
  if (!warp.async.empty()) note_retries(warp.async);
  if (record != records_end) packed_.fail_damaged();
  packed_.end_warp(packed);
  warp.records.assign(records_.data(), record);
  warp.addresses.assign(addresses_.data(), access);
}

// Meets the forms up to the last one of the run. Forms are numbered in the order in which lines need them.
// The warp has `before` instructions before the run.
void PackedKernel::meet(const PackedRun& run, std::size_t before) {
  codes_.resize(packed_.forms().size() + step);
  for (; met_ < run.form + run.count; ++met_) {
    instruction_ = before + met_ - run.form;
    // Line and tail together are a line without a mask and an access.
    const std::string_view line = packed_.line(met_), tail = packed_.tail(met_);
    text::Cursor cursor{line.data(), tail.data() + tail.size()};
    std::uint64_t pc = 0;
    if (!text::parse_hex(cursor.word(), pc)) packed_.fail_damaged();
    const char* begin = cursor.at == cursor.end ? cursor.at : cursor.at + 1;
    const InstructionTable::Variant v = body_.table.define(*this, pc, begin, cursor.end);
    codes_[met_] = v.code;
    if (v.access) accesses_.push_back({met_, v.stored});
    record_of_form_.push_back(0);
    if (v.async != AsyncStep::none) meet_record(v, {begin + v.length, cursor.end});
    accesses_before_.push_back(static_cast<std::uint32_t>(accesses_.size()));
  }
}

void PackedKernel::meet_record(const InstructionTable::Variant& v, text::Cursor behind) {
  record_of_form_.back() = static_cast<std::uint32_t>(form_records_.size());
  AsyncRecord& r = form_records_.emplace_back();
  r.step = v.async;
  const TailForm form{body_.form, v.listed, v.sources, &r};
  // A form of lines in which no lane runs may have no words of a bulk copy.
  v.bulk ? parse_bulk_copy(*this, behind, 0, form, form_addresses_) : parse_tail(*this, behind, form);
}

// The run's accesses start at `access`.
void PackedKernel::add_records(const PackedRun& run, const std::uint8_t* access, WarpTrace& warp) const {
  std::uint32_t next = accesses_before_[run.form];
  for (std::uint32_t f = run.form; f < run.form + run.count; ++f) {
    const bool has_access = next < accesses_.size() && accesses_[next].form == f;
    const bool stored = has_access && accesses_[next].stored;
    if (const std::uint32_t n = record_of_form_[f]; n != 0) {
      AsyncRecord r = form_records_[n];
      const auto first = form_addresses_.begin() + r.first_address;
      r.first_address = static_cast<std::uint32_t>(warp.bulk_addresses.size());
      warp.bulk_addresses.insert(warp.bulk_addresses.end(), first, first + r.addresses);
      if (stored) r.mbarrier = in_own_cta(first_address(access));
      warp.async.push_back(r);
    }
    if (stored) access += encoded_size(access);
    next += has_access ? 1 : 0;
  }
}

void PackedKernel::rewind() {
  packed_.rewind();
  body_.seek(0);
}

void PackedKernel::seek(std::uint64_t cta) {
  if (index() == nullptr) return KernelSource::seek(cta);
  cta = std::min<std::uint64_t>(cta, index()->instructions.size());
  cta_ = nullptr;
  packed_.seek(cta);
  body_.seek(cta);
  // Instructions get the same numbers as when all CTAs are read.
  meet({0, packed_.forms_before(cta), 0}, 0);
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
                                                 const std::filesystem::path& name,
                                                 const OperandOptions& options) {
  return std::make_unique<PackedKernel>(file, name, options);
}

}  // namespace subcore
