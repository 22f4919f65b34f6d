// Belady's replacement over a warp's registers, and the path that static near bits are made on.
#include "subcore/model/passes/belady.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/passes/static_path.h"
#include "tests/unit/trace_files.h"

namespace belady_test {

using namespace subcore;

namespace {

// A warp that runs instructions of its own, one after the other.
struct Program {
  CodeTable code;
  WarpTrace warp;
  void add(std::vector<Register> destinations, std::vector<Register> sources, std::uint32_t mask = ~0u) {
    StaticInstruction s;
    s.index = static_cast<std::uint32_t>(code.instructions.size());
    s.source_count = static_cast<std::uint8_t>(sources.size());
    s.destination_count = static_cast<std::uint8_t>(destinations.size());
    std::copy(sources.begin(), sources.end(), s.sources.begin());
    std::copy(destinations.begin(), destinations.end(), s.destinations.begin());
    code.instructions.push_back(s);
    warp.records.push_back({s.index, mask});
  }
  // A product of a warpgroup with accumulators R24 to R27.
  void add_product() {
    add({}, {});
    code.instructions.back().warpgroup = WarpgroupStep::product;
    code.instructions.back().accumulators = {24, 4, true};
  }
  struct Outcome {
    std::uint64_t hits = 0;
    std::vector<std::string> kept;  // "0 s1": source 1 of record 0
    std::size_t ends = 0;
  };
  Outcome run(std::uint32_t entries, bool takes_all_sources = false) const {
    Outcome o;
    o.hits = run_belady(warp, code, {entries, takes_all_sources}, [&](OperandTouch t, bool kept) {
      ++o.ends;
      const bool source = t.operand < max_sources;
      if (kept)
        o.kept.push_back(std::to_string(t.record) + (source ? " s" : " d") +
                         std::to_string(source ? t.operand : t.operand - max_sources));
    });
    std::sort(o.kept.begin(), o.kept.end());
    return o;
  }
  std::size_t operands() const {
    std::size_t n = 0;
    for (const StaticInstruction& s : code.instructions)
      n += s.source_count + std::size_t{s.destination_count};
    return n;
  }
};

// The most hits of any choice of values that enter and leave, by trying all sets of registers that may be
// kept behind each instruction.
std::uint64_t most_hits(const Program& p, unsigned entries, unsigned registers) {
  std::vector<int> best(std::size_t{1} << registers, -1);
  best[0] = 0;
  for (const StaticInstruction& s : p.code.instructions) {
    unsigned read = 0, written = 0;
    for (unsigned i = 0; i < s.source_count; ++i) read |= 1u << s.sources[i];
    for (unsigned d = 0; d < s.destination_count; ++d) written |= 1u << s.destinations[d];
    std::vector<int> next(best.size(), -1);
    for (unsigned set = 0; set < best.size(); ++set) {
      if (best[set] < 0) continue;
      const int hits = best[set] + static_cast<int>(bits::count(set & read));
      const unsigned there = set | read | written;
      for (unsigned kept = 0; kept < best.size(); ++kept)
        if ((kept & ~there) == 0 && bits::count(kept) <= entries) next[kept] = std::max(next[kept], hits);
    }
    best = next;
  }
  return static_cast<std::uint64_t>(*std::max_element(best.begin(), best.end()));
}

Program random_program(std::mt19937& random, unsigned registers) {
  Program p;
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned n = 4 + below(12); n > 0; --n) {
    std::vector<Register> sources, destinations;
    for (unsigned r = 0; r < registers; ++r) {
      if (below(4) == 0 && sources.size() < 3) sources.push_back(static_cast<Register>(r));
      if (below(6) == 0) destinations.push_back(static_cast<Register>(r));
    }
    p.add(destinations, sources);
  }
  return p;
}

}  // namespace

TEST_CASE("a store of one register keeps what is needed first, and no more", "[passes]") {
  Program p;
  p.add({1}, {});      // R1 is needed at 2, behind R2
  p.add({2}, {});      // R2 at 2, too, and R1 stays where both are as near
  p.add({3}, {1, 2});  // R3 is never read
  p.add({}, {2});
  const Program::Outcome one = p.run(1);
  CHECK(one.hits == 2);
  CHECK(one.kept == std::vector<std::string>{"0 d0", "2 s1"});
  CHECK(one.ends == p.operands());
  const Program::Outcome two = p.run(2);
  CHECK(two.hits == 3);
  CHECK(two.kept == std::vector<std::string>{"0 d0", "1 d0", "2 s1"});
}

