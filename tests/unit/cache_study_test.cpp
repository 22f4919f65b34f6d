#include "subcore/program/analysis/study/cache_study.h"

#include <catch2/catch.hpp>

#include "subcore/base/config_error.h"
#include "subcore/power/energy_table.h"
#include "subcore/program/analysis/study/rfcsim_config.h"
#include "subcore/program/analysis/study/trace_lines.h"
#include "tests/unit/trace_files.h"

namespace cache_study_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using A = RegisterCacheAllocation;

// A kernel of one warp as the study's own traces look: hardly a header.
std::string bare_trace(const std::string& lines) {
  const std::string whole = one_warp(lines);
  return "-kernel name = tiny\n" + whole;
}

const std::string tiny_lines =
    "0000 ffffffff 1 R1 MOV 1 R2 0\n"
    "0010 ffffffff 1 R4 IADD3 3 R1 R2 R3 0\n"
    "0020 0000000f 1 R5 FFMA 3 R4 R1 R4 0\n"
    "0030 ffffffff 0 STG.E 2 R2 R5 4 1 0x7f0000000000 4\n"
    "0040 ffffffff 1 R1 MOV 1 R3 0\n"
    "0050 ffffffff 0 EXIT 0 0\n";

// A listing with these flags per instruction, 16 bytes apart.
std::string listing_of(const std::string& kernel, const std::vector<unsigned>& flags) {
  std::string text = "\t\tFunction : " + kernel + "\n";
  for (std::size_t i = 0; i < flags.size(); ++i) {
    char lines[200];
    std::snprintf(lines, sizeof lines,
                  "        /*%04zx*/      NOP ;   /* 0x0000000000000001 */\n"
                  "                               /* 0x%016llx */\n",
                  16 * i, static_cast<unsigned long long>(flags[i]) << 58 | 0x000fe20000000f00ull);
    text += lines;
  }
  return text;
}

struct Trace {
  TemporaryFolder folder;
  explicit Trace(const std::string& text) {
    folder.write("kernel-1.traceg", text);
    folder.write("kernelslist.g", "MemcpyHtoD,0x1,4\nkernel-1.traceg\n");
  }
  StudySummary run(std::vector<StudyJob>& jobs, const StudyOptions& options = {}) const {
    return run_cache_study(open_trace(folder.path()), options, jobs);
  }
  StudyJob run(const RegisterCacheParameters& p, const StudyOptions& options = {}) const {
    std::vector<StudyJob> jobs;
    jobs.push_back({StudyCacheRun(p, {128}), {}, false});
    run(jobs, options);
    return jobs.front();
  }
};

RegisterCacheParameters compat(unsigned ways = 2, A allocation = A::compiler_aided) {
  RegisterCacheParameters p;
  p.rfcsim_compat = true;
  p.ways = ways;
  p.allocation = allocation;
  return p;
}

StudyOptions flags(StudyFlags f) {
  StudyOptions o;
  o.flags = f;
  return o;
}

StudyLine line(const std::string& opcode, std::vector<std::uint8_t> destinations,
               std::vector<std::uint8_t> sources) {
  StudyLine l;
  l.pc_digits = 4;
  l.mask = ~0u;
  l.opcode = opcode;
  l.destinations = std::move(destinations);
  l.sources = std::move(sources);
  return l;
}

std::string words_of(const StudyInstruction& i) {
  std::string all;
  for (const StudyOperand& o : i.operands) {
    all += o.kind == StudyOperand::Kind::source ? "S" : o.kind == StudyOperand::Kind::destination ? "D" : "@";
    all += std::to_string(o.reg);
    if (o.kind == StudyOperand::Kind::source)
      all += "/" + std::to_string(o.position) + (o.flagged ? "*" : "");
    all += ' ';
  }
  return all;
}

std::filesystem::path golden() {
  if (const char* folder = std::getenv("SUBCORE_GOLDEN")) return folder;
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / ".." / "shared" / "golden" / "rfcsim";
}

}  // namespace

