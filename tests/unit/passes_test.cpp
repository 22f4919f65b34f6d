// Compiler passes on sequences worked out by hand.
#include <catch2/catch.hpp>

#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/passes/compiler_passes.h"
#include "tests/unit/pass_program.h"
#include "tests/unit/trace_files.h"

namespace passes_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr std::uint32_t low = 0x0000ffff, high = 0xffff0000;

std::vector<unsigned> registers(const RegisterSet& set) {
  std::vector<unsigned> list;
  for (unsigned r = 0; r < set.size(); ++r)
    if (set.test(r)) list.push_back(r);
  return list;
}
using List = std::vector<unsigned>;

PassOptions only(bool PassOptions::*pass) {
  PassOptions o;
  o.*pass = true;
  return o;
}

// The instructions at which strands begin.
std::vector<std::uint32_t> strand_starts(const PassProgram& p) {
  std::vector<std::uint32_t> starts;
  for (const StaticInstruction& s : p.code.instructions)
    if (s.annotation->strand_start) starts.push_back(s.index);
  return starts;
}

// R1 is set before a branch; the low lanes run one side, then the high lanes the other, which still reads R1.
struct Divergence : PassProgram {
  std::uint32_t set = add("MOV", {1}), branch = add("BRA"), low_read = add("IADD3", {2}, {1}),
                over = add("BRA"), high_read = add("IADD3", {3}, {1}), join = add("EXIT");
  Divergence() {
    run(set);
    run(branch, high);
    run(low_read, low);
    run(over, low);
    run(high_read, high);
    run(join);
  }
};

}  // namespace

TEST_CASE("lanes follow their own path where warps take turns", "[passes][profile]") {
  const Divergence d;
  const auto p = d.profile().instructions();
  using Edges = std::vector<std::uint32_t>;
  CHECK(p[d.set].warp_successors == Edges{d.branch});
  CHECK(p[d.set].lane_successors == Edges{d.branch, d.low_read});  // low lanes are off at the branch
  CHECK(p[d.branch].warp_successors == Edges{d.low_read});
  CHECK(p[d.branch].lane_successors == Edges{d.high_read});
  CHECK(p[d.over].warp_successors == Edges{d.high_read});
  CHECK(p[d.over].lane_successors == Edges{d.join});
  CHECK(p[d.set].warp_entry);
  CHECK(p[d.set].lane_entry);
  CHECK_FALSE(p[d.low_read].lane_entry);
}

TEST_CASE("a lane's first instruction is an entry, and predicated off is no step for lanes",
          "[passes][profile]") {
  PassProgram p;
  const auto a = p.add("MOV", {1}), off = p.add("MOV", {2}), b = p.add("MOV", {3});
  p.run(a, low);
  p.run(off, 0);
  p.run(b);
  const auto profile = p.profile().instructions();
  CHECK(profile[off].off);
  CHECK(profile[off].runs == 0);
  CHECK(profile[a].warp_successors == std::vector<std::uint32_t>{off});
  CHECK(profile[a].lane_successors == std::vector<std::uint32_t>{b});
  CHECK(profile[b].lane_entry);
  CHECK_FALSE(profile[b].warp_entry);
  CHECK_FALSE(profile[a].whole);
  CHECK(profile[b].whole);
  for (unsigned lane = 0; lane < 32; ++lane) {  // a single lane begins late
    PassProgram q;
    const auto first = q.add("MOV", {1}), later = q.add("MOV", {2});
    q.run(first, ~(1u << lane)), q.run(later);
    CHECK(q.profile().instructions()[later].lane_entry);
  }
}

TEST_CASE("a write ends the older value only for the lanes that still want it", "[passes][profile]") {
  for (const std::uint32_t readers : {low, ~0u, high}) {
    PassProgram p;
    p.run(p.add("MOV", {1}));
    const auto partial = p.add("MOV", {1});
    p.run(partial, low);
    p.run(p.add("STS", {}, {1}), readers);
    CHECK(p.profile().instructions()[partial].kills() == (readers == low ? 0xff : 0xfe));
  }
  PassProgram p;  // an instance that is off ends nothing
  const auto write = p.add("MOV", {1});
  p.run(write);
  CHECK(p.profile().instructions()[write].kills() == 0xff);
  p.run(write, 0);
  CHECK(p.profile().instructions()[write].kills() == 0);
}

TEST_CASE("liveness of straight-line code and of a loop", "[passes][liveness]") {
  PassProgram p;
  const auto first = p.add("MOV", {1}), body = p.add("IADD3", {2}, {1, 3}), branch = p.add("BRA"),
             last = p.add("STG.E", {}, {2, 4});
  p.run(first);
  for (int i = 0; i < 3; ++i) p.run(body), p.run(branch, i < 2 ? ~0u : 0);
  p.run(last);
  p.compile(only(&PassOptions::liveness));
  CHECK(registers(p.annotation.instructions[first].live_in) == List{3, 4});
  CHECK(registers(p.annotation.instructions[body].live_in) == List{1, 3, 4});  // R1: the next turn
  CHECK(registers(p.annotation.instructions[branch].live_in) == List{1, 2, 3, 4});
  CHECK(registers(p.annotation.instructions[last].live_in) == List{2, 4});
}