TEST_CASE("a store keeps no accumulator for a reader behind the product, which works on the banks",
          "[passes]") {
  Program p;
  p.add({24}, {});  // the product ends this value
  p.add({2}, {});
  p.add_product();
  p.add({}, {24});
  p.add({}, {2});
  // R2 has the only entry, although R24 is read before R2.
  const Program::Outcome o = p.run(1);
  CHECK(o.hits == 1);
  CHECK(o.kept == std::vector<std::string>{"1 d0"});
  CHECK(o.ends == p.operands());
}

// Warps that share a store are one warp with registers of its own for each of them.
TEST_CASE("warps that share a store keep what one warp with all their registers keeps", "[passes]") {
  std::mt19937 random(11);
  constexpr unsigned registers = 4, most_warps = 3;
  for (unsigned n = 0; n < 400; ++n) {
    const unsigned count = 1 + static_cast<unsigned>(random() % most_warps);
    Program code, together;
    std::vector<Program> programs;
    std::vector<WarpTrace> warps(count);
    for (unsigned w = 0; w < count; ++w) {
      programs.push_back(random_program(random, registers));
      for (StaticInstruction s : programs[w].code.instructions) {
        s.index = static_cast<std::uint32_t>(code.code.instructions.size());
        code.code.instructions.push_back(s);
        warps[w].records.push_back({s.index, ~0u});
      }
    }
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> come(count, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> place;  // warp and record of each instruction of all
    for (std::size_t left = code.code.instructions.size(); left > 0; --left) {
      unsigned w = static_cast<unsigned>(random() % count);
      while (come[w] == warps[w].records.size()) w = (w + 1) % count;
      const StaticInstruction& s = programs[w].code.instructions[come[w]];
      std::vector<Register> sources, destinations;
      const auto own = [&](Register r) { return static_cast<Register>(r + w * registers); };
      for (unsigned i = 0; i < s.source_count; ++i) sources.push_back(own(s.sources[i]));
      for (unsigned d = 0; d < s.destination_count; ++d) destinations.push_back(own(s.destinations[d]));
      together.add(destinations, sources);
      place.emplace_back(w, come[w]++);
      order.push_back(w);
    }
    const WarpStore store{1 + static_cast<std::uint32_t>(random() % 5), random() % 2 == 0};
    std::vector<std::string> kept, kept_together;
    const auto line = [](std::uint32_t warp, std::uint32_t record, std::uint32_t operand) {
      return std::to_string(warp) + ' ' + std::to_string(record) + ' ' + std::to_string(operand);
    };
    std::vector<const WarpTrace*> pointers;
    for (const WarpTrace& w : warps) pointers.push_back(&w);
    const std::uint64_t hits =
        run_belady(pointers, order, code.code, store, [&](std::uint32_t w, OperandTouch t, bool is_kept) {
          if (is_kept) kept.push_back(line(w, t.record, t.operand));
        });
    const std::uint64_t hits_together =
        run_belady(together.warp, together.code, store, [&](OperandTouch t, bool is_kept) {
          if (is_kept)
            kept_together.push_back(line(place[t.record].first, place[t.record].second, t.operand));
        });
    CAPTURE(n, count, store.entries, store.takes_all_sources);
    CHECK(hits == hits_together);
    CHECK(kept == kept_together);
  }
}

TEST_CASE("an order of issue with more, fewer or other warps than the kernel is refused", "[passes]") {
  Program p;
  p.add({1}, {});
  p.add({}, {1}, 0);  // predicated off: in no order
  p.add({}, {1});
  const auto run = [&](const std::vector<std::uint32_t>& order) {
    return run_belady({&p.warp}, order, p.code, {2, false}, [](std::uint32_t, OperandTouch, bool) {});
  };
  CHECK(run({0, 0}) == 1);
  CHECK_THROWS_AS(run({0}), TraceError);
  CHECK_THROWS_AS(run({0, 0, 0}), TraceError);
  CHECK_THROWS_AS(run({0, 1}), TraceError);
}

TEST_CASE("near bits of a shared store belong to the warps of each sub-core", "[passes]") {
  Program p;
  p.add({1}, {});
  p.add({2}, {});
  p.add({}, {1});
  p.add({}, {2});
  const std::vector<WarpTrace> warps(3, p.warp);
  const auto near = [&](const KernelIssueOrder& order) {
    std::vector<std::string> text;
    for (const auto& bits : shared_near_bits(warps, p.code, order, {1, false})) {
      std::string& line = text.emplace_back();
      for (const NearBits b : bits) line += b != 0 ? 'n' : '-';
    }
    return text;
  };
  // Warp 0 has a sub-core alone, and warps 1 and 2 share one. The register that is read first is kept.
  CHECK(near({{{0, 0, 0, 0}, {1, 2, 1, 2, 2, 2, 1, 1}}}) == std::vector<std::string>{"n---", "----", "n---"});
  CHECK(near({{{0, 0, 0, 0}, {1, 2, 1, 2, 1, 1, 2, 2}}}) == std::vector<std::string>{"n---", "n---", "----"});
  CHECK_THROWS_AS(near({{{0, 0, 0, 0}, {3}}}), TraceError);
  CHECK_THROWS_AS(near({{{0, 0, 0, 0}, {1, 1, 1}}}), TraceError);
}

TEST_CASE("the order of issue is read as it was written, and a broken file is refused", "[passes]") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "order";
  const KernelIssueOrder first{{{0, 1, 1}, {}, {7}}}, second{{{2}}};
  {
    IssueOrderWriter writer(file);
    writer.append(first);
    writer.append(second);
  }
  IssueOrderReader reader(file);
  CHECK(reader.next().sub_cores == first.sub_cores);
  CHECK(reader.next().sub_cores == second.sub_cores);
  CHECK_THROWS_AS(reader.next(), TraceError);
  for (std::uintmax_t cut = std::filesystem::file_size(file); cut-- > 0;) {
    std::filesystem::resize_file(file, cut);
    IssueOrderReader broken(file);
    CHECK_THROWS_AS((broken.next(), broken.next()), TraceError);
  }
  CHECK_THROWS_AS(IssueOrderReader(folder.path() / "none"), TraceError);
  CHECK_THROWS_AS(IssueOrderReader(folder.path()), TraceError);  // a folder can be opened, but has no size
}

