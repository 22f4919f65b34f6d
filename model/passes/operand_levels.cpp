#include <algorithm>
#include <optional>
#include <utility>

#include "subcore/base/bits.h"
#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

bool may_use_lrf(const StaticInstruction& s) {
  return execution_classes[static_cast<std::size_t>(s.execution)].last_result_file;
}

struct Read {
  std::uint32_t position;
  unsigned source;
};

// A value that may live in an entry: a result, or a source that was read from the banks and kept.
struct Value {
  std::uint32_t position = 0;  // the place of the instruction that defines or keeps it
  unsigned operand = 0;
  bool kept = false;
  bool banks = false;         // a result that some reader looks for in the banks
  std::vector<Read> reads{};  // reads that find this value on every path
};

// Times in a strand. An instruction reads before it writes. A kept value takes its entry while the
// instruction's other sources are still read.
struct Span {
  std::uint64_t first, last;
};

// The entries of one file during one strand.
class File {
 public:
  explicit File(std::uint32_t entries) : taken_(entries) {}
  std::optional<std::uint8_t> take(Span wanted) {
    for (std::size_t e = 0; e < taken_.size(); ++e) {
      const bool free = std::none_of(taken_[e].begin(), taken_[e].end(), [&](const Span& s) {
        return s.first <= wanted.last && wanted.first <= s.last;
      });
      if (!free) continue;
      taken_[e].push_back(wanted);
      return static_cast<std::uint8_t>(e);
    }
    return std::nullopt;
  }

 private:
  std::vector<std::vector<Span>> taken_;
};

class StrandAllocator {
 public:
  StrandAllocator(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                  const ProgramOrder& order, const Strands& strands, const PassOptions& options,
                  std::deque<Annotation>& annotations)
      : code_(code),
        profiles_(profile.instructions()),
        liveness_(liveness),
        order_(order),
        strands_(strands),
        options_(options),
        annotations_(annotations),
        predecessors_(order.instructions.size()) {
    for (std::uint32_t i = 0; i < profiles_.size(); ++i)
      for (const std::uint32_t next : profiles_[i].warp_successors) {
        const std::uint32_t from = order.position[i], to = order.position[next];
        if (!strands.start[to]) predecessors_[to].push_back(from);
      }
  }

  void run(std::uint32_t begin, std::uint32_t end) {
    begin_ = begin;
    end_ = end;
    values_.clear();
    RegisterSet read;
    for (std::uint32_t at = begin; at < end; ++at) {
      if (profile(at).runs == 0) continue;
      for (unsigned k = 0; k < instruction(at).source_count; ++k) read.set(instruction(at).sources[k]);
      for_each_accumulator(instruction(at), [&](Register r) { read.set(r); });
    }
    for (unsigned r = 0; r < read.size(); ++r)
      if (read.test(r)) find_values(static_cast<Register>(r));
    allocate();
  }

 private:
  using Reaching = std::vector<std::uint32_t>;                 // ascending indices of values_
  static constexpr std::uint32_t outside = ~std::uint32_t{0};  // the value from before the strand

  const StaticInstruction& instruction(std::uint32_t at) const {
    return code_.instructions[order_.instructions[at]];
  }
  const InstructionProfile& profile(std::uint32_t at) const { return profiles_[order_.instructions[at]]; }
  Annotation& annotation(std::uint32_t at) { return annotations_[order_.instructions[at]]; }

