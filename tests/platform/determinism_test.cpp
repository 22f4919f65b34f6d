// Same inputs and seed: the same statistics to the last byte, whatever the tick order.
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "tests/platform/runs.h"

namespace determinism_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";

class Folder {
 public:
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / (name + std::to_string(getpid()))) {}
  ~Folder() { std::filesystem::remove_all(path); }
  const std::filesystem::path path;
};

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  REQUIRE(in);
  std::ostringstream text;
  text << in.rdbuf();
  REQUIRE(text.str().size() > 100);
  return text.str();
}

void check_same(const std::string& name, const std::vector<std::string>& trace_names,
                const std::vector<std::string>& common, const std::vector<std::string>& other) {
  Folder folder("subcore_determinism_");
  for (const std::string& t : trace_names) {
    std::vector<std::string> all = common;
    all.insert(all.end(), other.begin(), other.end());
    const std::vector<Job> both{
        {std::make_shared<PlatformParameters>(platform(name, common)), open_trace(own / t),
         folder.path / "a"},
        {std::make_shared<PlatformParameters>(platform(name, all)), open_trace(own / t), folder.path / "b"}};
    const auto results = run(both);
    CAPTURE(name, t);
    CHECK(without_time(results[0]) == without_time(results[1]));
    for (const char* file : {"stats.json", "stats.csv", "intervals.csv", "power.csv"}) {
      CAPTURE(file);
      CHECK(content(folder.path / "a" / file) == content(folder.path / "b" / file));
    }
  }
}

}  // namespace

TEST_CASE("the same run twice gives the same bytes") {
  for (const auto& p : all_platforms) check_same(p, {"bfs", "hotspot", "hgemm_ldsm"}, {}, {});
}

TEST_CASE("reversed ticks give the same bytes") {
  for (const auto& p : all_platforms)
    check_same(p, {"bfs", "pathfinder", "lstm", "hgemm_ldsm"}, {}, {"tick_order=reverse"});
}

TEST_CASE("shuffled ticks give the same bytes") {
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    for (const auto& p : all_platforms)
      check_same(p, {"srad", "backprop", "igemm"}, {seed}, {"tick_order=shuffled"});
  }
}

TEST_CASE("tick order stays invisible in odd structures") {
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    check_same("baseline", {"bfs", "hgemm_f16"},
               {"sub_core.register_file.result_latches=1", "sub_core.register_file.banks=1",
                "sub_core.execution.int.initiation_interval=1"},
               {order});
    check_same("malekeh", {"bfs", "lstm"},
               {"sub_core.register_file.steps_per_cycle=2", "sub_core.collector.result_ports=2"}, {order});
    check_same("traditional", {"bfs", "sgemm"},
               {"sub_core.collector.count=5", "sub_core.register_file.read_latency=3"}, {order});
  }
}

TEST_CASE("tick order stays invisible out of order") {
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    for (const char* name : {"socgpu", "malekeh_socgpu"})
      check_same(name, {"bfs", "lud", "lstm"}, {}, {order});
  }
}

TEST_CASE("tick order stays invisible across ten SMs") {
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    check_same("rtx2060_third/malekeh", {"bfs", "hotspot", "lstm"}, {}, {order});
  }
}

TEST_CASE("another seed is another run") {
  const auto a = run(jobs(std::vector<std::string>{"malekeh"}, {own / "bfs"}, {"seed=1"}));
  const auto b = run(jobs(std::vector<std::string>{"malekeh"}, {own / "bfs"}, {"seed=2"}));
  CHECK(a[0].cycles != b[0].cycles);
}

TEST_CASE("monitors and checks observe without disturbing") {
  const auto with = run(jobs(std::vector<std::string>{"malekeh"}, {own / "bfs"}));
  const auto without = run(jobs(std::vector<std::string>{"malekeh"}, {own / "bfs"},
                                {"energy.monitors=false", "checks.operand_versions=false"}));
  CHECK(with[0].cycles == without[0].cycles);
  CHECK(with[0].cache_read_hits == without[0].cache_read_hits);
  CHECK(without[0].energy_pj.empty());
  CHECK(without[0].operands_checked == 0);
}

}  // namespace determinism_test