TEST_CASE("the other side of a divergent branch keeps a register alive", "[passes][liveness]") {
  Divergence d;
  PassOptions options = only(&PassOptions::liveness);
  options.dead = true;
  d.compile(options);
  // No path of a lane leads from low_read to high_read.
  CHECK(d.annotation.instructions[d.over].live_in.test(1));
  CHECK(d.annotation.instructions[d.low_read].last_use == 0);
  CHECK(d.annotation.instructions[d.high_read].last_use == 1);
}

TEST_CASE("results that the banks need all the same", "[passes][dead]") {
  PassProgram p;
  // R4 is whole and ends whole. Some lanes complete R5, and R6 in one warp of two.
  const auto ends = p.add("IADD3", {4}, {1, 2}), completed = p.add("IADD3", {5}, {1, 2}),
             path = p.add("IADD3", {6}, {1, 2}), some = p.add("MOV", {5}), other = p.add("MOV", {6}),
             again = p.add("IADD3", {4}, {5, 6}), end = p.add("STS", {}, {4, 5, 6});
  for (const bool goes : {true, false}) {
    if (!goes) p.warps.emplace_back();
    p.run(ends);
    p.run(completed);
    p.run(path);
    p.run(some, low);
    if (goes) p.run(other, low);
    p.run(again);
    p.run(end);
  }
  p.compile(only(&PassOptions::dead));
  const auto needs = [&](std::uint32_t i) { return p.annotation.instructions[i].needs_banks & 1; };
  CHECK(needs(ends) == 0);
  CHECK(needs(again) == 0);
  CHECK(needs(completed) == 1);
  CHECK(needs(path) == 1);
  CHECK(needs(some) == 1);
  CHECK(needs(other) == 1);
}

TEST_CASE("dead bits", "[passes][dead]") {
  PassProgram p;
  const auto twice = p.add("IADD3", {4}, {1, 2}), self = p.add("IADD3", {2}, {2, 3}),
             partial = p.add("MOV", {3}), off = p.add("STS", {}, {5}), end = p.add("STS", {}, {2, 3, 4});
  p.run(twice);
  p.run(self);
  p.run(partial, low);
  p.run(off, 0);
  p.run(end);
  p.compile(only(&PassOptions::dead));
  CHECK(p.annotation.instructions[twice].last_use == 0b01);  // R2 is read again
  CHECK(p.annotation.instructions[self].last_use ==
        0b01);  // R2 becomes a new value; R3 lives on in the high lanes
  CHECK(p.annotation.instructions[off].last_use == 0);
  CHECK(p.annotation.instructions[end].last_use == 0b111);
  // Annotations say nothing without the pass.
  p.compile(only(&PassOptions::liveness));
  CHECK(p.annotation.instructions[end].last_use == 0);
}

TEST_CASE("write-back hints of bow's Table I", "[passes][bow]") {
  PassProgram p;
  const auto r3 = p.add("LDG.E", {3}, {8});
  const auto r2_first = p.add("MOV", {2});
  p.add("IMAD", {1}, {0, 2});
  p.add("IMAD", {1}, {0, 2, 1});
  p.add("SHL", {1}, {1});
  p.add("IMAD", {0}, {0, 2, 1});
  p.add("IADD3", {0}, {0});
  const auto r0 = p.add("IADD3", {0}, {9, 0}), r1 = p.add("IADD3", {1}, {0}), r2 = p.add("LDG.E", {2}, {1}),
             r2_last = p.add("SHL", {2}, {2}), r4 = p.add("IADD3", {4}, {2});
  p.add("ISETP", {}, {3, 1});
  p.run_all();
  p.compile(only(&PassOptions::write_back));
  const auto hint = [&](std::uint32_t i) {
    const Annotation& h = p.annotation.instructions[i];
    return (h.to_window & 1) << 1 | (h.to_banks & 1);
  };
  CHECK(hint(r3) == 0b01);
  for (const std::uint32_t i : {r2_first, 2u, 3u, 4u, 5u, 6u, r0, r2, r2_last}) CHECK(hint(i) == 0b10);
  CHECK(hint(r1) == 0b11);
  CHECK(hint(r4) == 0b01);  // never read
  const WriteBackSummary& s = *p.annotation.write_back;
  // The paper's two bank writes, and the write of r4, which the paper leaves out.
  CHECK(s.writes.banks_only + s.writes.both == 3);
  CHECK(s.writes.window_only == 9);
  CHECK(s.destinations.total() == 12);
  CHECK(s.unconfirmed == 0);
}

TEST_CASE("an instruction with the most results gets a hint for each and no more", "[passes][bow]") {
  PassProgram p;
  const auto load = p.add("LDG.E", {1, 2, 3, 4, 5, 6, 7, 8}, {9});
  p.add("MOV", {10});
  p.run_all();
  p.compile(only(&PassOptions::write_back));
  REQUIRE(p.code.instructions[load].destination_count == max_destinations);
  // Nothing reads the eight results of the load, nor the result of MOV.
  CHECK(p.annotation.write_back->destinations.banks_only == 9);
  CHECK(p.annotation.write_back->destinations.total() == 9);
  CHECK(p.annotation.write_back->writes.total() == 9);
}

