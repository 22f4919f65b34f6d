#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace results_test {

using namespace subcore::test;
using Json = nlohmann::json;

namespace {

const char* const result_files[] = {"stats.json", "stats.csv", "intervals.csv", "power.csv"};

Json without_time(Json j) {
  if (j.is_array()) {
    for (Json& entry : j) entry.erase("wall_seconds");
  } else {
    j.erase("wall_seconds");
  }
  return j;
}

// The project's own trace if the tree has it, else the small trace. Several CTAs exercise more of the model.
std::string some_trace(const Desk& desk) {
  const std::filesystem::path real = project_traces() / "sgemm";
  return std::filesystem::exists(real) ? real.string() : desk.trace("sgemm", sound_lines());
}

}  // namespace

TEST_CASE("an unknown opcode of a known family runs, is counted and noted") {
  const Desk desk;
  desk.trace("t", "0000 ffffffff 1 R1 IADD9.X 2 R2 R3 0 \n0010 ffffffff 0 EXIT 0 0 \n");
  const Outcome o = desk.succeed({"run", "-p", "baseline", "-t", "t", "--json", "x.json"});
  CHECK(desk.json("x.json")["unknown_opcodes"] == Json{{"IADD9.X", 1}});
  CHECK(desk.json("x.json")["source_operands"] == 2);
  CHECK_THAT(o.out, Catch::Contains("note: ") && Catch::Contains("IADD9.X"));
}

TEST_CASE("launch latency adds to a kernel's cycles, and is no hang") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "t", "--json", "x.json"});
  desk.succeed({"run", "-p", "baseline", "-t", "t", "--json", "y.json", "--set",
                "gpu.kernel_launch_cycles=300000", "--set", "checks.watchdog_cycles=1000"});
  CHECK(desk.json("y.json")["cycles"].get<long>() == desk.json("x.json")["cycles"].get<long>() + 300000);
}

TEST_CASE("a skipped command of the kernel list is noted") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("t/kernelslist.g", "MemcpyPtoP,0x1,2\nkernel-1.traceg\n");
  const Outcome o = desk.succeed({"run", "-p", "baseline", "-t", "t"});
  CHECK_THAT(o.out, Catch::Contains("note: ") && Catch::Contains("MemcpyPtoP"));
}

TEST_CASE("JSON on standard output is one object with the stable keys and nothing else") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Json j = Json::parse(desk.succeed({"run", "-p", "malekeh", "-t", "t", "--json", "-"}).out);
  for (const char* key :
       {"platform", "trace", "cycles", "instructions_retired", "ipc", "source_operands", "cache_read_hits",
        "read_hit_ratio", "bank_reads", "bank_writes", "cache_writes", "bank_read_wait_cycles", "energy_pj",
        "operands_checked", "stale_operands", "seed", "wall_seconds"}) {
    INFO(key);
    CHECK(j.contains(key));
  }
  CHECK(j["platform"] == "malekeh");
  CHECK(j["trace"] == "t");
  CHECK(j["instructions_retired"] == 101);
  CHECK(j["stale_operands"] == 0);
  // IADD3 2, LDG a pair, FFMA 3, STG a pair and the datum.
  CHECK(j["source_operands"] == 20 * (2 + 2 + 3 + 3));
  CHECK(j["operands_checked"] == j["source_operands"]);
  CHECK(j["cache_read_hits"].get<int>() + j["bank_reads"].get<int>() == j["source_operands"].get<int>());
  double sum = 0;
  for (const auto& [event, pj] : j["energy_pj"].items()) sum += event == "total" ? 0.0 : pj.get<double>();
  CHECK(j["energy_pj"]["total"].get<double>() == Approx(sum));
}

TEST_CASE("the same run twice gives the same bytes") {
  const Desk desk;
  const std::string trace = some_trace(desk);
  for (const char* r : {"a", "b"}) {
    desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-p", "malekeh_private", "-p", "traditional",
                  "-t", trace, "-r", r, "--json", std::string(r) + ".json", "--set", "interval_cycles=1000"});
  }
  CHECK(without_time(desk.json("a.json")) == without_time(desk.json("b.json")));
  for (const char* platform : {"baseline", "malekeh", "malekeh_private", "traditional"}) {
    for (const char* file : result_files) {
      const std::string name = std::string(platform) + "/sgemm/" + file;
      INFO(name);
      CHECK_FALSE(desk.file("a/" + name).empty());
      CHECK(desk.file("a/" + name) == desk.file("b/" + name));
    }
  }
  CHECK(without_time(desk.json("a/results.json")) == without_time(desk.json("a.json")));
}

