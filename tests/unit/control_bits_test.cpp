// Control bits: the checks of them, and the pass that makes them if a trace has none.
#include <map>
#include <random>
#include <set>
#include <utility>

#include <catch2/catch.hpp>

#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/passes/compiler_passes.h"
#include "subcore/model/passes/control_check.h"
#include "subcore/model/passes/control_program.h"
#include "tests/edited_sidecar.h"
#include "tests/unit/pass_program.h"
#include "tests/unit/trace_files.h"

namespace control_bits_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

// A line "control | operands | text" per instruction, from address 0 on.
Sidecar sidecar_of_lines(const std::vector<std::string>& lines) {
  TemporaryFolder folder;
  std::string text;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    char pc[24];
    std::snprintf(pc, sizeof pc, "%04zx | 0 0 | ", 16 * n);
    text += pc + lines[n] + "\n";
  }
  return read_sidecar(folder.write("kernel-1.sass", text));
}

std::vector<std::string> violations(const std::vector<std::string>& lines) {
  const ControlProgram program = control_program(sidecar_of_lines(lines));
  std::vector<std::string> texts;
  for (const ControlViolation& v : check_control(program)) texts.push_back(violation_text(program, v));
  return texts;
}

using Lines = std::vector<std::string>;

std::vector<fs::path> files_of(const fs::path& folder, const std::string& part) {
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().filename().string().find(part) != std::string::npos) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string breaches_of(const ControlProgram& program) {
  std::string out;
  for (const ControlViolation& v : check_control(program)) out += violation_text(program, v) + "\n";
  return out;
}

KernelProfile profile_of(KernelReader& reader) {
  KernelProfile profile;
  for (CtaTrace cta; reader.next(cta);)
    for (const WarpTrace& warp : cta.warps) profile.add(warp, reader.code());
  return profile;
}

}  // namespace

TEST_CASE("a stall count that is too short is found", "[control]") {
  const auto chain = [](const std::string& stall) {
    return violations({stall + " - 7 7 00 0 | D:R1x1 S:R2x1/A | FADD R1, R2, 1 ;",
                       "1 - 7 7 00 0 | D:R3x1 S:R1x1/A | FADD R3, R1, 1 ;", "1 - 7 7 00 0 | | EXIT ;"});
  };
  CHECK(chain("4").empty());
  CHECK(chain("3") == Lines{"0010: reads R1 of 0000, 3 cycles behind it; expected 4"});
  // The stalls of the instructions between count, and so does a yield.
  const auto between = [](const std::string& control) {
    return violations({"2 - 7 7 00 0 | D:R1x1 S:R2x1/A | FADD R1, R2, 1 ;",
                       control + " | D:R9x1 | MOV R9, 0x1 ;",
                       "1 - 7 7 00 0 | D:R3x1 S:R1x1/A | IADD3 R3, R1, 0x1, RZ ;"});
  };
  CHECK(between("3 - 7 7 00 0").empty());
  CHECK(between("2 - 7 7 00 0") == Lines{"0020: reads R1 of 0000, 4 cycles behind it; expected 5"});
  CHECK(between("1 Y 7 7 00 0") == Lines{"0020: reads R1 of 0000, 4 cycles behind it; expected 5"});
  CHECK(between("0 Y 7 7 00 0").empty());
  // Loads of constants read later than other instructions.
  const auto address = [](const std::string& stall) {
    return violations({stall + " - 7 7 00 0 | D:R1x1 S:R2x1/A | FADD R1, R2, 1 ;",
                       "1 - 0 7 00 0 | D:R3x1 S:R1x1/A | LDC R3, c[0x3][R1] ;"});
  };
  CHECK(address("6").empty());
  CHECK(address("5") == Lines{"0010: reads R1 of 0000, 5 cycles behind it; expected 6"});
}

TEST_CASE("a later result that would come before the older result of its register is found", "[control]") {
  // On sm_75 HADD2 takes eight cycles, and MOV takes four.
  const auto pair = [](const std::string& stall) {
    return violations({stall + " - 7 7 00 0 | D:R1x1 S:R2x1/A S:R3x1/B | HADD2 R1, R2, R3 ;",
                       "1 - 7 7 00 0 | D:R1x1 | MOV R1, 0x1 ;"});
  };
  CHECK(pair("5").empty());
  CHECK(pair("4") == Lines{"0010: writes R1 behind 0000, 4 cycles behind it; expected 5"});
}

TEST_CASE("a register that takes a barrier of convergence comes when it comes", "[control]") {
  const auto moved = [](const std::string& arms, const std::string& waits) {
    return violations({"2 - " + arms + " 7 00 0 | D:R1x1 | BMOV.32.CLEAR R1, B0 ;",
                       "1 - 7 7 " + waits + " 0 | D:R3x1 S:R1x1/A | FADD R3, R1, 1 ;"});
  };
  CHECK(moved("0", "01").empty());
  CHECK(moved("7", "00") == Lines{"0010: reads R1 of 0000 without a wait for it"});
}

