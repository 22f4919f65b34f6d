// Own traces with caches, an interconnect and DRAM behind the SM.
#include <fstream>
#include <map>
#include <sstream>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "subcore/model/policy/random.h"
#include "tests/platform/runs.h"

namespace hierarchy_test {

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

namespace {

// Warps that load and store lines at random, each instruction a few sectors of several lines.
void write_random_stream(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernelslist.g") << "kernel-1.traceg\n";
  std::ofstream out(folder / "kernel-1.traceg");
  out << "-kernel name = stream\n-kernel id = 1\n-grid dim = (12,1,1)\n-block dim = (256,1,1)\n-shmem = 0\n"
         "-nregs = 32\n-binary version = 75\n-cuda stream id = 0\n-shmem base_addr = 0x00007f3000000000\n"
         "-local mem base_addr = 0x00007f2000000000\n-nvbit version = none\n-accelsim tracer version = 3\n\n"
         "#traces format = PC mask ...\n";
  Random r(77);
  for (unsigned c = 0; c < 12; ++c) {
    out << "\n#BEGIN_TB\n\nthread block = " << c << ",0,0\n";
    for (unsigned w = 0; w < 8; ++w) {
      out << "\nwarp = " << w << "\ninsts = 41\n" << std::hex;
      for (unsigned i = 0; i < 40; ++i) {
        const std::uint64_t address = 0x7f4000000000 + 32 * r.below(30000);
        const unsigned stride = 4u << r.below(6);
        const bool stores = r.below(4) == 0;  // with program counters of their own
        out << 16 * i + (stores ? 0x1000 : 0) << " ffffffff "
            << (stores ? "0 STG.E.SYS 2 R4 R5 4 1 0x" : "1 R8 LDG.E.SYS 1 R4 4 1 0x") << address << ' '
            << std::dec << stride << std::hex << '\n';
      }
      out << "280 ffffffff 0 EXIT 0 0\n" << std::dec;
    }
    out << "\n#END_TB\n";
  }
}

}  // namespace

TEST_CASE("what holds requests back at each level of memory is told by cause, and the causes are all of it") {
  Folder folder;
  const std::filesystem::path trace = folder.path / "stream";
  write_random_stream(trace);
  struct Case {
    std::vector<std::string> settings;
    const char* cause;  // the cause with the most cycles at its level
  };
  const std::vector<Case> cases{
      {{"memory.l1.mshrs=4", "memory.l1.queue=64"}, "l1_mshr"},
      {{"memory.l1.ways=1", "memory.l1.kilobytes=4", "memory.l1.queue=64"}, "l1_line"},
      {{"memory.l1.merges=1", "memory.l1.queue=4096", "memory.l1.mshrs=4096", "memory.l1.kilobytes=1024",
        "memory.l1.ways=1024"},
       "l1_merge"},
      {{"memory.interconnect.bytes_per_cycle=4", "memory.interconnect.queue=1", "memory.l1.queue=2",
        "memory.l1.mshrs=4096", "memory.l1.merges=1024", "memory.l1.kilobytes=1024", "memory.l1.ways=1024"},
       "l1_queue"},
      {{"memory.l2.mshrs=4", "memory.l2.queue=512"}, "l2_mshr"},
      {{"memory.l2.ways=1", "memory.l2.kilobytes=8", "memory.l2.queue=512"}, "l2_line"},
      {{"memory.dram.bytes_per_cycle=1", "memory.dram.queue=1", "memory.l2.queue=4", "memory.l2.latency=1"},
       "l2_queue"},
  };
  std::vector<Job> all;
  for (const Case& c : cases) {
    std::vector<std::string> settings = c.settings;
    settings.insert(settings.end(), {"memory.kind=hierarchy", "load_store.transactions_per_cycle=4"});
    for (Job& j : jobs(std::vector<std::string>{"baseline"}, {trace}, settings)) all.push_back(j);
  }
  for (std::size_t n = 0; n < all.size(); ++n) all[n].folder = folder.path / std::to_string(n);
  const auto results = run(all);
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const RunResult& r = results[n];
    CAPTURE(cases[n].cause);
    std::map<std::string, double> level, of_modules, places;
    for (const auto& [cause, cycles] : r.memory_stall_cycles)
      level[cause.substr(0, cause.find('_'))] += cycles;
    for (const auto& [path, value] : memory_statistics(folder.path / std::to_string(n))) {
      if (path.substr(path.rfind('.') + 1) != "stall_cycles") continue;
      const std::string module = path.substr(path.find('.') + 1);
      const std::string name = module.substr(0, module.find('_'));
      of_modules[name] += value;
      places[name] += name == "dram" ? 2 : 1;  // a channel has a queue for each of two slices
    }
    CHECK(level == of_modules);
    const auto ratio = [&](const std::string& name) {
      return Approx(level[name] / (static_cast<double>(r.cycles) * places[name]));
    };
    std::map<std::string, double> of_ratios;
    for (const auto& [cause, share] : r.memory_stall_ratios)
      of_ratios[cause.substr(0, cause.find('_'))] += share;
    CHECK(of_ratios.at("l1") == ratio("l1"));
    CHECK(of_ratios.at("l2") == ratio("l2"));
    CHECK(of_ratios.at("dram") == ratio("dram"));
    CHECK(r.l1_stall_ratio.value() == ratio("l1"));
    CHECK(r.l2_stall_ratio.value() == ratio("l2"));
    CHECK(r.dram_stall_ratio.value() == ratio("dram"));
    const std::string wanted = cases[n].cause;
    const double most = value_of(r.memory_stall_cycles, wanted).value();
    CHECK(most > 0);
    for (const auto& [cause, cycles] : r.memory_stall_cycles)
      if (cause.substr(0, 2) == wanted.substr(0, 2)) CHECK(cycles <= most);
  }
  CHECK(value_of(results.back().memory_stall_cycles, "dram_queue").value() > 0);
}

TEST_CASE("tick order cannot be seen with a memory hierarchy") {
  std::vector<PlatformParameters> orders;
  for (const char* order : {"pipeline", "reverse", "shuffled"}) {
    for (const char* name : {"baseline", "malekeh"}) {
      orders.push_back(
          platform(name, {"memory.kind=hierarchy", "memory.l1.kilobytes=8", "memory.l1.ways=4",
                          "memory.l1.mshrs=4", "memory.l2.kilobytes=64", "memory.interconnect.queue=2",
                          "memory.l2.queue=2", "memory.dram.queue=2", std::string("tick_order=") + order}));
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

}  // namespace hierarchy_test
