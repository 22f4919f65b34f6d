// Runs of a part of a trace: --sample, and --kernel and --ctas.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace sample_test {

using namespace subcore::test;
using Catch::Contains;
using nlohmann::json;

namespace {

// A kernel of so many CTAs, each a warp with so many additions between a load and a store.
std::string kernel(unsigned ctas, unsigned additions, const std::string& name = "k") {
  std::string text = header("3", "(" + std::to_string(ctas) + ",1,1)");
  const std::string before = "-kernel name = ";
  const std::size_t at = text.find(before) + before.size();
  text.replace(at, text.find('\n', at) - at, name);
  for (unsigned c = 0; c < ctas; ++c) {
    std::string lines =
        "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f40000" + std::to_string(10000 + 128 * c) + " 4\n";
    for (unsigned i = 0; i < additions; ++i)
      lines += "00" + std::to_string(i % 8 + 1) + "0 ffffffff 1 R" + std::to_string(5 + i % 8) +
               " IADD3 2 R4 R" + std::to_string(5 + (i + 7) % 8) + " 0\n";
    lines += "0100 ffffffff 0 STG.E 2 R2 R5 4 1 0x7f50000" + std::to_string(10000 + 128 * c) + " 4\n";
    lines += "0110 ffffffff 0 EXIT 0 0\n";
    text += "#BEGIN_TB\nthread block = " + std::to_string(c) +
            ",0,0\nwarp = 0\ninsts = " + std::to_string(additions + 3) + "\n" + lines + "#END_TB\n";
  }
  return text;
}

// A trace of launches of these files.
std::string trace(const Desk& desk, const std::string& folder,
                  const std::vector<std::pair<std::string, std::string>>& files, const Strings& launches) {
  for (const auto& [name, text] : files) desk.write(folder + "/" + name, text);
  std::string list;
  for (const std::string& l : launches) list += l + "\n";
  desk.write(folder + "/kernelslist.g", list);
  return folder;
}

std::string long_trace(const Desk& desk) {
  return trace(desk, "t", {{"kernel-1.traceg", kernel(700, 20)}}, {"kernel-1.traceg"});
}

const Strings on_one{"run", "-p", "baseline", "-t", "t", "--json", "r.json"};
const Strings on_two{"compare", "-p", "baseline", "-p", "bow", "-t", "t", "--json", "r.json"};

double number(const json& value) {
  return value.get<double>();
}

}  // namespace

TEST_CASE("a sample simulates a part, and estimates the whole") {
  const Desk desk;
  long_trace(desk);
  desk.succeed(on_one);
  const json whole = desk.json("r.json");
  const std::string text = desk.succeed(with(on_one, {"--sample", "waves=6"})).out;
  const json run = desk.json("r.json"), sample = run["sample"];
  CHECK_FALSE(whole.contains("sample"));
  CHECK(sample["waves"] == 6);
  CHECK(sample["instructions"] == 700 * 23);
  CHECK(number(sample["instructions_left_out"]) + number(run["instructions_retired"]) == 700 * 23);
  CHECK(number(sample["ctas_left_out"]) + number(run["ctas"]) == 700);
  CHECK(sample["kernels_left_out"] == 0);
  CHECK(number(sample["fraction"]) == Approx(number(run["instructions_retired"]) / (700 * 23)));
  CHECK(number(sample["fraction"]) < 0.5);
  CHECK(number(run["cycles"]) < 0.6 * number(whole["cycles"]));
  // Six waves. The first is not measured, and each begins when the wave before has been sent.
  REQUIRE(sample["kernels"].size() == 1);
  CHECK(sample["kernels"][0]["waves"].size() == 4);
  CHECK(sample["kernels"][0]["simulated"]["cycles"] == run["cycles"]);
  CHECK(sample["kernels"][0]["simulated"]["cache_read_hits"] == run["cache_read_hits"]);
  CHECK(number(sample["cycles"]) == Approx(number(whole["cycles"])).epsilon(0.02));
  CHECK(number(sample["energy_pj"]) == Approx(number(whole["energy_pj"]["total"])).epsilon(0.02));
  CHECK(number(sample["source_operands"]) == Approx(number(whole["source_operands"])));
  CHECK(number(run["ipc"]) == Approx(number(whole["ipc"])).epsilon(0.02));
  CHECK(number(run["waves"]) == Approx(number(whole["waves"])));
  CHECK_THAT(text, Contains("sampled: the share of warp instructions that was simulated"));
  CHECK_THAT(text, Contains("only 1 of 1 launches, "));
  // The same inputs give the same bytes, and kept runs are taken.
  const auto kept = [&] {
    json again = desk.json("r.json");
    again.erase("wall_seconds");
    return again;
  };
  const json first = kept();
  desk.succeed(with(on_one, {"--sample", "waves=6", "-r", "results"}));
  CHECK(kept() == first);
  const Outcome resumed = desk.run(with(on_one, {"--sample", "waves=6", "-r", "results", "--resume"}));
  CHECK_THAT(resumed.err, Contains("1 of 1 runs is kept from before"));
  CHECK(kept() == first);
  CHECK_THAT(desk.succeed({"run", "-p", "baseline", "-t", "t", "--sample", "waves=6", "--dry-run"}).out,
             Contains(" " + std::to_string(first["instructions_retired"].get<int>()) + " "));
  // Another sample is another trace there.
  CHECK_THAT(desk.run(with(on_one, {"--sample", "waves=7", "-r", "results"})).err, Contains("t,sample=7"));
}