TEST_CASE("predicates and uniform registers are dependences of their own", "[control]") {
  const auto pair = [](const std::string& first, const std::string& second, unsigned stall) {
    return violations({std::to_string(stall) + " - 7 7 00 0 | " + first, "1 - 7 7 00 0 | " + second,
                       "1 - 7 7 00 0 | | EXIT ;"});
  };
  const std::string setp = "S:R5x1/A | ISETP.GE.AND P0, PT, R5, 0x1, PT ;", branch = "| @P0 BRA 0x20 ;";
  CHECK(pair(setp, branch, 12).empty());
  CHECK(pair(setp, branch, 11) == Lines{"0010: reads P0 of 0000, 11 cycles behind it; expected 12"});
  const std::string select = "D:R1x1 S:R2x1/A S:R3x1/B | SEL R1, R2, R3, P0 ;";
  CHECK(pair(setp, select, 4).empty());
  CHECK(pair(setp, select, 3) == Lines{"0010: reads P0 of 0000, 3 cycles behind it; expected 4"});
  CHECK(pair(setp, "D:R1x1 | @!P0 MOV R1, 0x1 ;", 11).size() == 1);
  CHECK(pair(setp, "D:R1x1 | @!P1 MOV R1, 0x1 ;", 1).empty());
  const std::string sets = "S:R5x1/A S:R255x1/C | LOP3.LUT P0, RZ, R5, 0x1, RZ, 0xc0, !PT ;";
  CHECK(pair(sets, branch, 11).size() == 1);
  const std::string uniform = "D:UR4x1 S:UR5x1/A | UIADD3 UR4, UR5, 0x1, URZ ;",
                    reader = "D:R1x1 S:R2x1/A S:UR4x1/B S:R255x1/C | IMAD R1, R2, UR4, RZ ;";
  CHECK(pair(uniform, reader, 6).empty());
  CHECK(pair(uniform, reader, 5) == Lines{"0010: reads UR4 of 0000, 5 cycles behind it; expected 6"});
  CHECK(pair("D:R8x1 S:R255x1/A | P2R R8, PR, RZ, 0x2 ;", branch, 1).empty());
  // P2R moves only the predicates of its mask.
  CHECK(pair(setp, "D:R8x1 S:R255x1/A | P2R R8, PR, RZ, 0x2 ;", 1).empty());
  CHECK(pair(setp, "D:R8x1 S:R255x1/A | P2R R8, PR, RZ, 0x3 ;", 1).size() == 1);
  CHECK(pair("S:R8x1/A | R2P PR, R8, 0x7e ;", branch, 1).empty());
  CHECK(pair("S:R8x1/A | R2P PR, R8, 0x7f ;", branch, 1).size() == 1);
  CHECK(pair("S:R8x1/A | R2P PR, R8 ;", branch, 1).size() == 1);
}

TEST_CASE("a result of variable latency needs a wait for its barrier", "[control]") {
  const std::string load = "D:R4x1 S:R2x2/A | LDG.E.SYS R4, [R2] ;",
                    reader = "D:R6x1 S:R4x1/A | IADD3 R6, R4, 0x1, RZ ;";
  const auto with = [&](const std::string& first, const std::string& second) {
    return violations({first + " | " + load, second + " | " + reader});
  };
  CHECK(with("2 - 0 7 00 0", "1 - 7 7 01 0").empty());
  CHECK(with("15 - 7 7 00 0", "1 - 7 7 3f 0") == Lines{"0010: reads R4 of 0000 without a wait for it"});
  CHECK(with("2 - 0 7 00 0", "1 - 7 7 02 0").size() == 1);
  CHECK(with("1 - 0 7 00 0", "1 - 7 7 01 0").size() == 1);  // the barrier is not seen yet
  CHECK(with("2 - 7 0 00 0", "1 - 7 7 01 0").size() == 1);  // the load's sources have been read
  const auto overwrite = [&](const std::string& first, const std::string& second, const char* text) {
    return violations({first + " | " + load, second + " | " + text});
  };
  const char* result = "D:R4x1 S:R8x1/A | IADD3 R4, R8, 0x1, RZ ;";
  CHECK(overwrite("2 - 0 7 00 0", "1 - 7 7 01 0", result).empty());
  CHECK(overwrite("9 - 0 7 00 0", "1 - 7 7 00 0", result) ==
        Lines{"0010: writes R4 behind 0000 without a wait for it"});
  const char* source = "D:R3x1 S:R8x1/A | IADD3 R3, R8, 0x1, RZ ;";
  CHECK(overwrite("2 - 0 1 00 0", "1 - 7 7 02 0", source).empty());
  CHECK(overwrite("2 - 0 7 00 0", "1 - 7 7 01 0", source).empty());  // the load has even written
  CHECK(overwrite("9 - 0 1 00 0", "1 - 7 7 00 0", source) ==
        Lines{"0010: writes R3, which 0000 reads, without a wait for it"});
  // An instruction of the load's pipe reads its sources behind the load.
  CHECK(overwrite("2 - 0 7 00 0", "1 - 1 7 00 0", "D:R3x1 S:R8x1/A | LDS R3, [R8] ;").empty());
}

