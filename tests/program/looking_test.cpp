// Every command of docs/looking.md does what the page says.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace looking_test {

using namespace subcore::test;

namespace {

namespace fs = std::filesystem;

// The commands of the program in an indented block, without the remarks behind two spaces.
std::vector<Strings> commands_of(const fs::path& document) {
  std::vector<Strings> all;
  std::ifstream in(document);
  const std::string start = "    build/release/bin/subcore ";
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, start.size(), start) != 0) continue;
    std::istringstream words(line.substr(start.size(), line.find("  ", start.size()) - start.size()));
    Strings& command = all.emplace_back();
    for (std::string word; words >> word;)
      command.push_back(
          word.compare(0, 10, "scenarios/") == 0 ? (fs::path(SUBCORE_SOURCE_DIR) / word).string() : word);
  }
  return all;
}

}  // namespace

TEST_CASE("every command of docs/looking.md runs, in its order") {
  const Desk desk;
  const std::vector<Strings> commands = commands_of(fs::path(SUBCORE_SOURCE_DIR) / "docs/looking.md");
  CHECK(commands.size() >= 6);
  for (const Strings& command : commands) {
    std::string text;
    for (const std::string& word : command) text += ' ' + word;
    CAPTURE(text);
    const Outcome o = desk.run(command);
    CHECK(o.code == 0);
    CHECK(o.err.empty());
    const auto html = std::find(command.begin(), command.end(), "--html");
    if (html == command.end())
      CHECK(!o.out.empty());
    else
      CHECK(desk.file(*std::next(html)).size() > 10'000);
  }
}

}  // namespace looking_test
