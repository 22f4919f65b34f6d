#include "scenarios/options.h"

#include <algorithm>
#include <sstream>

#include <boost/program_options.hpp>

namespace po = boost::program_options;

namespace subcore {
namespace {

const char* const usage =
    "subcore models the register-operand path of GPU sub-cores on warp-instruction traces.\n"
    "\n"
    "  subcore run SCENARIO.yaml [options]             run what a scenario file says\n"
    "  subcore run --platform P --trace T [options]    one platform on one trace\n"
    "  subcore compare --platform P ... --trace T ...  several platforms on the same traces, side by side\n"
    "  subcore trace-info TRACE [--json FILE]          what a trace consists of\n"
    "  subcore annotate TRACE [--kernel N] [--json F]  what compiler passes say of its instructions\n"
    "  subcore cache-study --trace T [options]         what a register cache per thread saves, no timing\n"
    "  subcore parameters [--json FILE]                every key of a platform file\n"
    "  subcore platforms                               the platforms that come with the program\n"
    "\n"
    "A platform is a YAML file or the name of a shipped one; a trace is a folder with a kernelslist.g,\n"
    "or a folder with such folders somewhere below it: all of them, where several traces can be run.\n";

struct Syntax {
  const char* command;
  std::vector<std::string> options;  // that it takes, by their long names
  std::size_t positional;            // at most so many arguments without a name
  const char* instead;               // expected when there are more
};

// cache-study has options of its own (cache_study_command.cpp).
const std::vector<Syntax>& commands() {
  static const std::vector<Syntax> list{
      {"run",
       {"platform", "trace", "set", "results", "json", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines",
        "jobs", "kernel"},
       1,
       "one scenario file"},
      {"compare",
       {"platform", "trace", "set", "results", "json", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines",
        "jobs", "kernel"},
       0,
       "--platform and --trace"},
      {"trace-info", {"platform", "trace", "set", "json"}, 1, "one trace folder"},
      {"annotate", {"platform", "trace", "set", "json", "kernel"}, 1, "one trace folder"},
      {"parameters", {"json"}, 0, "no argument"},
      {"platforms", {}, 0, "no argument"},
  };
  return list;
}

const Syntax& syntax_of(const std::string& command) {
  for (const Syntax& s : commands())
    if (s.command == command) return s;
  throw UsageError("unknown command '" + command +
                   "'; expected run, compare, trace-info, annotate, cache-study, parameters or platforms");
}

bool takes(const Syntax& syntax, const std::string& option) {
  return option == "help" ||
         std::find(syntax.options.begin(), syntax.options.end(), option) != syntax.options.end();
}

std::string options_of(const Syntax& syntax) {
  std::string text;
  for (const std::string& o : syntax.options) text += (text.empty() ? "--" : ", --") + o;
  return text.empty() ? "no option" : text;
}

po::options_description all_options(Arguments& a) {
  po::options_description o("options");
  o.add_options()("platform,p", po::value(&a.platforms)->composing(),
                  "platform file or name; may be given several times to compare")(
      "trace,t", po::value(&a.traces)->composing(), "trace folder; may be given several times")(
      "set,s", po::value(&a.overrides)->composing(), "override a parameter: sub_core.collector.count=4")(
      "results,r", po::value(&a.results),
      "folder for stats.json, stats.csv, intervals.csv, power.csv, platform.yaml")(
      "json,j", po::value(&a.json), "write results as JSON to this file, - for standard output")(
      "vcd", po::value(&a.vcd), "write a waveform (one platform, one trace): .vcd, .vcd.gz or .vcd.xz")(
      "vcd-scope", po::value(&a.vcd_scope), "only modules below this path, e.g. sm_0.sub_core_0")(
      "vcd-from", po::value(&a.vcd_from), "first cycle in the waveform")("vcd-to", po::value(&a.vcd_to),
                                                                         "last cycle in the waveform")(
      "lines", po::bool_switch(&a.lines),
      "print a line per run, as soon as it has passed its checks, instead of the table")(
      "jobs", po::value(&a.jobs), "runs at once; default: one per processor")(
      "kernel", po::value(&a.kernel), "only this kernel of each trace's list, from 1")(
      "help,h", po::bool_switch(&a.help), "this text");
  return o;
}

}  // namespace

std::string help_text(const std::string& command) {
  Arguments unused;
  const po::options_description all = all_options(unused);
  po::options_description shown(command.empty() ? "options" : "options of " + command);
  for (const auto& option : all.options())
    if (command.empty() || takes(syntax_of(command), option->long_name())) shown.add(option);
  std::ostringstream text;
  text << usage << '\n' << shown;
  return text.str();
}

Arguments parse_arguments(int argc, char** argv) {
  Arguments a;
  a.command = argv[1];
  const Syntax& syntax = syntax_of(a.command);
  po::options_description all = all_options(a);
  all.add_options()("positional", po::value(&a.positional));
  po::positional_options_description positional;
  positional.add("positional", -1);
  try {
    const po::parsed_options parsed =
        po::command_line_parser(argc - 1, argv + 1)
            .options(all)
            .positional(positional)
            .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
            .run();
    for (const auto& option : parsed.options) {
      const std::string& name = option.string_key;
      if (option.position_key < 0 && !takes(syntax, name))
        throw UsageError(a.command + " does not take --" + name + "; expected " + options_of(syntax));
      for (const std::string& value : option.value)
        if (value.empty()) throw UsageError("nothing for --" + name + "; expected a value");
    }
    po::variables_map map;
    po::store(parsed, map);
    po::notify(map);
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + "; expected options as `subcore --help` lists them");
  }
  if (a.positional.size() > syntax.positional)
    throw UsageError("unexpected argument '" + a.positional[syntax.positional] + "'; expected " +
                     syntax.instead);
  return a;
}

std::uint64_t whole_number(const char* option, const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  if (text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("'" + text + "' for " + option + "; expected a whole number from 0");
  return std::stoull(text);
}

}  // namespace subcore