TEST_CASE("instructions under opposite guards need not wait for each other", "[control]") {
  const std::string load = "1 - 7 7 00 0 | D:R4x1 S:R8x1/A | @!P2 LDS R4, [R8] ;",
                    move = "1 - 7 7 00 0 | D:R4x1 S:R9x1/B | @P2 MOV R4, R9 ;",
                    address = "1 - 7 7 00 0 | D:R8x1 S:R9x1/B | @P2 MOV R8, R9 ;",
                    reader = "1 - 7 7 00 0 | D:R9x1 S:R4x1/B | @P2 MOV R9, R4 ;",
                    compares = "13 Y 7 7 00 0 | S:R5x1/A | ISETP.GE.AND P2, PT, R5, 0x1, PT ;",
                    other = "13 Y 7 7 00 0 | S:R5x1/A | ISETP.GE.AND P1, PT, R5, 0x1, PT ;";
  for (const std::string& second : {move, address, reader}) {
    INFO(second);
    CHECK(violations({load, second}).empty());
    CHECK(violations({load, other, second}).empty());
    // The predicate has changed in between, on one of two ways, too.
    CHECK(violations({load, compares, second}).size() == 1);
    CHECK(violations({load, "5 - 7 7 00 0 | | @P0 BRA 0x30 ;", compares, second}).size() == 1);
    CHECK(violations({load, "5 - 7 7 00 0 | | @P0 BRA 0x30 ;", other, second}).empty());
    // The same guard, another predicate, and none.
    for (const char* guard : {"@!P2 ", "@P1 ", "@UP2 ", ""}) {
      std::string changed = second;
      changed.replace(changed.find("@P2 "), 4, guard);
      INFO(guard);
      CHECK(violations({load, changed}).size() == 1);
    }
  }
  CHECK(violations({load, move}).empty());
  CHECK(violations({load, "1 - 7 7 00 0 | D:R4x1 S:R9x1/B | MOV R4, R9 ;"}) ==
        Lines{"0010: writes R4 behind 0000 without a wait for it"});
  // A reader of the register in all lanes has to wait for the first writer, though the second one has
  // written.
  CHECK(violations({load, "4 - 7 7 00 0 | D:R4x1 S:R9x1/B | @P2 MOV R4, R9 ;",
                    "1 - 7 7 00 0 | D:R6x1 S:R4x1/A | IADD3 R6, R4, 0x1, RZ ;"}) ==
        Lines{"0020: reads R4 of 0000 without a wait for it"});
  // Of fixed latency, too.
  const auto sum = [](const char* guard) {
    return violations({"1 - 7 7 00 0 | D:R1x1 S:R2x1/A | @P3 FADD R1, R2, 1 ;",
                       std::string("1 - 7 7 00 0 | D:R3x1 S:R1x1/A | ") + guard + " FADD R3, R1, 1 ;"});
  };
  CHECK(sum("@!P3").empty());
  CHECK(sum("@P3").size() == 1);
  // An instruction that writes its own guard needs a value that is gone: R4 and P2 are waited for.
  CHECK(violations({"1 - 7 7 00 0 | D:R4x1 S:R8x1/A | @!P2 ATOMS.CAS P2, R4, [R8], R5, R6 ;", move}).size() ==
        2);
  // Around a loop the predicate is another one's.
  CHECK(violations({move, load, compares, "5 - 7 7 00 0 | | @P0 BRA 0x0 ;"}) ==
        Lines{"0000: writes R4 behind 0010 without a wait for it"});
  CHECK(violations({move, load, "5 - 7 7 00 0 | | @P0 BRA 0x0 ;"}).empty());
}

TEST_CASE("a later barrier of a pipe that completes in order will do", "[control]") {
  const auto with = [](const std::string& first, const std::string& second) {
    return violations({"2 - 7 7 00 0 | " + first, "2 - 3 7 00 0 | " + second,
                       "1 - 7 7 08 0 | D:R9x1 S:R1x1/A | IADD3 R9, R1, 0x1, RZ ;"});
  };
  const std::string lds = "D:R1x1 S:R20x1/A | LDS R1, [R20] ;", ldg = "D:R1x1 S:R20x2/A | LDG.E R1, [R20] ;",
                    mufu = "D:R1x1 S:R20x1/B | MUFU.RCP R1, R20 ;";
  CHECK(with(lds, "D:R2x1 S:R20x1/A | LDS R2, [R20+4] ;").empty());
  CHECK(with(lds, "D:R2x1 S:R20x2/A | LDG.E R2, [R20] ;").empty());
  CHECK(with(mufu, "D:R2x1 S:R20x1/B | F2F.F16.F32 R2, R20 ;").empty());
  CHECK(with(lds, "D:R2x1 S:R20x1/B | MUFU.RCP R2, R20 ;").size() == 1);
  CHECK(with(ldg, "D:R2x1 S:R20x2/A | LDG.E R2, [R20+4] ;").size() == 1);  // the first one may miss
}

TEST_CASE("a barrier of the thread block is behind what its warps have to read", "[control]") {
  const auto with = [](const std::string& between) {
    return violations({"2 - 7 7 00 0 | S:R2x1/A S:R3x1/B | STS [R2], R3 ;", "5 - 7 7 00 0 | | " + between,
                       "1 - 7 7 00 0 | D:R3x1 S:R8x1/A | IADD3 R3, R8, 0x1, RZ ;"});
  };
  CHECK(with("BAR.SYNC 0x0 ;").empty());
  CHECK(with("NOP ;").size() == 1);
}

