#include "subcore/model/statistics/statistics.h"

#include <cmath>
#include <csignal>
#include <limits>
#include <sstream>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "config_text.h"
#include "subcore/base/formatted.h"
#include "subcore/base/whole_file.h"

namespace statistics_test {

using namespace subcore;
using Catch::Contains;
using subcore::test::error_of;
using subcore::test::TemporaryFolder;

namespace {

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) n += entry.exists();
  return n;
}

}  // namespace

TEST_CASE("numbers are written short and exact") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(1000000) == "1000000");
  CHECK(number_text(-3) == "-3");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1.0 / 3) == "0.3333333333333333");
  CHECK(number_text(1e300) == "1e+300");
  CHECK(number_text(std::nan("")) == "nan");
  CHECK(number_text(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("statistics are written by group, in registration order, with units") {
  std::uint64_t hits = 3, cycles = 12345678901234567890u, low_hits = 4;
  StatisticsGroup root("sm0");
  StatisticsGroup& sub_core = root.group("sub_core0");
  root.counter("cycles", "cycles", "cycles, \"all\" of them", cycles);
  sub_core.counter("hits", "operands", "cache read hits", hits);
  sub_core.derived("ratio", "", "hits per read", [&] { return static_cast<double>(hits) / 10; });
  sub_core.group("collector1").counter("hits", "operands", "here", low_hits);
  CHECK(&root.group("sub_core0") == &sub_core);
  CHECK(root.groups().size() == 1);
  CHECK(root.sum("hits") == 7);
  CHECK(root.sum("ratio") == 0);  // no counter
  hits = 5;                       // read when asked, not when registered
  CHECK(root.sum("hits") == 9);
  CHECK(sub_core.statistics()[1].value() == 0.5);

  CHECK(statistics_csv(root) ==
        "path,value,unit,description\n"
        "sm0.cycles,12345678901234567890,cycles,\"cycles, \"\"all\"\" of them\"\n"
        "sm0.sub_core0.hits,5,operands,cache read hits\n"
        "sm0.sub_core0.ratio,0.5,,hits per read\n"
        "sm0.sub_core0.collector1.hits,4,operands,here\n");
  const auto json = nlohmann::json::parse(statistics_json(root));
  CHECK(json["sm0"]["cycles"]["value"] == cycles);
  CHECK(json["sm0"]["cycles"]["unit"] == "cycles");
  CHECK(json["sm0"]["sub_core0"]["ratio"]["value"] == 0.5);
  CHECK(json["sm0"]["sub_core0"]["collector1"]["hits"]["description"] == "here");
  CHECK(statistics_json(root).find("\"hits\"") < statistics_json(root).find("\"ratio\""));

  StatisticsGroup unnamed;
  unnamed.group("a").counter("n", "", "", hits);
  CHECK(nlohmann::json::parse(statistics_json(unnamed))["a"]["n"]["value"] == 5);
  CHECK_THAT(statistics_csv(unnamed), Contains("\na.n,5,,\n"));
}

TEST_CASE("a counter says once what it counts, in the order of declaration") {
  struct Counters {
    CounterList& list;
    bool two_level;
    Counter hits{list, "hits", "operands", "found"};
    Counter promotions{list, two_level, "promotions", "warps", "became active"};
    Counter misses{list, std::string("cache") + "_misses", "operands", "not found"};
  };
  CounterList one_level_list, list;
  Counters one_level{one_level_list, false}, counters{list, true};
  StatisticsGroup root;
  root.group("a").counters(one_level_list);
  root.group("b").counters(list);
  ++counters.hits;
  counters.hits += 2;
  ++(counters.hits == 3 ? counters.promotions : counters.misses);
  ++one_level.promotions;
  CHECK(counters.hits + counters.promotions + counters.misses + one_level.promotions == 5);
  CHECK(statistics_csv(root) ==
        "path,value,unit,description\n"
        "a.hits,0,operands,found\n"
        "a.cache_misses,0,operands,not found\n"
        "b.hits,3,operands,found\n"
        "b.promotions,1,warps,became active\n"
        "b.cache_misses,0,operands,not found\n");
}

TEST_CASE("counters are found by their name, or by more of their path") {
  std::uint64_t n[5] = {1, 20, 300, 4000, 50000};
  StatisticsGroup root("root");
  root.group("a").counter("reads", "", "", n[0]);
  root.group("a").group("b").counter("reads", "", "", n[1]);
  root.group("b").counter("reads", "", "", n[2]);
  root.group("b").counter("writes", "", "", n[3]);
  root.group("ab").counter("reads", "", "", n[4]);
  CHECK(root.sum("reads") == 50321);
  CHECK(root.sum("b.reads") == 320);
  CHECK(root.sum("a.b.reads") == 20);
  CHECK(root.sum("root.a.reads") == 1);
  CHECK(root.sum("x.root.a.reads") == 0);
  CHECK(root.sum("b.reads + b.writes") == 4320);
  CHECK(root.find("a.writes").empty());
  CHECK_FALSE(CounterSum(root.find("a.writes")).exists());
  const CounterSum sum(root.find("b.reads"));
  n[1] = 21;
  CHECK(sum.exists());
  CHECK(sum.value() == 321);
}

TEST_CASE("a name is taken once in a group") {
  std::uint64_t n = 0;
  StatisticsGroup root("r");
  root.counter("a", "", "", n);
  root.group("g");
  CHECK_THROWS_AS(root.counter("a", "", "", n), std::logic_error);
  CHECK_THROWS_AS(root.derived("g", "", "", [] { return 0.0; }), std::logic_error);
  CHECK_THROWS_AS(root.group("a"), std::logic_error);
}

TEST_CASE("an output file is replaced whole") {
  TemporaryFolder folder;
  const auto file = folder.write("out.txt", "old and longer");
  write_whole_file(file, std::string("new\0text", 8));
  CHECK(content(file) == std::string("new\0text", 8));
  CHECK(files_in(folder.path()) == 1);
  // The file behind a link is written, and the link stays.
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("out.txt", link);
  write_whole_file(link, "x");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(content(file) == "x");
}

TEST_CASE("an output file that cannot be written leaves nothing and says why in one line") {
  TemporaryFolder folder;
  CHECK_THAT(error_of([&] { write_whole_file(folder.path() / "no/such/out", "x"); }),
             Contains("cannot write ") && Contains("no/such/out: No such file or directory"));
  std::filesystem::create_directory(folder.path() / "dir");
  CHECK_THAT(error_of([&] { write_whole_file(folder.path() / "dir", "x"); }),
             Contains("dir: the path is a directory"));
  CHECK(files_in(folder.path()) == 1);

  // A disk that fills up half way, played by a limit on file sizes. The old file survives.
  const auto file = folder.write("out.txt", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 10000;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = error_of([&] { write_whole_file(file, std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  CHECK_THAT(message, Contains("out.txt: File too large"));
  CHECK(message.find('\n') == std::string::npos);
  CHECK(content(file) == "old");
  CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("a device takes the bytes and stays a device") {
  write_whole_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THAT(error_of([] { write_whole_file("/dev/full", "x"); }), Contains("No space left on device"));
}

}  // namespace statistics_test
