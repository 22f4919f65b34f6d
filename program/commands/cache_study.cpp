// subcore cache-study: the register-cache study of JETCAS 2024 over a trace.
#include <algorithm>
#include <stdexcept>

#include "subcore/base/spelling.h"
#include "subcore/base/text.h"
#include "subcore/base/whole_file.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/program/analysis/cache_study_report.h"
#include "subcore/program/analysis/study/rfcsim_config.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& expected) {
  throw std::runtime_error(problem + "; expected " + expected);
}

[[noreturn]] void refuse_word(const std::string& option, const std::string& word,
                              const std::vector<std::string>& known, const std::string& expected) {
  throw std::runtime_error("'" + word + "' for " + option + ";" + did_you_mean(word, known) + " expected " +
                           expected);
}

struct Request {
  TracePath trace;
  std::string rfcsim_config, listing, json, csv;
  std::string flags = "auto", behaviour;
  std::string ways = "2,4,8", allocation = "write,compiler_aided", mapping = "linear,interleaved";
  std::string bank_bits = "128,32", entries = "8", replacement = "fifo", write = "write_back", window = "3";
};

unsigned number(const std::string& option, const std::string& word) {
  std::uint64_t value = 0;
  if (!text::parse_unsigned(word, value, 1000000))
    refuse("'" + word + "' for " + option, "a whole number up to 1000000");
  return static_cast<unsigned>(value);
}

template <typename E>
std::vector<std::string> words_of() {
  const auto& words = names(E{});
  return {words.begin(), words.end()};
}

template <typename E>
E choice(const std::string& option, const std::string& word) {
  const auto& words = names(E{});
  const auto it = std::find(words.begin(), words.end(), word);
  if (it != words.end()) return static_cast<E>(it - words.begin());
  const std::vector<std::string> known = words_of<E>();
  refuse_word(option, word, known, listed(known, ", "));
}

template <typename E>
std::vector<E> choices(const std::string& option, const std::string& list) {
  std::vector<E> all;
  for (const std::string& word : split(list, ','))
    if (const E e = choice<E>(option, word); std::find(all.begin(), all.end(), e) == all.end())
      all.push_back(e);
  return all;
}

std::vector<unsigned> numbers(const std::string& option, const std::string& list, unsigned full) {
  std::vector<unsigned> all;
  for (const std::string& word : split(list, ',')) {
    const unsigned n = full != 0 && word == "full" ? full : number(option, word);
    if (std::find(all.begin(), all.end(), n) == all.end()) all.push_back(n);
  }
  return all;
}

struct Behaviours {
  bool compat, corrected;
};

Behaviours behaviours_of(const Request& a) {
  const bool one = !a.rfcsim_config.empty();
  if (a.behaviour.empty()) return {true, !one};
  if (a.behaviour == "compat") return {true, false};
  if (a.behaviour == "corrected") return {false, true};
  if (a.behaviour == "both" && !one) return {true, true};
  std::vector<std::string> known{"compat", "corrected"};
  if (!one) known.emplace_back("both");
  refuse_word("--behaviour", a.behaviour, known, listed(known, " or "));
}

// A job of the pass, and the report's cells that it fills, one per bank width.
struct Cell {
  std::size_t job, row, width;
  bool compat;
};

struct StudyPlan {
  std::vector<StudyJob> jobs;
  std::vector<Cell> cells;
  StudyReport report;
};

bool in_table6(const RegisterCacheParameters& p, unsigned bits) {
  using A = RegisterCacheAllocation;
  const unsigned ways = p.ways_or_entries();
  return p.entries == 8 && bits == 128 && p.replacement == RegisterCacheReplacement::fifo &&
         p.write == RegisterCacheWrite::write_back &&
         ((p.allocation == A::write && (ways == 2 || ways == 4 || ways == 8)) ||
          (p.allocation == A::compiler_aided && (ways == 2 || ways == 8)));
}

// Adds rows of one geometry at every bank width, and the jobs that fill the rows.
void add(StudyPlan& plan, RegisterCacheParameters p, const std::vector<unsigned>& bits,
         Behaviours behaviours) {
  const std::size_t first = plan.report.rows.size();
  for (const unsigned b : bits) {
    StudyRow row;
    row.parameters = p;
    row.bank_bits = b;
    row.in_table6 = in_table6(p, b);
    if (p.entries == 8) row.energy = study_energy(p.ways_or_entries(), b);
    plan.report.rows.push_back(row);
  }
  for (const bool compat : {true, false}) {
    if (!(compat ? behaviours.compat : behaviours.corrected)) continue;
    p.rfcsim_compat = compat;
    // A configuration that RFC-sim cannot run leaves a hole in its column. A configuration that neither study
    // can run is the user's mistake.
    const std::string problem = problem_of(p);
    p.rfcsim_compat = false;
    const std::string general = problem_of(p);
    if (!general.empty()) throw std::runtime_error(general);
    p.rfcsim_compat = compat;
    for (std::size_t width = 0; width < bits.size(); ++width) {
      StudyRow& row = plan.report.rows[first + width];
      (compat ? row.compat : row.corrected).emplace().failure = problem;
      if (problem.empty()) plan.cells.push_back({plan.jobs.size(), first + width, width, compat});
    }
    if (problem.empty()) plan.jobs.push_back({StudyCacheRun(p, bits), {}, false});
  }
}

