// The program in a terminal, beside results: first steps, examples, completion, manual pages.
#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace terminal_test {

using namespace subcore::test;

namespace fs = std::filesystem;

namespace {

Strings matches(const std::string& text, const char* pattern) {
  Strings all;
  const std::regex entry(pattern);
  std::smatch found;
  for (const std::string& line : lines_in(text))
    if (std::regex_match(line, found, entry)) all.push_back(found[1]);
  return all;
}

Strings commands(const Desk& desk) {
  return matches(desk.succeed({"--help"}).out, "  ([a-z-]+)  +[^ ].*");
}

// The lines below "examples:", without the program's name.
Strings examples_in(const std::string& help) {
  const std::size_t begin = help.find("\nexamples:\n");
  if (begin == std::string::npos) return {};
  const std::string block = help.substr(begin + 11, help.find("\n\n", begin) - begin - 11);
  return matches(block, "  subcore (.*)");
}

Strings words_in(const std::string& line) {
  std::istringstream in(line);
  Strings all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

bool there_is(const char* tool) {
  return std::system(("command -v " + std::string(tool) + " >/dev/null").c_str()) == 0;
}

// The output of a shell that runs `script` in the desk's folder.
std::string said_by(const Desk& desk, const std::string& shell, const std::string& script) {
  desk.write("script", script);
  const std::string command =
      "cd '" + desk.path().string() + "' && " + shell + " script >said 2>&1 </dev/null";
  INFO(command);
  CHECK(std::system(command.c_str()) == 0);
  return desk.file("said");
}

// The words that bash offers behind `words`, whose last word is being written. bash splits words, and = is a
// word of its own.
Strings offered_by_bash(const Desk& desk, const Strings& words) {
  std::string script = "set -u\n. ./subcore.bash\nCOMP_WORDS=(subcore";
  for (const std::string& word : words) script += " '" + word + "'";
  script += ")\nCOMP_CWORD=" + std::to_string(words.size()) +
            "\n_subcore\nfor word in \"${COMPREPLY[@]}\"; do echo \"$word\"; done\n";
  return lines_in(said_by(desk, "bash", script));
}

bool has(const Strings& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

TEST_CASE("without a command the program says what to do first") {
  const Desk desk;
  const Outcome o = desk.run({});
  CHECK(o.code == 2);
  CHECK(o.err.empty());
  CHECK_THAT(o.out, Catch::Contains("subcore run scenarios/demo.yaml") && Catch::Contains("subcore --help") &&
                        Catch::Contains("subcore run -p malekeh -t scenarios/traces/vectoradd"));
  CHECK(lines_of(o.out) < 15);
}

TEST_CASE("every command has examples, and they work one after the other") {
  const Desk desk;
  for (const char* folder : {"scenarios", "experiments", "examples"})
    fs::create_directory_symlink(fs::path(SUBCORE_SOURCE_DIR) / folder, desk.path() / folder);
  std::size_t not_run = 0;
  for (const std::string& command : commands(desk)) {
    const Strings examples = examples_in(desk.succeed({command, "--help"}).out);
    INFO(command);
    CHECK(examples.size() >= 2);
    for (const std::string& line : examples) {
      INFO(line);
      CHECK(words_in(line).front() == command);
      if (line.find("reproduction/results") !=
          std::string::npos) {  // results of scripts/reproduce, which takes hours
        ++not_run;
        continue;
      }
      const Outcome o = desk.run(words_in(line));
      INFO(o.err);
      CHECK(o.code == 0);
    }
  }
  CHECK(not_run == 1);
}

TEST_CASE("bash completes commands, options and the words that are their values") {
  const Desk desk;
  desk.write("subcore.bash", desk.succeed({"completion", "bash"}).out);
  const Strings all = commands(desk);
  const Strings offered = offered_by_bash(desk, {""});
  for (const std::string& command : all) {
    INFO(command);
    CHECK(has(offered, command));
    Strings options = matches(desk.succeed({command, "--help"}).out, "  (?:-[a-z] \\[ )?(--[a-z-]+).*");
    std::sort(options.begin(), options.end());
    Strings completed = offered_by_bash(desk, {command, "--"});
    std::sort(completed.begin(), completed.end());
    CHECK(completed == options);
  }
  CHECK(offered_by_bash(desk, {"tra"}) == Strings{"trace-info", "trace"});
  CHECK(offered_by_bash(desk, {"run", "--vcd-f"}) == Strings{"--vcd-from"});
  for (const Strings& before :
       {Strings{"run", "-p"}, {"run", "--platform"}, {"run", "--platform", "="}, {"draw"}}) {
    Strings words = before;
    words.push_back("malekeh_s");
    CHECK(offered_by_bash(desk, words) == Strings{"malekeh_socgpu"});
  }
  CHECK(offered_by_bash(desk, {"run", "--gpu", "v1"}) == Strings{"v100"});
  CHECK(offered_by_bash(desk, {"run", "-p", "v1"}) == Strings{"v100/"});
  CHECK(offered_by_bash(desk, {"draw", "v100/malekeh_s"}) == Strings{"v100/malekeh_socgpu"});
  CHECK(offered_by_bash(desk, {"run", "-p", "v100/"}).size() > 20);
  CHECK(offered_by_bash(desk, {"run", "-p", "v10/"}).empty());
  CHECK(offered_by_bash(desk, {"cache-study", "--replacement", ""}) == Strings{"lru", "fifo"});
  CHECK(offered_by_bash(desk, {"run", "-s", "sub_core.collector.cou"}) ==
        Strings{"sub_core.collector.count="});
  CHECK(has(offered_by_bash(desk, {"run", "-s", "sub_core.collector.kind", "="}), "ccu"));
  CHECK(offered_by_bash(desk, {"run", "--set", "=", "sub_core.collector.kind", "=", "cc"}) == Strings{"ccu"});
  CHECK(offered_by_bash(desk, {"run", "--json", "x"}).empty());  // a file: bash's own completion
  desk.refuse({"completion", "fish"}, {"'fish'; expected bash or zsh"});
}

TEST_CASE("zsh completes commands, options and the words that are their values") {
  if (!there_is("zsh")) {
    WARN("no zsh: not tested (scripts/setup --packages installs it)");
    return;
  }
  const Desk desk;
  desk.write("functions/_subcore", desk.succeed({"completion", "zsh"}).out);
  // Another shell, at a terminal, lists the words that fit when ^G is pressed. `expected` must come within 20
  // s.
  const auto offers = [&](const std::string& line, const std::string& expected) {
    INFO(line);
    said_by(desk, "timeout 20 zsh -f",
            "zmodload zsh/zpty\n"
            "zpty shell 'TERM=dumb zsh -f -i'\n"
            "zpty -w shell \"fpath=($PWD/functions \\$fpath); autoload -Uz compinit; compinit -u -D; "
            "bindkey '^G' list-choices; stty columns 200; PS1=rea''dy\"\n"
            "zpty -r -m shell before '*ready*'\n"
            "zpty -n -w shell '" +
                line +
                "'$'\\x07'\n"
                "zpty -r -m shell after '*" +
                expected +
                "*'\n"
                "zpty -d shell\n");
  };
  for (const std::string& command : commands(desk)) offers("subcore ", command + " *--");
  offers("subcore run --vcd-", "--vcd-around*--vcd-scope");
  offers("subcore run -p malekeh_", "malekeh_socgpu");
  offers("subcore run --gpu rtx2060_", "rtx2060_third");
  offers("subcore draw malekeh_", "malekeh_socgpu");
  offers("subcore run -p v100/malekeh_", "v100/malekeh_socgpu");
  offers("subcore run -p rtx2060_", "rtx2060_accelsim/");
  offers("subcore run -s sub_core.collector.", "sub_core.collector.kind=ccu");
  offers("subcore cache-study --replacement ", "fifo*lru");
}

TEST_CASE("every command has a manual page with its options, and roff finds nothing wrong in it") {
  const Desk desk;
  Strings pages{""};
  for (const std::string& command : commands(desk)) pages.push_back(command);
  for (const std::string& command : pages) {
    INFO(command);
    const std::string page =
        desk.succeed(command.empty() ? Strings{"man-page"} : Strings{"man-page", command}).out;
    std::string plain = std::regex_replace(page, std::regex("\\\\-"), "-");
    CHECK_THAT(plain, Catch::StartsWith(".TH ") && Catch::Contains("\n.SH NAME\nsubcore"));
    if (!command.empty()) {
      const std::string help = desk.succeed({command, "--help"}).out;
      const Strings options = matches(help, "  (?:-[a-z] \\[ )?(--[a-z-]+).*");
      CHECK(options.size() > 0);
      for (const std::string& o : options) CHECK_THAT(plain, Catch::Contains("\\fB" + o + "\\fR"));
      for (const std::string& line : examples_in(help))
        CHECK_THAT(plain, Catch::Contains("\nsubcore " + line + '\n'));
    }
    if (there_is("groff")) {
      desk.write("page.1", page);
      CHECK(said_by(desk, "sh", "groff -man -ww -Tutf8 -P-cbou page.1 >page.txt\n").empty());
      CHECK_THAT(desk.file("page.txt"), Catch::Contains("NAME"));
    }
  }
  desk.refuse({"man-page", "rnu"}, {"'rnu'", "did you mean"});
}

}  // namespace terminal_test