TEST_CASE("the window's edge, mixed fates and partial masks", "[passes][bow]") {
  const auto hint = [](unsigned gap, std::uint32_t write_mask, bool branch, unsigned window = 3) {
    PassProgram p;
    const auto write = p.add("MOV", {1}), other = p.add("NOP"), jump = p.add("BRA"),
               read = p.add("STS", {}, {1});
    p.run(write, write_mask);
    for (unsigned i = 1; i < gap; ++i) p.run(branch && i == 1 ? jump : other);
    p.run(read, write_mask);
    PassOptions o = only(&PassOptions::write_back);
    o.write_back_window = window;
    o.window_ends_at_taken_branch = branch;
    const Annotation& h = p.compile(o, write);
    return (h.to_window & 1) << 1 | (h.to_banks & 1);
  };
  CHECK(hint(2, ~0u, false) == 0b10);
  CHECK(hint(3, ~0u, false) == 0b01);
  CHECK(hint(3, ~0u, false, 4) == 0b10);
  CHECK(hint(2, ~0u, true) == 0b01);  // a taken branch comes between
  CHECK(hint(1, ~0u >> 1, false) == 0b11);

  // Lanes that have exited, or never had a thread, are not left out.
  for (const bool exits : {true, false}) {
    PassProgram q;
    const auto leave = q.add("EXIT"), write = q.add("MOV", {1}), read = q.add("STS", {}, {1});
    if (exits) q.run(leave, ~low);
    q.warps[0].lanes = exits ? ~0u : low;
    q.run(write, low), q.run(read, low);
    CHECK((q.compile(only(&PassOptions::write_back), write).to_banks & 1) == 0);
    CHECK(q.profile().instructions()[write].whole);
  }

  // Covering: only a lane that was left out and is read makes a difference.
  for (const std::uint32_t readers : {low, ~0u}) {
    PassProgram q;
    q.run(q.add("MOV", {1}));
    const auto partial = q.add("MOV", {1});
    q.run(partial, low);
    q.run(q.add("STS", {}, {1}), readers);
    PassOptions o = only(&PassOptions::write_back);
    o.write_back_partial = PartialWriteBack::covering;
    CHECK((q.compile(o, partial).to_banks & 1) == (readers == low ? 0 : 1));
  }

  PassProgram p;  // an instance inside, another outside
  const auto write = p.add("MOV", {1}), read = p.add("STS", {}, {1}), other = p.add("NOP"),
             never = p.add("MOV", {2});
  p.run(write), p.run(read);
  p.run(write), p.run(other), p.run(other), p.run(read);
  p.compile(only(&PassOptions::write_back));
  CHECK((p.annotation.instructions[write].to_window & p.annotation.instructions[write].to_banks & 1) == 1);
  CHECK((p.annotation.instructions[never].to_window & p.annotation.instructions[never].to_banks & 1) == 1);
  CHECK(p.annotation.write_back->writes.both == 2);
  CHECK(p.annotation.write_back->reads == 2);
  CHECK(p.annotation.write_back->window_reads == 1);
}

TEST_CASE("a jump ends the window if some lane takes it", "[passes][bow]") {
  for (const std::uint32_t taken : {0u, 1u, ~0u}) {
    PassProgram p;
    const auto write = p.add("MOV", {1}), jump = p.add("BRA"), read = p.add("STS", {}, {1});
    p.run(write), p.run(jump, taken), p.run(read);
    PassOptions o = only(&PassOptions::write_back);
    o.window_ends_at_taken_branch = true;
    const Annotation& h = p.compile(o, write);
    CHECK((h.to_window & 1) == (taken == 0 ? 1 : 0));
    CHECK((h.to_banks & 1) == (taken == 0 ? 0 : 1));
  }
}

TEST_CASE("each read keeps a register in the window for as long again", "[passes][bow]") {
  PassProgram p;
  const auto write = p.add("MOV", {1}), other = p.add("NOP"), read = p.add("STS", {}, {1});
  // The second read is four instructions behind the write, and two behind the first read.
  p.run(write), p.run(other), p.run(read), p.run(other), p.run(read);
  p.compile(only(&PassOptions::write_back));
  CHECK(p.annotation.write_back->reads == 2);
  CHECK(p.annotation.write_back->window_reads == 2);
}

TEST_CASE("a value that a partial result is merged with goes to the banks, too", "[passes][bow]") {
  for (const bool left_out_is_read : {true, false}) {
    PassProgram p;
    const auto whole = p.add("MOV", {1}), read = p.add("STS", {}, {1}), other = p.add("NOP"),
               partial = p.add("MOV", {1});
    p.run(whole), p.run(read), p.run(other), p.run(other);
    p.run(partial, low), p.run(read, low);
    // Another warp reads lanes that the partial result left out, so its hardware has to merge.
    p.warps.emplace_back();
    p.run(partial, low), p.run(read, left_out_is_read ? high : low);
    PassOptions o = only(&PassOptions::write_back);
    o.write_back_partial = PartialWriteBack::covering;
    const Annotation& h = p.compile(o, whole);
    CHECK((h.to_window & 1) == 1);
    CHECK((h.to_banks & 1) == (left_out_is_read ? 1 : 0));
    CHECK((p.annotation.instructions[partial].ends_older & 1) == (left_out_is_read ? 0 : 1));
  }
}

