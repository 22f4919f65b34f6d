#include "subcore/observers/run_profile.h"

#include <limits>
#include <stdexcept>

#include "subcore/base/json_text.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  const char* key;
  std::uint64_t RunProfile::*of_profile;
  std::uint64_t RunResult::*of_result;
};
constexpr Field fields[] = {
    {"cycles", &RunProfile::cycles, &RunResult::cycles},
    {"schedulers", &RunProfile::schedulers, &RunResult::schedulers},
    {"instructions_retired", &RunProfile::instructions_retired, &RunResult::instructions_retired},
    {"source_operands", &RunProfile::source_operands, &RunResult::source_operands},
    {"cache_read_hits", &RunProfile::cache_read_hits, &RunResult::cache_read_hits},
    {"bank_reads", &RunProfile::bank_reads, &RunResult::bank_reads},
    {"bank_writes", &RunProfile::bank_writes, &RunResult::bank_writes},
    {"bank_read_wait_cycles", &RunProfile::bank_read_wait_cycles, &RunResult::bank_read_wait_cycles},
    {"prefetches", &RunProfile::prefetches, &RunResult::prefetches},
};

struct RowField {
  const char* key;
  std::uint64_t InstructionRow::*value;
};
constexpr RowField row_fields[] = {{"issues", &InstructionRow::issues},
                                   {"source_operands", &InstructionRow::source_operands},
                                   {"bank_reads", &InstructionRow::bank_reads},
                                   {"bank_wait_cycles", &InstructionRow::bank_wait_cycles}};

struct BankField {
  const char* key;
  std::uint64_t BankRow::*value;
};
constexpr BankField bank_fields[] = {{"reads", &BankRow::reads},
                                     {"read_wait_cycles", &BankRow::read_wait_cycles},
                                     {"writes", &BankRow::writes},
                                     {"write_wait_cycles", &BankRow::write_wait_cycles}};

[[noreturn]] void refuse(const std::string& what,
                         const std::string& expected = "profile.json as --profile writes it") {
  throw std::runtime_error("not a profile: " + what + "; expected " + expected);
}

const Json& at(const Json& in, const char* key) {
  if (!in.is_object()) refuse("not a JSON object");
  if (!in.contains(key)) refuse("no key '" + std::string(key) + "'");
  return in.at(key);
}

template <class T = std::uint64_t>
T count_of(const std::string& key, const Json& value) {
  if (const std::optional<T> count = count_in<T>(value)) return *count;
  refuse("'" + key + "' is " + excerpt_of(value),
         "a whole number from 0 to " + std::to_string(std::numeric_limits<T>::max()));
}

template <class T = std::uint64_t>
T count_at(const Json& in, const char* key) {
  return count_of<T>(key, at(in, key));
}

std::string text_at(const Json& in, const char* key) {
  const Json& value = at(in, key);
  if (!value.is_string()) refuse("'" + std::string(key) + "' is " + excerpt_of(value), "text");
  return value.get<std::string>();
}

const Json& list_at(const Json& in, const char* key) {
  const Json& value = at(in, key);
  if (!value.is_array()) refuse("'" + std::string(key) + "' is " + excerpt_of(value), "a list");
  return value;
}

// Causes without cycles are left out.
Json cycles_json(const CauseCycles& cycles) {
  Json out = Json::object();
  for (std::size_t c = 0; c < cycles.size(); ++c)
    if (cycles[c] != 0) out[stall_causes[c].name] = cycles[c];
  return out;
}

std::size_t cause_of(const std::string& name) {
  std::size_t c = 0;
  while (c < stall_causes.size() && name != stall_causes[c].name) ++c;
  if (c == stall_causes.size()) refuse("there is no cause '" + name + "'", "causes of this version");
  return c;
}

CauseCycles cycles_at(const Json& in, const char* key) {
  CauseCycles cycles{};
  for (const auto& [name, value] : at(in, key).items()) cycles[cause_of(name)] = count_of(name, value);
  return cycles;
}

Json row_json(const InstructionRow& row) {
  Json out = Json::object();
  for (const RowField& f : row_fields) out[f.key] = row.*f.value;
  out["stalls"] = row.stalls();
  out["warp_cycles"] = cycles_json(row.cycles);
  return out;
}

InstructionRow row_of(const Json& in) {
  InstructionRow row;
  for (const RowField& f : row_fields) row.*f.value = count_at(in, f.key);
  row.cycles = cycles_at(in, "warp_cycles");
  return row;
}

