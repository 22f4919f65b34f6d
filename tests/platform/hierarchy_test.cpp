// Own traces with caches, an interconnect and DRAM behind the SM.
#include <fstream>
#include <map>
#include <sstream>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "tests/platform/runs.h"

using namespace subcore;
using namespace subcore::test;

namespace {

const std::vector<std::string> hierarchy{"memory.kind=hierarchy"};

// Rows of stats.csv below memory_system, by path.
std::map<std::string, double> memory_statistics(const std::filesystem::path& folder) {
  std::ifstream in(folder / "stats.csv");
  REQUIRE(in);
  std::map<std::string, double> all;
  for (std::string line; std::getline(in, line);) {
    const auto at = line.find("memory_system.");
    const auto comma = line.find(',');
    if (at < comma) all[line.substr(at, comma - at)] = std::stod(line.substr(comma + 1));
  }
  return all;
}

class Folder {
 public:
  Folder()
      : path(std::filesystem::temp_directory_path() / ("subcore_hierarchy_" + std::to_string(getpid()))) {}
  ~Folder() { std::filesystem::remove_all(path); }
  const std::filesystem::path path;
};

}  // namespace

// A run ends only when every module is drained, and fails otherwise.
TEST_CASE("every own trace retires with a memory hierarchy, and what goes in comes out") {
  Folder folder;
  std::vector<Job> all = jobs(std::vector<std::string>{"baseline"}, own_traces(), hierarchy);
  for (std::size_t n = 0; n < all.size(); ++n) all[n].folder = folder.path / std::to_string(n);
  const auto results = run(all);
  for (std::size_t n = 0; n < results.size(); ++n) {
    CAPTURE(results[n].trace);
    CHECK(results[n].instructions_retired == results[n].instructions_traced);
    CHECK(results[n].stale_operands == 0);
    std::map<std::string, double> s = memory_statistics(folder.path / std::to_string(n));
    std::map<std::string, double> l2;
    double dram_bytes = 0;
    for (const auto& [path, value] : s) {
      const std::string what = path.substr(path.rfind('.') + 1);
      if (what == "hit_rate") CHECK((value >= 0 && value <= 1));
      if (path.find(".l2_") != std::string::npos) l2[what] += value;
      if (path.find(".dram_") != std::string::npos && what == "bytes") dram_bytes += value;
    }
    const std::string l1 = "memory_system.l1_0.";
    CHECK(s[l1 + "reads"] ==
          s[l1 + "hits"] + s[l1 + "line_misses"] + s[l1 + "sector_misses"] + s[l1 + "mshr_merges"]);
    CHECK(l2["writes"] == s[l1 + "writes"]);
    CHECK(l2["atomics"] == s[l1 + "atomics"]);
    CHECK(l2["reads"] + l2["writes"] + l2["atomics"] ==
          l2["hits"] + l2["line_misses"] + l2["sector_misses"] + l2["mshr_merges"]);
    CHECK(s["memory_system.interconnect.request_packets"] ==
          s["memory_system.interconnect.response_packets"]);
    CHECK(dram_bytes == 32 * (l2["fetched_sectors"] + l2["written_back_sectors"]));
  }
}

TEST_CASE("tick order cannot be seen with a memory hierarchy") {
  std::vector<PlatformParameters> orders;
  for (const char* order : {"pipeline", "reverse", "shuffled"}) {
    for (const char* name : {"baseline", "malekeh"}) {
      orders.push_back(
          platform(name, {"memory.kind=hierarchy", "memory.l1.kilobytes=8", "memory.l1.mshrs=4",
                          "memory.l2.kilobytes=64", "memory.interconnect.queue=2", "memory.l2.queue=2",
                          "memory.dram.queue=2", std::string("tick_order=") + order}));
    }
  }
  for (const char* trace : {"bfs", "kmeans", "srad", "hgemm_ldsm"}) {
    CAPTURE(trace);
    const auto folder = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces" / trace;
    const auto results = run(jobs_of(orders, {folder}));
    for (std::size_t n = 2; n < results.size(); ++n)
      CHECK(without_time(results[n]) == without_time(results[n % 2]));
  }
}