TEST_CASE("a window-only value that a path not taken together would want", "[passes][bow]") {
  PassProgram p;
  const auto a = p.add("MOV", {1}), b = p.add("MOV", {1}), read = p.add("STS", {}, {1}), other = p.add("NOP"),
             late = p.add("STS", {}, {1});
  // A's value is read at once; B's also late. The paths share an instruction.
  p.run(a), p.run(read), p.run(other), p.run(b), p.run(read), p.run(other), p.run(other), p.run(late);
  p.compile(only(&PassOptions::write_back));
  CHECK(p.annotation.instructions[a].to_banks == 0xfe);
  CHECK(p.annotation.write_back->unconfirmed == 1);
}

TEST_CASE("a window-only value whose register is read at the window's edge on another path",
          "[passes][bow]") {
  PassProgram p;
  const auto a = p.add("MOV", {1}), b = p.add("MOV", {1}), shared = p.add("MOV", {5}),
             early = p.add("STS", {}, {1}), over = p.add("MOV", {6}), late = p.add("STS", {}, {1});
  p.run(a), p.run(shared), p.run(early);
  p.warps.emplace_back();
  p.run(b), p.run(shared), p.run(over), p.run(late);
  p.compile(only(&PassOptions::write_back));
  CHECK(p.annotation.instructions[a].to_banks == 0xfe);
  CHECK(p.annotation.instructions[b].to_window == 0xfe);
  // The observed steps also lead from A past `over` to `late`, three instructions behind A, where a window of
  // three has lost R1. Results of other registers do not end R1.
  CHECK(p.annotation.write_back->unconfirmed == 1);
}

TEST_CASE("strands end at long-latency uses, barriers, calls and steps back", "[passes][strands]") {
  PassProgram p;
  const auto load = p.add("LDG.E", {1}, {2}), shared = p.add("LDS", {3}, {2}),
             free = p.add("IADD3", {4}, {3}), use = p.add("IADD3", {5}, {1}),
             atomic = p.add("ATOMG.ADD", {6}, {2}), over = p.add("MOV", {6}), barrier = p.add("BAR.SYNC"),
             behind = p.add("MOV", {7}), call = p.add("CALL.REL"), called = p.add("MOV", {8}),
             loop = p.add("IADD3", {8}, {8}), back = p.add("BRA"), exit = p.add("EXIT");
  for (std::uint32_t i = load; i < loop; ++i) p.run(i);
  for (int i = 0; i < 3; ++i) p.run(loop), p.run(back, i < 2 ? ~0u : 0);
  p.run(exit);
  p.compile(only(&PassOptions::strands));
  // `shared` and its readers stay in a strand. A write to a pending register (`over`) waits like a read.
  CHECK(strand_starts(p) == std::vector<std::uint32_t>{load, use, over, behind, called, loop, exit});
  CHECK_FALSE(p.annotation.instructions[free].strand_start);
  CHECK(is_long_latency(p.code.instructions[atomic]));
  CHECK_FALSE(is_long_latency(p.code.instructions[shared]));
  CHECK_FALSE(p.annotation.instructions[barrier].strand_start);
  CHECK_FALSE(p.annotation.instructions[call].strand_start);
}

TEST_CASE("a jump from another strand begins one where it arrives", "[passes][strands]") {
  PassProgram p;
  const auto load = p.add("LDG.E", {1}, {2}), branch = p.add("BRA"), use = p.add("IADD3", {3}, {1}),
             join = p.add("MOV", {4});
  for (const std::uint32_t i : {load, branch, use, join}) p.run(i, i == branch ? 0 : ~0u);
  p.warps.emplace_back();
  for (const std::uint32_t i : {load, branch, join}) p.run(i);  // past `use`
  p.compile(only(&PassOptions::strands));
  CHECK(p.annotation.instructions[use].strand_start);
  CHECK(p.annotation.instructions[join].strand_start);
  p.warps.pop_back();
  p.compile(only(&PassOptions::strands));
  CHECK_FALSE(p.annotation.instructions[join].strand_start);
}

TEST_CASE("a strand begins wherever a warp begins", "[passes][strands]") {
  PassProgram p;
  const auto first = p.add("MOV", {1}), middle = p.add("MOV", {2}), end = p.add("EXIT");
  p.run_all();
  p.warps.emplace_back();
  p.run(middle), p.run(end);
  p.compile(only(&PassOptions::strands));
  CHECK(strand_starts(p) == std::vector<std::uint32_t>{first, middle});
}

TEST_CASE("strands begin at products of a warpgroup, their accumulators and waits for them",
          "[passes][strands]") {
  PassProgram p;
  const auto first = p.add("MOV", {1}), product = p.add("HGMMA.64x8x16.F32");
  p.add("MOV", {2});
  const auto early = p.add("STS", {}, {25}), wait = p.add("WARPGROUP.DEPBAR.LE");
  p.add("STS", {}, {26});  // behind the wait, no accumulator is pending
  p.code.instructions[product].warpgroup = WarpgroupStep::product;
  p.code.instructions[product].accumulators = {24, 4, true};
  p.code.instructions[wait].warpgroup = WarpgroupStep::wait;
  p.run_all();
  p.compile(only(&PassOptions::strands));
  CHECK(strand_starts(p) == std::vector<std::uint32_t>{first, product, early, wait});
}