TEST_CASE("every scheduler says of every cycle what it did") {
  const Desk desk;
  const std::string trace = some_trace(desk);
  // On ten SMs some have nothing to do; RFC's warps leave after the end; windows write back late.
  for (const std::string platform : {"rtx2060_third/baseline", "rfc", "bow_wr", "socgpu", "nvidia_turing"}) {
    const Outcome o = desk.succeed({"run", "-p", platform, "-t", trace, "-r", "r", "--json", "r.json"});
    const Json result = desk.json("r.json");
    const Json statistics = desk.json("r/" + platform + "/sgemm/stats.json")["root"];
    std::uint64_t schedulers = 0, in_all = 0;
    for (const auto& [sm, of_sm] : statistics.items()) {
      for (const auto& [sub_core, of_sub_core] : of_sm.items()) {
        if (!of_sub_core.contains("issue_scheduler")) continue;
        INFO(platform << " " << sm << " " << sub_core);
        std::uint64_t sum = 0;
        for (const auto& [state, cycles] : result["scheduler_cycles"].items())
          sum += of_sub_core["issue_scheduler"][state + "_cycles"]["value"].get<std::uint64_t>();
        CHECK(sum == result["cycles"]);
        // The causes of hazards are statistics of their own, which sum up to hazard_cycles.
        std::uint64_t hazards = 0;
        for (const std::string cause :
             {"memory_order", "war",     "waw",      "control",    "buffer_empty", "raw_short", "raw_long",
              "copy_groups",  "barrier", "draining", "not_active", "window_full",  "port_hold", "unit_busy",
              "stall_count",  "sb0",     "sb1",      "sb2",        "sb3",          "sb4",       "sb5"})
          if (of_sub_core["issue_scheduler"].contains(cause + "_cycles"))
            hazards += of_sub_core["issue_scheduler"][cause + "_cycles"]["value"].get<std::uint64_t>();
        CHECK(hazards == of_sub_core["issue_scheduler"]["hazard_cycles"]["value"]);
        ++schedulers;
        in_all += sum;
      }
    }
    CHECK(schedulers == result["schedulers"]);
    std::uint64_t caused = 0;
    for (const auto& [cause, cycles] : result["stall_cycles"].items()) caused += cycles.get<std::uint64_t>();
    CHECK(caused == in_all);
    std::uint64_t stated = 0;
    for (const auto& [state, cycles] : result["scheduler_cycles"].items())
      stated += cycles.get<std::uint64_t>();
    CHECK(stated == in_all);
  }
}

