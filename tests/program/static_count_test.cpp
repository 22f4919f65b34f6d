// Counts of traces that scenario files ask for, without running the traces. A count is a run like others, but
// without time.
#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace static_count_test {

using namespace subcore::test;
using Catch::Contains;

namespace {

const std::string counts =
    "cache_study:\n"
    "  none: {cache: false}\n"
    "  two: {ways: 2, allocation: compiler_aided, mapping: interleaved}\n"
    "  mended: {ways: 2, allocation: compiler_aided, mapping: interleaved, behaviour: corrected}\n"
    "trace_info: {trace: bow_wr_hints}\n"
    "traces: [t, u]\n";

const std::string figures =
    "figures:\n"
    "  - id: one_1\n"
    "    paper: One, Fig. 1\n"
    "    title: reads\n"
    "    kind: bars\n"
    "    axis: reads\n"
    "    value: counts.file_reads\n"
    "    against: none\n"
    "    where: counts.instructions > 110\n"
    "    series: {Two: two}\n"
    "    stated:\n"
    "      - {says: on average, of: Two, value: 1}\n"
    "  - id: one_2\n"
    "    paper: One, Fig. 2\n"
    "    title: sources\n"
    "    kind: stacks\n"
    "    axis: share\n"
    "    traces: [x*]\n"
    "    series: {Trace: trace}\n"
    "    parts: {none: counts.sources_0, more: counts.sources_1 + counts.sources_2 + counts.sources_3}\n"
    "    stated:\n"
    "      - {says: none and more, of: Trace, part: [none, more], value: 1}\n";

struct CountDesk : Desk {
  CountDesk() {
    trace("t", sound_lines());
    trace("u", sound_lines() + sound_lines());
    write("x.yaml", counts + figures);
  }
};

double count(const nlohmann::json& results, const std::string& name, const std::string& trace,
             const std::string& key) {
  for (const auto& r : results)
    if (r["platform"] == name && r["trace"] == trace) return r.at("counts").at(key).get<double>();
  FAIL("no run of " << name << " on " << trace);
  return 0;
}

}  // namespace

TEST_CASE("counts: the same numbers as the commands that print them") {
  const CountDesk desk;
  desk.succeed({"run", "x.yaml", "-r", "r"});
  const auto results = desk.json("r/results.json");
  REQUIRE(results.size() == 8);
  desk.succeed({"cache-study", "-t", "t", "--ways", "2", "--allocation", "compiler_aided", "--mapping",
                "interleaved", "--bank-bits", "128", "-j", "s.json"});
  const auto study = desk.json("s.json").at("configurations").at(0);
  for (const auto& [name, behaviour] : {std::pair("two", "compat"), std::pair("mended", "corrected")}) {
    for (const auto& [key, theirs] : {std::pair("file_reads", "mrfR"), std::pair("file_writes", "mrfW"),
                                      std::pair("cache_reads", "rfcR"), std::pair("cache_writes", "rfcW"),
                                      std::pair("read_hits", "rdHit"), std::pair("write_hits", "wrHit"),
                                      std::pair("baseline_reads", "bR"), std::pair("baseline_writes", "bW")})
      CHECK(count(results, name, "t", key) == study.at(behaviour).at(theirs));
    double all = 0;
    for (const char* part : {"file_read_pj", "file_write_pj", "cache_read_pj", "cache_write_pj"})
      all += count(results, name, "t", part);
    CHECK(100 * (1 - all / count(results, name, "t", "baseline_pj")) ==
          Approx(study.at(behaviour).at("energy_reduction_percent").get<double>()).epsilon(1e-4));
  }
  CHECK(count(results, "none", "t", "file_reads") == study.at("compat").at("bR"));
  CHECK(count(results, "none", "t", "cache_reads") == 0);

  desk.succeed({"trace-info", "u", "-j", "i.json"});
  const auto info = desk.json("i.json");
  CHECK(count(results, "trace", "u", "instructions") == info.at("instructions"));
  const auto& distances = info.at("reuse").at("distances");
  CHECK(count(results, "trace", "u", "reuses_1") ==
        distances.at(0).get<double>() + distances.at(1).get<double>());
  CHECK(count(results, "trace", "u", "reuses_far") == distances.at(32));
  double sources = 0, reads = 0;
  for (int n = 0; n < 4; ++n) {
    const double instructions = count(results, "trace", "u", "sources_" + std::to_string(n));
    sources += instructions;
    reads += n * instructions;
  }
  CHECK(sources == info.at("instructions"));
  CHECK(reads == info.at("register_reads"));
  desk.succeed({"annotate", "u", "-p", "bow_wr_hints", "-j", "a.json"});
  const auto writes = desk.json("a.json").at("kernels").at(0).at("write_back").at("writes");
  for (const char* fate : {"banks_only", "window_only", "both"})
    CHECK(count(results, "trace", "u", std::string("results_") + fate) == writes.at(fate));
}

