// The promises of random traces: a tracer could have written them, and they have everything that a trace can
// have.
#include "tests/random/random_trace.h"

#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "subcore/model/isa/opcodes.h"
#include "subcore/model/trace/trace.h"
#include "tests/random/divergent_trace.h"
#include "tests/random/random_configuration.h"
#include "tests/unit/trace_files.h"

namespace random_trace_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr std::uint64_t seeds = 150;

// Calls `look(code, header, cta)` for every thread block of the traces of all seeds.
template <class Look>
void every_cta(const OperandOptions& options, Look look) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const TemporaryFolder folder;
    random::write_trace(random::random_trace(seed), folder.path());
    for (const auto& file : open_trace(folder.path()).kernels) {
      KernelReader reader(file, options);
      CtaTrace cta;
      while (reader.next(cta)) look(reader.code(), reader.header(), cta);
    }
  }
}

std::string text_of(std::uint64_t seed) {
  std::string all;
  for (const random::TraceFile& f : random::random_trace(seed)) all += f.name + "\n" + f.text;
  return all;
}

std::uint32_t lanes_of(const KernelHeader& header, const WarpTrace& warp) {
  const std::uint64_t rest = header.block.count() - std::uint64_t{warp.warp} * warp_lanes;
  return rest >= warp_lanes ? ~0u : (1u << rest) - 1;
}

}  // namespace

TEST_CASE("a seed gives one random trace and another seed another") {
  CHECK(text_of(7) == text_of(7));
  CHECK(text_of(7) != text_of(8));
}

TEST_CASE("random traces name no register that the kernel does not have") {
  for (const TensorOperands tensor : {TensorOperands::x2, TensorOperands::exact, TensorOperands::named}) {
    for (const bool sidecar : {false, true}) {
      OperandOptions options;
      options.tensor = tensor;
      options.use_sidecar = sidecar;
      every_cta(options, [](const CodeTable& code, const KernelHeader& header, const CtaTrace&) {
        for (const StaticInstruction& s : code.instructions) {
          for (unsigned i = 0; i < s.source_count; ++i) REQUIRE(s.sources[i] < header.registers_per_thread);
          for (unsigned i = 0; i < s.destination_count; ++i)
            REQUIRE(s.destinations[i] < header.registers_per_thread);
        }
      });
    }
  }
}

TEST_CASE("lanes of random traces belong to the block and stay away once they have left") {
  std::uint64_t left_early = 0;
  every_cta({}, [&](const CodeTable& code, const KernelHeader& header, const CtaTrace& cta) {
    for (const WarpTrace& warp : cta.warps) {
      std::uint32_t live = lanes_of(header, warp);
      for (std::size_t i = 0; i < warp.records.size(); ++i) {
        const TraceRecord& r = warp.records[i];
        REQUIRE((r.mask & ~live) == 0);
        if (code.instructions[r.code].kind != InstructionKind::exit) continue;
        live &= ~r.mask;
        if (r.mask != 0 && i + 1 != warp.records.size()) ++left_early;
      }
    }
  });
  CHECK(left_early > 100);
}

TEST_CASE("conditional code of random traces runs with a part of the lanes that came to it") {
  std::uint64_t pairs = 0;
  every_cta({}, [&](const CodeTable& code, const KernelHeader&, const CtaTrace& cta) {
    for (const WarpTrace& warp : cta.warps) {
      std::vector<std::uint32_t> open;  // lanes that have not come to the BSYNC of each BSSY
      for (const TraceRecord& r : warp.records) {
        const StaticInstruction& s = code.instructions[r.code];
        const std::string_view opcode = code.opcode_name(s);
        if (opcode == "BSSY") {
          if (!open.empty()) REQUIRE((r.mask & ~open.back()) == 0);
          open.push_back(r.mask);
        } else if (opcode == "BSYNC") {
          REQUIRE_FALSE(open.empty());
          REQUIRE((r.mask & ~open.back()) == 0);
          open.back() &= ~r.mask;
          ++pairs;
        } else if (s.kind == InstructionKind::exit) {
          for (std::uint32_t& lanes : open) lanes &= ~r.mask;
        }
        while (!open.empty() && open.back() == 0) open.pop_back();
      }
    }
  });
  CHECK(pairs > 1000);
}