TEST_CASE("kernels have results of their own, which add up to the run's") {
  const Desk desk;
  // Bfs has three kernels. On ten SMs some have nothing to do; windows and RFC write back late, and between
  // the kernels, too; LTRF fetches ahead.
  const std::string bfs = (project_traces() / "bfs").string();
  for (const std::string platform : {"baseline", "rtx2060_third/malekeh", "rfc", "bow_wr", "ltrf"}) {
    CAPTURE(platform);
    Json first;
    for (const std::string order : {"pipeline", "reverse", "shuffled"}) {
      desk.succeed({"run", "-p", platform, "-t", bfs, "--json", "r.json", "--set", "tick_order=" + order});
      const Json r = desk.json("r.json");
      if (first.is_null()) first = r["per_kernel"];
      CHECK(r["per_kernel"] == first);
      REQUIRE(r["per_kernel"].size() == r["kernels"]);
      CHECK(r["kernels"] > 1);
      Json sums = Json::object();
      for (const Json& kernel : r["per_kernel"]) {
        CHECK_FALSE(kernel["name"].get<std::string>().empty());
        CHECK(kernel["cycles"] > 0);
        CHECK(kernel["instructions_retired"] == kernel["instructions_traced"]);
        CHECK(kernel["cache_read_hits"].get<int>() + kernel["bank_reads"].get<int>() ==
              kernel["source_operands"].get<int>() + kernel["prefetches"].get<int>());
        CHECK(kernel["ctas_at_once"] > 0);
        CHECK(kernel["ctas_at_once"] <= kernel["ctas"]);
        for (const auto& [key, value] : kernel.items())
          if (key != "name" && key != "ctas_at_once") sums[key] = sums.value(key, 0.0) + value.get<double>();
      }
      for (const auto& [key, sum] : sums.items()) {
        INFO(key);
        CHECK(sum.get<double>() ==
              Approx((key == "energy_total_pj" ? r["energy_pj"]["total"] : r[key]).get<double>())
                  .epsilon(1e-12));
      }
    }
  }
  // A kernel that the next one ends has the same results as alone, because nothing is cached beyond a
  // kernel's end.
  desk.trace("one", sound_lines());
  desk.trace("two", sound_lines());
  desk.write("two/kernelslist.g", "kernel-1.traceg\nkernel-1.traceg\n");
  desk.succeed({"run", "-p", "bow_wr", "-t", "one", "--json", "one.json"});
  desk.succeed({"run", "-p", "bow_wr", "-t", "two", "--json", "two.json"});
  const Json one = desk.json("one.json"), two = desk.json("two.json")["per_kernel"][0];
  for (const char* key :
       {"cycles", "instructions_retired", "source_operands", "cache_read_hits", "bank_reads"})
    CHECK(two[key] == one[key]);
}

TEST_CASE("STHLD and the hit ratios of the data caches are told where there are any") {
  const Desk desk;
  const std::string trace = (project_traces() / "bfs").string();
  const auto of = [&](Strings arguments) {
    arguments.insert(arguments.begin(), {"run", "-t", trace, "-r", "r", "--json", "r.json"});
    desk.succeed(arguments);
    return desk.json("r.json");
  };
  const Json baseline = of({"-p", "baseline"});
  for (const char* key : {"sthld_mean", "l1_hit_ratio", "l2_hit_ratio"}) CHECK_FALSE(baseline.contains(key));
  CHECK(of({"-p", "malekeh", "-s", "sthld.mode=fixed", "-s", "sthld.value=3"})["sthld_mean"] == 3);
  const Json gpu = of({"-p", "rtx2060_third/malekeh", "-s", "sthld.interval=1000"});
  const Json statistics = desk.json("r/rtx2060_third/malekeh/bfs/stats.json")["root"];
  CHECK(gpu["sthld_mean"] == statistics["sthld_controller"]["sthld_mean"]["value"]);
  CHECK(gpu["sthld_mean"] > 0);
  const Json& memory = statistics["memory_system"];
  double hits = 0, reads = 0;
  for (const auto& [name, module] : memory.items()) {
    if (name.rfind("l1_", 0) != 0 || !module.contains("hits")) continue;
    hits += module["hits"]["value"].get<double>();
    reads += module["reads"]["value"].get<double>();
  }
  CHECK(hits > 0);
  CHECK(gpu["l1_hit_ratio"].get<double>() == Approx(hits / reads));
  CHECK(gpu["l1_hit_ratio"] == memory["l1_hit_ratio"]["value"]);
  CHECK(gpu["l2_hit_ratio"] == memory["l2_hit_ratio"]["value"]);
  CHECK(gpu["l2_hit_ratio"] > 0);
}