TEST_CASE("a sample takes the same CTAs on all platforms, and ratios have intervals") {
  const Desk desk;
  long_trace(desk);
  desk.succeed(on_two);
  const json whole = desk.json("r.json");
  const std::string text = desk.succeed(with(on_two, {"--sample", "waves=6"})).out;
  const json runs = desk.json("r.json");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["ctas"] == runs[1]["ctas"]);
  CHECK(runs[0]["sample"]["ctas_left_out"] == runs[1]["sample"]["ctas_left_out"]);
  CHECK_FALSE(runs[0].contains("sample_intervals"));
  const json& intervals = runs[1]["sample_intervals"];
  for (const std::string name : {"ipc_normalised", "energy_normalised"}) {
    const double ratio = number(runs[1][name]), low = number(intervals[name + "_low"]),
                 high = number(intervals[name + "_high"]);
    CHECK(low <= 0.98 * ratio + 1e-9);
    CHECK(high >= 1.02 * ratio - 1e-9);
    CHECK(low <= number(whole[1][name]));
    CHECK(number(whole[1][name]) <= high);
  }
  for (const auto& [preset, ratio] : runs[1]["energy_by_preset_normalised"].items())
    CHECK(number(intervals["energy_" + preset + "_low"]) < number(ratio));
  CHECK_THAT(text, Contains("with 95 % intervals of ratios"));
  // A platform that adapts has to settle, for which this kernel is too short: all is simulated, on all
  // platforms.
  desk.succeed(with(on_two, {"--sample", "waves=6", "-p", "malekeh"}));
  for (const json& run : desk.json("r.json")) {
    CHECK(run["ctas"] == 700);
    CHECK(run["sample"]["fraction"] == 1);
  }
}

TEST_CASE("of a sample one launch stands for others, and cycles of unequal ones are not stated") {
  const Desk desk;
  trace(desk, "t",
        {{"kernel-1.traceg", kernel(40, 20)},
         {"kernel-2.traceg", kernel(40, 40)},
         {"kernel-3.traceg", kernel(40, 21)}},
        {"kernel-1.traceg", "kernel-2.traceg", "kernel-1.traceg", "kernel-1.traceg"});
  desk.succeed(on_one);
  const json whole = desk.json("r.json");
  desk.succeed(with(on_one, {"--sample", "waves"}));
  const json run = desk.json("r.json");
  CHECK(run["kernels"] == 2);
  CHECK(run["sample"]["waves"] == 9);
  CHECK(run["sample"]["kernels_left_out"] == 2);
  CHECK(run["sample"]["ctas_left_out"] == 80);
  // The first launch finds cold caches. The other launches would not.
  CHECK(number(run["sample"]["cycles"]) == Approx(number(whole["cycles"])).epsilon(0.2));
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-3.traceg\n");
  CHECK_THAT(
      desk.succeed(with(on_one, {"--sample", "waves", "--wide"})).out,
      Contains("cycles and energy of the whole are not estimated: launches of kernel k have 920 to 960 warp "
               "instructions"));
  const json uneven = desk.json("r.json");
  CHECK_FALSE(uneven["sample"].contains("cycles"));
  CHECK_FALSE(uneven["sample"].contains("energy_pj"));
  CHECK(uneven["sample"]["kernels_left_out"] == 1);
}

