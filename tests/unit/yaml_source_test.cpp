// Reading a YAML file of any bytes ends, in a value or in one line.
#include "subcore/base/yaml_source.h"

#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "tests/unit/config_text.h"

namespace yaml_source_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

// The error of the text; empty if there is none.
std::string problem(const std::string& text) {
  try {
    const YamlSource source(text, "it");
    return {};
  } catch (const ConfigError& e) {
    return e.what();
  }
}

void check_ends(const std::string& text) {
  const std::string message = problem(text);
  if (message.empty()) return;
  const bool one_line = message.rfind("it: ", 0) == 0 && message.find("; expected ") != std::string::npos &&
                        message.find('\n') == std::string::npos;
  if (one_line) return;
  CAPTURE(text, message);
  CHECK(one_line);
}

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

const std::string marks = "[]{},:-?&*!|>'\"%@`#~<=\\\n\n\n    \t\rab1.";

char any_mark(std::mt19937& random) {
  return marks[random() % marks.size()];
}

}  // namespace

TEST_CASE("a token that begins nothing is a syntax error, at its line", "[config][yaml]") {
  CHECK(problem(",") == "it: YAML syntax error: did not find expected node content; expected a YAML map");
  for (const char* text : {"]", "}", ", a: b", "a: b\n...\n]", "- a\n, b"}) {
    CAPTURE(text);
    CHECK_THAT(problem(text), Contains("YAML syntax error"));
  }
  TemporaryFolder folder;
  CHECK_THAT(load_error(folder, folder.write("p.yaml", ",")), StartsWith("p.yaml:1: YAML syntax error: "));
  CHECK_THAT(load_error(folder, folder.write("p.yaml", "seed: 1\n]\n")), StartsWith("p.yaml:2: "));
  CHECK_THAT(load_error(folder, folder.write("q.yaml", "extends: p.yaml\n")), StartsWith("p.yaml:2: "));
  CHECK_THAT(load_error(folder, folder.write("r.yaml", "seed: 1\n"), {"sthld.table=,"}),
             StartsWith("--set sthld.table=,: YAML syntax error"));
}

TEST_CASE("a text with a NUL, where paths and messages would end, is refused", "[config][yaml]") {
  CHECK_THAT(problem("extends: \"base\\0line\""), Contains("a text has a NUL in it; expected a YAML map"));
  CHECK_THAT(problem("\"a\\x00b\": 3"), Contains("a text has a NUL in it"));
}

TEST_CASE("every text of one or two bytes is read to its end", "[config][yaml]") {
  for (int a = 0; a < 256; ++a) {
    const std::string text(1, static_cast<char>(a));
    check_ends(text);
    for (int b = 0; b < 256; ++b) check_ends(text + static_cast<char>(b));
  }
}

TEST_CASE("random short texts are read to their end", "[config][yaml]") {
  std::mt19937 random(20250131);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (auto n = 3 + random() % 12; n > 0; --n) text += any_mark(random);
    check_ends(text);
  }
}

TEST_CASE("shipped files with random damage are read to their end", "[config][yaml]") {
  TemporaryFolder folder;
  std::mt19937 random(20250201);
  for (const std::string& name : shipped_names("platforms")) {
    const std::string whole = content(find_data("platforms", name));
    for (int i = 0; i < 20; ++i) {
      std::string text = whole;
      for (auto n = 1 + random() % 4; n > 0; --n) {
        const std::size_t at = random() % text.size();
        if (random() % 3 == 0)
          text.erase(at, 1 + random() % 20);
        else if (random() % 2 == 0)
          text[at] = any_mark(random);
        else
          text.insert(at, 1, any_mark(random));
        if (text.empty()) text = ",";
      }
      check_ends(text);
      const std::string message = load_error(folder, folder.write("p.yaml", text));
      if (message != "(no error)") CHECK_THAT(message, Contains("expected"));
    }
  }
}

TEST_CASE("neither depth nor length nor aliases exhaust anything", "[config][yaml]") {
  for (const char* piece :
       {"[", "{", "{a: ", "[a, ", "- ", "? ", "a: ", "&a ", "!", "*", "'", "\"", "|\n", "\t"}) {
    CAPTURE(piece);
    std::string text;
    for (int i = 0; i < 100000; ++i) text += piece;
    check_ends(text);
  }
  CHECK_THAT(problem(std::string(100000, '[')), Contains("YAML syntax error"));
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before + "]\n";
  }
  check_ends(bomb);
  TemporaryFolder folder;
  CHECK_THAT(load_error(folder, folder.write("p.yaml", bomb)), StartsWith("p.yaml:1: a0: unknown key"));
  for (const char* text :
       {"sub_core: &a\n  collector: *a\n", "extends: &a [*a]\n", "sthld: {table: &a {1: *a}}\n"}) {
    CAPTURE(text);
    CHECK_THAT(load_error(folder, folder.write("p.yaml", text)),
               StartsWith("p.yaml:") && Contains("expected"));
  }
  CHECK(load_error(folder, folder.write("p.yaml", "# " + std::string(1 << 20, 'x'))) ==
        "p.yaml: is longer than 1 MiB; expected a YAML file of at most that");
  CHECK_THAT(load_error(folder, "/dev/zero"), StartsWith("/dev/zero: is longer than 1 MiB"));
}