TEST_CASE("every instruction of an issue stage that is charged enters, leaves and ends once") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto energy = [&](const std::string& platform) {
    return Json::parse(
        desk.succeed({"run", "-p", platform, "-t", "t", "-r", "r_" + platform, "-s", "gpu.sms=1", "-j", "-"})
            .out)["energy_pj"];
  };
  const Json socgpu = energy("v100/socgpu"), in_order = energy("v100/war"), plain = energy("v100/baseline");
  CHECK(socgpu["ibuf_wr"] == 101 * 0.669);
  CHECK(socgpu["ibuf_rd"] == 101 * 0.633);
  CHECK(socgpu["dep_wr"] == 101 * 0.767);
  CHECK(socgpu["dep_rd"] == 101 * 0.362);
  CHECK(socgpu["dep_clr"] == 101 * 0.054);
  CHECK(socgpu["scoreboard"] == 0);
  CHECK(in_order["ibuf_wr"] == 101 * 0.416);
  CHECK(in_order["scoreboard"] == 101 * 0.992);
  CHECK(in_order["dep_wr"] == 0);
  for (const char* event : {"ibuf_wr", "ibuf_rd", "dep_wr", "dep_rd", "dep_clr", "scoreboard"})
    CHECK(plain[event] == 0);
  CHECK_THAT(desk.file("r_v100/socgpu/v100/socgpu/t/power.csv"),
             Catch::Contains(".issue_scheduler,dep_wr,101,"));
}

TEST_CASE("the order in which modules tick does not show") {
  const Desk desk;
  const std::string trace = some_trace(desk);
  for (const std::string platform : {"baseline", "malekeh", "malekeh_private", "traditional"}) {
    for (const std::string order : {"pipeline", "reverse", "shuffled"}) {
      desk.succeed({"run", "-p", platform, "-t", trace, "-r", order, "--set", "tick_order=" + order, "--set",
                    "interval_cycles=1000"});
    }
    for (const char* order : {"reverse", "shuffled"}) {
      for (const char* file : result_files) {
        INFO(platform << " " << order << " " << file);
        const std::string name = "/" + platform + "/sgemm/" + file;
        CHECK_FALSE(desk.file("pipeline" + name).empty());
        CHECK(desk.file("pipeline" + name) == desk.file(order + name));
      }
    }
  }
}

TEST_CASE("another seed is another run") {
  const Desk desk;
  const std::string trace = some_trace(desk);
  const auto cycles = [&](const std::string& seed) {
    return Json::parse(
        desk.succeed({"run", "-p", "baseline", "-t", trace, "-s", "seed=" + seed, "-j", "-"}).out);
  };
  const Json one = cycles("1"), two = cycles("2");
  CHECK(two["seed"] == 2);
  CHECK(without_time(one) != without_time(two));
  CHECK(one["source_operands"] == two["source_operands"]);
}

TEST_CASE("compare normalises to the first platform") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines() + sound_lines());
  desk.succeed({"compare", "-p", "traditional", "-p", "malekeh", "-t", "t", "-t", "u", "-j", "x.json"});
  const Json j = desk.json("x.json");
  REQUIRE(j.size() == 4);
  for (const Json& r : j) {
    INFO(r.dump());
    REQUIRE(r.contains("energy_normalised"));
    for (const Json& first : j) {
      if (first["platform"] != "traditional" || first["trace"] != r["trace"]) continue;
      CHECK(r["energy_normalised"].get<double>() ==
            Approx(r["energy_pj"]["total"].get<double>() / first["energy_pj"]["total"].get<double>()));
      if (r["platform"] == "traditional") CHECK(r["energy_normalised"] == 1.0);
    }
  }
}

TEST_CASE("each shipped energy table has its say, and the note is there when they disagree") {
  const Desk desk;
  const std::string trace = some_trace(desk);
  const Outcome o = desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-p", "bow", "-t", trace,
                                  "-j", "x.json", "-s", "energy.preset=bow_table4", "--wide"});
  const Json j = desk.json("x.json");
  for (const Json& r : j) {
    CHECK(r["energy_by_preset_pj"].size() == 5);
    CHECK(r["energy_by_preset_pj"]["bow_table4"] == r["energy_pj"]["total"]);
  }
  CHECK(j[0]["energy_by_preset_pj"]["accelwattch_parts"].get<double>() ==
        Approx(j[0]["energy_by_preset_pj"]["accelwattch_sm75"].get<double>()).epsilon(1e-6));
  // BOW saves bank accesses and pays for its crossbar, which Table IV does not count.
  CHECK_THAT(o.out, Catch::Contains("note: bow on sgemm: energy presets disagree: less than baseline by ") &&
                        Catch::Contains("; more by ") && Catch::Contains("cacti22 (1."));
  CHECK(o.out.find("malekeh on sgemm: energy presets disagree") == std::string::npos);
}

