#include "subcore/model/policy/sthld/kernel_intervals.h"

#include <string>

#include <catch2/catch.hpp>

namespace kernel_intervals_test {

using namespace subcore;

namespace {

using Sm = KernelIntervals::Sm;

// "decide N", "from CYCLE", or "drop".
std::string text_of(const KernelIntervals::Verdict& v) {
  CHECK_FALSE((v.instructions && v.recount));
  if (v.instructions) return "decide " + std::to_string(*v.instructions);
  return v.recount ? "from " + std::to_string(*v.recount) : "drop";
}

}  // namespace

TEST_CASE("before its first kernel a run decides by no interval") {
  KernelIntervals intervals(100);
  CHECK(text_of(intervals.judge(100, {Sm{}, Sm{}})) == "drop");
  CHECK(text_of(intervals.judge(200, {Sm{}, Sm{}})) == "drop");
}

TEST_CASE("intervals of a kernel are counted from its start, and each has its own instructions") {
  KernelIntervals intervals(100);
  CHECK(text_of(intervals.judge(100, {Sm{30, 5, 2}})) == "from 30");
  CHECK(text_of(intervals.judge(130, {Sm{30, 70, 2}})) == "decide 70");
  CHECK(text_of(intervals.judge(230, {Sm{30, 75, 1}})) == "decide 5");
}

TEST_CASE("a kernel that is met when its first interval ends is decided by it") {
  KernelIntervals intervals(100);
  CHECK(text_of(intervals.judge(100, {Sm{0, 70, 2}})) == "decide 70");
  CHECK(text_of(intervals.judge(200, {Sm{100, 8, 1}})) == "decide 8");
}

TEST_CASE("an interval that ends when no SM has a CTA is dropped, however long the gap is") {
  for (const unsigned dropped : {0u, 1u, 2u, 50u}) {
    CAPTURE(dropped);
    KernelIntervals intervals(100);
    CHECK(text_of(intervals.judge(100, {Sm{0, 70, 2}, Sm{0, 30, 0}})) == "decide 100");
    CHECK(text_of(intervals.judge(200, {Sm{0, 90, 0}, Sm{0, 60, 1}})) == "decide 50");
    // The kernel is over in cycle 280.
    Cycle end = 300;
    for (unsigned n = 0; n < dropped; ++n, end += 100)
      CHECK(text_of(intervals.judge(end, {Sm{0, 90, 0}, Sm{0, 60, 0}})) == "drop");
    // The next kernel has come to one of the two SMs, which has no instruction of an earlier one.
    const Cycle start = end - 20;
    CHECK(text_of(intervals.judge(end, {Sm{0, 90, 0}, Sm{start, 3, 1}})) == "from " + std::to_string(start));
    CHECK(text_of(intervals.judge(start + 100, {Sm{start, 4, 1}, Sm{start, 9, 1}})) == "decide 13");
  }
}

TEST_CASE("a kernel that is shorter than an interval decides nothing") {
  KernelIntervals intervals(100);
  CHECK(text_of(intervals.judge(100, {Sm{30, 40, 0}})) == "from 30");  // the kernel is over already
  CHECK(text_of(intervals.judge(130, {Sm{30, 40, 0}})) == "drop");
  CHECK(text_of(intervals.judge(230, {Sm{130, 40, 0}})) == "drop");  // the kernel is over before its first
                                                                     // interval ends
}

TEST_CASE("an SM that has had no kernel yet changes nothing") {
  KernelIntervals intervals(100);
  CHECK(text_of(intervals.judge(100, {Sm{30, 5, 2}, Sm{}})) == "from 30");
  CHECK(text_of(intervals.judge(130, {Sm{}, Sm{30, 70, 2}, Sm{}})) == "decide 70");
}

TEST_CASE("kernels of earlier runs count no more") {
  KernelIntervals intervals(100);
  CHECK(text_of(intervals.judge(100, {Sm{0, 70, 1}})) == "decide 70");
  intervals.begin_run(150);
  CHECK(text_of(intervals.judge(250, {Sm{0, 90, 0}})) == "drop");
  CHECK(text_of(intervals.judge(350, {Sm{0, 90, 0}, Sm{260, 7, 1}})) == "from 260");
  CHECK(text_of(intervals.judge(360, {Sm{0, 90, 0}, Sm{260, 9, 1}})) == "decide 9");
  // The run before may have been shorter than an interval.
  KernelIntervals behind_short_run(100);
  behind_short_run.begin_run(50);
  CHECK(text_of(behind_short_run.judge(150, {Sm{0, 40, 0}})) == "drop");
}

}  // namespace kernel_intervals_test