TEST_CASE("platform files that extend the same ones in ever more ways are read once each", "[config][yaml]") {
  TemporaryFolder folder;
  constexpr int depth = 50;  // 2^50 ways from the first to the last
  for (int i = 0; i < depth; ++i) {
    const std::string next = std::to_string(i + 1);
    const std::string both = "extends: [a" + next + ".yaml, b" + next + ".yaml]\n";
    folder.write("a" + std::to_string(i) + ".yaml", both + "name: a\n");
    folder.write("b" + std::to_string(i) + ".yaml", both + "seed: " + std::to_string(100 + i) + "\n");
  }
  folder.write("a" + std::to_string(depth) + ".yaml", "seed: 7\nsub_core: {warp_slots: 3}\n");
  folder.write("b" + std::to_string(depth) + ".yaml", "seed: 8\n");
  const PlatformParameters p = load_platform(folder.path() / "a0.yaml", {});
  CHECK(p.seed == 101);
  CHECK(p.sub_core.warp_slots == 3);
}

// The rule in plain code: files that a file extends count first, in order and as often as they are named.
TEST_CASE("reading a file once says what reading it wherever it is named would say", "[config][yaml]") {
  TemporaryFolder folder;
  std::mt19937 random(20250202);
  const std::vector<std::string> keys{"seed", "clock_period_ns", "interval_cycles"};
  for (int round = 0; round < 100; ++round) {
    constexpr int files = 7;
    std::vector<std::vector<int>> bases(files);
    std::vector<std::map<std::string, int>> values(files);
    for (int f = 0; f < files; ++f) {
      std::string text;
      for (int b = f + 1; b < files; ++b)
        if (random() % 2 == 0) bases[f].insert(bases[f].begin() + random() % (bases[f].size() + 1), b);
      if (!bases[f].empty()) {
        text += "extends:\n";
        for (const int b : bases[f]) text += "  - f" + std::to_string(b) + ".yaml\n";
      }
      for (const std::string& key : keys)
        if (random() % 3 == 0) {
          values[f][key] = static_cast<int>(1000 + random() % 1000);
          text += key + ": " + std::to_string(values[f][key]) + "\n";
        }
      folder.write("f" + std::to_string(f) + ".yaml", text.empty() ? "name: empty\n" : text);
    }
    std::map<std::string, int> expected;
    const std::function<void(int)> apply = [&](int f) {
      for (const int b : bases[f]) apply(b);
      for (const auto& [key, value] : values[f]) expected[key] = value;
    };
    apply(0);
    const PlatformParameters p = load_platform(folder.path() / "f0.yaml", {}), plain;
    const auto want = [&](const char* key, std::uint64_t otherwise) {
      return expected.count(key) != 0 ? static_cast<std::uint64_t>(expected[key]) : otherwise;
    };
    CHECK(p.seed == want("seed", plain.seed));
    CHECK(p.clock_period_ns == static_cast<double>(want("clock_period_ns", 1)));
    CHECK(p.interval_cycles == want("interval_cycles", plain.interval_cycles));
  }
}

TEST_CASE("a circle of extensions is shown as a chain, and a long chain is refused", "[config][yaml]") {
  TemporaryFolder folder;
  folder.write("a.yaml", "extends: b.yaml\n");
  folder.write("b.yaml", "extends: [d.yaml, c.yaml]\n");
  folder.write("c.yaml", "name: c\nextends: b.yaml\n");
  folder.write("d.yaml", "seed: 1\n");
  CHECK(load_error(folder, folder.path() / "a.yaml") ==
        "c.yaml:2: extends: b.yaml extends itself; expected no cycle (b.yaml -> c.yaml -> b.yaml)");
  for (int i = 0; i < 200; ++i)
    folder.write("l" + std::to_string(i) + ".yaml", "extends: l" + std::to_string(i + 1) + ".yaml\n");
  folder.write("l200.yaml", "seed: 1\n");
  CHECK_THAT(load_error(folder, folder.path() / "l0.yaml"),
             StartsWith("l99.yaml:1: extends: l100.yaml is file 101 in a row") && Contains("at most 100"));
}

}  // namespace yaml_source_test