TEST_CASE("control bits are checked on every path", "[control]") {
  // In the loop the FADD reads its own result. Behind the loop, R1 is read at once.
  const auto loop = [](const std::string& branch) {
    return violations({"1 - 7 7 00 0 | D:R1x1 S:R1x1/A S:R2x1/B | FADD R1, R1, R2 ;",
                       branch + " | | @P0 BRA 0x0 ;", "1 - 7 7 00 0 | D:R4x1 S:R1x1/B | MOV R4, R1 ;",
                       "1 - 7 7 00 0 | | EXIT ;"});
  };
  CHECK(loop("4 - 7 7 00 0").empty());
  CHECK(loop("3 - 7 7 00 0") == Lines{"0020: reads R1 of 0000, 4 cycles behind it; expected 5"});
  CHECK(loop("2 - 7 7 00 0") == Lines{"0000: reads R1 of 0000, 3 cycles behind it; expected 4",
                                      "0020: reads R1 of 0000, 3 cycles behind it; expected 5"});
  // A load is on one of two ways. The load's reader comes behind the place where the ways meet.
  CHECK(violations({"5 - 7 7 00 0 | | @P0 BRA 0x20 ;", "2 - 7 7 00 0 | D:R4x1 S:R8x1/A | LDS R4, [R8] ;",
                    "1 - 7 7 00 0 | D:R9x1 | MOV R9, 0x1 ;",
                    "1 - 7 7 00 0 | D:R6x1 S:R4x1/A | IADD3 R6, R4, 0x1, RZ ;"}) ==
        Lines{"0030: reads R4 of 0010 without a wait for it"});
  // The call's function returns behind this call, and behind no other one.
  const auto call = [](const std::string& wait) {
    return violations(
        {"5 - 7 7 00 0 | | CALL.REL.NOINC 0x40 ;", "1 - 7 7 " + wait + " 0 | D:R4x1 S:R1x1/B | MOV R4, R1 ;",
         "5 - 7 7 00 0 | | CALL.REL.NOINC 0x60 ;", "1 - 7 7 00 0 | D:R5x1 S:R1x1/B | MOV R5, R1 ;",
         "2 - 0 7 00 0 | D:R1x1 S:R7x1/B | MUFU.RCP R1, R7 ;",
         "5 - 7 7 00 0 | S:R12x2/A | RET.REL.NODEC R12 0x0 ;",
         "5 - 7 7 00 0 | S:R12x2/A | RET.REL.NODEC R12 0x0 ;"});
  };
  CHECK(call("01").empty());
  CHECK(call("00") == Lines{"0010: reads R1 of 0040 without a wait for it",
                            "0030: reads R1 of 0040 without a wait for it"});
}

// The binary version of the trace that has this sidecar.
std::uint32_t version_of(fs::path sidecar) {
  std::string name = sidecar.filename().string();
  name.replace(name.find(".sass"), 5, ".traceg");
  OperandOptions header_only;
  header_only.use_sidecar = false;
  return KernelReader(sidecar.replace_filename(name), header_only).header().binary_version;
}

TEST_CASE("the control bits of compiled kernels keep their promises", "[control][project]") {
  const auto own = files_of(project_traces(), ".sass"), shared = files_of(shared_traces(), ".sass");
  CHECK(own.size() > 100);
  std::size_t instructions = 0, flagged = 0;
  for (const auto& files : {own, shared})
    for (const fs::path& file : files) {
      const Sidecar sidecar = read_sidecar(file);
      INFO(file);
      // In `found` lanes of divergent paths write one
      // register, which the code alone does not show.
      if (const unsigned version = version_of(file);
          version >= known_architectures[0] && file.string().find("/found/") == std::string::npos)
        CHECK(breaches_of(control_program(sidecar, version)).empty());
      instructions += sidecar.by_pc.size();
      for (const auto& pc_and_entry : sidecar.by_pc) {
        const SidecarEntry& entry = pc_and_entry.second;
        std::uint8_t marked = 0;
        for (const SidecarOperand& o : entry.sources)
          if (o.slot < operand_slots && bits::has(entry.reuse_mask, o.slot)) bits::add(marked, o.slot);
        flagged += marked == entry.reuse_mask ? 0 : 1;
      }
    }
  CHECK(instructions > 9000);
  CHECK(flagged == 0);  // every flag has its source
}

TEST_CASE("half the stalls of a compiled kernel are not enough", "[control][project]") {
  TemporaryFolder folder;
  std::size_t kernels = 0;
  for (const fs::path& file : files_of(project_traces(), ".sass")) {
    const fs::path half = folder.write(
        "half.sass", edited_sidecar(text_of_sidecar(file), [](SidecarLine& l) { halve_stall(l); }));
    INFO(file);
    CHECK_FALSE(breaches_of(control_program(read_sidecar(half))).empty());
    ++kernels;
  }
  CHECK(kernels > 100);
}

TEST_CASE("a reuse flag of a sidecar is turned over", "[control][project]") {
  TemporaryFolder folder;
  const fs::path trace = project_traces() / "sgemm";
  unsigned edited = 0;
  copy_trace_with_sidecars(trace, folder.path() / "t", [&](SidecarLine& l) {
    if (edited == 0 && l.text.find("FFMA") != std::string::npos) {
      flip_reuse_flag(l, 1);
      ++edited;
    }
  });
  const Sidecar before = *sidecar_of(open_trace(trace).kernels[0]),
                after = *sidecar_of(open_trace(folder.path() / "t").kernels[0]);
  unsigned different = 0;
  REQUIRE(before.by_pc.size() == after.by_pc.size());
  for (const auto& [pc, entry] : before.by_pc) {
    const SidecarEntry& other = *after.find(pc);
    CHECK(entry.control == other.control);
    CHECK(before.text(entry) == after.text(other));
    if (entry.reuse_mask == other.reuse_mask) continue;
    ++different;
    CHECK((entry.reuse_mask ^ other.reuse_mask) == 0b10);
  }
  CHECK(different == 1);
}

