// No read may ever get a wrong value from a machine that obeys the compiler's annotations.
#include "tests/unit/annotation_replay.h"

#include <catch2/catch.hpp>

#include "subcore/model/passes/annotated_kernel.h"
#include "tests/unit/pass_program.h"
#include "tests/unit/trace_files.h"

namespace annotation_replay_test {

using namespace subcore;
using namespace subcore::test;

namespace {

void add(ReplayCounts& sum, const ReplayCounts& more) {
  sum.reads += more.reads;
  sum.wrong += more.wrong;
  sum.bank_reads += more.bank_reads;
  sum.bank_writes += more.bank_writes;
  sum.other_reads += more.other_reads;
  sum.prefetched += more.prefetched;
  sum.dropped += more.dropped;
}

struct Sums {
  ReplayCounts window, dropping, flushed, last_use, strands, intervals;
  void check_right() const {
    CHECK(window.wrong == 0);
    CHECK(dropping.wrong == 0);
    CHECK(flushed.wrong == 0);
    CHECK(last_use.wrong == 0);
    CHECK(strands.wrong == 0);
    CHECK(intervals.wrong == 0);
  }
  // Annotations that say nothing would be of no use.
  void check_useful() const {
    CHECK(window.other_reads > 0);
    CHECK(last_use.dropped > 0);
    CHECK(strands.other_reads > 0);
    CHECK(strands.bank_writes < window.reads);
    CHECK(intervals.dropped > 0);
  }
};

void replay(const WarpTrace& warp, const CodeTable& code, const PassOptions& o, std::mt19937& random,
            Sums& sums) {
  const bool flush = o.window_ends_at_taken_branch;
  add(sums.window, WindowReplay(warp, code).run(o.write_back_window, true, false));
  add(sums.dropping, WindowReplay(warp, code).run(o.write_back_window, false, false));
  if (flush) add(sums.flushed, WindowReplay(warp, code).run(o.write_back_window, true, true));
  add(sums.last_use, LastUseReplay(warp, code).run());
  add(sums.strands, StrandReplay(warp, code).run(o.orf_entries, o.lrf_entries));
  add(sums.intervals, IntervalReplay(warp, code).run([&] { return random() % 16 == 0; }));
}

void replay_trace(const std::filesystem::path& folder, const PassOptions& options, Sums& sums) {
  std::mt19937 random(1);
  for (const auto& file : open_trace(folder).kernels) {
    AnnotatedKernel kernel(file, {}, options);
    CtaTrace cta;
    while (kernel.next(cta))
      for (const WarpTrace& warp : cta.warps) replay(warp, kernel.code(), options, random, sums);
  }
}

}  // namespace

TEST_CASE("random programs never read a wrong value by their hints", "[passes][replay]") {
  std::mt19937 random(2024);
  Sums sums;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    PassProgram p = std::move(RandomProgram(random).result);
    PassOptions options = every_pass();
    options.write_back_window = 1 + static_cast<std::uint32_t>(random() % 5);
    options.window_ends_at_taken_branch = random() % 2 == 0;
    if (random() % 2 == 0) options.write_back_partial = PartialWriteBack::covering;
    options.orf_entries = static_cast<std::uint32_t>(random() % 5);
    options.lrf_entries = static_cast<std::uint32_t>(random() % 3);
    options.interval_registers = 1 + static_cast<std::uint32_t>(random() % 12);
    p.compile(options);
    Sums here;
    for (const WarpTrace& w : p.warps) replay(w, p.code, options, random, here);
    here.check_right();
    REQUIRE(here.window.wrong + here.dropping.wrong + here.flushed.wrong + here.last_use.wrong +
                here.strands.wrong + here.intervals.wrong ==
            0);
    for (const WarpTrace& w : p.warps) replay(w, p.code, options, random, sums);
    // Working sets keep to their bound, unless one instruction alone does not.
    for (const StaticInstruction& s : p.code.instructions) {
      RegisterSet own;
      for (unsigned k = 0; k < s.source_count; ++k) own.set(s.sources[k]);
      for (unsigned k = 0; k < s.destination_count; ++k) own.set(s.destinations[k]);
      REQUIRE((own & ~*s.annotation->working_set).none());
      const bool bounded = s.annotation->working_set->count() <= options.interval_registers;
      REQUIRE((bounded || *s.annotation->working_set == own));
    }
  }
  sums.check_useful();
}

TEST_CASE("the project's traces never read a wrong value by their hints", "[passes][replay][project]") {
  Sums sums;
  for (const auto& entry : std::filesystem::directory_iterator(project_traces())) {
    if (!std::filesystem::exists(entry.path() / "kernelslist.g")) continue;
    INFO(entry.path().filename());
    PassOptions options = every_pass();
    replay_trace(entry.path(), options, sums);
    sums.check_right();
  }
  sums.check_useful();
}

TEST_CASE("divergent traces of real GPUs never read a wrong value by their hints",
          "[passes][replay][shared]") {
  for (const char* name : {"nvbit/bfs_sm70", "nvbit/btree_sm90", "nvbit/pytorch_dot_sm70", "rodinia/btree"}) {
    const auto folder = shared_traces() / name;
    if (!std::filesystem::exists(folder)) continue;
    INFO(name);
    Sums sums;
    PassOptions options = every_pass();
    options.window_ends_at_taken_branch = true;
    options.write_back_partial = PartialWriteBack::covering;
    replay_trace(folder, options, sums);
    sums.check_right();
    sums.check_useful();
  }
}

}  // namespace annotation_replay_test