TEST_CASE("counts: are kept, taken again, and known by what decides them") {
  const CountDesk desk;
  const Strings run{"run", "x.yaml", "-r", "r", "--lines"};
  const Outcome first = desk.succeed(run);
  CHECK(lines_of(first.out) == 9);
  CHECK_THAT(first.out, Contains("t                two              101 instructions counted\n"));
  const std::string results = desk.file("r/results.json");
  Strings again = run;
  again.emplace_back("--resume");
  const Outcome second = desk.run(again);
  CHECK_THAT(second.err, Contains("8 of 8 runs are kept from before"));
  CHECK(lines_of(second.out) == lines_of(first.out));
  CHECK(desk.file("r/results.json") == results);
  desk.write("y.yaml", std::string(counts).replace(counts.find("ways: 2"), 7, "ways: 4") + figures);
  again[1] = "y.yaml";
  const Outcome other = desk.run(again);
  CHECK(other.code == 0);
  CHECK_THAT(other.err, Contains("the new results are called two,ways=4 there\n") &&
                            Contains("6 of 8 runs are kept from before"));
  desk.trace("t", sound_lines() + sound_lines() + sound_lines());
  CHECK_THAT(desk.run(again).err, Contains("the new results are called t,2 there\n") &&
                                      Contains("4 of 8 runs are kept from before"));

  desk.succeed({"run", "x.yaml", "-r", "none", "--dry-run", "-j", "d.json"});
  CHECK_FALSE(std::filesystem::exists(desk.path() / "none"));
  REQUIRE(desk.json("d.json").at("runs").size() == 8);
  CHECK(desk.json("d.json").at("runs").at(1).at("run") == "two/t");
  desk.write("only", "two/u\n");
  desk.succeed({"run", "x.yaml", "-r", "one", "--only", "only"});
  CHECK(desk.json("one/results.json").size() == 1);
  // Another trace, and platforms that run, take the place of those in the file.
  desk.succeed({"run", "x.yaml", "-r", "of_u", "-t", "u"});
  CHECK(desk.json("of_u/results.json").size() == 4);
  desk.succeed({"run", "x.yaml", "-r", "p", "-p", "baseline", "-t", "u"});
  CHECK(desk.json("p/results.json").at(0).at("cycles") > 0);
  CHECK_FALSE(desk.json("p/results.json").at(0).contains("counts"));
  desk.write("b.yaml", "platforms: [baseline]\ntrace_info: {trace: baseline}\ntraces: t\n");
  CHECK_THAT(desk.succeed({"run", "b.yaml"}).out, Contains("baseline") && Contains("counted: 1; "));
}