TEST_CASE("synthetic control bits of a chain and of a load", "[control]") {
  PassProgram p;
  const auto load = p.add("LDG.E", {4}, {2}), add = p.add("IADD3", {5}, {4, 6}),
             fma = p.add("FFMA", {7}, {5, 5}), other = p.add("MOV", {8}, {9}),
             store = p.add("STG.E", {}, {2, 7}), next = p.add("IADD3", {7}, {8}), end = p.add("EXIT");
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::automatic;
  p.compile(o);
  CHECK(p.annotation.control_bits_are_synthetic);
  const auto bits = [&](std::uint32_t i) { return p.code.instructions[i].control; };
  for (const StaticInstruction& s : p.code.instructions) CHECK(s.controlled);
  CHECK(bits(load).stall == 2);  // the load's reader waits at once
  REQUIRE(bits(load).write_barrier < barrier_count);
  CHECK(bits(load).read_barrier == no_barrier);
  CHECK(bits(add).wait_mask == 1u << bits(load).write_barrier);
  CHECK(bits(add).stall == 5);
  CHECK(bits(fma).stall == 1);
  CHECK(bits(other).stall == 7);  // eight cycles from FFMA to the store
  CHECK(bits(store).write_barrier == no_barrier);
  REQUIRE(bits(store).read_barrier < barrier_count);
  CHECK(bits(store).stall == 2);
  CHECK(bits(next).wait_mask == 1u << bits(store).read_barrier);
  CHECK(bits(end).wait_mask == 0);
}

TEST_CASE("synthetic control bits take predicates for granted", "[control]") {
  PassProgram p;
  const auto set = p.add("ISETP.GE.AND", {}, {1, 2}), select = p.add("SEL", {3}, {1, 2}),
             branch = p.add("BRA"), moved = p.add("MOV", {4}, {5});
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  const auto stall = [&](std::uint32_t i) { return unsigned{p.code.instructions[i].control.stall}; };
  CHECK(stall(set) == 4);
  CHECK(stall(set) + stall(select) == 12);
  CHECK(stall(branch) == 1);
  CHECK(stall(moved) == 1);
}

TEST_CASE("synthetic control bits yield at a stall of twelve cycles and not at one of eleven", "[control]") {
  for (const bool between : {false, true}) {
    PassProgram p;
    // The branch reads the predicate twelve cycles behind the comparison. FFMA between them takes the wait
    // over, one cycle behind the comparison.
    auto before = p.add("ISETP.GE.AND", {}, {1, 2});
    if (between) before = p.add("FFMA", {7}, {5, 6});
    p.add("BRA");
    p.add("EXIT");
    p.run_all();
    PassOptions o;
    o.control_bits = ControlBitsSource::synthetic;
    p.compile(o);
    const ControlBits control = p.code.instructions[before].control;
    CHECK(control.stall == (between ? 11 : 12));
    CHECK(control.yield == !between);
  }
}

TEST_CASE("synthetic control bits give each comparison a predicate of its own", "[control]") {
  PassProgram p;
  // Three comparisons, then instructions that depend on them, in turn. No instruction has to wait for the
  // comparison before it.
  for (Register r = 0; r < 3; ++r) p.add("ISETP.GE.AND", {}, {r, 10});
  for (Register r = 0; r < 3; ++r) p.add("SEL", {static_cast<Register>(r + 20)}, {r, 11});
  const auto again = p.add("SEL", {23}, {3, 11}), carried = p.add("IADD3.X", {24}, {4, 11}),
             uniform = p.add("UISETP.GE.AND", {}, {}), moved = p.add("MOV", {25}, {12});
  p.run_all();
  const ControlProgram program = control_program(p.code, p.profile());
  const auto predicates = [&](const ResourceSet& set) {
    std::string names;
    for (unsigned r = resource::predicates; r < resource::count; ++r)
      if (set[r]) names += resource_name(r) + " ";
    return names;
  };
  std::string written, read;
  for (unsigned i = 0; i < 3; ++i) {
    written += predicates(program.nodes[i].writes);
    read += predicates(program.nodes[3 + i].reads);
  }
  CHECK(written == "P1 P2 P3 ");
  CHECK(read == written);
  CHECK(predicates(program.nodes[again].reads) == "P3 ");    // every predicate has been read: the last one is
                                                             // taken again
  CHECK(predicates(program.nodes[carried].reads) == "P7 ");  // a carry is no condition
  CHECK(predicates(program.nodes[uniform].writes) == "UP0 ");
  CHECK(predicates(program.nodes[moved].reads) == "");
}

TEST_CASE("a branch that may go on reads the last comparison, and begins anew", "[control]") {
  PassProgram p;
  p.add("ISETP.GE.AND", {}, {1, 2});
  p.add("ISETP.GE.AND", {}, {3, 2});
  const auto branch = p.add("BRA");
  const auto select = p.add("SEL", {4}, {1, 2});
  p.run_all();
  const ControlProgram program = control_program(p.code, p.profile());
  CHECK(program.nodes[branch].guards[resource::predicates + 2]);
  CHECK(program.nodes[branch].guards.count() == 1);
  CHECK(program.nodes[select].reads[resource::predicates + 2]);
}