TEST_CASE("the hand example gives RFC-sim's five results", "[cache_study]") {
  const Trace trace(bare_trace(tiny_lines));
  StudyOptions options;
  options.listing = read_sass_listing(trace.folder.write("a.sass", listing_of("tiny", {0, 2, 0, 0, 1, 0})));
  struct Expected {
    const char* name;
    unsigned ways;
    A allocation;
    DestinationMap map;
    unsigned bits;
    StudyEnergy energy;
    std::uint64_t cache_reads, cache_writes, file_reads, file_writes;
    double read_hit, write_hit, saved;
  };
  const auto itl = DestinationMap::interleaved;
  const StudyEnergy two{23.4685, 24.2801, 17.4632, 17.9704}, full{43.2275, 44.0041, 17.4632, 17.9704},
      narrow{7.31519, 8.76570, 17.4632, 17.9704};
  const Expected e = GENERATE_COPY(
      Expected{"2w-cpl-itl", 2, A::compiler_aided, itl, 128, two, 3, 41, 224, 0, 5.08475, 28, 15.8948},
      Expected{"2w-cpl-ln", 2, A::compiler_aided, DestinationMap::linear, 128, two, 9, 41, 200, 4, 15.2542,
               28, 19.3826},
      Expected{"2w-write-itl", 2, A::write, itl, 128, two, 3, 25, 224, 0, 5.08475, 32, 22.4588},
      Expected{"full-cpl", 0, A::compiler_aided, itl, 128, full, 20, 41, 156, 0, 33.8983, 32, 8.87709},
      Expected{"2w-32b-cpl-itl", 2, A::compiler_aided, itl, 32, narrow, 12, 164, 224, 0, 5.08475, 28,
               8.13133});
  INFO(e.name);
  RegisterCacheParameters p = compat(e.ways, e.allocation);
  p.map = e.map;
  std::vector<StudyJob> jobs;
  jobs.push_back({StudyCacheRun(p, {e.bits}), {}, false});
  const StudySummary summary = trace.run(jobs, options);
  CHECK(summary.flag_sources == std::vector<std::string>{"listing"});
  const StudyCounters c = jobs.front().run.counters();
  CHECK(c.baseline_reads == 236);
  CHECK(c.baseline_writes == 100);
  CHECK(c.cache_reads == e.cache_reads);
  CHECK(c.cache_writes == e.cache_writes);
  CHECK(c.file_reads == e.file_reads);
  CHECK(c.file_writes == e.file_writes);
  CHECK(ratios_of(c).read_hit == Approx(e.read_hit).epsilon(1e-5));
  CHECK(ratios_of(c).write_hit == Approx(e.write_hit).epsilon(1e-5));
  CHECK(energy_reduction(c, e.energy, true) == Approx(e.saved).epsilon(1e-5));
}

TEST_CASE("the hand example with look-ahead", "[cache_study]") {
  const Trace trace(bare_trace(tiny_lines));
  StudyOptions options;
  options.listing = read_sass_listing(trace.folder.write("a.sass", listing_of("tiny", {0, 2, 0, 0, 1, 0})));
  RegisterCacheParameters p = compat(2, A::look_ahead);
  p.window = 3;
  const StudyCounters c = trace.run(p, options).run.counters();
  CHECK(c.cache_reads == 3);
  CHECK(c.cache_writes == 40);
  CHECK(c.file_reads == 224);
  CHECK(c.file_writes == 4);
  CHECK(c.baseline_reads == 236);
}

TEST_CASE("RFC-sim's 24 golden cases, every counter", "[cache_study][golden]") {
  if (!std::filesystem::exists(golden())) {
    WARN("no golden cases here: set SUBCORE_GOLDEN to the folder of case00 to case23");
    return;
  }
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(golden())) {
    if (!entry.is_directory()) continue;
    ++cases;
    INFO(entry.path());
    const RfcsimConfig config = read_rfcsim_config(entry.path() / "c.yaml");
    StudyOptions options;
    options.listing = read_sass_listing(entry.path() / "a.sass");
    std::vector<StudyJob> jobs;
    jobs.push_back({StudyCacheRun(config.parameters, {config.bank_bits}), {}, false});
    run_cache_study(open_trace(entry.path()), options, jobs);
    CHECK(jobs.front().failure.empty());
    const StudyCounters c = jobs.front().run.counters();
    const std::map<std::string, std::uint64_t> got = {
        {"bR", c.baseline_reads},   {"bW", c.baseline_writes}, {"rfcR", c.cache_reads},
        {"rfcW", c.cache_writes},   {"mrfR", c.file_reads},    {"mrfW", c.file_writes},
        {"rdHit", c.read_hits},     {"rdMiss", c.read_misses}, {"wrHit", c.write_hits},
        {"wrMiss", c.write_misses},
    };
    std::ifstream in(entry.path() / "expect.txt");
    std::map<std::string, std::uint64_t> expected;
    std::string name;
    for (std::uint64_t value = 0; in >> name >> value;) expected[name] = value;
    CHECK(expected.size() == 10);
    CHECK(got == expected);
  }
  CHECK(cases == 24);
}