TEST_CASE("counts: figures of some of the traces") {
  const CountDesk desk;
  desk.succeed({"run", "x.yaml", "-r", "all/x"});
  desk.succeed({"figures", "x.yaml", "-r", "all", "-o", "f.html", "-j", "f.json"});
  const std::string page = desk.file("f.html");
  CHECK_THAT(page, Contains("The figure rests on 1 trace of 1 CTA and 202 warp instructions.") &&
                       Contains("<figure id=\"one_1\">") && !Contains("<figure id=\"one_2\">") &&
                       Contains("No trace here is one of this figure's traces."));
  const auto stated = desk.json("f.json");
  const auto results = desk.json("all/x/results.json");
  CHECK(stated[0].at("traces") == 1);
  CHECK(stated[0].at("ours") ==
        Approx(count(results, "two", "u", "file_reads") / count(results, "two", "u", "baseline_reads")));
  CHECK(stated[1].at("traces") == 0);
  CHECK(stated[1].at("ours").is_null());
}

TEST_CASE("counts: what is wrong with them is said with file and line") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto refuse = [&](const std::string& text, const Strings& words, Strings more = {}) {
    desk.write("y.yaml", text + "\ntraces: t\n");
    more.insert(more.begin(), {"run", "y.yaml"});
    desk.refuse(more, words);
  };
  refuse("cache_study: {a: {wayes: 2}}",
         {"y.yaml:1: cache_study.a.wayes: unknown key; did you mean 'ways'?"});
  refuse("cache_study: {a: {ways: 3}}", {"y.yaml:1: cache_study.a: ", "expected"});
  refuse("cache_study: {a: {ways: two}}",
         {"y.yaml:1: cache_study.a.ways: 'two'; expected a whole number from 0 to 4096"});
  refuse("cache_study: {a: {bank_bits: 33}}", {"y.yaml:1: cache_study.a: ", "33"});
  refuse("cache_study:\n  a: {allocation: writes}",
         {"y.yaml:2: cache_study.a.allocation: 'writes'; did you mean 'write'? expected one of read, write"});
  refuse("cache_study: {a: {behaviour: both}}", {"'both'", "expected one of compat, corrected"});
  refuse("cache_study: {}", {"y.yaml:1: cache_study: nothing; expected names"});
  refuse("trace_info: {a: basline}", {"y.yaml:1: trace_info.a: ", "basline"});
  refuse("trace_info: {a: baseline}\nsweep: {seed: [1, 2]}", {"sweep, but no platforms; expected"});
  refuse("trace_info: {a: baseline}\nvary: {b: seed=2}", {"vary, but no platforms; expected"});
  for (const char* more : {"", ", b: bow"})
    refuse("trace_info: {a: baseline" + std::string(more) + "}\nset: [operands.count_rx=true]",
           {"operands.count_rx", "expected"});
  refuse("name: x", {"y.yaml: no platforms; expected a list under 'platforms'"});
  refuse("trace_info: {a/b: baseline}", {"the platform's name is 'a/b'"});
  refuse("trace_info: {a: baseline}\ncache_study: {a: {ways: 2}}", {"a platform named 'a' was given before"});
  for (const Strings& view : {Strings{"--vcd", "w.vcd"}, Strings{"--pipeline", "p.log"}})
    refuse("trace_info: {a: baseline}", {"of parts that are only counted; expected none with"}, view);
  refuse("trace_info: {a: baseline}", {"of parts that are only counted; expected none with"},
         {"--profile", "-r", "r"});
  refuse("trace_info: {a: baseline}\nfixed_traces: yes",
         {"y.yaml:2: fixed_traces: 'yes'; expected one of true, false"});
}