TEST_CASE("an instruction that ran in some lanes only, or once in none, reads a predicate", "[control]") {
  PassProgram p;
  const auto set = p.add("ISETP.GE.AND", {}, {1, 2}), off = p.add("MOV", {3}, {4}),
             partial = p.add("MOV", {5}, {6}), whole = p.add("MOV", {7}, {8});
  p.run(set);
  p.run(off, 0);
  p.run(partial, 0xffff);
  p.run(whole);
  const ControlProgram program = control_program(p.code, p.profile());
  for (const std::uint32_t guarded : {off, partial}) {
    CHECK(program.nodes[guarded].guards[resource::predicates + 1]);  // P1, which the comparison writes
    CHECK(program.nodes[guarded].guards.count() == 1);
  }
  CHECK(program.nodes[set].guards.none());
  CHECK(program.nodes[whole].guards.none());
}

TEST_CASE("synthetic control bits of a result that control flow makes", "[control]") {
  PassProgram p;
  const auto moved = p.add("BMOV.32.CLEAR", {1}, {}), reader = p.add("FADD", {2}, {1});
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  const auto bits = [&](std::uint32_t i) { return p.code.instructions[i].control; };
  REQUIRE(bits(moved).write_barrier < barrier_count);
  CHECK(bits(reader).wait_mask == 1u << bits(moved).write_barrier);
}

TEST_CASE("results that are needed together share a barrier", "[control]") {
  PassProgram p;
  // Two planes of a stencil, loaded ahead. Fast results have a barrier of their own, and so have results that
  // are needed later.
  const auto first = p.add("LDG.E", {1}, {20}), second = p.add("LDG.E", {2}, {21}),
             late = p.add("LDG.E", {3}, {22}), fast = p.add("LDS", {4}, {23});
  for (Register r = 0; r < 12; ++r) p.add("MOV", {static_cast<Register>(r + 30)}, {24});
  const auto add = p.add("FADD", {5}, {1, 2}), other = p.add("FADD", {6}, {4, 5});
  for (Register r = 0; r < 12; ++r) p.add("MOV", {static_cast<Register>(r + 42)}, {24});
  const auto last = p.add("FADD", {7}, {3, 6});
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  const auto bits = [&](std::uint32_t i) { return p.code.instructions[i].control; };
  CHECK(bits(first).write_barrier == bits(second).write_barrier);
  CHECK(bits(add).wait_mask == 1u << bits(first).write_barrier);
  CHECK(bits(other).wait_mask == 1u << bits(fast).write_barrier);
  CHECK(bits(last).wait_mask == 1u << bits(late).write_barrier);
  CHECK(std::set<unsigned>{bits(first).write_barrier, bits(fast).write_barrier, bits(late).write_barrier}
            .size() == 3);
}

TEST_CASE("synthetic control bits take barriers as nvcc does", "[control]") {
  PassProgram p;
  // Five loads that are used nearby, each in its own place, and two that are used far away.
  std::vector<std::uint32_t> near, far;
  for (Register r = 0; r < 2; ++r) far.push_back(p.add("LDG.E", {static_cast<Register>(r + 50)}, {20}));
  const auto quick = p.add("LDS", {60}, {20});
  for (Register r = 0; r < 5; ++r) near.push_back(p.add("LDG.E", {r}, {21}));
  for (Register r = 0; r < 5; ++r) p.add("FADD", {static_cast<Register>(r + 30)}, {r});
  p.add("FADD", {61}, {60});
  const auto address = p.add("IADD3", {21}, {21});
  for (unsigned n = 0; n < 40; ++n) p.add("MOV", {40}, {41});
  p.add("FADD", {62}, {50, 51});
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  const auto bits = [&](std::uint32_t i) { return p.code.instructions[i].control; };
  const auto written = [&](const std::vector<std::uint32_t>& loads) {
    std::string barriers;
    for (const std::uint32_t i : loads) barriers += std::to_string(bits(i).write_barrier);
    return barriers;
  };
  CHECK(written(far) == "55");
  CHECK(bits(quick).write_barrier == 0);
  CHECK(written(near) == "23444");  // far loads have 5; the last free barrier is shared
  // One barrier stands for the address that all loads read.
  for (const std::uint32_t i : near)
    CHECK(bits(i).read_barrier == no_barrier);  // waited for with the results
  CHECK(bits(address).wait_mask == 0);
}

TEST_CASE("synthetic control bits take barriers in the order of the code, not of the trace", "[control]") {
  PassProgram p;
  const auto second = p.add("LDG.E", {1}, {20}), first = p.add("LDG.E", {2}, {20});
  std::swap(p.code.instructions[first].pc, p.code.instructions[second].pc);
  p.add("FADD", {3}, {2});
  p.add("FADD", {4}, {1});
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  // Loads take the first free barrier from SB2 on.
  CHECK(p.code.instructions[first].control.write_barrier == 2);
  CHECK(p.code.instructions[second].control.write_barrier == 3);
}

TEST_CASE("a result without a free barrier shares the barrier that is waited for last", "[control]") {
  PassProgram p;
  for (Register r = 0; r < 6; ++r) p.add("MUFU.RCP", {r}, {20});
  for (Register r = 0; r < 6; ++r) p.add("FADD", {static_cast<Register>(r + 10)}, {r});
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  std::string barriers;
  for (unsigned i = 0; i < 6; ++i) barriers += std::to_string(p.code.instructions[i].control.write_barrier);
  CHECK(barriers == "012344");  // SB5 is for loads
}

