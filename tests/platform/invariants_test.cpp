// Invariants that hold on every trace, whatever the platform.
#include "tests/platform/invariants.h"

#include <catch2/catch.hpp>

#include "tests/own_column.h"

namespace invariants_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("every own trace runs on every platform, and each run proves itself") {
  check_invariants(run(jobs(all_platforms, own_traces())));
}

TEST_CASE("traces of real GPUs run on every platform") {
  check_shared(all_platforms, {"nvbit/bfs_sm70", "nvbit/btree_sm90", "nvbit/pytorch_dot_sm70"});
}

TEST_CASE("bfs traced on a Volta GPU retires its 154,839 warp instructions") {
  const auto folder = shared_traces();
  if (folder.empty()) {
    WARN("no larger trace collection here: skipped");
    return;
  }
  const auto results = run(jobs(all_platforms, {folder / "nvbit/bfs_sm70"}));
  for (const RunResult& r : results) CHECK(r.instructions_retired == 154839);
}

TEST_CASE("Rodinia's traces run on every platform") {
  const auto folder = shared_traces();
  if (folder.empty()) {
    WARN("no larger trace collection here: skipped");
    return;
  }
  check_invariants(run(jobs(all_platforms, traces_below(folder / "rodinia"))));
}

TEST_CASE("GEMMs, convolutions and recurrent networks run on every platform") {
  check_shared(all_platforms, {"cutlass/igemm_turing_tensorop", "cutlass/sgemm_simt",
                               "large/tc_f32_t128x32_2560x16x2560", "large/tc_s8_t64x64_1024x256x1792",
                               "large/tc_conv_7x7s2_n1_112x112_c32_k64", "large/lud_x5"});
}

TEST_CASE("tensor operands of exact width and counted RZ leave the proof intact") {
  check_invariants(
      run(jobs(all_platforms, own_traces(),
               {"operands.tensor=exact", "sub_core.collector.slots=7", "operands.count_rz=true"})));
}

TEST_CASE("results that the banks do not have are there for whoever needs them, on every own trace") {
  const std::vector<std::vector<std::string>> variants{
      {}, {"sub_core.collector.entries=7"}, {"sub_core.collector.count=1"}, {"sub_core.collector.count=5"}};
  for (const auto& variant : variants) {
    const auto results = run(jobs(written_back_platforms, own_traces(), variant));
    const auto through = run(jobs({"malekeh", "malekeh_age"}, own_traces(), variant));
    check_invariants(results);
    REQUIRE(results.size() == through.size());
    for (std::size_t n = 0; n < results.size(); ++n) {
      CAPTURE(results[n].platform, results[n].trace);
      CHECK(results[n].trace == through[n].trace);
      CHECK(results[n].bank_writes < through[n].bank_writes);
    }
  }
  check_invariants(run(
      jobs({"malekeh_private"}, own_traces(), {"sub_core.collector.write_back=true", "passes.dead=true"})));
  check_invariants(run(jobs_by_trace(written_back_platforms, modern_traces())));
}

TEST_CASE("results that the banks do not have are there for whoever needs them, on traces of real GPUs") {
  check_shared(written_back_platforms, {"nvbit/bfs_sm70", "nvbit/btree_sm90", "nvbit/pytorch_dot_sm70",
                                        "rodinia/gaussian", "rodinia/lud", "cutlass/igemm_turing_tensorop"});
}

TEST_CASE("counting as the papers do leaves the versions right, and says what it took for whole") {
  const std::vector<std::string> papers{"sub_core.collector.partial_write=ignore", "operands.count_rz=true",
                                        "operands.count_predicated_off=true"};
  const auto counted = run(jobs(all_platforms, own_traces(), papers));
  const auto usual = run(jobs(all_platforms, own_traces()));
  check_invariants(counted);
  REQUIRE(counted.size() == usual.size());
  unsigned noted = 0;
  for (std::size_t n = 0; n < usual.size(); ++n) {
    CAPTURE(usual[n].platform, usual[n].trace);
    CHECK(counted[n].source_operands >= usual[n].source_operands);
    const auto has_note = [](const RunResult& r) {
      return std::any_of(r.notes.begin(), r.notes.end(), [](const std::string& note) {
        return note.find("hits lacked some of the lanes") != std::string::npos;
      });
    };
    CHECK_FALSE(has_note(usual[n]));
    noted += has_note(counted[n]);
  }
  CHECK(noted > 0);
}