TEST_CASE("values go to the last result file, the ORF or the banks", "[passes][strands]") {
  PassProgram p;
  const auto make = p.add("IADD3", {1}, {9}), alu = p.add("IADD3", {2}, {1, 9}),
             address = p.add("LDG.E", {3}, {2}), late = p.add("STG.E", {}, {3, 9});
  p.run_all();
  PassOptions o = only(&PassOptions::strands);
  p.compile(o);
  const auto& h = p.annotation.instructions;
  // R1 lives between two ALU instructions; R2 is an address, out of the LRF's reach; neither outlives.
  CHECK(h[make].write_to[0].level == OperandLevel::lrf);
  CHECK((h[make].write_banks & 1) == 0);
  CHECK(h[alu].read_from[0].level == OperandLevel::lrf);
  CHECK(h[alu].write_to[0].level == OperandLevel::orf);
  CHECK(h[address].read_from[0].level == OperandLevel::orf);
  // R9 is read from the banks once and kept for its second read. The next strand reads R9 from the banks
  // again.
  CHECK(h[make].read_from[0].level == OperandLevel::mrf);
  CHECK(h[make].keep_source == 1);
  CHECK(h[alu].read_from[1].level == OperandLevel::orf);
  CHECK(h[alu].read_from[1].entry == h[make].keep_entry[0]);
  CHECK(h[alu].read_from[1].entry == h[alu].write_to[0].entry);  // read there for the last time, then written
  CHECK(h[late].strand_start);
  CHECK(h[late].read_from[1].level == OperandLevel::mrf);
  // A result that is still under way when the strand ends goes to the banks.
  CHECK(h[address].write_to[0].level == OperandLevel::mrf);
  CHECK((h[address].write_banks & 1) == 1);

  o.lrf_entries = 0;
  CHECK(p.compile(o, make).write_to[0].level == OperandLevel::orf);
  o.orf_entries = 0;
  CHECK(p.compile(o, make).write_to[0].level == OperandLevel::mrf);
  CHECK((p.annotation.instructions[make].write_banks & 1) == 1);
  o.orf_entries = 3;
  o.strand_energy.orf_read = 100;  // dearer than a bank
  CHECK(p.compile(o, make).write_to[0].level == OperandLevel::mrf);
}

TEST_CASE("a full ORF leaves the furthest reads to the banks", "[passes][strands]") {
  PassProgram p;
  const auto a = p.add("MOV", {1}), near = p.add("STS", {}, {1}), b = p.add("MOV", {2}),
             c = p.add("STS", {}, {2}), far = p.add("STS", {}, {1});
  p.run_all();
  PassOptions o = only(&PassOptions::strands);
  o.orf_entries = 1;
  p.compile(o);
  const auto& h = p.annotation.instructions;
  CHECK(h[b].write_to[0].level == OperandLevel::orf);  // more savings per slot than A
  CHECK(h[c].read_from[0].level == OperandLevel::orf);
  CHECK(h[a].write_to[0].level == OperandLevel::orf);
  CHECK((h[a].write_banks & 1) == 1);
  CHECK((h[b].write_banks & 1) == 0);
  CHECK(h[near].read_from[0].level == OperandLevel::orf);
  CHECK(h[far].read_from[0].level == OperandLevel::mrf);
}

TEST_CASE("of two values worth the same in the ORF the one worth more in the LRF has precedence",
          "[passes][strands]") {
  for (const bool more_for_source : {true, false}) {
    PassProgram p;
    const auto make = p.add("IADD3", {1}, {2}), next = p.add("STS", {}, {2}), last = p.add("STS", {}, {1, 2});
    p.run_all();
    PassOptions o = only(&PassOptions::strands);
    o.orf_entries = 1;
    // In the ORF, R2 would save two reads for 2 each, and R1 a read and a write for 2 each. In the LRF, which
    // stores cannot read, a read would save 3 or 1 instead.
    StrandEnergy& e = o.strand_energy;
    e.mrf_read = 4;
    e.mrf_write = 2;
    e.orf_read = 2;
    e.lrf_read = more_for_source ? 1 : 3;
    e.orf_write = e.lrf_write = 1;
    p.compile(o);
    const auto& h = p.annotation.instructions;
    const OperandLevel source = more_for_source ? OperandLevel::orf : OperandLevel::mrf,
                       result = more_for_source ? OperandLevel::mrf : OperandLevel::orf;
    CHECK(h[make].keep_source == (more_for_source ? 1u : 0u));
    CHECK(h[make].write_to[0].level == result);
    CHECK(h[next].read_from[0].level == source);
    CHECK(h[last].read_from[0].level == result);
    CHECK(h[last].read_from[1].level == source);
  }
}

