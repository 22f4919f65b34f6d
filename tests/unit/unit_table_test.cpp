#include "subcore/model/isa/unit_table.h"

#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "subcore/model/isa/issue_distance.h"

namespace unit_table_test {

using namespace subcore;

namespace {

UnitUse use(unsigned architecture, const char* opcode) {
  return unit_use(architecture, opcode, *opcode_info(opcode));
}

std::string times(unsigned architecture, const char* opcode) {
  const UnitUse u = use(architecture, opcode);
  return std::to_string(u.latency) + "; " + std::to_string(u.initiation_interval);
}

}  // namespace

TEST_CASE("unit table: an opcode has the modifiers of its shape, wherever they stand") {
  CHECK(matches_shape("HMMA.16816.F32.BF16", "HMMA.16816.F32"));
  CHECK(matches_shape("HMMA.16816.F32", "HMMA"));
  CHECK(matches_shape("IMMA.16832.S8.S8.SAT", "IMMA.S8.16832"));
  CHECK_FALSE(matches_shape("HMMA.1688.F32", "HMMA.16816"));
  CHECK_FALSE(matches_shape("HMMA2.16816.F32", "HMMA.16816"));
  CHECK_FALSE(matches_shape("HMMA", "HMMA.16816"));
}

TEST_CASE("unit table: a shape has the times of its architecture") {
  CHECK(times(75, "HMMA.1688.F32") == "18; 16");
  CHECK(times(80, "HMMA.16816.F32.BF16") == "24; 8");
  CHECK(times(86, "HMMA.16816.F32") == "24; 32");
  CHECK(times(89, "HMMA.16816.F16") == "24; 16");
  CHECK(times(90, "HMMA.16816.F32") == "23; 6");
  CHECK(times(80, "HMMA.1688.F32.TF32") == "25; 8");
  CHECK(times(80, "FFMA.FTZ") == "4; 2");
  CHECK(times(86, "FFMA") == "4; 1");
  CHECK(times(80, "LDG.E") == "0; 0");
  CHECK(times(80, "BAR.SYNC") == "4; 1");
}

TEST_CASE("unit table: multiplications run where their architecture has them") {
  CHECK(use(75, "IMAD").execution == ExecutionClass::integer);
  CHECK(use(80, "IMAD.MOV.U32").execution == ExecutionClass::single);
  CHECK(use(90, "IMAD").execution == ExecutionClass::single);
  CHECK(use(90, "IMAD.WIDE.U32").execution == ExecutionClass::single);
  CHECK(use(80, "HFMA2.MMA").execution != use(80, "HFMA2").execution);
  CHECK(use(86, "HFMA2.MMA").execution == use(86, "HFMA2").execution);
}

TEST_CASE("unit table: doubles run in the tensor core's pipe on a GA100, and in one of their own elsewhere") {
  for (const char* opcode : {"DADD", "DFMA.RM", "DMUL", "DSETP.GT.AND"})
    for (const unsigned a : known_architectures) {
      CAPTURE(opcode, a);
      CHECK(unit_of(use(a, opcode).execution) ==
            (a == 80 ? ExecutionUnitKind::tensor : ExecutionUnitKind::double_));
      CHECK(use(a, opcode).pipe == IssuePipe::double_);
    }
  CHECK(times(80, "DFMA") == "6; 4");
}

TEST_CASE("unit table: what the compiler counts on depends on the architecture") {
  const auto counted = [](unsigned architecture, const char* opcode) {
    const UnitUse u = use(architecture, opcode);
    // A barrier stands for results that are not counted on, whichever instruction needs them.
    CHECK(has_variable_latency(architecture, u.pipe) == (u.completion != LatencyClass::counted));
    return u.completion == LatencyClass::counted;
  };
  for (const char* opcode : {"HMMA.16816.F32", "IMMA.16832.S8.S8"}) {
    CHECK_FALSE(counted(75, opcode));
    for (const unsigned a : {80u, 86u, 89u, 90u, 120u}) CHECK(counted(a, opcode));
  }
  for (const unsigned a : {80u, 90u}) CHECK(counted(a, "DFMA"));
  for (const unsigned a : {75u, 86u, 89u, 120u}) CHECK_FALSE(counted(a, "DFMA"));
  for (const unsigned a : known_architectures) {
    CHECK_FALSE(counted(a, "DMMA.884"));
    CHECK_FALSE(counted(a, "MUFU.EX2"));
    CHECK_FALSE(counted(a, "LDG.E"));
    CHECK(counted(a, "FFMA"));
    CHECK(counted(a, "IADD3"));
    CHECK(counted(a, "HFMA2"));
  }
}

TEST_CASE("unit table: binary versions belong to the newest architecture that is not newer") {
  for (const auto& [version, architecture] : {std::pair{0u, 75u},
                                              {70u, 75u},
                                              {75u, 75u},
                                              {80u, 80u},
                                              {87u, 86u},
                                              {89u, 89u},
                                              {90u, 90u},
                                              {100u, 90u},
                                              {120u, 120u},
                                              {121u, 120u}})
    CHECK(architecture_of(version) == architecture);
}

TEST_CASE("unit table: every class has a line in each architecture, and every line is somebody's") {
  for (const unsigned a : known_architectures)
    for (const ExecutionClassLine& c : execution_classes) {
      const auto& lines = unit_table();
      CHECK(std::any_of(lines.begin(), lines.end(), [&](const UnitTableLine& l) {
        return is_for(l, a) && l.opcode.empty() && l.execution == c.execution;
      }));
    }
  std::set<const UnitTableLine*> used;
  for (const UnitTableLine& l : unit_table()) {
    bool known = false;
    for (const unsigned a : known_architectures) known = known || is_for(l, a);
    CHECK(known);
    if (l.opcode.empty()) continue;
    // No line above takes all that this one is for.
    const std::string opcode(l.opcode);
    const unsigned a = architecture_of(std::max(l.first, known_architectures[0]));
    const UnitUse found = use(a, opcode.c_str());
    INFO(opcode << " of sm_" << a);
    CHECK(found.latency == l.latency);
    CHECK(found.initiation_interval == l.initiation_interval);
  }
}

TEST_CASE("unit table: distances let nobody read before a result is there") {
  const char* opcodes[] = {"IADD3", "FFMA", "IMAD", "IMAD.WIDE", "HFMA2",          "HFMA2.MMA",
                           "HADD2", "DFMA", "F2FP", "SHF.L.U32", "HMMA.16816.F32", "IMMA.16832.S8.S8",
                           "VIADD", "CS2R"};
  for (const unsigned a : known_architectures)
    for (const char* producer : opcodes)
      for (const char* consumer : opcodes) {
        const UnitUse p = use(a, producer), c = use(a, consumer);
        if (p.completion != LatencyClass::counted || c.completion != LatencyClass::counted) continue;
        INFO(producer << " to " << consumer << " of sm_" << a);
        CHECK(issue_distance(a, p, c, DependenceKind::source) + c.late >= p.latency);
      }
}

// An instruction that waits in a queue of its unit reads `late` cycles later than others, and a cycle after
// the result is there.
TEST_CASE("unit table: distances let nobody behind a queue read before a result is there") {
  const char* producers[] = {"IADD3", "FFMA", "IMAD", "HFMA2", "HADD2", "DADD", "DFMA", "HMMA.16816.F32"};
  const char* consumers[] = {"MUFU.EX2", "MUFU.RSQ64H", "MUFU.RCP64H", "F2F.F32.F64",
                             "STG.E",    "LDG.E",       "LDS"};
  for (const unsigned a : known_architectures)
    for (const char* producer : producers)
      for (const char* consumer : consumers) {
        const UnitUse p = use(a, producer), c = use(a, consumer);
        if (p.completion != LatencyClass::counted) continue;
        INFO(producer << " to " << consumer << " of sm_" << a);
        CHECK(c.completion == LatencyClass::queued);
        CHECK(issue_distance(a, p, c, DependenceKind::source) + c.late >= p.latency + 1u);
      }
  // nvcc leaves six cycles between these two.
  CHECK(issue_distance(90, use(90, "DADD"), use(90, "MUFU.RSQ64H"), DependenceKind::source) == 6);
  CHECK(issue_distance(80, use(80, "DADD"), use(80, "MUFU.RSQ64H"), DependenceKind::source) == 6);
}

TEST_CASE("unit table: who writes the register of a tensor instruction again is ready after it") {
  const UnitUse hmma = use(80, "HMMA.16816.F32"), sel = use(80, "SEL");
  // The instructions read in five and in three cycles, and have results 24 and 4 cycles later.
  CHECK(overwrite_distance(80, hmma, sel) + 3 + sel.latency > 5u + hmma.latency);
  CHECK(overwrite_distance(80, sel, hmma) == 1);
}

TEST_CASE("unit table: distances of later architectures are those that nvcc leaves") {
  const auto distance = [](unsigned a, const char* producer, const char* consumer) {
    return issue_distance(a, use(a, producer), use(a, consumer), DependenceKind::source);
  };
  CHECK(distance(75, "IADD3", "LDG.E") == 8);
  CHECK(distance(75, "HADD2.F32", "FCHK") == 8);
  CHECK(distance(75, "HFMA2", "STG.E") == 8);
  CHECK(distance(75, "HADD2", "HFMA2") == 6);
  CHECK(distance(80, "IADD3", "LDG.E") == 5);
  CHECK(distance(80, "HADD2.F32", "FCHK") == 4);
  CHECK(distance(90, "HADD2.F32", "MUFU.RCP") == 4);
  CHECK(distance(86, "HFMA2", "STG.E") == 5);
  CHECK(distance(80, "HFMA2.MMA", "SHFL.BFLY") == 7);
  CHECK(distance(90, "HFMA2.MMA", "STG.E") == 7);
  CHECK(distance(90, "HFMA2.MMA", "FADD") == 10);
  CHECK(distance(90, "HFMA2.MMA", "HFMA2.MMA") == 8);
  CHECK(distance(90, "R2UR", "UIADD3") == 13);
  CHECK(has_variable_latency(80, use(80, "R2UR").pipe));
  CHECK_FALSE(has_variable_latency(90, use(90, "R2UR").pipe));
  CHECK(distance(80, "FFMA", "MUFU.EX2") == 4);
  CHECK(distance(80, "HADD2.F32", "FFMA") == 5);
  CHECK(distance(80, "F2FP.BF16.PACK_AB", "HMMA.16816.F32") == 7);
  CHECK(distance(80, "HMMA.16816.F32", "HMMA.16816.F32") == 24);
  CHECK(distance(80, "HMMA.16816.F32", "FADD") == 26);
  CHECK(distance(90, "HMMA.16816.F32", "FADD") == 25);
  CHECK(distance(90, "IADD3", "IMAD.WIDE") == 3);
  CHECK(distance(90, "IMAD.WIDE", "LEA") == 3);
  CHECK(distance(90, "HFMA2.MMA", "IMAD.WIDE") == 8);
  CHECK(distance(80, "HFMA2.MMA", "IMAD.WIDE") == 10);
}

TEST_CASE("unit table: a shape of one's own goes before the table, and by class nothing changes") {
  StaticInstruction s;
  s.execution = ExecutionClass::tensor_f32;
  set_unit_use(s, "HMMA.16816.F32", {0, {{"HMMA.16816", 9, 9}}});
  CHECK(s.latency == 0);
  set_unit_use(s, "HMMA.16816.F32", {80, {{"HMMA.1688", 7, 7}, {"HMMA.16816", 33, 16}, {"HMMA", 9, 9}}});
  CHECK(s.latency == 33);
  CHECK(s.initiation_interval == 16);
  CHECK(s.completion == LatencyClass::counted);
}

}  // namespace unit_table_test