TEST_CASE("odd structures leave the proof intact") {
  const std::vector<std::vector<std::string>> variants{
      {"sub_core.register_file.banks=1"},
      {"sub_core.register_file.banks=5", "sub_core.register_file.collector_port_limit=0"},
      {"sub_core.register_file.read_latency=4", "sub_core.register_file.steps_per_cycle=2"},
      {"sub_core.collector.count=8", "sub_core.scheduler.instruction_buffer=4",
       "sub_core.scheduler.priority=lrr"},
      {"sub_core.scheduler.alloc_fail=stall", "sub_core.register_file.result_latches=1"},
      {"sub_core.collector.result_ports=0", "sub_core.collector.partial_write=ignore",
       "passes.near_bits=precise"},
      {"sm.sub_cores=1", "sub_core.warp_slots=32", "sub_core.collector.count=32"},
      {"memory.cache_kilobytes=0", "memory.bytes_per_cycle=7.5", "load_store.outstanding=3"},
  };
  const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
  for (const auto& v : variants) {
    CAPTURE(v.front());
    check_invariants(run(jobs(all_platforms, {own / "bfs", own / "lstm", own / "srad"}, v)));
  }
}

TEST_CASE("ten SMs behind one memory hierarchy run every own trace") {
  check_invariants(run(jobs({"rtx2060_third/baseline", "rtx2060_third/malekeh"}, own_traces())));
}

TEST_CASE("eighty SMs of sixty-four warps run") {
  const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
  check_invariants(run(jobs({"v100/baseline", "v100/malekeh"}, {own / "bfs", own / "hotspot"})));
}

namespace {
const std::vector<std::string> out_of_order{"socgpu", "malekeh_socgpu"};
// Every dependence ends as early as it may.
const std::vector<std::string> early{"sub_core.scheduler.socgpu.control_release=issue",
                                     "sub_core.scheduler.socgpu.war_release=operand_collection",
                                     "sub_core.scheduler.socgpu.memory_release=operand_collection",
                                     "sub_core.scheduler.socgpu.older_release=issue"};
}  // namespace

TEST_CASE("out of order, every own trace keeps its operands") {
  check_invariants(run(jobs(out_of_order, own_traces())));
  check_invariants(run(jobs(out_of_order, own_traces(), early)));
}

TEST_CASE("out of order, traces of real GPUs and Rodinia's keep their operands") {
  const auto folder = shared_traces();
  if (folder.empty()) {
    WARN("no larger trace collection here: skipped");
    return;
  }
  std::vector<std::filesystem::path> traces = traces_below(folder / "rodinia");
  for (const auto& t : traces_below(folder / "nvbit")) traces.push_back(t);
  check_invariants(run(jobs(out_of_order, traces)));
}

TEST_CASE("out of order, odd structures leave the proof intact") {
  const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
  const std::vector<std::vector<std::string>> variants{
      {"sub_core.scheduler.instruction_buffer=2", "sub_core.scheduler.fetch_width=1"},
      {"sub_core.scheduler.instruction_buffer=64", "sub_core.scheduler.fetch_redirect=perfect"},
      {"sub_core.scheduler.fetch_redirect=write_back", "sub_core.scheduler.priority=lrr"},
      {"sub_core.scheduler.socgpu.barriers_wait=false", "sub_core.register_file.read_latency=4"},
  };
  for (const auto& v : variants) {
    CAPTURE(v.front());
    check_invariants(run(jobs(out_of_order, {own / "bfs", own / "lstm", own / "lud"}, v)));
    check_invariants(
        run(jobs(std::vector<std::string>{"traditional"}, {own / "bfs", own / "lud"},
                 {"sub_core.scheduler.issue=socgpu", "sub_core.scheduler.instruction_buffer=8"})));
  }
}

TEST_CASE("eighty SMs of sixty-four warps run out of order") {
  const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
  check_invariants(run(jobs({"v100/war", "v100/socgpu"}, {own / "bfs", own / "hotspot"})));
}

TEST_CASE("a column of one's own is counted for every kernel, and comes back from the run's process") {
  const OwnColumn column({"stores", "", "instructions", "load_store_unit.stores"});
  const OwnColumn absent({"victim_hits", "", "operands", "victim_hits"});
  const auto results = run(jobs({"baseline", "rtx2060_third/malekeh"},
                                {std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios/traces/bfs"}));
  check_invariants(results);
  // The last column, behind those of the model, is the user's.
  for (const RunResult& r : results) {
    REQUIRE_FALSE(r.own.empty());
    CHECK(r.own.back().first == "stores");
    CHECK(r.own.back().second > 0);
    REQUIRE(r.per_kernel.size() > 1);
    std::uint64_t sum = 0, kernels = 0;
    for (const KernelResult& k : r.per_kernel) {
      REQUIRE_FALSE(k.own.empty());
      REQUIRE(k.own.back().first == "stores");
      sum += k.own.back().second;
      kernels += k.own.back().second != 0 ? 1 : 0;
    }
    CHECK(sum == r.own.back().second);
    CHECK(kernels > 1);
  }
  CHECK(results[0].own.back() == results[1].own.back());  // stores of the trace
}

}  // namespace invariants_test