TEST_CASE("where every source enters, one that is needed late drives out what is needed soon", "[passes]") {
  Program p;
  p.add({1}, {});
  p.add({}, {2});  // R2 is read again only at 3
  p.add({}, {1});
  p.add({}, {2});
  CHECK(p.run(1, false).kept == std::vector<std::string>{"0 d0"});
  CHECK(p.run(1, true).kept == std::vector<std::string>{"1 s0"});
  // Near bits are made for such a store, unless the options say otherwise.
  NearBitOptions options;
  options.source = NearBitsSource::trained;
  options.store.entries = 1;
  ReuseProfile votes(options);
  votes.add(p.warp, p.code);
  votes.apply(p.code);
  CHECK(p.code.instructions[0].destination_near == 0);
  CHECK(p.code.instructions[1].source_near == 1);
}

TEST_CASE("a result of some lanes completes what is kept, and makes no entry", "[passes]") {
  Program p;
  p.add({1}, {});
  p.add({1}, {}, 1);  // lane 0; the others need the older value
  p.add({}, {1});
  CHECK(p.run(1).kept == std::vector<std::string>{"0 d0", "1 d0"});
  Program late;
  late.add({1}, {});
  for (Register r = 2; r < 4; ++r) late.add({r}, {}), late.add({}, {r});
  late.add({1}, {}, 1);
  late.add({}, {1});
  // R1 is not there when lane 0 is written: the store of one had R2 and R3.
  CHECK(late.run(1).hits == 2);
  CHECK(late.run(2).hits == 3);
}

TEST_CASE("no choice of what is kept has more hits", "[passes][property]") {
  std::mt19937 random(7);
  constexpr unsigned registers = 5;
  for (unsigned n = 0; n < 300; ++n) {
    const Program p = random_program(random, registers);
    for (unsigned entries = 1; entries <= 4; ++entries) {
      CAPTURE(n, entries);
      const Program::Outcome o = p.run(entries);
      REQUIRE(o.hits == most_hits(p, entries, registers));
      REQUIRE(o.ends == p.operands());
      REQUIRE(o.kept.size() <= o.hits);
      REQUIRE(p.run(entries, true).hits <= o.hits);
    }
  }
}