TEST_CASE("partial masks and two sides keep values in the banks", "[passes][strands]") {
  SECTION("a partial write leaves lanes that are read") {
    PassProgram p;
    const auto whole = p.add("MOV", {1}), partial = p.add("MOV", {1}), read = p.add("STS", {}, {1});
    p.run(whole), p.run(partial, low), p.run(read);
    p.compile(only(&PassOptions::strands));
    CHECK(p.annotation.instructions[read].read_from[0].level == OperandLevel::mrf);
    CHECK((p.annotation.instructions[whole].write_banks & 1) == 1);
    CHECK((p.annotation.instructions[partial].write_banks & 1) == 1);
  }
  SECTION("a partial write that covers its readers goes to the ORF, but not only there") {
    PassProgram p;
    const auto partial = p.add("MOV", {1}), read = p.add("STS", {}, {1});
    p.run(partial, low), p.run(read, low);
    p.compile(only(&PassOptions::strands));
    CHECK(p.annotation.instructions[read].read_from[0].level == OperandLevel::orf);
    CHECK((p.annotation.instructions[partial].write_banks & 1) == 1);
  }
  SECTION("a write that one path skips") {
    PassProgram p;
    const auto first = p.add("MOV", {1}), branch = p.add("BRA"), second = p.add("MOV", {1}),
               read = p.add("STS", {}, {1});
    for (const std::uint32_t i : {first, branch, second, read}) p.run(i, i == branch ? 0 : ~0u);
    p.warps.emplace_back();
    for (const std::uint32_t i : {first, branch, read}) p.run(i);
    p.compile(only(&PassOptions::strands));
    CHECK(p.annotation.instructions[read].read_from[0].level == OperandLevel::mrf);
    CHECK((p.annotation.instructions[first].write_banks & p.annotation.instructions[second].write_banks &
           1) == 1);
  }
  SECTION("a kept value that one path does not bring in") {
    PassProgram p;
    const auto branch = p.add("BRA"), first = p.add("STS", {}, {1}), second = p.add("STS", {}, {1});
    p.run(branch, 0), p.run(first), p.run(second);
    p.warps.emplace_back();
    p.run(branch), p.run(second);
    p.compile(only(&PassOptions::strands));
    CHECK(p.annotation.instructions[second].read_from[0].level == OperandLevel::mrf);
    p.warps.pop_back();
    p.compile(only(&PassOptions::strands));
    CHECK(p.annotation.instructions[second].read_from[0].level == OperandLevel::orf);
  }
}

TEST_CASE("a loop whose body fits is one interval", "[passes][intervals]") {
  PassProgram p;
  const auto before = p.add("IADD3", {10}, {11}), head = p.add("IADD3", {1}, {2, 3}),
             tail = p.add("IADD3", {2}, {1, 4}), branch = p.add("BRA"), after = p.add("STG.E", {}, {12, 13});
  p.run(before);
  for (int i = 0; i < 3; ++i) p.run(head), p.run(tail), p.run(branch, i < 2 ? ~0u : 0);
  p.run(after);
  PassOptions o = only(&PassOptions::intervals);
  const auto interval = [&](std::uint32_t i) { return p.annotation.instructions[i].interval; };
  o.interval_registers = 4;
  p.compile(o);
  CHECK(interval(before) == 0);
  CHECK(interval(head) == 1);
  CHECK(interval(tail) == 1);
  CHECK(interval(branch) == 1);
  CHECK(interval(after) == 2);
  CHECK(registers(*p.annotation.instructions[head].working_set) == List{1, 2, 3, 4});
  CHECK(registers(*p.annotation.instructions[after].working_set) == List{12, 13});
  // The code behind the loop joins the loop while that grows. Then both join the code before the loop, if
  // there is room.
  o.interval_registers = 6;
  p.compile(o);
  CHECK(interval(after) == interval(head));
  CHECK(interval(before) != interval(head));
  o.interval_registers = 8;
  p.compile(o);
  CHECK(interval(after) == interval(before));
  CHECK(p.annotation.working_sets.size() == 1);
  // A body that is too large is cut. So is an instruction's own interval if N is smaller than the interval.
  o.interval_registers = 3;
  p.compile(o);
  CHECK(interval(head) != interval(tail));
  o.interval_registers = 2;
  p.compile(o);
  CHECK(p.annotation.instructions[head].working_set->count() == 3);
  CHECK(p.annotation.instructions[before].working_set->count() == 2);
}

TEST_CASE("an interval begins wherever a warp begins", "[passes][intervals]") {
  PassProgram p;
  const auto first = p.add("MOV", {1}), middle = p.add("MOV", {2}), end = p.add("EXIT");
  const PassOptions o = only(&PassOptions::intervals);
  const auto interval = [&](std::uint32_t i) { return p.annotation.instructions[i].interval; };
  p.run_all();
  p.compile(o);
  CHECK(interval(middle) == interval(first));
  p.warps.emplace_back();
  p.run(middle), p.run(end);
  p.compile(o);
  CHECK(interval(middle) != interval(first));
  CHECK(interval(end) == interval(middle));
}

TEST_CASE("both sides of a branch and their join share an interval only together", "[passes][intervals]") {
  Divergence d;
  PassOptions o = only(&PassOptions::intervals);
  d.compile(o);
  CHECK(d.annotation.working_sets.size() == 1);
  o.interval_registers = 2;
  d.compile(o);
  CHECK(d.annotation.instructions[d.low_read].interval != d.annotation.instructions[d.high_read].interval);
  // The join is entered from either side. So it belongs to neither side, although it would fit.
  CHECK(d.annotation.instructions[d.join].interval != d.annotation.instructions[d.low_read].interval);
  CHECK(d.annotation.instructions[d.join].interval != d.annotation.instructions[d.high_read].interval);
  CHECK(registers(*d.annotation.instructions[d.low_read].working_set) == List{1, 2});
  CHECK(registers(*d.annotation.instructions[d.high_read].working_set) == List{1, 3});
}