TEST_CASE("the results folder holds what the manual says, and its platform file reproduces it") {
  const Desk desk;
  const std::string trace = some_trace(desk);
  desk.succeed({"run", "-p", "malekeh", "-t", trace, "-r", "new/a", "-s", "seed=7", "-s",
                "sub_core.collector.entries=10"});
  desk.succeed({"run", "-p", "new/a/malekeh/sgemm/platform.yaml", "-t", trace, "-r", "new/b/"});
  CHECK(desk.json("new/a/results.json")[0]["seed"] == 7);
  for (const char* file : {"stats.json", "stats.csv", "intervals.csv", "power.csv", "platform.yaml"}) {
    INFO(file);
    CHECK_FALSE(desk.file("new/a/malekeh/sgemm/" + std::string(file)).empty());
    CHECK(desk.file("new/a/malekeh/sgemm/" + std::string(file)) ==
          desk.file("new/b/malekeh/sgemm/" + std::string(file)));
  }
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
}

TEST_CASE("an existing results folder keeps the files of others") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("r/mine.txt", "mine");
  desk.write("r/baseline/t/mine.txt", "mine");
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r"});
  CHECK(desk.run({"run", "-p", "malekeh", "-t", "t", "-r", "r", "--overwrite"}).code == 0);
  CHECK(desk.file("r/mine.txt") == "mine");
  CHECK(desk.file("r/baseline/t/mine.txt") == "mine");
  CHECK(desk.json("r/results.json").size() == 1);
}

TEST_CASE("plain, gzip and xz are the same trace") {
  const Desk desk;
  std::string second = one_warp(sound_lines());
  second.replace(second.find("0,0,0"), 5, "1,0,0");
  const std::string text = header("3", "(2,1,1)") + one_warp(sound_lines()) + second;
  std::vector<Json> results;
  for (const std::string suffix : {"", ".gz", ".xz"}) {
    desk.write("t/kernelslist.g", "kernel-1.traceg" + suffix + "\n");
    desk.write("t/kernel-1.traceg" + suffix, suffix.empty() ? text : compressed(text, suffix == ".xz"));
    results.push_back(
        without_time(Json::parse(desk.succeed({"run", "-p", "malekeh", "-t", "t", "-j", "-"}).out)));
  }
  CHECK(results[0]["ctas"] == 2);
  CHECK(results[0]["per_kernel"][0]["ctas_at_once"] == 2);
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);
}

TEST_CASE("trace-info, parameters, help and version") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Json info = Json::parse(desk.succeed({"trace-info", "t", "--json", "-"}).out);
  CHECK(info["instructions"] == 101);
  CHECK(info["warps"] == 1);
  CHECK(info["instructions_by_opcode"]["FFMA"] == 20);
  CHECK_THAT(desk.succeed({"trace-info", "t"}).out, Catch::Contains("Trace t"));
  CHECK_THAT(desk.succeed({"parameters"}).out,
             Catch::Contains("sub_core.collector.count = 2") && Catch::Contains("sthld.interval = 10000"));
  const Json parameters = Json::parse(desk.succeed({"parameters", "--json", "-"}).out);
  CHECK(parameters.size() > 80);
  for (const Json& p : parameters) CHECK_FALSE(p["help"].get<std::string>().empty());
  CHECK(desk.succeed({"--version"}).out.rfind("subcore ", 0) == 0);
}

TEST_CASE("a scenario file runs from anywhere, and options come on top of it") {
  const Desk desk;
  desk.trace("in/t", sound_lines());
  desk.write("in/mine.yaml", "extends: malekeh.yaml\nsub_core: {collector: {entries: 9}}\n");
  desk.write("in/s.yaml", "platforms: [baseline, mine.yaml]\ntraces: [t]\nset: [seed=3]\nresults: out\n");
  desk.succeed({"run", "in/s.yaml", "--json", "x.json", "--set", "seed=4"});
  CHECK(desk.json("x.json")[1]["platform"] == "mine");
  CHECK(desk.json("x.json")[1]["seed"] == 4);
  CHECK(desk.files().count("in/out/mine/t/stats.json") == 1);
}

}  // namespace results_test
