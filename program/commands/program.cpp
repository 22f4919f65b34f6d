#include "subcore/program/commands/program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

#include <signal.h>
#include <systemc>
#include <unistd.h>

#include "subcore/base/spelling.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/program/commands/documents.h"
#include "subcore/program/runs/gpu_hook.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/want_of_memory.h"

namespace subcore {
namespace {

constexpr const char* first_steps =
    "subcore models the register-operand path of GPU sub-cores on traces of warps.\n"
    "\n"
    "First steps, from the folder of the sources:\n"
    "  subcore run scenarios/demo.yaml                        the demo: register caches compared\n"
    "  subcore run -p malekeh -t scenarios/traces/vectoradd   one platform on one trace\n"
    "An installed package has traces in share/subcore/traces below its prefix.\n"
    "\n"
    "  subcore platforms         the names that -p takes\n"
    "  subcore --help            all commands\n"
    "  subcore COMMAND --help    what a command takes, with examples\n";

std::string help_text(const Commands& commands) {
  std::string text =
      "subcore models the register-operand path of GPU sub-cores on traces of warps.\n"
      "\n"
      "  subcore COMMAND [options]\n"
      "\n";
  for (const auto& c : commands) {
    std::string name = c->name();
    name.resize(13, ' ');
    text += "  " + name + c->summary() + '\n';
  }
  return text +
         "\n"
         "subcore COMMAND --help says what a command takes. subcore --version prints the\n"
         "version. subcore completion bash (or zsh) prints a script that lets the shell\n"
         "complete commands and options. subcore man-page [COMMAND] prints a manual page.\n";
}

Command& command_named(const std::string& word, const Commands& commands) {
  std::vector<std::string> names;
  for (const auto& c : commands) {
    if (c->name() == word) return *c;
    names.push_back(c->name());
  }
  throw UsageError("unknown command '" + word + "';" + (word[0] == '-' ? "" : did_you_mean(word, names)) +
                   " expected " + listed(names, " or "));
}

// Checks the working folder and SUBCORE_DATA, which every use of files needs.
void check_surroundings() {
  std::error_code error;
  const std::filesystem::path working = std::filesystem::current_path(error);
  if (error || working.empty())
    throw UsageError("the working folder cannot be found (" + error.message() +
                     "); expected a folder that exists (cd to it)");
  check_data_folder();
}

// Texts for packages, which are no commands of their own, because they simulate nothing.
std::string document(const std::vector<std::string>& words, const Commands& commands) {
  if (words.size() > 2)
    throw UsageError("unexpected argument '" + words[2] + "'; expected one word after " + words[0]);
  if (words[0] == "completion") return completion_script(words.size() > 1 ? words[1] : "", commands);
  return words.size() > 1 ? man_page(command_named(words[1], commands))
                          : man_page(help_text(commands), commands);
}

int obey(const std::vector<std::string>& words) {
  const Commands commands = all_commands();
  if (words.empty()) {
    print(first_steps);
    return 2;
  }
  const std::string& first = words.front();
  const bool help = first == "help" || first == "--help" || first == "-h";
  if (help || first == "version" || first == "--version") {
    if (words.size() > 1)
      throw UsageError("unexpected argument '" + words[1] + "'; expected nothing after " + first);
    print(help ? help_text(commands) : "subcore " SUBCORE_VERSION "\n");
    return 0;
  }
  if (first == "completion" || first == "man-page") {
    check_surroundings();
    print(document(words, commands));
    return 0;
  }
  Command& command = command_named(first, commands);
  command.parse({words.begin() + 1, words.end()}, commands);
  if (command.wants_help()) {
    print(command.help_text());
    return 0;
  }
  check_surroundings();
  return command.run();
}

constexpr const char* no_memory = "out of memory; expected more of it, or a smaller platform or trace";

void end_without_memory() {
  if (!is_for_want_of_memory()) std::abort();
  for (const char* piece : {"subcore: error: ", no_memory, "\n"})
    if (write(STDERR_FILENO, piece, std::strlen(piece)) < 0) break;
  _exit(1);
}

// Runs before the constructors of global objects, which need memory, too.
[[gnu::constructor(101)]] void prepare_for_want_of_memory() {
  std::set_terminate(end_without_memory);
}

// Shows line ends in quoted words as '?'. A message may quote typed words that have line ends. The message's
// own line ends stay, because a table stands behind them.
void on_one_line(std::string& text, const std::vector<std::string>& typed) {
  for (const std::string& word : typed) {
    for (const std::string& part : {word, word.substr(word.find('=') + 1)}) {
      std::string shown = part;
      for (char& c : shown)
        if (c >= 0 && c < ' ') c = '?';
      if (shown == part) continue;
      for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        text.replace(at, part.size(), shown);
    }
  }
}

// A message may quote a file's words, with characters that a terminal obeys, and of any length.
void without_harm(std::string& text) {
  constexpr std::size_t longest = 8000;  // bytes of the line at most
  for (char& c : text)
    if ((c >= 0 && c < ' ' && c != '\n') || c == 0x7f) c = '?';
  const std::size_t line = std::min(text.find('\n'), text.size());
  if (line > longest) text.replace(longest / 2, line - longest, " ... ");
}

int complain(std::string text, const std::vector<std::string>& typed = {}) {
  on_one_line(text, typed);
  without_harm(text);
  if (!text.empty() && text.back() == '\n') text.pop_back();  // the end of a table below the line
  std::cerr << "subcore: error: " << text << '\n';
  return 1;
}

}  // namespace

int program(int argc, char** argv, const ProgramHooks& hooks) {
  set_gpu_hook(hooks.on_gpu);
  // If a reader goes away, or a file grows too large, the write that meets the limit returns an error.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  std::vector<std::string> words;
  try {
    words.assign(argv + (argc > 0 ? 1 : 0), argv + argc);
    keep_closed_streams();
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    return obey(words);
  } catch (const Interrupted& e) {
    if (!e.is_quiet()) complain(e.what(), words);
    return e.exit_code();
  } catch (const std::bad_alloc&) {
    return complain(no_memory);
  } catch (const std::filesystem::filesystem_error& e) {
    return complain(
        e.path1().string() + ": " + e.code().message() + "; expected a file or folder that can be used",
        words);
  } catch (const std::exception& e) {  // any other failure prints a line
    return complain(e.what(), words);
  }
}

}  // namespace subcore