TEST_CASE("more results on the way than barriers", "[control]") {
  PassProgram p;
  for (Register r = 0; r < 9; ++r) p.add(r % 2 == 0 ? "LDG.E" : "MUFU.RCP", {r}, {20});
  // The loads are used far apart.
  for (Register r = 0; r < 9; ++r) {
    p.add("FADD", {static_cast<Register>(r + 10)}, {r});
    for (unsigned n = 0; n < 10; ++n) p.add("MOV", {40}, {41});
  }
  p.run_all();
  PassOptions o;
  o.control_bits = ControlBitsSource::synthetic;
  p.compile(o);
  std::map<unsigned, unsigned> uses;
  for (unsigned i = 0; i < 9; ++i) ++uses[p.code.instructions[i].control.write_barrier];
  CHECK(uses.size() == barrier_count);
  CHECK(uses.count(no_barrier) == 0);
  // Instructions that share a barrier are of one pipe.
  for (unsigned a = 0; a < 9; ++a)
    for (unsigned b = 0; b < a; ++b)
      if (p.code.instructions[a].control.write_barrier == p.code.instructions[b].control.write_barrier)
        CHECK(a % 2 == b % 2);
  CHECK(breaches_of(control_program(p.code, p.profile())).empty());
}

TEST_CASE("synthetic control bits are right in random programs", "[control][property]") {
  std::size_t waits = 0, reads = 0, several = 0, waiting = 0, spoilt = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    RandomProgram made(random);
    PassProgram& p = made.result;
    ControlProgram program = control_program(p.code, p.profile());
    CHECK_FALSE(check_control(program).empty());  // no instruction has control bits
    synthesise_control_bits(program);
    CHECK(breaches_of(program) == "");
    for (ControlNode& node : program.nodes) {
      REQUIRE(node.control.is_valid());
      REQUIRE(node.control.stall >= 1);
      waits += node.control.wait_mask != 0 ? 1 : 0;
      reads += node.control.read_barrier != no_barrier ? 1 : 0;
      several += bits::count(node.control.wait_mask) > 1 ? 1 : 0;
    }
    // The program breaks rules without its waits.
    bool waited = false;
    for (ControlNode& node : program.nodes)
      waited |= std::exchange(node.control.wait_mask, std::uint8_t{0}) != 0;
    if (waited) ++waiting;
    if (!check_control(program).empty()) ++spoilt;
  }
  CHECK(waits > 500);
  // A wait may be there that the order of a pipe makes needless, but hardly any.
  CHECK(waiting > 100);
  CHECK(spoilt <= waiting);
  CHECK(spoilt > waiting * 9 / 10);
  CHECK(reads > 100);
  CHECK(several > 100);
}

TEST_CASE("synthetic control bits are right in the project's traces", "[control][project]") {
  std::size_t kernels = 0;
  for (const fs::path& file : files_of(project_traces(), ".traceg")) {
    KernelReader reader(file, {TensorOperands::exact, false, true});
    const KernelProfile profile = profile_of(reader);
    ControlProgram program = control_program(reader.code(), profile);
    INFO(file);
    synthesise_control_bits(program);
    CHECK(breaches_of(program) == "");
    ++kernels;
  }
  CHECK(kernels > 100);
}

TEST_CASE("control bits for another machine are refused, with the way out", "[control]") {
  TemporaryFolder folder;
  const auto file = folder.path() / "kernel-1.traceg";
  const auto write = [&](const std::string& version) {
    std::string text = header() + one_warp("0000 ffffffff 0 EXIT 0 0\n");
    const std::string stated = "-binary version = 75\n";
    folder.write("kernel-1.traceg", text.replace(text.find(stated), stated.size(), version));
  };
  TraceProgram program;
  program.kernels = {file};
  PassOptions o;
  o.control_bits = ControlBitsSource::automatic;
  o.needs_control_bits = true;
  const auto runs = [&](bool use_sidecar = true) {
    OperandOptions operands;
    operands.use_sidecar = use_sidecar;
    std::string first, second;
    try {
      require_fitting_control_bits(program, operands, o);
    } catch (const TraceError& e) {
      first = e.what();
    }
    try {
      AnnotatedKernel kernel(file, operands, o);
    } catch (const TraceError& e) {
      second = e.what();
    }
    CHECK(first == second);
    return first;
  };
  write("-binary version = 86\n");
  CHECK(runs().empty());  // without a sidecar control bits are made
  folder.write("kernel-1.sass", "0000 | 0 0 | 5 - 7 7 00 0 | | EXIT ;\n");
  CHECK(runs() ==
        file.string() +
            ": control bits of code for binary version 86 on a platform with the times of version 75 "
            "(passes.binary_version); expected code for that version, or passes.control_bits=synthetic");
  for (const char* other : {"-binary version = 70\n", "-binary version = 90\n"}) {
    write(other);
    CHECK_FALSE(runs().empty());
    CHECK(runs(false).empty());
  }
  for (const char* fitting : {"-binary version = 75\n", "-binary version = 0\n", ""}) {
    write(fitting);
    CHECK(runs().empty());
  }
  for (const std::uint32_t version : {86u, 0u}) {
    write("-binary version = 86\n");
    o.binary_version = version;
    CHECK(runs().empty());
  }
  o.binary_version = 75;
  o.control_bits = ControlBitsSource::sidecar;
  CHECK_FALSE(runs().empty());
  o.control_bits = ControlBitsSource::synthetic;
  CHECK(runs().empty());
  o.control_bits = ControlBitsSource::automatic;
  o.needs_control_bits = false;
  CHECK(runs().empty());
}