TEST_CASE("a part of a scenario runs the traces of its code alone") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines());
  std::string text = desk.file("u/kernel-1.traceg");
  text.replace(text.find("-binary version = 75"), 20, "-binary version = 80");
  desk.write("u/kernel-1.traceg", text);
  const auto ran = [&](const std::string& code, const Strings& more = {}) {
    desk.write("x.yaml", "traces: [t, u]\nplatforms: [baseline]\nparts:\n  - {code: " + code +
                             "}\n  - {code: {from: 90}}\n");
    Strings arguments{"run", "x.yaml", "--json", "r.json", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    desk.succeed(arguments);
    std::string traces;
    const auto results = desk.json("r.json");
    if (!results.is_array()) return results.at("trace").get<std::string>();
    for (const auto& r : results) traces += r.at("trace").get<std::string>();
    return traces;
  };
  CHECK(ran("{from: 80}") == "u");
  CHECK(ran("{from: 80, to: 80}") == "u");
  CHECK(ran("{to: 79}") == "t");
  CHECK(ran("{from: 75}") == "tu");
  CHECK(ran("{from: 75}", {"-t", "u"}) == "u");
  desk.write("x.yaml", "traces: [t, u]\nplatforms: [baseline]\ncode: {from: 81}\n");
  desk.refuse({"run", "x.yaml"},
              {"x.yaml: no trace has a binary version under 'code'; expected at least one such trace"});
  desk.write("x.yaml", "traces: [t, u]\nplatforms: [baseline]\ncode: {from: 80, to: 79}\n");
  desk.refuse({"run", "x.yaml"}, {"x.yaml:3: code: to 79 is below from 80; expected at least as much"});
}

TEST_CASE("traces that are fixed are not replaced") {
  const CountDesk desk;
  desk.write("f.yaml", "platforms: [baseline]\ntraces: t\nfixed_traces: true\n");
  const Outcome o = desk.run({"run", "f.yaml", "-t", "u", "-r", "r", "--quiet"});
  CHECK(o.code == 0);
  CHECK(o.err == "subcore: note: f.yaml: the scenario fixes its traces, so --trace does not replace them\n");
  CHECK(desk.json("r/results.json").at(0).at("trace") == "t");
}

TEST_CASE("BOW's Table I: bank writes of its snippet") {
  const Desk desk;
  const std::string file = SUBCORE_SOURCE_DIR "/experiments/papers/bow_table1.yaml";
  desk.succeed({"run", file, "-r", "r"});
  const auto results = desk.json("r/results.json");
  REQUIRE(results.size() == 3);
  // The listing has two more results than the table's first column, and a result that is not read (see
  // there).
  for (const auto& [n, writes] : {std::pair(0, 12), std::pair(1, 5), std::pair(2, 3)})
    CHECK(results[n].at("bank_writes") == writes);
}

TEST_CASE("counts: by the platform of the scenario's folder, on its machine or that of --gpu") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("s/mine.yaml", "extends: baseline.yaml\n");
  desk.write("s/x.yaml", "gpu: rtx2060_accelsim\ntrace_info: {a: baseline, b: mine.yaml}\ntraces: ../t\n");
  desk.write("s/two.yaml", "gpu: [rtx2060_accelsim, v100]\ntrace_info: {a: baseline}\ntraces: ../t\n");
  desk.write("s/other.yaml", "gpu: v100\ntrace_info: {a: rtx2060/baseline}\ntraces: ../t\n");
  const auto results = [&](Strings arguments) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"-q", "-j", "r.json"});
    desk.succeed(arguments);
    Strings all;
    for (const auto& r : desk.json("r.json"))
      all.push_back(r["platform"].get<std::string>() + " " + r["machine"].get<std::string>());
    return all;
  };
  CHECK(results({"s/x.yaml"}) == Strings{"a rtx2060_accelsim", "b rtx2060_accelsim"});
  CHECK(results({"s/x.yaml", "--gpu", "v100"}) == Strings{"a v100", "b v100"});
  CHECK(results({"s/two.yaml"}) == Strings{"rtx2060_accelsim/a rtx2060_accelsim", "v100/a v100"});
  desk.refuse({"run", "s/other.yaml"}, {"s/other.yaml: trace_info: a: 'rtx2060/baseline': names a machine"});
}

}  // namespace static_count_test