StudyPlan sweep_of(const Request& a) {
  StudyPlan plan;
  RegisterCacheParameters p;
  p.entries = number("--entries", a.entries);
  if (p.entries < 1 || p.entries > 256) refuse("'" + a.entries + "' for --entries", "1 to 256");
  p.replacement = choice<RegisterCacheReplacement>("--replacement", a.replacement);
  p.write = choice<RegisterCacheWrite>("--write", a.write);
  const unsigned window = number("--window", a.window);
  const auto allocations = choices<RegisterCacheAllocation>("--allocation", a.allocation);
  const auto maps = choices<DestinationMap>("--mapping", a.mapping);
  const auto bits = numbers("--bank-bits", a.bank_bits, 0);
  for (const unsigned ways : numbers("--ways", a.ways, p.entries))
    for (const RegisterCacheAllocation allocation : allocations)
      for (std::size_t m = 0; m < maps.size(); ++m) {
        p.ways = ways;
        p.allocation = allocation;
        p.window = allocation == RegisterCacheAllocation::look_ahead ? window : 0;
        if (ways == 0 || p.entries % ways != 0)
          refuse("'" + std::to_string(ways) + "' for --ways",
                 "a divisor of the " + std::to_string(p.entries) + " entries, or full");
        const bool one_set = ways == p.entries;
        if (one_set && m > 0) continue;  // all destinations map to the one set
        p.map = one_set ? DestinationMap::interleaved : maps[m];
        add(plan, p, bits, behaviours_of(a));
      }
  return plan;
}

StudyPlan single_of(const Request& a) {
  const RfcsimConfig config = read_rfcsim_config(a.rfcsim_config);
  const Behaviours behaviours = behaviours_of(a);
  RegisterCacheParameters p = config.parameters;
  p.rfcsim_compat = behaviours.compat;
  const std::string problem = problem_of(p);
  if (!problem.empty()) throw std::runtime_error(a.rfcsim_config + ": " + problem);
  StudyPlan plan;
  StudyRow row;
  row.parameters = p;
  row.bank_bits = config.bank_bits;
  row.energy = StudyEnergyChoice{config.energy, StudyEnergySource::rfcsim};
  (behaviours.compat ? row.compat : row.corrected).emplace();
  plan.report.rows.push_back(row);
  plan.cells.push_back({0, 0, 0, behaviours.compat});
  plan.jobs.push_back({StudyCacheRun(p, {config.bank_bits}), {}, false});
  return plan;
}

void fill(StudyPlan& plan) {
  for (const Cell& c : plan.cells) {
    StudyRow& row = plan.report.rows[c.row];
    StudyCell& cell = c.compat ? *row.compat : *row.corrected;
    const StudyJob& job = plan.jobs[c.job];
    cell.failure = job.failure;
    cell.counters = job.run.counters(c.width);
    if (row.energy) cell.energy_reduction = energy_reduction(cell.counters, row.energy->energy, c.compat);
  }
}

void check_files(const Request& a, const TraceProgram& program) {
  FileConflicts files;
  files.input_folder("the trace", a.trace.path);
  files.trace(program);
  if (!a.rfcsim_config.empty()) files.input("--rfcsim-config", a.rfcsim_config);
  if (!a.listing.empty()) files.input("--reuse-flags", a.listing);
  files.output("--json", a.json, OutputForm::json);
  files.output("--csv", a.csv, OutputForm::csv);
  files.check();
  for (const std::string& file : {a.json, a.csv})
    if (!file.empty() && file != "-") require_writable(file);
}

