// One configuration of the register-cache study over a stream of instructions: 32 warps of 32 threads, with a
// register cache for each thread, and their costs. Lanes of a warp share a cache if their caches are in the
// same state. So a warp that does not diverge needs one cache, not 32.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "subcore/program/analysis/study/energy.h"
#include "subcore/program/analysis/study/instruction.h"
#include "subcore/program/analysis/study/thread_register_cache.h"

namespace subcore {

// Counts of the study. Main-file accesses, hits and misses are counted per thread. Cache accesses are counted
// per bank, which holds some neighbouring lanes. "Baseline" is a register file without a cache.
struct StudyCounters {
  std::uint64_t baseline_reads = 0, baseline_writes = 0;
  std::uint64_t cache_reads = 0, cache_writes = 0;
  std::uint64_t file_reads = 0, file_writes = 0;
  std::uint64_t read_hits = 0, read_misses = 0, write_hits = 0, write_misses = 0;
  std::uint64_t drained = 0;  // part of file_writes: written back at a kernel's end
};

// Ratios in percent; 0 if nothing was counted.
struct StudyRatios {
  double read_hit = 0, write_hit = 0, total_hit = 0, file_read_reduction = 0, file_write_reduction = 0;
};
// Ratios of the counts of one configuration.
StudyRatios ratios_of(const StudyCounters& c);
// Energy saved against the baseline, in percent. Negative: the cache costs energy. In single precision if
// asked for, as RFC-sim calculates.
double energy_reduction(const StudyCounters& c, const StudyEnergy& e, bool single_precision);

// A configuration of a register cache that is run over a trace for its counts.
class StudyCacheRun {
 public:
  // `bank_bits`: widths of a cache bank for which accesses are counted, each a power of two from 32 to 1024.
  // Throws std::invalid_argument, which says what is wrong.
  StudyCacheRun(const RegisterCacheParameters& parameters, const std::vector<unsigned>& bank_bits);

  const RegisterCacheParameters& parameters() const { return parameters_; }
  const std::vector<unsigned>& bank_bits() const { return bank_bits_; }
  // The counts, with the cache accesses for a bank width. `width` is an index into bank_bits().
  StudyCounters counters(std::size_t width = 0) const;

  // Executes the warp's next instruction. Throws std::domain_error where RFC-sim would end.
  void execute(std::uint32_t warp, const StudyInstruction& instruction);
  // In the corrected study, ends the warp's instructions, so that look-ahead sees no further. The warp's
  // caches stay as they are: the next block's warp in this place has the same registers, and overwrites
  // values that are not needed.
  void end_warp(std::uint32_t warp);
  // In the corrected study, writes every cache back and empties it. RFC-sim never does that.
  void end_kernel();
  // As RFC-sim, meets a line that RFC-sim cannot read, or the end of the kernel's file. True when the kernel
  // is over for this run. Look-ahead first works off the queue of warp 0, and of no other warp, an
  // instruction a call.
  bool end_marker();

 private:
  struct Warp {
    std::uint32_t clock = 0;  // counts instructions
    std::vector<ThreadRegisterCache> caches;
    std::vector<std::uint32_t> lanes;    // lanes of each cache in use
    std::deque<StudyInstruction> queue;  // look-ahead: instructions that are not executed yet
  };
  struct BankCount {
    unsigned lanes = 1;        // lanes of a bank
    std::uint32_t firsts = 0;  // a bit for the first lane of each bank
    std::uint64_t reads = 0, writes = 0;
    std::uint64_t banks_of(std::uint32_t mask) const;
  };

  Warp& warp_of(std::uint32_t warp);
  void process_front(Warp& warp);  // executes the front of the warp's queue
  void process(Warp& warp, const StudyInstruction& instruction);
  void select(Warp& warp, std::uint32_t mask);
  void merge(Warp& warp);
  bool wanted(const Warp& warp, unsigned reg) const;

  RegisterCacheParameters parameters_;
  std::vector<unsigned> bank_bits_;
  StudyCounters counters_;
  std::vector<BankCount> banks_;
  std::array<Warp, 32> warps_;
  std::vector<std::size_t> active_;  // caches of the lanes that take part in an instruction
};

}  // namespace subcore
