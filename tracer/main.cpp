// The program `subcore-trace`: its command line, and its output.
#include <chrono>
#include <iostream>

#include <boost/program_options.hpp>
#include <unistd.h>

#include "subcore/base/formatted.h"
#include "subcore/tracer/files/cubin.h"
#include "subcore/tracer/launch/trace_description.h"

namespace po = boost::program_options;

namespace subcore::tracer {
namespace {

// A line about the progress of a long run, on a terminal only.
class ProgressLine {
 public:
  void show(double share, const std::string& what) {
    if (!is_terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    std::cerr << formatted("\r%s %3.0f %%\033[K", what.c_str(), 100 * share) << std::flush;
    is_shown_ = true;
  }
  ~ProgressLine() {
    if (is_shown_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) != 0, is_shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Every row of the instruction table: its opcodes, name, operands with widths in registers, and
// architectures.
std::string instruction_list() {
  std::string list = "opcode      name                  operands                         architectures\n";
  for (const InstructionRow& row : instruction_table()) {
    std::string opcodes;
    for (const std::uint16_t opcode : row.opcodes)
      opcodes += formatted("%s0x%03x", opcodes.empty() ? "" : " ", opcode);
    std::string architectures;
    for (const unsigned known : known_architectures)
      if (known >= row.since && known <= row.until) architectures += " " + std::to_string(known);
    list +=
        formatted("%-11s %-21s %-32s%s\n", opcodes.c_str(), row.name, row.operands, architectures.c_str());
  }
  return list;
}

const char* const usage =
    "Usage: subcore-trace DESCRIPTION [--output FOLDER]\n"
    "\n"
    "Executes the kernels of a description, a YAML file, without a GPU, and writes what each warp executes "
    "as a\n"
    "trace for subcore. A description names compiled code for sm_75, sm_80, sm_86, sm_89 or sm_90: a cubin, "
    "or a\n"
    "program that nvcc has made. docs/traces.md says what else a description has.\n";

int program(int argc, const char* const* argv) {
  TraceOptions options;
  std::vector<std::string> files;
  po::options_description visible("Options"), all;
  visible.add_options()("help,h", "this text")("version", "the version")(
      "instructions", "list the instructions that are known, with operands and architectures");
  describe_options(
      options,
      [&](const char* names, std::string& to, const char* help) {
        auto* const value = po::value(&to)->value_name("VALUE");
        visible.add_options()(names, to.empty() ? value : value->default_value(to), help);
      },
      [&](const char* names, std::vector<std::string>& to, const char* help) {
        visible.add_options()(names, po::value(&to)->value_name("NAME"), help);
      });
  visible.add_options()("no-trace", "execute and check, and write nothing");
  all.add(visible).add_options()("description", po::value(&files));
  po::positional_options_description positions;
  positions.add("description", -1);
  try {
    po::variables_map given;
    po::store(po::command_line_parser(argc, argv).options(all).positional(positions).run(), given);
    po::notify(given);
    if (given.count("help")) {
      std::cout << usage << "\n" << visible;
      return 0;
    }
    if (given.count("version")) {
      std::cout << "subcore-trace " SUBCORE_VERSION "\n";
      return 0;
    }
    if (given.count("instructions")) {
      std::cout << instruction_list();
      return 0;
    }
    if (files.size() != 1)
      throw po::error(std::to_string(files.size()) + " descriptions; expected one YAML file");
    options.description = files.front();
    options.is_trace_wanted = given.count("no-trace") == 0;
  } catch (const po::error& e) {
    std::cerr << "subcore-trace: " << e.what() << " (see subcore-trace --help)\n";
    return 2;
  }
  try {
    std::string done;
    {
      ProgressLine line;
      done =
          trace_description(options, [&](double share, const std::string& what) { line.show(share, what); });
    }
    std::cout << done << "\n";
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "subcore-trace: " << e.what() << "\n";
    return 1;
  }
}

}  // namespace
}  // namespace subcore::tracer

int main(int argc, char** argv) {
  return subcore::tracer::program(argc, argv);
}