TEST_CASE("a sample that cannot be meant") {
  const Desk desk;
  long_trace(desk);
  for (const char* wrong : {"waves=3", "waves=", "wave=9", "9", "waves=1000001"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", "--sample", wrong, "-r", "new"},
                {"--sample", "expected waves, or waves=K with K from 4 to 1000000"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--sample", "waves=x"},
              {"'x' for --sample; expected a whole number"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--sample", "waves", "--ctas", "1:2"},
              {"--sample and --ctas, which both choose CTAs; expected one of them"});
  desk.refuse({"explain", "-p", "baseline", "-t", "t", "--sample", "waves"}, {"--sample", "run and compare"});
}

TEST_CASE("places and names choose kernels, and places CTAs") {
  const Desk desk;
  trace(desk, "t",
        {{"kernel-1.traceg", kernel(3, 1, "first")},
         {"kernel-2.traceg", kernel(3, 2, "second")},
         {"kernel-3.traceg", kernel(3, 3, "third")}},
        {"kernel-1.traceg", "kernel-2.traceg", "kernel-3.traceg", "kernel-2.traceg"});
  const auto names = [&](const Strings& more) {
    desk.succeed(with(on_one, more));
    std::string all;
    const json run = desk.json("r.json");
    for (const json& k : run["per_kernel"]) all += k["name"].get<std::string>() + " ";
    return all;
  };
  CHECK(names({"--kernel", "2:3"}) == "second third ");
  CHECK(desk.json("r.json")["notes"] == json{"only kernels 2 to 3 of 4"});
  CHECK(names({"--kernel", "3:"}) == "third second ");
  CHECK(names({"--kernel", "se*"}) == "second second ");
  CHECK(desk.json("r.json")["notes"] == json{"only 2 of 4 kernels, those called se*"});
  CHECK(names({"--kernel", "2:3", "--ctas", "2:3"}) == "second third ");
  CHECK(desk.json("r.json")["ctas"] == 4);
  CHECK(desk.json("r.json")["instructions_retired"] == 2 * 5 + 2 * 6);
  CHECK(names({"--ctas", "3:"}) == "first second third second ");
  CHECK(desk.json("r.json")["ctas"] == 4);
  CHECK(names({"--ctas", "1"}) == "first second third second ");
  CHECK(desk.json("r.json")["ctas"] == 4);
  const auto refuse = [&](const char* option, const char* text, const Strings& words) {
    desk.refuse({"run", "-p", "baseline", "-t", "t", option, text, "-r", "new"}, words);
  };
  refuse("--kernel", "3:2", {"t: no kernels 3:2; expected FIRST:LAST of 1 to 4"});
  refuse("--kernel", "0:2", {"t: no kernels 0:2; expected FIRST:LAST of 1 to 4"});
  refuse("--kernel", "2:5", {"t: no kernels 2:5; expected FIRST:LAST of 1 to 4"});
  refuse("--kernel", "fourth", {"t: no kernel has the name 'fourth'; expected a name such as first"});
  refuse("--ctas", "0:1",
         {"--ctas 0:1; expected FIRST:LAST, places in each kernel's trace (the first is 1)"});
  refuse(
      "--ctas", "4",
      {"kernel first has no CTA at place 4, from which on the kernel is to run; expected a smaller place"});
  refuse("--ctas", "x", {"'x' for --ctas; expected a whole number"});
}

TEST_CASE("option --pieces cuts traces between kernels, and what is finished of them is kept") {
  const Desk desk;
  trace(desk, "t", {{"kernel-1.traceg", kernel(3, 1, "first")}, {"kernel-2.traceg", kernel(3, 2, "second")}},
        {"kernel-1.traceg", "kernel-2.traceg", "kernel-2.traceg", "kernel-1.traceg", "kernel-2.traceg"});
  const Strings pieces = with(on_one, {"--pieces", "2", "-r", "results"});
  CHECK_THAT(desk.succeed(pieces).out, Contains("t,kernels=1-2") && Contains("t,kernels=3-5"));
  const json runs = desk.json("r.json");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0]["kernels"] == 2);
  CHECK(runs[1]["kernels"] == 3);
  CHECK(runs[1]["notes"] == json{"only kernels 3 to 5 of 5"});
  CHECK_THAT(desk.run(with(pieces, {"--resume"})).err, Contains("2 of 2 runs are kept from before"));
  // A piece that fails keeps no other one from being kept.
  desk.write("t/kernel-3.traceg", kernel(3, 2, "third") + "nonsense\n");
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\nkernel-1.traceg\n");
  const Strings again = with(on_one, {"--pieces", "2", "-r", "others", "-k"});
  CHECK(desk.run(again).code == 1);
  desk.write("t/kernel-3.traceg", kernel(3, 2, "third"));
  CHECK_THAT(desk.run(with(again, {"--resume"})).err, Contains("1 of 2 runs is kept from before"));
  // More pieces than kernels are one of each.
  desk.succeed(with(on_one, {"--pieces", "9", "--kernel", "2:4"}));
  CHECK(desk.json("r.json").size() == 3);
  CHECK(desk.json("r.json")[2]["notes"] == json{"only kernels 2 to 4 of 4, of these kernels 3 to 3 of 3"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--pieces", "0"}, {"--pieces 0; expected"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--pieces", "2", "--sample", "waves"},
              {"--sample and --pieces", "expected one of them"});
}

}  // namespace sample_test