TEST_CASE("intervals grow along jumps, not along the layout", "[passes][intervals]") {
  PassOptions o = only(&PassOptions::intervals);
  o.interval_registers = 3;
  {
    // A jumps to C, and C goes back to B. A and C fit, B and C fit, and all three do not.
    PassProgram p;
    const auto a = p.add("IADD3", {1}, {2}), over = p.add("BRA"), b = p.add("IADD3", {4}, {3}),
               end = p.add("EXIT"), c = p.add("IADD3", {3}, {1}), back = p.add("BRA");
    for (const std::uint32_t i : {a, over, c, back, b, end}) p.run(i);
    p.compile(o);
    CHECK(p.annotation.instructions[c].interval == p.annotation.instructions[a].interval);
    CHECK(p.annotation.instructions[b].interval != p.annotation.instructions[a].interval);
    CHECK(registers(*p.annotation.instructions[a].working_set) == List{1, 2, 3});
    CHECK(registers(*p.annotation.instructions[b].working_set) == List{3, 4});
  }
  {
    // C does not fit with A. C is then the next header, because control comes to C before B.
    PassProgram p;
    const auto a = p.add("IADD3", {5}, {6, 7}), over = p.add("BRA"), b = p.add("IADD3", {3}, {2}),
               on = p.add("BRA"), c = p.add("IADD3", {2}, {1}), back = p.add("BRA"),
               e = p.add("IADD3", {4}, {3}), end = p.add("EXIT");
    for (const std::uint32_t i : {a, over, c, back, b, on, e, end}) p.run(i);
    p.compile(o);
    CHECK(p.annotation.instructions[b].interval == p.annotation.instructions[c].interval);
    CHECK(p.annotation.instructions[e].interval != p.annotation.instructions[b].interval);
    CHECK(registers(*p.annotation.instructions[b].working_set) == List{1, 2, 3});
  }
  {
    // A joins the first interval, C does not fit there, and C is the next header, although A is not the first
    // block of its interval.
    PassProgram p;
    const auto first = p.add("IADD3", {5}, {6}), over = p.add("BRA"), b = p.add("IADD3", {3}, {2}),
               on = p.add("BRA"), a = p.add("IADD3", {5}, {6, 7}), c = p.add("IADD3", {2}, {1}),
               back = p.add("BRA"), e = p.add("IADD3", {4}, {3}), end = p.add("EXIT");
    for (const std::uint32_t i : {first, over, a, c, back, b, on, e, end}) p.run(i);
    p.compile(o);
    CHECK(p.annotation.instructions[a].interval == p.annotation.instructions[first].interval);
    CHECK(p.annotation.instructions[b].interval == p.annotation.instructions[c].interval);
    CHECK(p.annotation.instructions[e].interval != p.annotation.instructions[b].interval);
  }
}

TEST_CASE("synthetic reuse flags", "[passes][reuse-flags]") {
  PassProgram p;
  const auto a = p.add("IADD3", {9}, {1, 2, 3}), b = p.add("IADD3", {3}, {1, 3, 3}),
             c = p.add("IADD3", {4}, {1, 2, 3}), branch = p.add("BRA"), d = p.add("IADD3", {5}, {1, 2, 3}),
             e = p.add("IADD3", {6}, {1, 2, 3});
  p.run_all();
  PassOptions o;
  o.reuse_flags = ReuseFlags::automatic;
  p.compile(o);
  CHECK(p.annotation.reuse_flags_are_synthetic);
  const auto flags = [&](std::uint32_t i) { return p.code.instructions[i].reuse_mask; };
  CHECK(flags(a) == 0b111);  // slot B for the instruction behind the next, which reads another bank there
  CHECK(flags(b) == 0b001);  // R3 is overwritten
  CHECK(flags(c) == 0);      // the next instruction has no operands
  CHECK(flags(branch) == 0);
  CHECK(flags(d) == 0b111);
  CHECK(flags(e) == 0);
  p.run(branch), p.run(e);  // now E is reached from elsewhere, too
  p.code.instructions[a].reuse_mask = 0b010;
  p.compile(o);
  CHECK_FALSE(p.annotation.reuse_flags_are_synthetic);
  CHECK(flags(a) == 0b010);
  o.reuse_flags = ReuseFlags::synthetic;
  p.compile(o);
  CHECK(p.annotation.reuse_flags_are_synthetic);
  CHECK(flags(a) == 0b111);
  CHECK(flags(d) == 0);
}

