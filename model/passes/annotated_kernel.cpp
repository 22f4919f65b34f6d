#include "subcore/model/passes/annotated_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "subcore/model/isa/warpgroup.h"
#include "subcore/model/passes/static_path.h"
#include "subcore/model/trace/trace_cache.h"

namespace subcore {
namespace {

// The most memory for the prefix. A larger prefix is better read again.
constexpr std::size_t most_lookahead_bytes = std::size_t{4} << 20;

std::size_t bytes_of(const CtaTrace& cta) {
  std::size_t bytes = 0;
  for (const WarpTrace& warp : cta.warps)
    bytes += warp.records.size() * sizeof(TraceRecord) + warp.addresses.size();
  return bytes;
}

// A trace without a binary version counts as made for this machine.
bool fits(const KernelHeader& header, const PassOptions& o) {
  return header.binary_version == o.binary_version || header.binary_version == 0 || o.binary_version == 0;
}

// A trace may leave out warps of a CTA.
void count_warpgroups(CtaTrace& cta) {
  for (WarpTrace& warp : cta.warps)
    warp.warpgroup_warps = static_cast<std::uint32_t>(
        std::count_if(cta.warps.begin(), cta.warps.end(), [&](const WarpTrace& other) {
          return other.warp / warpgroup_warps == warp.warp / warpgroup_warps && !other.records.empty();
        }));
}

[[noreturn]] void refuse_control_bits(const std::filesystem::path& file, std::uint32_t version,
                                      const PassOptions& o) {
  throw TraceError(
      file.string() + ": control bits of code for binary version " + std::to_string(version) +
      " on a platform with the times of version " + std::to_string(o.binary_version) +
      (o.units.architecture != 0 ? " (sub_core.execution.architecture)" : " (passes.binary_version)") +
      "; expected code for that version, or passes.control_bits=synthetic");
}

// Keeps a packed copy of a kernel that will be read from end to end.
const std::filesystem::path& kept(const std::filesystem::path& file) {
  keep_copy(file);
  return file;
}

}  // namespace

void require_fitting_control_bits(const TraceProgram& program, const OperandOptions& operands,
                                  const PassOptions& options) {
  if (!options.takes_control_bits(operands.use_sidecar)) return;
  OperandOptions header_only = operands;
  header_only.use_sidecar = false;
  for (const std::filesystem::path& file : program.kernels) {
    std::uint32_t other_version = 0;
    try {
      const KernelHeader header = KernelReader(file, header_only).header();
      if (!fits(header, options) && KernelReader(file, operands).has_sidecar())
        other_version = header.binary_version;
    } catch (const TraceError&) {
    }
    if (other_version != 0) refuse_control_bits(file, other_version, options);
  }
}

AnnotatedKernel::AnnotatedKernel(const std::filesystem::path& file, const OperandOptions& operands,
                                 const PassOptions& options, const KernelIssueOrder* order)
    : reader_(kept(file), operands), options_(options), file_(file), operands_(operands) {
  if (options_.takes_control_bits(reader_.has_sidecar()) && !fits(header(), options_))
    refuse_control_bits(file, header().binary_version, options_);
  if (options_.near_bits.file != nullptr) options_.near_bits.file->require_kernel(header().name);
  if (options_.needs_profile(reader_.has_sidecar()) || options_.near_bits.source == NearBitsSource::of_code)
    profile_all();
  else if (options_.near_bits.asks_warps())
    profile_prefix();
  if (options_.near_bits.asks_order() && order != nullptr) ask_shared_oracle(*order);
}

void AnnotatedKernel::ask_shared_oracle(const KernelIssueOrder& order) {
  std::vector<WarpTrace> warps;
  CtaTrace cta;
  while (reader_.next(cta)) {
    learn_instructions();
    for (WarpTrace& warp : cta.warps) {
      WarpTrace& kept = warps.emplace_back();
      kept.lanes = warp.lanes;
      kept.records = std::move(warp.records);
    }
  }
  reader_.rewind();
  shared_near_ = shared_near_bits(warps, reader_.code(), order, options_.near_bits.store);
}

// The number of warps that vote on the reuse bits.
std::uint64_t AnnotatedKernel::reuse_warps() const {
  const double warps = static_cast<double>(header().grid.count()) * header().warps_per_cta();
  const double share = std::ceil(options_.near_bits.profile_fraction * warps);
  return std::max<std::uint64_t>(options_.near_bits.profile_warps,
                                 static_cast<std::uint64_t>(std::max(share, 0.0)));
}

void AnnotatedKernel::profile_prefix() {
  const std::uint64_t wanted = reuse_warps();
  ReuseProfile& profile = near_votes_.emplace(options_.near_bits);
  bool keep = true;
  std::size_t kept = 0;
  CtaTrace cta;
  for (std::uint64_t seen = 0; seen < wanted;) {
    if (!reader_.next(cta)) {
      ended_ = true;
      break;
    }
    learn_instructions();
    for (const WarpTrace& warp : cta.warps) {
      if (seen == wanted) break;
      profile.add(warp, reader_.code());
      ++seen;
    }
    kept += bytes_of(cta);
    if (kept > most_lookahead_bytes) {
      keep = false;
      lookahead_.clear();
    }
    if (keep) lookahead_.push_back(std::exchange(cta, {}));
  }
  if (!keep) {
    reader_.rewind();
    ended_ = false;
  }
  profile.apply(reader_.code());
}

void AnnotatedKernel::profile_all() {
  const bool of_code = options_.near_bits.source == NearBitsSource::of_code;
  const std::uint64_t wanted = options_.near_bits.asks_warps() ? reuse_warps() : 0;
  if (of_code || wanted != 0) near_votes_.emplace(options_.near_bits);
  PassRunner compiler(options_);
  const std::string name = profile_name(wanted);
  if (!take_kept_profile(compiler, name)) {
    read_profile(compiler, wanted);
    if (trace_cache() != nullptr && reader_.index() != nullptr) {
      std::string found;
      compiler.put(found);
      if (near_votes_) near_votes_->put(found);
      trace_cache()->keep_pass(file_, name, found);
    }
  }
  if (of_code)
    near_votes_->add(static_path(reader_.code(), compiler.profile(), options_.near_bits.loops),
                     reader_.code());
  if (near_votes_) near_votes_->apply(reader_.code());
  // Static near bits alone take only the directions of branches from the trace, and annotate nothing.
  if (!options_.needs_profile(reader_.has_sidecar())) return;
  annotation_ = std::make_unique<KernelAnnotation>();
  compiler.compile(reader_.code(), reader_.has_sidecar(), *annotation_);
}

void AnnotatedKernel::read_profile(PassRunner& compiler, std::uint64_t voters) {
  CtaTrace cta;
  for (std::uint64_t seen = 0; reader_.next(cta);) {
    learn_instructions();
    for (const WarpTrace& warp : cta.warps) {
      if (seen++ < voters) near_votes_->add(warp, reader_.code());
      compiler.add(warp, reader_.code());
    }
  }
  reader_.rewind();
}

// Takes the results of an earlier read_profile(), if the cache has kept them. The index tells of all code
// without reading the CTAs that run it.
bool AnnotatedKernel::take_kept_profile(PassRunner& compiler, const std::string& name) {
  if (trace_cache() == nullptr || reader_.index() == nullptr) return false;
  const std::optional<std::string> found = trace_cache()->find_pass(file_, name);
  if (!found) return false;
  reader_.seek(reader_.index()->instructions.size());
  reader_.rewind();
  learn_instructions();
  PassRunner taken(options_);
  ByteTaker text(*found);
  taken.take(text, reader_.code());
  std::optional<ReuseProfile> votes;
  if (near_votes_) votes.emplace(options_.near_bits).take(text);
  const std::size_t instructions = reader_.code().instructions.size();
  if (!text.is_whole() || !text.is_at_end() || taken.profile().instructions().size() != instructions)
    return false;
  compiler = std::move(taken);
  near_votes_ = std::move(votes);
  return true;
}

// A name for everything on which the results of read_profile() depend, except the kernel and the program.
std::string AnnotatedKernel::profile_name(std::uint64_t voters) const {
  const OperandOptions& o = operands_;
  const NearBitOptions& near = options_.near_bits;
  std::string name = "profile of a whole kernel 1:";
  for (const std::uint64_t n :
       {static_cast<std::uint64_t>(o.tensor), std::uint64_t{o.count_rz}, std::uint64_t{o.use_sidecar},
        std::uint64_t{o.count_predicated_off}, std::uint64_t{o.predicates},
        static_cast<std::uint64_t>(o.shuffles), std::uint64_t{options_.units.architecture},
        std::uint64_t{options_.write_back}, std::uint64_t{options_.write_back_window},
        std::uint64_t{options_.window_ends_at_taken_branch}, std::uint64_t{near_votes_.has_value()},
        static_cast<std::uint64_t>(near.source), std::uint64_t{near.threshold},
        std::uint64_t{near.store.entries}, std::uint64_t{near.store.takes_all_sources}, voters})
    name += ' ' + std::to_string(n);
  return name;
}

// Requires control bits of the instructions that have not been checked yet.
void AnnotatedKernel::require_control_bits() {
  const auto& instructions = reader_.code().instructions;
  for (; controlled_ < instructions.size(); ++controlled_) {
    const StaticInstruction& s = instructions[controlled_];
    if (s.controlled) continue;
    char pc[24];
    std::snprintf(pc, sizeof pc, "%04llx", static_cast<unsigned long long>(s.pc));
    throw TraceError(file_.string() + ": no control bits for the instruction at " + pc +
                     "; expected control bits in a sidecar, or passes.control_bits " +
                     (reader_.has_sidecar() ? "synthetic" : "automatic or synthetic"));
  }
}

CompilerBitsSet AnnotatedKernel::made_up() const {
  CompilerBitsSet set;
  const auto add = [&set](CompilerBits bits, bool made) { set.set(static_cast<std::size_t>(bits), made); };
  add(CompilerBits::near_bits, options_.near_bits.source != NearBitsSource::none);
  if (annotation_ == nullptr) return set;
  add(CompilerBits::control_bits, options_.needs_control_bits && annotation_->control_bits_are_synthetic);
  add(CompilerBits::reuse_flags, annotation_->reuse_flags_are_synthetic);
  return set;
}

// Notes in each instruction that is new in the trace since the last call how it runs, and its near bits if
// they come from a file.
void AnnotatedKernel::learn_instructions() {
  auto& instructions = reader_.code().instructions;
  for (; learnt_ < instructions.size(); ++learnt_) {
    StaticInstruction& s = instructions[learnt_];
    const std::string_view opcode = reader_.code().opcode_name(s);
    set_unit_use(s, opcode, options_.units);
    if (options_.near_bits.file != nullptr) options_.near_bits.file->apply(header().name, opcode, s);
  }
}

bool AnnotatedKernel::next(CtaTrace& cta) {
  if (options_.near_bits.asks_order() && !shared_near_)
    throw TraceError(file_.string() +
                     ": passes.near_bits shared_oracle needs the order of issue, which is not known; "
                     "expected a command that makes a first run, as run and compare do");
  const bool more = next_cta(cta);
  ++place_;
  if (more)
    for (WarpTrace& warp : cta.warps) {
      warp.number = warps_++;
      if (shared_near_) warp.near = std::move((*shared_near_)[warp.number]);
    }
  if (more && has_warpgroup_products(options_.units.architecture)) count_warpgroups(cta);
  if (options_.needs_control_bits) require_control_bits();
  return more;
}

void AnnotatedKernel::seek(std::uint64_t cta) {
  for (; place_ < cta && !lookahead_.empty(); ++place_) lookahead_.pop_front();
  if (place_ == cta) return;
  place_ = cta;
  if (ended_) return;  // all CTAs were in the prefix
  reader_.seek(cta);
}

bool AnnotatedKernel::next_cta(CtaTrace& cta) {
  if (!lookahead_.empty()) {
    std::swap(cta, lookahead_.front());
    lookahead_.pop_front();
    return true;
  }
  if (ended_ || !reader_.next(cta)) return false;
  learn_instructions();
  if (options_.near_bits.knows_the_future() && !options_.near_bits.asks_order())
    for (WarpTrace& warp : cta.warps) annotate_dynamic(warp, reader_.code(), options_.near_bits);
  return true;
}

}  // namespace subcore