TEST_CASE("MMA operands are expanded, all others are single registers", "[cache_study][rule11]") {
  StudyInstruction i;
  rfcsim_view(line("HMMA.1688.F32", {40}, {10, 20, 30}), 4, i);
  CHECK(words_of(i) == "S10/0 S11/0 S20/1 S30/2* S31/2* S32/2* S33/2* D40 D41 D42 D43 ");
  rfcsim_view(line("IMMA.8816.S8.S8.SAT", {40}, {10, 20, 30}), 1, i);
  CHECK(words_of(i) == "S10/0* S20/1 S30/2 S31/2 D40 D41 ");
  rfcsim_view(line("LDG.E.128", {40}, {10}), 0, i);
  CHECK(words_of(i) == "S10/0 D40 ");
  StudyLine store = line("STG.E", {}, {2, 5});
  store.address_words = 2;
  rfcsim_view(store, 0, i);
  CHECK(words_of(i) == "S2/0 S5/1 @2 @3 ");
}

TEST_CASE("RZ is a register to RFC-sim and nothing to the corrected study", "[cache_study][rule10]") {
  StudyInstruction i;
  rfcsim_view(line("HMMA.1688.F32", {4}, {10, 20, 255}), 0, i);
  CHECK(words_of(i) == "S10/0 S11/0 S20/1 S255/2 S256/2 S257/2 S258/2 D4 D5 D6 D7 ");
  corrected_view(line("HMMA.1688.F32", {4}, {10, 20, 255}), 0, nullptr, i);
  CHECK(words_of(i) == "S10/0 S11/0 S20/1 D4 D5 D6 D7 ");
  corrected_view(line("MOV", {255}, {255, 3}), 2, nullptr, i);
  CHECK(words_of(i) == "S3/1* ");
}

TEST_CASE("a flag is tested by place in the list, corrected by collector slot", "[cache_study][rule13]") {
  // R0 <- RZ >> R2 in slots A and C; the flag says slot C.
  const StudyLine shift = line("SHF.R.U32.HI", {0}, {255, 2});
  StudyInstruction i;
  rfcsim_view(shift, 4, i);
  CHECK(words_of(i) == "S255/0 S2/1 D0 ");
  const StudySlots slots{{0, 2}};
  corrected_view(shift, 4, &slots, i);
  CHECK(words_of(i) == "S2/2* D0 ");
}

TEST_CASE("RFC-sim's parser skips, stops and ends where it does", "[cache_study][rule12]") {
  StudyInstruction i;
  StudyLine l = line("MOV", {1}, {2});
  l.pc_digits = 5;
  CHECK(rfcsim_view(l, 0, i) == RfcsimLine::skipped);
  CHECK(rfcsim_view(line("MOV", {1, 2}, {2}), 0, i) == RfcsimLine::ends_kernel);
  CHECK_THROWS_WITH(rfcsim_view(line("HMMA.1688.F32", {4}, {10, 20}), 0, i), Catch::Contains("HMMA"));

  const Trace trace(
      bare_trace("0000 ffffffff 1 R1 MOV 1 R2 0\n"
                 "00010 ffffffff 1 R1 MOV 1 R2 0\n"
                 "0020 ffffffff 2 R1 R3 MOV 1 R2 0\n"
                 "0030 ffffffff 1 R1 MOV 1 R2 0\n"));
  std::vector<StudyJob> jobs;
  jobs.push_back({StudyCacheRun(compat(), {128}), {}, false});
  jobs.push_back({StudyCacheRun({}, {128}), {}, false});
  const StudySummary s = trace.run(jobs);
  CHECK(jobs[0].run.counters().baseline_writes == 32);
  CHECK(jobs[1].run.counters().baseline_writes == 5 * 32);
  CHECK(s.instructions == 4);
  CHECK(s.skipped_by_rfcsim == 1);
  CHECK(s.kernels_cut_by_rfcsim == 1);
}

