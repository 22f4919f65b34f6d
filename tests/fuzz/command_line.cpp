// A command line with a word a line, in a folder with a trace, a platform, a scenario and results. A child
// process executes a command line that parses, unless a word could lead out of the folder.
#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "subcore/program/commands/command.h"
#include "subcore/program/commands/program.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {
namespace {

constexpr unsigned longest_command = 60;  // seconds of a processor
constexpr std::size_t most_words = 40;
constexpr std::size_t longest_line = 8100;         // bytes of an error
constexpr rlim_t largest_file = rlim_t{64} << 20;  // bytes

std::vector<std::string> words_of(std::string_view input) {
  std::vector<std::string> words;
  for (std::size_t end; !input.empty() && words.size() < most_words;
       input.remove_prefix(std::min(input.size(), end == input.npos ? end : end + 1))) {
    end = input.find('\n');
    words.emplace_back(input.substr(0, end));
    words.back().resize(std::min(words.back().size(), words.back().find('\0')));
  }
  return words;
}

bool stays_here(const std::string& word) {
  const bool is_option = word.rfind('-', 0) == 0;
  return word.find("..") == word.npos && word.rfind('/', 0) != 0 && word.find("=/") == word.npos &&
         !(is_option && word.find('/') != word.npos);
}

void make_folder(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  for (const char* name : {"kernelslist.g", "kernel-1.traceg", "kernel-1.sass"})
    write("here/t/" + std::string(name), project_file("tests/traces/off_lanes/" + std::string(name)));
  write("here/p.yaml", "extends: baseline\nsub_core.collector.count: 3\n");
  write("here/s.yaml", "platforms: [baseline, p.yaml]\ntraces: t\nresults: r\n");
}

}  // namespace

void command_line(std::string_view input) {
  const std::vector<std::string> words = words_of(input);
  const Commands commands = all_commands();
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const auto& c) { return !words.empty() && c->name() == words[0]; });
  if (command != commands.end()) {
    if (!accepts([&] { (*command)->parse({words.begin() + 1, words.end()}, commands); })) return;
    if ((*command)->wants_help()) return;
    if (words[0] == "figures" || words[0] == "report") return;  // Python would draw the results
  }
  if (!std::all_of(words.begin(), words.end(), stays_here)) return;

  const std::filesystem::path folder = scratch() / "here";
  make_folder(folder);
  const ChildEnd end = in_child(longest_command, [&] {
    std::filesystem::current_path(folder);
    setenv("HOME", folder.c_str(), 1);
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    setenv("TMPDIR", folder.c_str(), 1);
    dup2(open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    const rlimit limit{largest_file, largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::vector<std::string> all{"subcore"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> argv;
    for (std::string& w : all) argv.push_back(w.data());
    argv.push_back(nullptr);
    _exit(program(static_cast<int>(all.size()), argv.data()));
    return std::string();
  });
  expect(end.code <= 2, "exit code " + std::to_string(end.code) + ": " + end.errors);
  if (end.code != 1) return;
  const std::size_t at = end.errors.find("subcore: error: ");
  expect(at != std::string::npos, "exit code 1 without an error: " + end.errors);
  const std::string line = end.errors.substr(at, end.errors.find('\n', at) - at);
  expect_clear(line);
  for (const char* crash : {"the run ended without a result", "the run was ended by signal"})
    expect(line.find(crash) == line.npos || input.find(crash) != input.npos, end.errors);
  const bool is_harmless =
      std::none_of(line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  expect(line.size() < longest_line && is_harmless,
         "no line for a terminal: " + line.substr(0, longest_line));
}

}  // namespace subcore::fuzz