TEST_CASE("a kernel says which of its hints are no compiler's", "[passes]") {
  TemporaryFolder folder;
  const auto file = folder.write("kernel-1.traceg", header() + one_warp("0000 ffffffff 1 R1 MOV 1 R2 0\n"));
  const auto made = [&](const PassOptions& o) { return AnnotatedKernel(file, {}, o).made_up().to_string(); };
  PassOptions none;
  none.near_bits.source = NearBitsSource::none;
  PassOptions near, automatic = none, synthetic = none;
  automatic.needs_control_bits = synthetic.needs_control_bits = true;
  automatic.control_bits = ControlBitsSource::automatic;
  automatic.reuse_flags = ReuseFlags::automatic;
  synthetic.control_bits = ControlBitsSource::synthetic;
  synthetic.reuse_flags = ReuseFlags::synthetic;
  CHECK(made(none) == "000");
  CHECK(made(near) == "100");
  CHECK(made(automatic) == "011");
  folder.write("kernel-1.sass", "0000 | 0 0 | 5 - 7 7 00 0 | D:R1x1 S:R2x1/B | MOV R1, R2 ;\n");
  CHECK(made(automatic) == "000");
  CHECK(made(synthetic) == "011");
}

TEST_CASE("control bits come from where they are asked for", "[control]") {
  TemporaryFolder folder;
  const std::string lines =
      "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x100 4\n0010 ffffffff 1 R5 IADD3 1 R4 0\n0020 ffffffff 0 EXIT 0 "
      "0\n";
  const auto file = folder.write("kernel-1.traceg", header() + one_warp(lines));
  const auto bits_of = [&](ControlBitsSource source, bool needed) {
    PassOptions o;
    o.control_bits = source;
    o.needs_control_bits = needed;
    AnnotatedKernel kernel(file, {}, o);
    for (CtaTrace cta; kernel.next(cta);) {
    }
    const StaticInstruction& s = kernel.code().instructions[0];
    return s.controlled ? int{s.control.stall} : -1;
  };
  using S = ControlBitsSource;
  CHECK(bits_of(S::sidecar, false) == -1);
  CHECK_THROWS_WITH(bits_of(S::sidecar, true),
                    Contains("kernel-1.traceg: no control bits for the instruction at 0000; expected ") &&
                        Contains("passes.control_bits automatic or synthetic"));
  CHECK(bits_of(S::automatic, true) == 2);
  const std::string sass = "0000 | 0 0 | 7 - 0 7 00 0 | D:R4x1 S:R2x2/A | LDG.E R4, [R2] ;\n";
  folder.write("kernel-1.sass", sass);
  CHECK(bits_of(S::automatic, false) == 7);
  CHECK(bits_of(S::synthetic, true) == 2);
  CHECK_THROWS_WITH(bits_of(S::automatic, true), Contains("no control bits for the instruction at 0010; ") &&
                                                     Contains("passes.control_bits synthetic"));
}

// HMMA.16816.F32 reads five registers of each bank, so it executes two cycles later than IMMA.8816, whose
// registers fit into the shortest window of three cycles. HMMA.16816.F16 reads four of each bank. On sm_90
// the table has 23 cycles for HMMA.16816 and 13 for IMMA.8816.
TEST_CASE("a tensor instruction with fewer registers waits longer for the result of another one") {
  using Numbers = std::vector<unsigned>;
  const auto node = [](const char* opcode, const Numbers& reads, const Numbers& writes) {
    ControlNode n;
    n.architecture = 90;
    n.use = unit_use(90, opcode, *opcode_info(opcode));
    for (const unsigned r : reads) n.reads.set(r);
    for (const unsigned r : writes) n.writes.set(r);
    return n;
  };
  const Numbers accumulators{28, 29, 30, 31};
  const ControlNode full = node("HMMA.16816.F32", {8, 9, 10, 11, 6, 7, 20, 21, 22, 23}, accumulators);
  const ControlNode small = node("IMMA.8816.S8.S8", {6, 7, 20, 21}, {28, 29});
  const auto reader = [&](const char* opcode, Numbers reads) {
    reads.insert(reads.end(), accumulators.begin(), accumulators.end());
    return node(opcode, reads, {40, 41});
  };
  CHECK(required_distance(full, reader("HMMA.16816.F32", {6, 7, 40, 41, 42, 43})) == 23);
  CHECK(required_distance(full, reader("HMMA.16816.F16", {6, 7, 40, 41})) == 24);
  CHECK(required_distance(full, reader("HMMA.1688.F16", {6})) == 25);
  CHECK(required_distance(full, node("IMMA.8816.S8.S8", {28, 6, 40, 41}, {40, 41})) == 25);
  CHECK(required_distance(small, reader("HMMA.16816.F32", {6, 7, 40, 41, 42, 43})) == 13);
  // The younger result must come last: it executes two cycles sooner after its issue, and takes ten less.
  CHECK(required_distance(full, small) == 10 + 2 + 1);
  CHECK(required_distance(small, full) == 1);
}

}  // namespace control_bits_test
