#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/passes/annotated_kernel.h"
#include "tests/unit/trace_files.h"

namespace reuse_test {

using namespace subcore;

namespace {

// A warp whose records all run different static instructions, unless told otherwise.
struct Program {
  CodeTable code;
  WarpTrace warp;
  std::uint32_t add(std::vector<Register> destinations, std::vector<Register> sources) {
    StaticInstruction s;
    s.index = static_cast<std::uint32_t>(code.instructions.size());
    s.source_count = static_cast<std::uint8_t>(sources.size());
    s.destination_count = static_cast<std::uint8_t>(destinations.size());
    std::copy(sources.begin(), sources.end(), s.sources.begin());
    std::copy(destinations.begin(), destinations.end(), s.destinations.begin());
    code.instructions.push_back(s);
    return s.index;
  }
  void run(std::uint32_t index, std::uint32_t mask = ~0u) { warp.records.push_back({index, mask}); }
  void profile(std::uint32_t threshold) {
    NearBitOptions options;
    options.threshold = threshold;
    ReuseProfile p(options);
    p.add(warp, code);
    p.apply(code);
  }
};

NearBitOptions precise(std::uint32_t threshold) {
  NearBitOptions options;
  options.source = NearBitsSource::precise;
  options.threshold = threshold;
  return options;
}

// The rule spelled out: look forward from an operand to the register's next touch.
std::uint64_t next_read_distance(const Program& p, std::size_t ip, Register r, bool source) {
  if (source) {  // an instruction writes after it reads
    const StaticInstruction& s = p.code.instructions[p.warp.records[ip].code];
    for (unsigned i = 0; i < s.destination_count; ++i)
      if (s.destinations[i] == r) return ~0ull;
  }
  for (std::size_t next = ip + 1; next < p.warp.records.size(); ++next) {
    if (p.warp.records[next].mask == 0) continue;
    const StaticInstruction& s = p.code.instructions[p.warp.records[next].code];
    for (unsigned i = 0; i < s.source_count; ++i)
      if (s.sources[i] == r) return next - ip;
    for (unsigned i = 0; i < s.destination_count; ++i)
      if (s.destinations[i] == r) return ~0ull;
  }
  return ~0ull;
}

Program random_program(std::mt19937& random) {
  Program p;
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned count = 1 + below(12);
  for (unsigned i = 0; i < count; ++i) {
    std::vector<Register> lists[2];
    for (auto& list : lists)
      for (unsigned k = below(4); k > 0; --k) {
        const auto r = static_cast<Register>(below(10));
        if (std::find(list.begin(), list.end(), r) == list.end()) list.push_back(r);
      }
    p.add(lists[0], lists[1]);
  }
  for (unsigned i = below(120); i > 0; --i) p.run(below(count), below(5) == 0 ? 0 : ~0u);
  return p;
}

}  // namespace

TEST_CASE("near reuse on a hand-worked sequence", "[passes]") {
  Program p;
  p.run(p.add({1}, {2}));     // 0: R1 read at 1, R2 at 3
  p.run(p.add({3}, {1, 4}));  // 1: R1 overwritten at 2, R4 never again, R3 read at 3
  p.run(p.add({1}, {}));      // 2: never read
  p.run(p.add({2}, {2, 3}));  // 3: R2 overwritten by itself, then never read; R3 never again
  p.profile(2);
  const auto& c = p.code.instructions;
  CHECK(c[0].destination_near == 1);
  CHECK(c[0].source_near == 0);  // distance 3 is beyond 2
  CHECK(c[1].destination_near == 1);
  CHECK(c[1].source_near == 0);
  CHECK(c[2].destination_near == 0);
  CHECK(c[3].source_near == 0);
  CHECK(c[3].destination_near == 0);
  p.profile(3);
  CHECK(c[0].source_near == 1);  // the threshold itself is near
  p.profile(0);
  CHECK(c[0].destination_near == 0);
}

TEST_CASE("predicated-off instructions take a place but touch nothing", "[passes]") {
  Program p;
  const auto write = p.add({1}, {}), clobber = p.add({1}, {}), read = p.add({}, {1});
  p.run(write);
  p.run(clobber, 0);
  p.run(read);
  p.profile(2);
  CHECK(p.code.instructions[write].destination_near == 1);
  p.profile(1);
  CHECK(p.code.instructions[write].destination_near == 0);
}

TEST_CASE("votes go by majority and a tie is far", "[passes]") {
  Program p;
  const auto write = p.add({1}, {}), read = p.add({}, {1}), other = p.add({}, {});
  const auto near_once = [&] { p.run(write), p.run(read); };
  const auto far_once = [&] { p.run(write), p.run(other), p.run(other), p.run(read); };
  near_once();
  far_once();
  p.profile(1);
  CHECK(p.code.instructions[write].destination_near == 0);
  near_once();
  p.profile(1);
  CHECK(p.code.instructions[write].destination_near == 1);
  far_once();
  far_once();
  p.profile(1);
  CHECK(p.code.instructions[write].destination_near == 0);
}

TEST_CASE("profile, precise bits and histogram agree with a quadratic reference", "[passes]") {
  std::mt19937 random(99);
  for (int round = 0; round < 300; ++round) {
    Program p = random_program(random);
    const auto threshold = static_cast<std::uint32_t>(random() % 8);
    std::vector<std::array<int, max_sources + max_destinations>> votes(p.code.instructions.size());
    std::vector<NearBits> near(p.warp.records.size());
    ReuseHistogram wanted;
    for (std::size_t ip = 0; ip < p.warp.records.size(); ++ip) {
      if (p.warp.records[ip].mask == 0) continue;
      const StaticInstruction& s = p.code.instructions[p.warp.records[ip].code];
      for (unsigned k = 0; k < max_sources + max_destinations; ++k) {
        const bool source = k < max_sources;
        const unsigned i = source ? k : k - max_sources;
        if (i >= (source ? s.source_count : s.destination_count)) continue;
        const std::uint64_t d = next_read_distance(p, ip, source ? s.sources[i] : s.destinations[i], source);
        votes[s.index][k] += d <= threshold ? 1 : -1;
        if (d <= threshold) near[ip] |= NearBits{1} << k;
        if (d == ~0ull)
          ++wanted.never;
        else
          ++wanted.reuses[std::min<std::uint64_t>(d, 32)];
      }
    }
    p.profile(threshold);
    for (const StaticInstruction& s : p.code.instructions) {
      for (unsigned i = 0; i < s.source_count; ++i)
        REQUIRE((s.source_near >> i & 1) == (votes[s.index][i] > 0));
      for (unsigned i = 0; i < s.destination_count; ++i)
        REQUIRE((s.destination_near >> i & 1) == (votes[s.index][max_sources + i] > 0));
    }
    annotate_dynamic(p.warp, p.code, precise(threshold));
    REQUIRE(p.warp.near == near);
    ReuseHistogram got;
    got.add(p.warp, p.code);
    REQUIRE(got.reuses == wanted.reuses);
    REQUIRE(got.never == wanted.never);
  }
}

TEST_CASE("reuse histogram shares", "[passes]") {
  ReuseHistogram h;
  CHECK(h.share_beyond(3) == 0.0);
  h.reuses[3] = 6;
  h.reuses[4] = 1;
  h.reuses[32] = 1;
  h.never = 100;
  CHECK(h.total() == 8);
  CHECK(h.share_beyond(3) == Approx(0.25));
  CHECK(h.share_beyond(10) == Approx(0.125));
}

TEST_CASE("an annotated kernel profiles a prefix of warps and then streams every block", "[passes]") {
  test::TemporaryFolder folder;
  // The first warps reuse R1 at once, and the others late.
  const std::string near_lines =
      "0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 STS 1 R1 0\n0020 ffffffff 0 EXIT 0 0\n";
  std::string far_lines = "0000 ffffffff 1 R1 MOV 0 0\n";
  for (int i = 0; i < 20; ++i) far_lines += "0030 ffffffff 0 NOP 0 0\n";
  far_lines += "0010 ffffffff 0 STS 1 R1 0\n0020 ffffffff 0 EXIT 0 0\n";
  std::string text = test::header("3", "(6,1,1)", "(64,1,1)");
  for (int b = 0; b < 6; ++b) {
    text += "#BEGIN_TB\nthread block = " + std::to_string(b) + ",0,0\n";
    for (int w = 0; w < 2; ++w)  // warps 0 to 2 of the kernel are near, 3 and on are far
      text += "warp = " + std::to_string(w) +
              "\ninsts = " + (2 * b + w < 3 ? "3\n" + near_lines : "23\n" + far_lines);
    text += "#END_TB\n";
  }
  const auto file = folder.write("kernel-1.traceg", text);
  const auto write_is_near = [&](const NearBitOptions& reuse, std::vector<std::uint32_t>* blocks = nullptr) {
    AnnotatedKernel kernel(file, {}, {reuse});
    CtaTrace cta;
    while (kernel.next(cta))
      if (blocks) blocks->push_back(cta.id.x);
    return kernel.code().instructions[0].destination_near == 1;
  };
  NearBitOptions options;
  options.profile_warps = 5;  // 3 near votes against 2
  std::vector<std::uint32_t> blocks;
  CHECK(write_is_near(options, &blocks));
  CHECK(blocks == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  options.profile_warps = 6;  // a tie: votes stop at exactly so many warps, not at a block's end
  CHECK_FALSE(write_is_near(options));
  options.profile_warps = 1;
  CHECK(write_is_near(options));
  options.profile_fraction = 0.5;  // 6 of 12 warps
  CHECK_FALSE(write_is_near(options));
  options.profile_warps = 100;  // more warps than there are
  blocks.clear();
  CHECK_FALSE(write_is_near(options, &blocks));
  CHECK(blocks.size() == 6);

  options.source = NearBitsSource::none;
  CHECK_FALSE(write_is_near(options));
  options.source = NearBitsSource::precise;
  AnnotatedKernel kernel(file, {}, {options});
  CtaTrace cta;
  REQUIRE(kernel.next(cta));
  CHECK(cta.warps[0].near == std::vector<NearBits>{NearBits{1} << max_sources, 0, 0});
  REQUIRE(kernel.next(cta));
  CHECK(cta.warps[0].near[0] == NearBits{1} << max_sources);
  CHECK(cta.warps[1].near[0] == 0);  // 21 instructions away
}

TEST_CASE("near bits reach to the last source and destination of the widest instruction", "[passes]") {
  CodeTable code;
  code.instructions.resize(3);
  StaticInstruction& wide = code.instructions[0];
  wide.source_count = max_sources;
  wide.destination_count = max_destinations;
  for (unsigned k = 0; k < max_sources; ++k) wide.sources[k] = static_cast<Register>(k);
  for (unsigned k = 0; k < max_destinations; ++k) wide.destinations[k] = static_cast<Register>(100 + k);
  code.instructions[1].source_count = code.instructions[2].source_count = 2;
  code.instructions[1].sources[0] = max_sources - 1;
  code.instructions[1].sources[1] = 100 + max_destinations - 1;
  for (std::uint32_t n = 0; n < 3; ++n) code.instructions[n].index = n;
  WarpTrace warp;
  warp.records = {{0, ~0u}, {1, ~0u}};
  annotate_dynamic(warp, code, precise(1));
  const NearBits last = NearBits{1} << (max_sources - 1) | NearBits{1}
                                                               << (max_sources + max_destinations - 1);
  CHECK(warp.near == std::vector<NearBits>{last, 0});
  NearBitOptions options;
  options.threshold = 1;
  ReuseProfile profile(options);
  profile.add(warp, code);
  profile.apply(code);
  CHECK(wide.source_near == SourceSet{1} << (max_sources - 1));
  CHECK(wide.destination_near == 1u << (max_destinations - 1));
}

}  // namespace reuse_test