TEST_CASE("a static path follows each loop a few times, loops within loops anew", "[passes]") {
  Program p;
  for (int n = 0; n < 5; ++n) p.add({}, {});
  for (StaticInstruction& s : p.code.instructions) s.pc = 16 * s.index;
  p.warp.records.clear();
  for (const std::uint32_t i : {0, 1, 2, 1, 2, 3, 0, 1, 2, 3, 4}) p.warp.records.push_back({i, ~0u});
  KernelProfile profile;
  profile.add(p.warp, p.code);
  std::string path;
  for (const TraceRecord& r : static_path(p.code, profile, 2).records) path += std::to_string(r.code);
  CHECK(path ==
        "012"
        "123"
        "012"
        "123"
        "4");
  path.clear();
  for (const TraceRecord& r : static_path(p.code, profile, 1).records) path += std::to_string(r.code);
  CHECK(path == "01234");
}

TEST_CASE("a static path follows a loop of one instruction, too", "[passes]") {
  Program p;
  for (int n = 0; n < 3; ++n) p.add({}, {});
  for (StaticInstruction& s : p.code.instructions) s.pc = 16 * s.index;
  p.warp.records.clear();
  for (const std::uint32_t i : {0, 1, 1, 1, 2}) p.warp.records.push_back({i, ~0u});
  KernelProfile profile;
  profile.add(p.warp, p.code);
  std::string path;
  for (const TraceRecord& r : static_path(p.code, profile, 2).records) path += std::to_string(r.code);
  CHECK(path == "0112");
}

TEST_CASE("static and trained near bits are the same whatever other passes run", "[passes]") {
  test::TemporaryFolder folder;
  // R2 is read at once. R1 is read only behind that, when a store of one register has had R2.
  const std::string lines =
      "4\n0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 1 R2 MOV 0 0\n0020 ffffffff 0 STS 1 R2 0\n"
      "0030 ffffffff 0 STS 1 R1 0\n";
  const auto file = folder.write(
      "kernel-1.traceg", test::header("3", "(1,1,1)", "(32,1,1)") +
                             "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " + lines + "#END_TB\n");
  for (const NearBitsSource source : {NearBitsSource::of_code, NearBitsSource::trained})
    for (const bool dead : {false, true}) {
      PassOptions options;
      options.near_bits.source = source;
      options.near_bits.store = {1, false};
      options.dead = dead;
      AnnotatedKernel kernel(file, {}, options);
      CtaTrace cta;
      REQUIRE(kernel.next(cta));
      CHECK(cta.warps[0].records.size() == 4);
      CHECK(kernel.code().instructions[0].destination_near == 0);
      CHECK(kernel.code().instructions[1].destination_near == 1);
      CHECK((kernel.annotation() != nullptr) == dead);
    }
}

TEST_CASE("near bits of a shared store know a warpgroup's product", "[passes]") {
  test::TemporaryFolder folder;
  // The product works on the banks, so only R1 is worth keeping.
  const auto file =
      folder.write("kernel-1.traceg",
                   test::header() + test::one_warp("0000 ffffffff 1 R4 MOV 0 0\n0010 ffffffff 1 R1 MOV 0 0\n"
                                                   "0020 ffffffff 1 R4 HGMMA.64x16x16.F32 1 R4 0\n"
                                                   "0030 ffffffff 0 STS 1 R1 0\n"));
  PassOptions options;
  options.near_bits.source = NearBitsSource::shared_oracle;
  options.near_bits.store = {4, false};
  options.units.architecture = 90;
  KernelIssueOrder order;
  order.sub_cores.assign(1, std::vector<std::uint32_t>(4, 0));
  AnnotatedKernel kernel(file, {}, options, &order);
  CtaTrace cta;
  REQUIRE(kernel.next(cta));
  CHECK(cta.warps[0].near == std::vector<NearBits>{0, NearBits{1} << max_sources, 0, 0});
}

}  // namespace belady_test