class CacheStudyCommand : public Command {
 public:
  CacheStudyCommand()
      : Command("cache-study", "count what a register cache per thread saves, without timing",
                "  subcore cache-study --trace T [options]   every configuration, side by side\n"
                "  subcore cache-study --trace T --rfcsim-config C.yaml [options]\n"
                "                                            one configuration, RFC-sim's file\n"
                "\n"
                "Counts what a register cache per thread (JETCAS 2024) saves on a trace. The count `compat`\n"
                "is that of the study's simulator RFC-sim, bugs included. The count `corrected` has no such\n"
                "bugs. Commas separate several values of an option.\n") {
    option("trace,t", traces_, "trace folder, or NAME=FOLDER");
    option("rfcsim-config", r_.rfcsim_config, "one configuration in RFC-sim's YAML");
    option("reuse-flags", r_.listing, "take reuse flags from a listing with encodings (cuobjdump -sass)");
    option("flags", r_.flags, "source of reuse flags: auto, trace (reuse= of the lines), synthetic or none");
    option("behaviour", r_.behaviour, "compat, corrected or (without --rfcsim-config) both");
    option("ways", r_.ways, "associativity: divisors of the number of entries, or full");
    option("allocation", r_.allocation,
           "operands that enter: read, write, read_write, compiler_aided, look_ahead");
    option("mapping", r_.mapping, "sets of destinations: linear, interleaved");
    option("bank-bits", r_.bank_bits, "width of a cache bank: 32, 64, 128, 256, 512, 1024");
    option("entries", r_.entries, "entries for each thread, 1 to 256");
    option("replacement", r_.replacement, "lru or fifo");
    option("write", r_.write, "write_back or write_through");
    option("window", r_.window, "instructions that look_ahead looks at");
    words("flags", words_of<StudyFlags>());
    words("behaviour", {"compat", "corrected", "both"});
    words("allocation", words_of<RegisterCacheAllocation>());
    words("mapping", words_of<DestinationMap>());
    words("replacement", words_of<RegisterCacheReplacement>());
    words("write", words_of<RegisterCacheWrite>());
    json_option(r_.json);
    option("csv", r_.csv, "results as CSV to this file, - for standard output");
    example("subcore cache-study -t scenarios/traces/vectoradd");
    example("subcore cache-study -t scenarios/traces/nn --allocation write --ways full");
    take_arguments(0, "--trace FOLDER");
  }

  int run() override {
    refuse_unread();
    StudyOptions options;
    options.flags = choice<StudyFlags>("--flags", r_.flags);
    const bool single = !r_.rfcsim_config.empty();
    StudyPlan plan = single ? single_of(r_) : sweep_of(r_);
    const auto has_one_set = [](const StudyRow& row) {
      return row.parameters.ways_or_entries() == row.parameters.entries;
    };
    if (given("mapping") && std::all_of(plan.report.rows.begin(), plan.report.rows.end(), has_one_set))
      refuse("--mapping, but all destinations map to the one set", "fewer --ways, too");
    if (!r_.listing.empty()) options.listing = read_sass_listing(r_.listing);
    const TraceProgram program = open_trace(r_.trace);
    check_files(r_, program);
    plan.report.trace = program.name;
    ProgressBar bar("cache-study");
    plan.report.summary =
        run_cache_study(program, options, plan.jobs, [&](double share) { bar.show(share, program.name); });
    if (single && !plan.jobs.front().failure.empty()) throw std::runtime_error(plan.jobs.front().failure);
    fill(plan);
    const bool compat = single && plan.report.rows.front().compat;
    if (!r_.json.empty())
      write_output(r_.json, single ? study_run_json(plan.report, compat) : study_json(plan.report));
    if (!r_.csv.empty()) write_output(r_.csv, study_csv(plan.report));
    if (r_.json != "-" && r_.csv != "-")
      print(single ? study_run_text(plan.report, compat) : study_table(plan.report));
    return 0;
  }

 private:
  // Refuses options that have no effect beside the others.
  void refuse_unread() {
    if (traces_.size() != 1) refuse(traces_.empty() ? "no trace" : "several traces", "--trace FOLDER, once");
    r_.trace = trace_path(traces_.front());
    if (!r_.rfcsim_config.empty())
      for (const char* option :
           {"ways", "allocation", "mapping", "bank-bits", "entries", "replacement", "write", "window", "csv"})
        if (given(option)) refuse("--" + std::string(option) + " with --rfcsim-config", "one of the two");
    if (given("window") && r_.allocation.find("look_ahead") == std::string::npos)
      refuse("--window without look_ahead", "--allocation look_ahead, too");
    if (given("flags") && given("reuse-flags"))
      refuse("--flags " + r_.flags + " with --reuse-flags", "one of the two");
    if (r_.json == "-" && r_.csv == "-")
      refuse("JSON and CSV both to standard output", "a file for one of the two");
  }

  std::vector<std::string> traces_;
  Request r_;
};

}  // namespace

std::unique_ptr<Command> cache_study_command() {
  return std::make_unique<CacheStudyCommand>();
}

}  // namespace subcore
