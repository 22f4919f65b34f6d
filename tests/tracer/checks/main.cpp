// Checks the emulator on code that nvcc has compiled (tests/scripts/tracer makes it):
//   tracer_checks CUBINS                      every check
//   tracer_checks CUBINS mutants SEED COUNT   every check finds random changes of the instruction table
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "checks.h"
#include "gpu.h"
#include "subcore/tracer/machine/decoder.h"
#include "subcore/tracer/machine/meaning.h"
#include "subcore/tracer/machine/step.h"

namespace subcore::tracer {
namespace {

struct Check {
  std::string name;
  std::function<Problems(const InstructionTable&)> run;
};

// Quick ones first.
std::vector<Check> all_checks(const std::string& cubins) {
  std::vector<Check> checks;
  const std::string traces = SUBCORE_SOURCE_DIR "/scenarios/";
  const std::set<std::string> modern{"attention", "bf16_gemm", "hgemm_3stage", "rmsnorm",
                                     "s8_gemm",   "stencil3d", "topk",         "w4a16_gemm"};
  const auto cubin_of = [&](const std::string& name, const char* architecture) {
    return cubins + "/" + name + "_sm" + architecture + ".cubin";
  };
  for (const std::string& name : kernels_with_references()) {
    const bool is_modern = modern.count(name) != 0;
    const std::string cubin = is_modern ? cubin_of("modern", "80") : cubin_of(name, "75");
    const std::string folder = traces + (is_modern ? "modern/" : "traces/") + name;
    checks.push_back({"the sidecar of " + name, [=](const InstructionTable& table) {
                        return check_sidecar(cubin, folder + "/kernel-1.sass.xz", table);
                      }});
    std::string of_sm_90 = traces + "modern_sm90/" + name;
    if (!std::filesystem::exists(of_sm_90)) of_sm_90 = traces + "modern/" + name + "_sm90";
    if (is_modern)
      checks.push_back({"the sidecar of " + name + " on sm_90", [=](const InstructionTable& table) {
                          return check_sidecar(cubin_of("modern", "90"), of_sm_90 + "/kernel-1.sass.xz",
                                               table);
                        }});
  }
  checks.push_back({"UFLO", check_uniform_leading_one});
  checks.push_back({"WARPSYNC.ALL", check_synchronize_all});
  checks.push_back({"single instructions", check_single_instructions});
  checks.push_back({"texts", check_texts});
  for (const char* const architecture : {"80", "86", "89", "90"}) {
    const std::string cubin = cubin_of("modern_expressions", architecture),
                      of = std::string(" on sm_") + architecture;
    checks.push_back(
        {"asynchronous copies" + of, [=](const InstructionTable& t) { return check_copies(cubin, t); }});
    checks.push_back(
        {"matrix forms" + of, [=](const InstructionTable& t) { return check_matrix_forms(cubin, t); }});
    checks.push_back({"modern expressions" + of,
                      [=](const InstructionTable& t) { return check_modern_expressions(cubin, t); }});
  }
  for (const char* const architecture : {"75", "80", "86", "89", "90"}) {
    const std::string cubin = cubin_of("expressions", architecture),
                      of = std::string(" on sm_") + architecture;
    const std::string features = cubin_of("features", architecture);
    checks.push_back(
        {"features" + of, [=](const InstructionTable& t) { return check_features(features, t); }});
    checks.push_back(
        {"a split warp" + of, [=](const InstructionTable& t) { return check_split_warp(cubin, t); }});
    checks.push_back({"bits of a parameter" + of,
                      [=](const InstructionTable& t) { return check_uniform_bits(cubin, t); }});
    checks.push_back({"exchanges and atomics" + of,
                      [=](const InstructionTable& t) { return check_warp_exchanges(cubin, t); }});
    checks.push_back(
        {"expressions" + of, [=](const InstructionTable& t) { return check_expressions(cubin, t); }});
  }
  for (const std::string& name : kernels_with_references()) {
    const bool is_modern = modern.count(name) != 0;
    for (const char* const architecture : {is_modern ? "80" : "75", "90"}) {
      if (!is_modern && architecture == std::string("90")) continue;
      const std::string cubin = cubin_of(is_modern ? "modern" : name, architecture);
      checks.push_back({"the kernel " + name + " on sm_" + architecture,
                        [=](const InstructionTable& t) { return check_kernel(name, cubin, t); }});
    }
  }
  return checks;
}

// The problems that a check finds, also by an error.
Problems problems_of(const Check& check, const InstructionTable& table) {
  try {
    return check.run(table);
  } catch (const std::exception& e) {
    return {e.what()};
  }
}

// Rows of the table that the checks have executed.
std::set<std::size_t> executed_rows;
const InstructionTable* counting_table = nullptr;
void count_row(Step& s) {
  const auto row = static_cast<std::size_t>(s.instruction().row - counting_table->data());
  executed_rows.insert(row);
  instruction_table()[row].meaning(s);
}

// Rows that no check executes, by names and operands, and why.
const std::map<std::string, std::string> never_executed{
    {"ATOMG p0 D Mgo d",
     "halves and bfloat16, for which nvcc makes ATOM; floats of the same row's kind are executed"},
    {"RED MgoS d", "floats of sm_90 without a result; the meaning is ATOMG's"},
    {"RED MgoS d2", "doubles of sm_90 without a result; the meaning is ATOMG's"},
    {"IMMA.8832 D2 Ar Bc C2", "products of 4 bits, which no kernel of sm_75 here has"},
    {"BRX jump", "nvcc makes trees of branches of switches of these sizes"},
    {"CS2R.32 D sr", "nvcc reads clocks as pairs; the meaning is CS2R's"},
    {"HMMA.1688.F16 D2 A2 B C2", "of sm_80; the meaning is checked on sm_75's row"},
    {"HMMA.1688.F32 D4 A2 B C4", "of sm_80; the meaning is checked on sm_75's row"},
    {"HMMA.1688.F32.BF16 D4 A2 B C4", "of sm_80; the meaning is that of sm_75's row, with bfloat16"},
    {"UBREV D B", "nvcc computes it of parameters in vector registers; the meaning is BREV's"},
    {"ULEA D p0? A Bh iS q87x", "ULEA.HI.SX32, which nvcc does not make; the meaning is LEA's"},
    {"UPLOP3.LUT lutP p0 p1 q87 q77 q68u iL il", "the meaning is PLOP3's"},
    {"UPRMT D A B C", "the meaning is PRMT's"},
    {"USGXT D A B", "the meaning is SGXT's"},
    {"WARPSYNC Bh", "of sm_90, for masks that are numbers, where nvcc makes WARPSYNC.ALL"},
};

// Whether all rows were executed but those of the list. Prints the others.
bool check_executed_rows(const InstructionTable& table) {
  std::set<std::string> left;
  for (std::size_t row = 0; row < table.size(); ++row)
    if (executed_rows.count(row) == 0) left.insert(std::string(table[row].name) + " " + table[row].operands);
  bool is_right = true;
  for (const std::string& row : left) {
    if (never_executed.count(row) != 0) continue;
    is_right = false;
    std::cout << "  no check executes the row " << row << "\n";
  }
  for (const auto& [row, why] : never_executed) {
    if (left.count(row) != 0) continue;
    is_right = false;
    std::cout << "  the row " << row << " is executed now; expected it not to be in the list\n";
  }
  std::cout << "rows of the table: " << (is_right ? "right" : "WRONG") << " (" << table.size() << ", "
            << left.size() << " kinds of them not executed)\n";
  return !is_right;
}

int run_all(const std::vector<Check>& checks) {
  InstructionTable table = instruction_table();
  for (InstructionRow& row : table) row.meaning = count_row;
  counting_table = &table;
  std::size_t failed = 0;
  for (const Check& check : checks) {
    const Problems problems = problems_of(check, table);
    std::cout << check.name << ": " << (problems.empty() ? "right" : "WRONG") << std::endl;
    for (const std::string& problem : problems) std::cout << "  " << problem << "\n";
    failed += !problems.empty();
  }
  failed += check_executed_rows(table);
  std::cout << checks.size() << " checks, " << failed << " failed\n";
  return failed != 0;
}

using Encoding = std::pair<std::uint64_t, std::uint64_t>;
// An instruction of the checks' code, and its architecture.
using Sample = std::pair<unsigned, Encoding>;

// All different instructions of the code that the checks execute, without `features`. Many instructions of
// `features` are executed for their effect on others, and not for their results.
std::set<Sample> samples_of(const std::string& cubins) {
  std::set<Sample> samples;
  for (const auto& entry : std::filesystem::directory_iterator(cubins)) {
    if (entry.path().extension() != ".cubin") continue;
    if (entry.path().filename().string().rfind("features", 0) == 0) continue;
    const std::string path = entry.path().string();
    const Cubin cubin = read_cubin(bytes_of_file(path), path, 0, instruction_table());
    for (const auto& [name, kernel] : cubin.kernels)
      for (const Instruction& i : kernel.code) samples.insert({cubin.architecture, {i.low, i.high}});
  }
  return samples;
}

// The parts of an instruction that its execution and its trace need.
std::string essence_of(const Instruction& i) {
  std::ostringstream out;
  out << i.text << " " << (i.row == nullptr ? nullptr : reinterpret_cast<const void*>(i.row->meaning)) << " "
      << i.immediate;
  for (const std::uint8_t field : i.fields) out << " " << int{field};
  for (const RegisterUse& use : i.registers) out << " " << int{use.number} << "x" << int{use.width};
  return out.str();
}

// Whether the code has an instruction that the two tables understand in different ways. Other changes are no
// mutants, because no code at hand could find them.
bool is_visible(const InstructionTable& changed, const std::set<Sample>& samples) {
  return std::any_of(samples.begin(), samples.end(), [&](const Sample& sample) {
    const auto& [architecture, encoding] = sample;
    return essence_of(decode(instruction_table(), architecture, encoding.first, encoding.second, 0)) !=
           essence_of(decode(changed, architecture, encoding.first, encoding.second, 0));
  });
}

// Makes a random change of a row. Returns its description; empty if nothing changed.
std::string mutate(InstructionTable& table, std::size_t n, std::mt19937& random) {
  InstructionRow& row = table[n];
  const std::string of = std::string(row.name) + ": ";
  const auto pick = [&](std::size_t count) { return random() % count; };
  switch (pick(3)) {
    case 0: {  // the meaning of another row
      const InstructionRow& other = table[pick(table.size())];
      // Rows without effect are left out. A change that gives them an effect on registers that are not read
      // is seldom found.
      if (other.meaning == row.meaning || row.meaning == meaning::nothing) return {};
      row.meaning = other.meaning;
      return of + "the meaning of " + other.name;
    }
    case 1: {  // a modifier at other bits
      if (row.modifiers.empty()) return {};
      Modifier& modifier = row.modifiers[pick(row.modifiers.size())];
      if (modifier.width == 0 || modifier.field == Field::none) return {};
      ++modifier.bit;
      return of + "a modifier at bit " + std::to_string(modifier.bit);
    }
    default: {  // signs that operands do not have
      const unsigned sign = 1u << pick(6), bars = absolute_a | absolute_b | absolute_c;
      if ((sign & bars) != 0 && (row.signs & bars) == 0) return {};  // whole numbers have no bars
      row.signs ^= sign;
      return of + "signs " + std::to_string(row.signs);
    }
  }
}

int find_mutants(const std::vector<Check>& checks, const std::set<Sample>& samples, unsigned seed,
                 unsigned count) {
  std::mt19937 random(seed);
  unsigned made = 0, found = 0;
  while (made < count) {
    InstructionTable table = instruction_table();
    const std::string change = mutate(table, random() % table.size(), random);
    if (change.empty() || !is_visible(table, samples)) continue;
    ++made;
    std::cout << change << ": " << std::flush;
    std::string by;
    for (const Check& check : checks)
      if (!problems_of(check, table).empty()) {
        by = check.name;
        break;
      }
    found += !by.empty();
    std::cout << (by.empty() ? "NOT FOUND" : "found by " + by) << std::endl;
  }
  std::cout << made << " mutants, " << found << " found\n";
  return found != made;
}

}  // namespace
}  // namespace subcore::tracer

int main(int argc, char** argv) {
  using namespace subcore::tracer;
  if (argc != 2 && argc != 5) {
    std::fputs("usage: tracer_checks CUBINS [mutants SEED COUNT]\n", stderr);
    return 2;
  }
  const std::string cubins = argv[1];
  const std::vector<Check> checks = all_checks(cubins);
  if (argc == 2) return run_all(checks);
  return find_mutants(checks, samples_of(cubins), static_cast<unsigned>(std::stoul(argv[3])),
                      static_cast<unsigned>(std::stoul(argv[4])));
}