RunProfile profile_of(const Json& in) {
  RunProfile p;
  p.platform = text_at(in, "platform");
  if (in.contains("machine")) p.machine = text_at(in, "machine");  // version 0.2.0 wrote none
  p.trace = text_at(in, "trace");
  if (in.contains("partial")) p.partial = text_at(in, "partial");
  for (const Field& f : fields) p.*f.of_profile = count_at(in, f.key);
  p.scheduler_cycles = cycles_at(in, "stall_cycles");
  if (in.contains("cautions")) {
    for (const Json& c : list_at(in, "cautions")) p.cautions.push_back(c.get<std::string>());
  }
  for (const Json& i : list_at(in, "instructions")) {
    InstructionRow& row = p.instructions.emplace_back(row_of(i));
    row.kernel = text_at(i, "kernel");
    row.pc = count_at(i, "pc");
    row.opcode = text_at(i, "opcode");
    row.operands = text_at(i, "operands");
  }
  p.no_instruction = row_of(at(in, "no_instruction"));
  for (const Json& b : list_at(in, "banks")) {
    RunProfile::Bank& bank = p.banks.emplace_back();
    bank.sub_core = text_at(b, "sub_core");
    bank.number = count_at<unsigned>(b, "bank");
    for (const BankField& f : bank_fields) bank.row.*f.value = count_at(b, f.key);
  }
  for (const Json& w : list_at(in, "warps")) {
    RunProfile::Warp& warp = p.warps.emplace_back();
    warp.sub_core = text_at(w, "sub_core");
    warp.slot = count_at<unsigned>(w, "slot");
    warp.cycles = cycles_at(w, "warp_cycles");
  }
  return p;
}

std::uint64_t sum_of(const CauseCycles& cycles) {
  std::uint64_t sum = 0;
  for (const std::uint64_t c : cycles) sum += c;
  return sum;
}

}  // namespace

void take_result(RunProfile& p, const RunResult& r) {
  p.platform = r.platform;
  p.machine = r.machine;
  p.trace = r.trace;
  p.cautions = r.cautions;
  for (const Field& f : fields) p.*f.of_profile = r.*f.of_result;
  for (const auto& [name, cycles] : r.stall_cycles) p.scheduler_cycles[cause_of(name)] = cycles;
}

std::string imbalance(const RunProfile& p) {
  InstructionRow all = p.no_instruction;
  for (const InstructionRow& row : p.instructions) all.add(row);
  BankRow banks;
  for (const RunProfile::Bank& b : p.banks) banks.add(b.row);
  CauseCycles warps{};
  for (const RunProfile::Warp& w : p.warps) {
    if (sum_of(w.cycles) != p.cycles)
      return std::to_string(sum_of(w.cycles)) + " cycles of warp slot " + std::to_string(w.slot) + " of " +
             w.sub_core + " have a cause; expected " + std::to_string(p.cycles);
    for (std::size_t c = 0; c < warps.size(); ++c) warps[c] += w.cycles[c];
  }
  struct Sum {
    const char* what;
    std::uint64_t found, expected;
  };
  std::vector<Sum> sums = {
      {"issues of all instructions", all.issues, p.instructions_retired},
      {"source operands of all instructions", all.source_operands, p.source_operands},
      {"bank reads of all instructions", all.bank_reads, p.bank_reads},
      {"bank reads of no instruction", p.no_instruction.bank_reads, p.prefetches},
      {"bank wait cycles of all instructions", all.bank_wait_cycles, p.bank_read_wait_cycles},
      {"reads of all banks", banks.reads, p.bank_reads},
      {"read wait cycles of all banks", banks.read_wait_cycles, p.bank_read_wait_cycles},
      {"writes of all banks", banks.writes, p.bank_writes},
      {"scheduler cycles with a cause", sum_of(p.scheduler_cycles), p.cycles * p.schedulers},
      {"warp cycles that issued", warps[static_cast<std::size_t>(StallCause::issued)],
       p.instructions_retired},
  };
  for (std::size_t c = 0; c < warps.size(); ++c)
    sums.push_back({stall_causes[c].name, all.cycles[c], warps[c]});
  for (const Sum& s : sums)
    if (s.found != s.expected)
      return std::to_string(s.found) + ' ' + s.what + "; expected " + std::to_string(s.expected) +
             ", as of the run";
  return "";
}

std::string to_json(const RunProfile& p) {
  Json out = Json::object();
  if (!p.partial.empty()) out["partial"] = p.partial;
  out["platform"] = p.platform;
  out["machine"] = p.machine;
  out["trace"] = p.trace;
  for (const Field& f : fields) out[f.key] = p.*f.of_profile;
  out["stall_cycles"] = cycles_json(p.scheduler_cycles);
  out["cautions"] = p.cautions;
  out["instructions"] = Json::array();
  for (const InstructionRow& row : p.instructions) {
    Json i = Json::object();
    i["kernel"] = row.kernel;
    i["pc"] = row.pc;
    i["opcode"] = row.opcode;
    i["operands"] = row.operands;
    i.update(row_json(row));
    out["instructions"].push_back(std::move(i));
  }
  out["no_instruction"] = row_json(p.no_instruction);
  out["banks"] = Json::array();
  for (const RunProfile::Bank& b : p.banks) {
    Json bank{{"sub_core", b.sub_core}, {"bank", b.number}};
    for (const BankField& f : bank_fields) bank[f.key] = b.row.*f.value;
    out["banks"].push_back(std::move(bank));
  }
  out["warps"] = Json::array();
  for (const RunProfile::Warp& w : p.warps)
    out["warps"].push_back(
        {{"sub_core", w.sub_core}, {"slot", w.slot}, {"warp_cycles", cycles_json(w.cycles)}});
  return json_text(out);
}

RunProfile run_profile_from_json(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse("no JSON");
  RunProfile p = profile_of(json);
  const std::string wrong = p.partial.empty() ? imbalance(p) : "";
  if (!wrong.empty()) throw std::runtime_error("a profile that does not add up: " + wrong);
  return p;
}

}  // namespace subcore
