#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "subcore/program/analysis/trace_info.h"
#include "tests/unit/trace_files.h"

namespace project_traces_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("widths from opcodes agree with the sidecars of the project's traces", "[trace][project]") {
  std::size_t traces = 0, compared = 0, exceptions = 0;
  for (const auto& entry : std::filesystem::directory_iterator(project_traces())) {
    if (!std::filesystem::exists(entry.path() / "kernelslist.g")) continue;
    ++traces;
    for (const auto& file : open_trace(entry.path()).kernels) {
      KernelReader with(file, {TensorOperands::exact, false, true});
      KernelReader without(file, {TensorOperands::exact, false, false});
      REQUIRE(with.has_sidecar());
      CtaTrace cta;
      while (with.next(cta)) {
      }
      while (without.next(cta)) {
      }
      REQUIRE(with.code().instructions.size() == without.code().instructions.size());
      CHECK(with.code().unknown_opcodes.empty());
      for (std::size_t i = 0; i < with.code().instructions.size(); ++i) {
        const StaticInstruction &a = with.code().instructions[i], &b = without.code().instructions[i];
        ++compared;
        if (a.sources == b.sources && a.destinations == b.destinations && a.reuse_mask == b.reuse_mask)
          continue;
        // An even register B looks like a 64-bit C where a constant is the addend: one register too many.
        INFO(file << " " << std::hex << a.pc << " " << with.code().opcode_name(a));
        CHECK(with.code().opcode_name(a).substr(0, 9) == "IMAD.WIDE");
        CHECK(a.source_count + 1 == b.source_count);
        CHECK(a.destinations == b.destinations);
        CHECK(a.reuse_mask == b.reuse_mask);
        ++exceptions;
      }
    }
  }
  CHECK(traces == 16);
  CHECK(compared > 8000);
  CHECK(exceptions < compared / 100);
}

TEST_CASE("trace information adds up", "[trace][info]") {
  TemporaryFolder folder;
  const std::string lines =
      "0000 ffffffff 1 R1 IMAD.WIDE 3 R2 R3 R2 0\n"
      "0010 ffffffff 1 R4 LD.E 1 R6 4 1 0x7f3000000010 4\n"
      "0010 00000001 1 R4 LD.E 1 R6 4 1 0x10 0\n"
      "0020 00000000 0 STS 2 R4 R1 4 1 0x0 0\n"
      "0030 ffffffff 1 R5 FQUX 2 R4 R1 0\n"
      "0040 ffffffff 1 R5 LDC 0 0\n"
      "0050 ffffffff 0 EXIT 0 0\n";
  folder.write("kernel-1.traceg", header("3", "(1,1,1)", "(64,1,1)") + one_warp(lines));
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-1.traceg\nsomething\n");
  double last = -1;
  const TraceInfo info = collect_trace_info(open_trace(folder.path()), {}, [&](double share) {
    CHECK(share >= last);
    last = share;
  });
  CHECK(last == 1.0);
  CHECK(info.kernels == 2);
  CHECK(info.ctas == 2);
  CHECK(info.warps == 2);
  CHECK(info.missing_warps == 2);
  CHECK(info.skipped_commands == 1);
  CHECK(info.instructions == 14);
  CHECK(info.predicated_off == 2);
  CHECK(info.static_instructions == 12);
  CHECK(info.by_class[static_cast<std::size_t>(ExecutionClass::load_store)] == 8);
  CHECK(info.by_opcode.at("LD.E") == 4);
  CHECK(info.register_reads == 2 * (2 + 2 + 2 + 2));
  CHECK(info.register_writes == 2 * (2 + 1 + 1 + 1 + 1));
  CHECK(info.duplicate_sources == 2 * 2);
  CHECK(info.max_sources == 2);
  CHECK(info.memory_by_space[static_cast<std::size_t>(MemorySpace::shared)] == 2);
  CHECK(info.memory_by_space[static_cast<std::size_t>(MemorySpace::global)] == 2);
  CHECK(info.memory_by_space[static_cast<std::size_t>(MemorySpace::constant)] == 2);
  CHECK(info.unknown_opcodes.at("FQUX") == 2);
  CHECK(info.reuse.total() == 2 * 4);  // R6 and R7, R4, R1
  CHECK(info.reuse.reuses[2] == 2);    // R4, written by the second load

  const std::string text = trace_info_text(info);
  CHECK(text.find("beyond 3: ") != std::string::npos);
  CHECK(text.find("FQUX") != std::string::npos);
  const auto json = nlohmann::json::parse(trace_info_json(info));
  CHECK(json["instructions"] == 14);
  CHECK(json["instructions_by_class"]["load_store"] == 8);
  CHECK(json["memory_by_space"]["shared"] == 2);
  CHECK(json["reuse"]["distances"].size() == ReuseHistogram::bins);
}

TEST_CASE("a public NVBit trace has its known number of instructions", "[trace][shared]") {
  const auto folder = shared_traces() / "nvbit" / "bfs_sm70";
  if (!std::filesystem::exists(folder)) {
    WARN("no shared traces here: set SUBCORE_TRACES to their folder");
    return;
  }
  const TraceInfo info = collect_trace_info(open_trace(folder), {});
  CHECK(info.kernels == 16);
  CHECK(info.instructions == 154839);
  CHECK(info.unknown_opcodes.empty());
}

}  // namespace project_traces_test