TEST_CASE("where RFC-sim ends itself, one job fails and the others go on", "[cache_study]") {
  const Trace trace(
      bare_trace("0000 ffffffff 1 R1 MOV 1 R2 0\n"
                 "0010 ffffffff 0 TEX 5 R1 R2 R3 R4 R5 0\n"));
  std::vector<StudyJob> jobs;
  for (const A a : {A::compiler_aided, A::write})
    jobs.push_back({StudyCacheRun(compat(2, a), {128}), {}, false});
  jobs.push_back({StudyCacheRun({}, {128}), {}, false});
  trace.run(jobs);
  CHECK_THAT(jobs[0].failure, Catch::Contains("kernel-1.traceg:7: ") && Catch::Contains("source 5") &&
                                  Catch::Contains("; expected at most 4"));
  for (const std::size_t job : {1, 2}) {
    CHECK(jobs[job].failure.empty());
    CHECK(jobs[job].run.counters().baseline_reads == 6 * 32);
  }
}

TEST_CASE("flags come from the trace, from nowhere, or are made up", "[cache_study][flags]") {
  const std::string lines =
      "0000 ffffffff 1 R1 IADD3 3 R2 R3 R4 0\n"
      "0010 ffffffff 1 R1 IADD3 3 R6 R3 R2 0\n"  // R3 again in its place: flag 1 of the line above
      "0020 ffffffff 0 BRA 1 R4 0\n"
      "0030 ffffffff 1 R1 IADD3 1 R4 0\n"   // after a branch
      "0050 ffffffff 1 R1 IADD3 1 R4 0\n";  // not the next in straight line
  const Trace trace(header() + one_warp(lines));
  const auto allocated = [&](const Trace& t, StudyFlags f) {
    const StudyCounters c = t.run(compat(), flags(f)).run.counters();
    return c.cache_writes / 8 - 4;  // four destinations, all in one set
  };
  CHECK(allocated(trace, StudyFlags::none) == 0);
  CHECK(allocated(trace, StudyFlags::trace) == 0);
  CHECK(allocated(trace, StudyFlags::synthetic) == 1);
  CHECK(allocated(trace, StudyFlags::automatic) == 1);
  std::vector<StudyJob> jobs;
  CHECK(trace.run(jobs).synthetic_flags());

  std::string marked = lines;
  marked.replace(marked.find("R4 0\n"), 5, "R4 0 reuse=7\n");
  const Trace silent(header() + one_warp(marked));
  CHECK(allocated(silent, StudyFlags::trace) == 3);
  CHECK_THROWS_WITH(silent.run(jobs),
                    Catch::Contains("kernel-1.traceg:17: ") && Catch::Contains("announces none; expected"));
  std::string announced = header() + one_warp(marked);
  announced.replace(announced.find("PC mask\n"), 8, "PC mask [reuse=slots]\n");
  const Trace told(announced);
  CHECK(allocated(told, StudyFlags::automatic) == 3);
  CHECK_FALSE(told.run(jobs).synthetic_flags());
}

TEST_CASE("a sidecar's flags and slots are used", "[cache_study][flags]") {
  const Trace trace(header() + one_warp("0000 ffffffff 1 R0 SHF.R.U32.HI 2 R255 R2 0 reuse=4\n"));
  trace.folder.write("kernel-1.sass", "0000 | 1 1 | 1 - 7 7 00 4 | D:R0x1 S:R255x1/A S:R2x1/C* | SHF\n");
  CHECK(trace.run(compat()).run.counters().cache_writes == 8);
  std::vector<StudyJob> jobs;
  jobs.push_back({StudyCacheRun({}, {128}), {}, false});
  CHECK(trace.run(jobs).flag_sources == std::vector<std::string>{"sidecar"});
  CHECK(jobs.front().run.counters().cache_writes == 16);
  // Operands that the sidecar has in another order are found by their register.
  trace.folder.write("kernel-1.sass", "0000 | 1 1 | 1 - 7 7 00 4 | D:R0x1 S:R2x1/C* S:R255x1/A | SHF\n");
  jobs.front() = {StudyCacheRun({}, {128}), {}, false};
  trace.run(jobs);
  CHECK(jobs.front().run.counters().cache_writes == 16);
}

