// RFC, software RFC, LTRF and the study's register cache on whole platforms and real traces.
#include <cmath>

#include <catch2/catch.hpp>

#include "subcore/power/energy_model.h"
#include "tests/platform/invariants.h"

namespace operand_cache_test {

using namespace subcore;
using namespace subcore::test;

namespace {
const std::filesystem::path own = std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
}  // namespace

TEST_CASE("every own trace runs on every platform with an operand cache") {
  check_invariants(run(jobs(operand_cache_platforms, own_traces())));
}

TEST_CASE("larger traces run on every platform with an operand cache") {
  check_shared(operand_cache_platforms, {"nvbit/bfs_sm70", "nvbit/btree_sm90", "nvbit/pytorch_dot_sm70",
                                         "rodinia/gaussian", "rodinia/lud", "cutlass/igemm_turing_tensorop"});
}

TEST_CASE("odd structures leave the proof intact with an operand cache") {
  const std::vector<std::vector<std::string>> variants{
      {"sub_core.register_file.banks=1", "sub_core.operand_cache.hit_latency=0"},
      {"sub_core.register_file.read_latency=4", "sub_core.register_file.steps_per_cycle=2",
       "sub_core.operand_cache.hit_latency=3"},
      {"sub_core.collector.count=5", "sub_core.register_file.collector_port_limit=0",
       "sub_core.register_file.result_latches=1"},
      {"sub_core.operand_cache.partial_write=ignore"},
      {"sub_core.scheduler.two_level.promotion=blind_fifo", "sub_core.operand_cache.prefetch_port=1"},
      {"sub_core.operand_cache.write_back_port=1", "sub_core.operand_cache.overwrite=counts_as_new"},
      {"operands.tensor=exact", "sub_core.collector.slots=7", "operands.count_rz=true"},
  };
  for (const auto& v : variants) {
    CAPTURE(v.front());
    check_invariants(run(jobs(operand_cache_platforms, {own / "bfs", own / "lstm", own / "srad"}, v)));
  }
}

TEST_CASE("the register cache is right in every form the study has") {
  for (const char* allocation : {"read", "write", "read_write", "compiler_aided"}) {
    for (const char* form : {"fifo write_back", "lru write_through"}) {
      const std::string text = form;
      const auto space = text.find(' ');
      for (const char* ways : {"1", "2", "0"}) {
        CAPTURE(allocation, form, ways);
        check_invariants(run(jobs({"register_cache"}, {own / "bfs", own / "hgemm_wmma", own / "pathfinder"},
                                  {std::string("sub_core.operand_cache.allocation=") + allocation,
                                   "sub_core.operand_cache.replacement=" + text.substr(0, space),
                                   "sub_core.operand_cache.write=" + text.substr(space + 1),
                                   std::string("sub_core.operand_cache.ways=") + ways,
                                   "sub_core.operand_cache.destination_map=linear"})));
      }
    }
  }
}

TEST_CASE("the energy of an operand cache adds up to what it counts") {
  for (const auto& name : operand_cache_platforms) {
    const RunResult r = run(jobs({name}, {own / "bfs"}))[0];
    const EnergyCoefficients c = energy_coefficients(platform(name));
    const auto count = [&](EnergyEvent e) {
      return std::llround(r.energy_pj[static_cast<std::size_t>(e)].second / c[e]);
    };
    const auto number = [](std::uint64_t n) { return static_cast<long long>(n); };
    CAPTURE(name);
    const long long back = count(EnergyEvent::cache_rd) - number(r.cache_read_hits);
    CHECK(back >= 0);
    CHECK(count(EnergyEvent::cache_path) == number(r.cache_writes) + back);
    const std::string kind = platform(name).sub_core.operand_cache.kind.word();
    const bool rfc = kind == "rfc", ltrf = kind == "ltrf", near = kind == "near";
    const long long copies = count(EnergyEvent::cache_wr) - number(r.cache_writes);  // copies from the banks
    if (rfc || ltrf)
      CHECK(copies == number(r.prefetches));
    else
      CHECK(copies > 0);
    if (rfc || near)
      CHECK(count(EnergyEvent::cache_search) == number(r.source_operands));
    else if (kind == "register_cache")
      CHECK(count(EnergyEvent::cache_search) >= number(r.source_operands));
    else
      CHECK(count(EnergyEvent::cache_search) == 0);  // the compiler has said where operands are
    CHECK(count(EnergyEvent::cache_out) == number(r.cache_read_hits));
    CHECK(count(EnergyEvent::bank_rd) == number(r.bank_reads));
    CHECK(count(EnergyEvent::xbar_rd) == number(r.bank_reads));
    CHECK(count(EnergyEvent::bank_wr) == number(r.bank_writes));
    // Every operand is stored in a collector, whatever its source.
    CHECK(count(EnergyEvent::buf_rd) == number(r.source_operands));
    CHECK(count(EnergyEvent::buf_wr) == number(r.source_operands));
  }
}

TEST_CASE("tick order stays invisible with operand caches") {
  for (const auto& p : operand_cache_platforms) {
    for (const char* t : {"bfs", "lstm", "hgemm_ldsm", "pathfinder"}) {
      const auto a = run(jobs({p}, {own / t}));
      for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
        const auto b = run(jobs({p}, {own / t}, {order}));
        CAPTURE(p, t, order);
        CHECK(without_time(a[0]) == without_time(b[0]));
      }
    }
  }
}

}  // namespace operand_cache_test