TEST_CASE("every warp of a random thread block comes to the same barriers") {
  std::uint64_t barriers = 0;
  every_cta({}, [&](const CodeTable& code, const KernelHeader&, const CtaTrace& cta) {
    std::set<std::vector<std::uint64_t>> sequences;
    for (const WarpTrace& warp : cta.warps) {
      if (warp.records.empty()) continue;  // a warp without a trace
      std::vector<std::uint64_t> sequence;
      for (const TraceRecord& r : warp.records) {
        if (code.instructions[r.code].kind != InstructionKind::barrier) continue;
        REQUIRE(r.mask != 0);
        sequence.push_back(code.instructions[r.code].pc);
      }
      barriers += sequence.size();
      sequences.insert(sequence);
    }
    REQUIRE(sequences.size() <= 1);
  });
  CHECK(barriers > 100);
}

TEST_CASE("random traces hold whatever a trace can hold") {
  std::map<ExecutionClass, unsigned> classes;
  std::map<InstructionKind, unsigned> kinds;
  std::map<MemorySpace, unsigned> spaces;
  std::map<unsigned, unsigned> widths, binaries, tracers;
  unsigned off = 0, partial = 0, empty = 0, missing = 0, without_exit = 0, duplicates = 0, flags = 0,
           unknown = 0;
  every_cta({}, [&](const CodeTable& code, const KernelHeader& header, const CtaTrace& cta) {
    ++binaries[header.binary_version];
    ++tracers[header.tracer_version];
    missing += header.warps_per_cta() - static_cast<unsigned>(cta.warps.size());
    unknown += static_cast<unsigned>(code.unknown_opcodes.size());
    for (const WarpTrace& warp : cta.warps) {
      if (warp.records.empty()) {
        ++empty;
        continue;
      }
      if (code.instructions[warp.records.back().code].kind != InstructionKind::exit) ++without_exit;
      for (const TraceRecord& r : warp.records) {
        const StaticInstruction& s = code.instructions[r.code];
        ++classes[s.execution];
        ++kinds[s.kind];
        ++spaces[s.space];
        ++widths[s.memory_bytes];
        if (r.mask == 0) ++off;
        if (r.mask != 0 && r.mask != lanes_of(header, warp)) ++partial;
        if (s.duplicate_sources != 0) ++duplicates;
        if (s.reuse_mask != 0) ++flags;
      }
    }
  });
  CHECK(classes.size() == execution_class_count);
  CHECK(kinds.size() == 7);
  CHECK(spaces.size() == 6);
  CHECK(widths.size() == 6);  // no width, and 8 to 128 bits
  CHECK(binaries.size() == 7);
  CHECK(tracers.size() == 5);
  for (const unsigned n : {off, partial, duplicates, flags}) CHECK(n > 1000);
  for (const unsigned n : {empty, missing, without_exit, unknown}) CHECK(n > 10);

  std::set<char> modes;
  unsigned sidecars = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const random::TraceFile& f : random::random_trace(seed)) {
      if (f.name.find(".sass") != std::string::npos) ++sidecars;
      for (std::size_t at = f.text.find(" 0x"); at != std::string::npos; at = f.text.find(" 0x", at + 1))
        if (f.text[at - 2] == ' ' && f.text[at - 1] != '=') modes.insert(f.text[at - 1]);
    }
  }
  CHECK(modes == std::set<char>{'0', '1', '2'});
  CHECK(sidecars > 10);
}

TEST_CASE("a seed gives one random configuration, of a shipped platform and changed parameters") {
  std::set<std::string> platforms;
  std::size_t overrides = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto c = random::random_configuration(seed);
    CHECK(c.overrides == random::random_configuration(seed).overrides);
    CHECK(c.overrides.size() <= 16);
    platforms.insert(c.platform);
    overrides += c.overrides.size();
  }
  CHECK(platforms.size() > 60);
  CHECK(overrides > 800);
}

// The control bits of a divergent kernel are right for code without loops. A path that
// all lanes take is no exception.
TEST_CASE("no warp of a divergent kernel runs an instruction twice") {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    const TemporaryFolder folder;
    random::write_trace(random::divergent_trace(seed), folder.path());
    KernelReader reader(open_trace(folder.path()).kernels.at(0), OperandOptions{});
    CtaTrace cta;
    while (reader.next(cta)) {
      for (const WarpTrace& warp : cta.warps) {
        std::set<std::uint64_t> pcs;
        for (const TraceRecord& r : warp.records) pcs.insert(reader.code().instructions[r.code].pc);
        CHECK(pcs.size() == warp.records.size());
      }
    }
  }
}

}  // namespace random_trace_test