TEST_CASE("a listing is checked", "[cache_study][sass]") {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& text, const std::string& words) {
    CHECK_THROWS_WITH(read_sass_listing(folder.write("a.sass", text)), Catch::Contains(words));
  };
  const std::string good = listing_of("k", {0, 5});
  const SassListing listing = read_sass_listing(folder.write("a.sass", "\ncode for sm_75\n" + good));
  CHECK(listing.flags_of("k").at(0x10) == 5);
  CHECK_THROWS_WITH(listing.flags_of("other"),
                    Catch::Contains("'other'; expected") && Catch::Contains("among k"));
  refuse("", "no function in the listing; expected");
  refuse(good.substr(good.find('\n') + 1), "a.sass:1: instruction outside of a function");
  refuse(good.substr(0, good.rfind("/* 0x")), "no second encoding word");
  refuse("Function : \n", "a.sass:1: function without a name");
  CHECK_THROWS_WITH(read_sass_listing(folder.path() / "none.sass"), Catch::Contains("cannot open"));
}

TEST_CASE("RFC-sim's configuration is read by its codes and checked", "[cache_study][config]") {
  const TemporaryFolder folder;
  const std::string good =
      "arch: 0\nassoc: 2\nn_block: 8\nn_dw: 1\npolicy:\n  - alloc: 2\n  - repl: 1\n  - evict: 0\n"
      "  - dest_map: 1\nbitwidth: 128\nenergy_model:\n  - rfc.r: 1.5\n  - rfc.w: 2\n  - mrf.r: 3\n  - mrf.w: "
      "4\n";
  const RfcsimConfig c = read_rfcsim_config(folder.write("c.yaml", good));
  CHECK(c.parameters.ways == 2);
  CHECK(c.parameters.entries == 8);
  CHECK(c.parameters.allocation == A::compiler_aided);
  CHECK(c.parameters.replacement == RegisterCacheReplacement::fifo);
  CHECK(c.parameters.write == RegisterCacheWrite::write_back);
  CHECK(c.parameters.map == DestinationMap::interleaved);
  CHECK(c.parameters.rfcsim_compat);
  CHECK(c.bank_bits == 128);
  CHECK(c.energy.cache_read == 1.5);
  CHECK(c.energy.file_write == 4);
  const auto refuse = [&](const std::string& from, const std::string& to, const std::string& words) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    INFO(text);
    CHECK_THROWS_WITH(read_rfcsim_config(folder.write("c.yaml", text)), Catch::Contains(words));
  };
  refuse("alloc: 2", "alloc: 7",
         "c.yaml:6: policy.alloc: '7' is not a code of RFC-sim; expected 0 (read), 1 (write), 2 "
         "(compiler_aided), 3 (look_ahead)");
  refuse("repl: 1", "repl: fifo", "policy.repl: 'fifo' is not a code of RFC-sim; expected 0 (lru), 1 (fifo)");
  refuse("evict: 0", "evict: -1", "expected 0 (write_back), 1 (write_through)");
  refuse("dest_map: 1", "dest_map: 2", "expected 0 (linear), 1 (interleaved)");
  refuse("arch: 0", "arch: 75", "expected 0 (sm_75), 1 (sm_80)");
  refuse("assoc: 2", "asoc: 2", "c.yaml:2: asoc: unknown key; did you mean 'assoc'? expected one of");
  refuse("n_dw: 1\n", "", "n_dw: is missing; expected all of");
  refuse("n_block: 8", "n_block: \"8\"", "n_block: '8' is in quotes; expected a plain whole number");
  refuse("  - repl: 1\n", "", "policy.repl: is missing");
  refuse("  - repl: 1\n", "  - alloc: 1\n", "policy.alloc: given twice");
  refuse("bitwidth: 128", "bitwidth: 96", "bitwidth: 96; expected 32, 64, 128");
  refuse("bitwidth: 128", "bitwidth: wide", "expected a whole number from 32 to 1024");
  refuse("rfc.r: 1.5", "rfc.r: much", "energy_model.rfc.r: 'much'; expected picojoules");
  refuse("alloc: 2", "alloc: 3", "window_len: missing; expected a value with alloc 3");
  refuse("n_block: 8", "n_block: [8]", "n_block: a list; expected a whole number from 1 to 256");
}