  static void merge(Reaching& into, const Reaching& more) {
    Reaching both;
    std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(both));
    into.swap(both);
  }
  void need_banks(const Reaching& reaching) {
    for (const std::uint32_t v : reaching)
      if (v != outside) values_[v].banks = true;
  }

  // Goes forward over the strand, to find which values of the register reach each of its reads.
  void find_values(Register r) {
    std::vector<Reaching> out(end_ - begin_);
    std::vector<Read> from_before;
    for (std::uint32_t at = begin_; at < end_; ++at) {
      const StaticInstruction& s = instruction(at);
      const InstructionProfile& p = profile(at);
      Reaching& reaching = out[at - begin_];
      if (at == begin_ || predecessors_[at].empty()) reaching = {outside};
      for (const std::uint32_t from : predecessors_[at]) merge(reaching, out[from - begin_]);
      if (p.runs != 0) {
        for (unsigned k = 0; k < s.source_count; ++k) {
          if (s.sources[k] != r) continue;
          if (reaching.size() > 1)
            need_banks(reaching);
          else if (reaching[0] == outside)
            from_before.push_back({at, k});
          else
            values_[reaching[0]].reads.push_back({at, k});
        }
        // A warpgroup's product works on the banks. Every later reader is in another strand.
        if (s.has_accumulator(r)) {
          need_banks(reaching);
          reaching = {outside};
        }
        for (unsigned k = 0; k < s.destination_count; ++k)
          if (s.destinations[k] == r) define(at, k, reaching);
      }
      for (const std::uint32_t next : p.warp_successors)
        if (strands_.start[order_.position[next]] && liveness_.in[next].test(r)) need_banks(reaching);
    }
    keep(from_before);
  }

  void define(std::uint32_t at, unsigned destination, Reaching& reaching) {
    const auto v = static_cast<std::uint32_t>(values_.size());
    Value value;
    value.position = at;
    value.operand = destination;
    value.banks = !profile(at).whole;  // a partial result is never the only copy
    values_.push_back(value);
    if (bits::has(profile(at).kills(), destination))
      reaching = {v};
    else  // every later read may need the older value, too
      merge(reaching, {v});
  }

  // The first read that covers all lanes keeps the value, for the reads that it precedes on every path.
  void keep(const std::vector<Read>& reads) {
    if (reads.size() < 2) return;
    const auto keeper = std::find_if(reads.begin(), reads.end(), [&](const Read& r) {
      return !profile(r.position).off && bits::has(profile(r.position).reads_for_all, r.source);
    });
    if (keeper == reads.end()) return;
    Value value;
    value.position = keeper->position;
    value.operand = keeper->source;
    value.kept = true;
    std::vector<bool> there(end_ - begin_);
    there[keeper->position - begin_] = true;
    for (std::uint32_t at = keeper->position + 1; at < end_; ++at) {
      const auto& from = predecessors_[at];
      there[at - begin_] = !from.empty() && std::all_of(from.begin(), from.end(),
                                                        [&](std::uint32_t p) { return there[p - begin_]; });
    }
    for (auto r = keeper + 1; r != reads.end(); ++r)
      if (there[r->position - begin_]) value.reads.push_back(*r);
    if (!value.reads.empty()) values_.push_back(value);
  }

  double savings(const Value& v, std::size_t reads, OperandLevel level) const {
    const StrandEnergy& e = options_.strand_energy;
    const bool lrf = level == OperandLevel::lrf;
    const bool banks = v.kept || v.banks || reads < v.reads.size();
    return static_cast<double>(reads) * (e.mrf_read - (lrf ? e.lrf_read : e.orf_read)) -
           (lrf ? e.lrf_write : e.orf_write) + (banks ? 0.0 : e.mrf_write);
  }

  double priority(const Value& v, OperandLevel level) const {
    return savings(v, v.reads.size(), level) /
           std::max(1.0, static_cast<double>(v.reads.back().position) - static_cast<double>(v.position));
  }

  bool fits_lrf(const Value& v) const {
    return !v.kept && may_use_lrf(instruction(v.position)) &&
           std::all_of(v.reads.begin(), v.reads.end(),
                       [&](const Read& r) { return may_use_lrf(instruction(r.position)); });
  }

  // Gives the value an entry. If the value does not fit with all its reads, it gets an entry without the
  // furthest reads.
  bool place(Value& v, OperandLevel level, File& file) {
    for (std::size_t reads = v.reads.size(); reads > 0 && savings(v, reads, level) > 0; --reads) {
      const Span span{2ull * v.position + (v.kept ? 0 : 1), 2ull * v.reads[reads - 1].position};
      const auto entry = file.take(span);
      if (!entry) continue;
      if (reads < v.reads.size()) v.banks = true;
      v.reads.resize(reads);
      annotate(v, {level, *entry});
      return true;
    }
    return false;
  }

  void annotate(const Value& v, OperandPlace place) {
    Annotation& h = annotation(v.position);
    if (v.kept) {
      bits::add(h.keep_source, v.operand);
      h.keep_entry[v.operand] = place.entry;
    } else {
      h.write_to[v.operand] = place;
      if (!v.banks) bits::remove(h.write_banks, v.operand);
    }
    for (const Read& r : v.reads) annotation(r.position).read_from[r.source] = place;
  }

  void allocate() {
    values_.erase(
        std::remove_if(values_.begin(), values_.end(), [](const Value& v) { return v.reads.empty(); }),
        values_.end());
    for (const OperandLevel level : {OperandLevel::lrf, OperandLevel::orf}) {
      File file(level == OperandLevel::lrf ? options_.lrf_entries : options_.orf_entries);
      std::stable_sort(values_.begin(), values_.end(), [&](const Value& a, const Value& b) {
        const double pa = priority(a, level), pb = priority(b, level);
        if (pa != pb) return pa > pb;
        return std::pair(a.position, a.operand) < std::pair(b.position, b.operand);
      });
      std::vector<Value> left;
      for (Value& v : values_)
        if ((level == OperandLevel::lrf && !fits_lrf(v)) || !place(v, level, file))
          left.push_back(std::move(v));
      values_ = std::move(left);
    }
  }

  const CodeTable& code_;
  const std::vector<InstructionProfile>& profiles_;
  const Liveness& liveness_;
  const ProgramOrder& order_;
  const Strands& strands_;
  const PassOptions& options_;
  std::deque<Annotation>& annotations_;
  std::vector<std::vector<std::uint32_t>> predecessors_;  // inside the strand, by position
  std::uint32_t begin_ = 0, end_ = 0;
  std::vector<Value> values_;
};

}  // namespace

void allocate_levels(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                     const ProgramOrder& order, const Strands& strands, const PassOptions& options,
                     std::deque<Annotation>& annotations) {
  StrandAllocator allocator(code, profile, liveness, order, strands, options, annotations);
  const auto count = static_cast<std::uint32_t>(order.instructions.size());
  for (std::uint32_t begin = 0; begin < count;) {
    std::uint32_t end = begin + 1;
    while (end < count && !strands.start[end]) ++end;
    annotations[order.instructions[begin]].strand_start = true;
    allocator.run(begin, end);
    begin = end;
  }
}

}  // namespace subcore