TEST_CASE("synthetic reuse flags are for an entry per slot and bank", "[passes][reuse-flags]") {
  const auto mask_of_first = [](const std::function<void(PassProgram&)>& rest,
                                std::vector<Register> sources = {2}, std::uint32_t mask = ~0u) {
    PassProgram p;
    const auto first = p.add("IADD3", {9}, sources);
    rest(p);
    p.add("EXIT");
    p.run(first);
    for (std::uint32_t i = first + 1; i < p.code.instructions.size(); ++i)
      p.run(i, i == first + 1 ? mask : ~0u);
    PassOptions o;
    o.reuse_flags = ReuseFlags::synthetic;
    p.compile(o);
    return unsigned{p.code.instructions[first].reuse_mask};
  };
  const auto reader = [](PassProgram& p) { p.add("FADD", {8}, {2}); };
  CHECK(mask_of_first(reader) == 1);
  CHECK(mask_of_first(reader, {2}, 0) == 0);  // predicated off: the entry stays as it is
  CHECK(mask_of_first([](PassProgram& p) { p.add("FADD", {8}, {3}); }) == 0);     // no instruction reads the
                                                                                  // value any more
  CHECK(mask_of_first([](PassProgram& p) { p.add("FADD", {8}, {3, 2}); }) == 0);  // nor in this slot
  CHECK(mask_of_first([&](PassProgram& p) { p.add("FADD", {8}, {3}), reader(p); }) == 1);
  CHECK(mask_of_first([&](PassProgram& p) { p.add("FADD", {8}, {4}), reader(p); }) ==
        0);  // the entry is cleared
  CHECK(mask_of_first([&](PassProgram& p) { p.add("LDS", {8}, {4}), reader(p); }) == 1);  // not by memory
  CHECK(mask_of_first([&](PassProgram& p) { p.add("LDS", {8}, {2}); }) == 0);  // memory finds nothing
  CHECK(mask_of_first([&](PassProgram& p) { p.add("LDS", {2}, {4}), reader(p); }) == 0);  // R2 is overwritten
  CHECK(mask_of_first([&](PassProgram& p) { p.add("BRA"), reader(p); }) == 0);
  // A block goes on only to a later address.
  CHECK(mask_of_first([&](PassProgram& p) { reader(p), p.code.instructions.back().pc = 0; }) == 0);
  CHECK(mask_of_first([&](PassProgram& p) { p.add("MUFU.RCP", {8}, {2}); }) ==
        0);  // whether the instruction looks is not known
  CHECK(mask_of_first(reader, {9, 2}) == 0);
}

// An entry for each slot and bank of a warp, as a reuse cache has it.
TEST_CASE("no synthetic reuse flag leaves an old value behind", "[passes][reuse-flags][property]") {
  std::uint64_t hits = 0, stale = 0;
  const auto replay = [&](const CodeTable& code, const WarpTrace& warp) {
    struct Entry {
      int tag = -1;
      unsigned version = 0;
    } entries[operand_slots][2];
    std::array<unsigned, 256> versions{};
    for (const TraceRecord& record : warp.records) {
      const StaticInstruction& s = code.instructions[record.code];
      if (record.mask == 0) continue;
      const auto each_source = [&](auto&& f) {
        for (unsigned k = 0; k < s.source_count && s.execution != ExecutionClass::load_store; ++k)
          for (const unsigned slot : bits::each(s.source_slots[k]))
            f(s.sources[k], slot, entries[slot][s.sources[k] % 2]);
      };
      each_source([&](Register r, unsigned, const Entry& e) {
        if (e.tag != r) return;
        ++hits;
        stale += e.version == versions[r] ? 0 : 1;
      });
      each_source([](Register, unsigned, Entry& e) { e = {}; });
      each_source([&](Register r, unsigned slot, Entry& e) {
        if (bits::has(s.reuse_mask, slot)) e = {r, versions[r]};
      });
      for (unsigned k = 0; k < s.destination_count; ++k) ++versions[s.destinations[k]];
    }
  };
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    RandomProgram made(random);
    PassProgram& p = made.result;
    synthesise_reuse_flags(p.code, p.profile());
    for (const WarpTrace& warp : p.warps) replay(p.code, warp);
  }
  CHECK(hits > 300);
  CHECK(stale == 0);
}

TEST_CASE("an annotated kernel reads its file twice and hands out every block once", "[passes]") {
  TemporaryFolder folder;
  std::string text = header("3", "(3,1,1)", "(32,1,1)");
  for (int b = 0; b < 3; ++b)
    text += "#BEGIN_TB\nthread block = " + std::to_string(b) +
            ",0,0\nwarp = 0\ninsts = 3\n0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 STS 1 R1 4 1 0x" +
            std::to_string(b) + "0 0\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n";
  const auto file = folder.write("kernel-1.traceg", text);
  PassOptions o = every_pass();
  const auto drain = [&](AnnotatedKernel& kernel) {
    std::vector<std::uint32_t> blocks;
    for (CtaTrace cta; kernel.next(cta);) {
      blocks.push_back(cta.id.x);
      CHECK(cta.warps.at(0).records.size() == 3);
    }
    return blocks;
  };
  AnnotatedKernel kernel(file, {}, o);
  REQUIRE(kernel.annotation() != nullptr);
  CHECK(kernel.code().instructions.size() == 3);
  CHECK(drain(kernel) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(kernel.code().instructions.size() == 3);
  CHECK(kernel.code().instructions[0].annotation == &kernel.annotation()->instructions[0]);
  CHECK(kernel.code().instructions[0].annotation->to_banks == 0xfe);
  CHECK(kernel.code().instructions[0].destination_near == 1);  // the reuse profile is the same either way

  AnnotatedKernel plain(file, {}, {});
  CHECK(plain.annotation() == nullptr);
  CHECK(drain(plain) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(plain.code().instructions[0].annotation == nullptr);
  CHECK(plain.code().instructions[0].destination_near == 1);
  o.near_bits.source = NearBitsSource::none;
  AnnotatedKernel far(file, {}, o);
  CHECK(far.code().instructions[0].destination_near == 0);
}

}  // namespace passes_test