TEST_CASE("energies are the study's table, and the shipped table's", "[cache_study][energy]") {
  const EnergyTable table =
      read_energy_table(std::filesystem::path(SUBCORE_SOURCE_DIR) / "power/tables/rfcsim_table3.yaml");
  const auto event = [&](EnergyEvent e, double n) {
    const EnergyQuantity& q = *table.events[static_cast<std::size_t>(e)];
    return q.points.at({1, n});
  };
  for (const unsigned ways : {2u, 4u, 8u}) {
    const auto choice = study_energy(ways, 128);
    REQUIRE(choice);
    CHECK(choice->source == StudyEnergySource::table3);
    CHECK(choice->energy.cache_read == event(EnergyEvent::buf_rd, ways));
    CHECK(choice->energy.cache_write == event(EnergyEvent::buf_wr, ways));
    CHECK(choice->energy.file_read == event(EnergyEvent::bank_rd, 32));
    CHECK(choice->energy.file_write == event(EnergyEvent::bank_wr, 32));
  }
  CHECK(study_energy(8, 32)->energy.cache_read == Approx(10.8069));  // the study's own division by four
  CHECK(study_energy(8, 32)->source == StudyEnergySource::scaled);
  CHECK(study_energy(2, 32)->source == StudyEnergySource::rfcsim);
  CHECK_FALSE(study_energy(1, 128));
}

TEST_CASE("a study's trace that is not whole is refused", "[cache_study][trace]") {
  const auto refuse = [](const std::string& text, const std::string& words) {
    const Trace trace(text);
    std::vector<StudyJob> jobs;
    INFO(text);
    CHECK_THROWS_WITH(trace.run(jobs, flags(StudyFlags::none)), Catch::Contains(words));
  };
  const std::string good = bare_trace(tiny_lines);
  refuse("", "file ends inside the header; expected #BEGIN_TB");
  refuse(good.substr(good.find('\n') + 1), "header without '-kernel name'");
  refuse(good.substr(0, good.find("#END_TB")), "file ends inside a thread block; expected #END_TB");
  refuse(good.substr(0, good.find("0050 ")),
         "file ends after 5 instruction lines of warp 0; expected 6 lines");
  refuse(good.substr(0, good.find("IADD3") + 3), "file ends in the middle of a line");
  refuse("-grid dim = (2,1,1)\n" + good, "file ends after 1 thread blocks; expected 2 of them");
  const auto edit = [&](const std::string& from, const std::string& to, const std::string& words) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    refuse(text, words);
  };
  edit("0010 ffffffff", "001g ffffffff", ":7: bad program counter '001g'");
  edit("0010 ffffffff", "0010 ffff", ":7: bad mask 'ffff'");
  edit("IADD3 3", "IADD3 x", "bad source count 'x'");
  edit("R1 R2 R3", "R1 R2 R300", "bad source register 'R300'");
  edit("insts = 6", "insts = 5", "after the counted instruction lines");
  edit("warp = 0", "wrap = 0", "unexpected 'wrap = 0'");
}

TEST_CASE("block and warp before the PC are passed over", "[cache_study][trace]") {
  std::string lines;
  std::istringstream in(tiny_lines);
  for (std::string l; std::getline(in, l);) lines += "0 0 0 0 " + l + "\n";
  const Trace plain(bare_trace(tiny_lines)), prefixed(bare_trace(lines));
  CHECK(plain.run(compat()).run.counters().read_hits == prefixed.run(compat()).run.counters().read_hits);
  CHECK(prefixed.run(compat()).run.counters().baseline_reads == 236);
}

}  // namespace cache_study_test
