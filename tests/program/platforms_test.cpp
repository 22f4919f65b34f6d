#include <set>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace platforms_test {

using namespace subcore::test;
using Catch::Contains;
using Json = nlohmann::json;

TEST_CASE("the units of an architecture are printed opcode by opcode") {
  const Desk desk;
  const std::string sm_80 = desk.succeed({"platforms", "units", "sm_80"}).out;
  CHECK_THAT(sm_80, Contains("\nHMMA.16816                      24         8  counted\n") &&
                        Contains("\nothers:half                      4         2  counted\n") &&
                        Contains("\nDMMA                            26        16  window\n"));
  CHECK_THAT(desk.succeed({"platforms", "units", "sm_86"}).out,
             Contains("\nHMMA.16816                      24        32  "));
  desk.refuse({"platforms", "units", "sm_81"}, {"units 'sm_81'; expected an architecture: sm_75, sm_80"});
  desk.refuse({"platforms", "units"}, {"units ''; expected an architecture: sm_75"});
  desk.refuse({"platforms", "bow", "ltrf"}, {"'ltrf'; expected one argument"});
}

TEST_CASE("systems and machines come with what they are, without fragments, on one screen") {
  const Desk desk;
  const std::string out = desk.succeed({"platforms", "--json", "x.json"}).out;
  CHECK_THAT(out, Contains("register systems\n  baseline ") && Contains("\nmachines\n  a100 "));
  CHECK(out.find("units/") == std::string::npos);
  const auto all = desk.json("x.json");
  CHECK(lines_of(desk.succeed({"platforms", "machines"}).out) == all["machines"].size() + 1);
  for (const char* kind : {"systems", "machines"}) {
    for (const auto& p : all[kind]) {
      INFO(p.dump());
      CHECK_FALSE(p["description"].get<std::string>().empty());
      CHECK(std::filesystem::exists(p["file"].get<std::string>()));
    }
    desk.succeed({"platforms", kind, "--json", "one.json"});
    CHECK(desk.json("one.json").size() == 1);
    CHECK(desk.json("one.json")[kind] == all[kind]);
  }
  // The printed part of each description distinguishes its system from the others.
  const std::string systems = desk.succeed({"platforms", "systems"}).out;
  CHECK(lines_of(systems) < 24);
  std::set<std::string> said;
  for (const std::string& line : lines_in(systems.substr(0, systems.find("variants")))) {
    INFO(line);
    CHECK(said.insert(line.substr(std::min<std::size_t>(line.size(), 28))).second);
  }
  for (const auto& p : all["systems"]) {
    INFO(p.dump());
    const std::string name = p["name"];
    CHECK_THAT(systems,
               Contains(" " + name + " ") || Contains(" " + name + ",") || Contains(" " + name + "\n"));
  }
  desk.refuse({"platforms", "gpus"},
              {"'gpus'; expected systems, machines, a register system or no argument"});
}

TEST_CASE("a register system is described with its variants, in full") {
  const Desk desk;
  CHECK(desk.succeed({"platforms", "rfc", "--json", "x.json"}).out ==
        "rfc\n    6-entry register file cache per active warp, 2 active warps, dead bits\n"
        "rfc_monolithic\n    as rfc, 8 active warps under one scheduler\n");
  const auto all = desk.json("x.json");
  CHECK(all.size() == 1);
  REQUIRE(all["systems"].size() == 2);
  CHECK(all["systems"][1]["name"] == "rfc_monolithic");
  CHECK_THAT(desk.succeed({"platforms", "bow_wr"}).out,
             Contains("bow_wr\n") && Contains("bow_wr_half\n") && !Contains("bow_tensor"));
  desk.refuse({"platforms", "rf"}, {"'rf'; expected systems"});
}

TEST_CASE("a register system runs on a machine, by name or by file") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(40));
  desk.write("small.yaml", "extends: gpus/v100.yaml\nmachine: small\ndescription: two SMs\ngpu: {sms: 2}\n");
  const auto result = [&](Strings arguments) {
    arguments.insert(arguments.begin(), {"run", "-t", "t", "-q", "-j", "r.json"});
    desk.succeed(arguments);
    auto results = desk.json("r.json");  // a run that is alone is in no list
    for (auto& r : results)
      if (r.is_object()) r.erase("wall_seconds");
    if (results.is_object()) results.erase("wall_seconds");
    return results.is_array() ? results : Json::array({results});
  };
  const auto named = result({"-p", "v100/bow"}), chosen = result({"-p", "bow", "--gpu", "v100"});
  CHECK(named == chosen);
  CHECK(named[0]["platform"] == "v100/bow");
  CHECK(named[0]["machine"] == "v100");
  CHECK(result({"-p", "bow"})[0]["machine"] == "rtx2060_sm");
  const auto own = result({"-p", "bow", "-p", "malekeh", "--gpu", "small.yaml", "--gpu", "v100"});
  REQUIRE(own.size() == 4);
  CHECK(own[0]["platform"] == "small/bow");
  CHECK(own[1]["platform"] == "small/malekeh");
  CHECK(own[2]["cycles"] == named[0]["cycles"]);
  // A scenario names machines for all of its parts, or for one.
  desk.write("s.yaml",
             "platforms: [bow, baseline]\ngpu: v100\ntraces: t\nparts:\n  - {label: a}\n  - {gpu: "
             "[small.yaml], label: b}\n");
  const auto parts = result({"s.yaml"});
  REQUIRE(parts.size() == 4);
  CHECK(parts[0]["platform"] == "v100/bow,a");
  CHECK(parts[0]["cycles"] == named[0]["cycles"]);
  CHECK(parts[2]["platform"] == "small/bow,b");
  CHECK(result({"s.yaml", "--gpu", "rtx2060_third"})[0]["platform"] == "rtx2060_third/bow,a");
  // A platform that was run can be run again from its own file.
  desk.succeed({"run", "-p", "v100/bow", "-t", "t", "-q", "--results", "r"});
  CHECK(result({"-p", "r/v100/bow/t/platform.yaml"})[0]["cycles"] == named[0]["cycles"]);
}

TEST_CASE("every system runs on a machine of one's own") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(10));
  desk.write("mine.yaml",
             "extends: gpus/rtx2060_third.yaml\nmachine: mine\ngpu: {sms: 2}\nsm: {warp_slots: 48}\n"
             "sub_core: {register_file: {banks: 4}, collector: {count: 3}}\n");
  Strings all{"compare", "-t", "t", "-q", "--gpu", "mine.yaml", "-j", "r.json"};
  desk.succeed({"platforms", "systems", "--json", "s.json"});
  const auto systems = desk.json("s.json")["systems"];
  for (const auto& s : systems) all.insert(all.end(), {"-p", s["name"].get<std::string>()});
  for (const char* set : {"passes.control_bits=synthetic", "passes.reuse_flags=synthetic"})
    all.insert(all.end(), {"--set", set});
  desk.succeed(all);
  const auto results = desk.json("r.json");
  CHECK(results.size() == systems.size());
  for (const auto& r : results) CHECK(r["machine"] == "mine");
}

TEST_CASE("a machine that extends nothing has the warps that it names, with every system") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(2));
  desk.write("bare.yaml", "machine: bare\ngpu: {sms: 2}\nsm: {warp_slots: 64}\n");
  desk.succeed({"platforms", "systems", "--json", "s.json"});
  Strings all{"compare", "-t", "t", "-q", "--gpu", "bare.yaml", "-r", "r"};
  const auto systems = desk.json("s.json")["systems"];
  for (const auto& s : systems) all.insert(all.end(), {"-p", s["name"].get<std::string>()});
  for (const char* set : {"passes.control_bits=synthetic", "passes.reuse_flags=synthetic"})
    all.insert(all.end(), {"--set", set});
  desk.succeed(all);
  for (const auto& s : systems) {
    const std::string name = s["name"], platform = desk.file("r/bare/" + name + "/t/platform.yaml");
    INFO(platform);
    CHECK_THAT(platform, Contains("\nsm:\n  sub_cores: ") && Contains("\n  warp_slots: 64\n"));
    const bool is_one = name.find("monolithic") != std::string::npos;
    CHECK_THAT(platform,
               Contains(is_one ? "\nsub_core:\n  warp_slots: 64\n" : "\nsub_core:\n  warp_slots: 16\n"));
  }
  // A number of a sub-core that is set later makes up the SM's; two of one file have to agree.
  desk.succeed({"run", "-p", "bow", "--gpu", "bare.yaml", "-t", "t", "-q", "-r", "s", "--set",
                "sub_core.warp_slots=4"});
  CHECK_THAT(desk.file("s/bare/bow/t/platform.yaml"),
             Contains("\n  warp_slots: 16\n") && Contains("\nsub_core:\n  warp_slots: 4\n"));
  desk.write("two.yaml", "machine: two\nsm: {warp_slots: 64}\nsub_core: {warp_slots: 8}\n");
  desk.refuse(
      {"run", "-p", "bow", "--gpu", "two.yaml", "-t", "t"},
      {"two.yaml:3: sub_core.warp_slots: 64 warps are not sub_core.warp_slots 8 in each of 4 sub-cores"});
}

TEST_CASE("where machines differ, all that is said of runs names the machine") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(4));
  desk.write("small.yaml", "extends: gpus/v100.yaml\nmachine: small\ngpu: {sms: 2}\n");
  const Strings run{"run", "-p", "bow", "-t", "t", "-q"};
  const auto table = [&](const Strings& more) {
    Strings all = run;
    all.insert(all.end(), more.begin(), more.end());
    return lines_in(desk.succeed(all).out).at(1);
  };
  CHECK_THAT(table({}), !Contains("machine"));
  CHECK_THAT(table({"--gpu", "small.yaml"}), !Contains("machine"));
  CHECK_THAT(table({"--gpu", "small.yaml", "--gpu", "rtx2060_sm", "-r", "r"}), Contains("  machine  "));
  desk.succeed({"report", "r", "-o", "r.html"});
  CHECK_THAT(desk.file("r.html"),
             Contains(">machine<") && Contains("<td>small</td>") && Contains("<td>rtx2060_sm</td>"));
  desk.succeed({"explain", "-p", "small.yaml/bow", "-t", "t", "-q", "-j", "e.json"});
  CHECK(desk.json("e.json")["runs"][0]["machine"] == "small");
}

TEST_CASE("a system that is called as a machine shares no folder with a system on it") {
  const Desk desk;
  for (const char* trace : {"t", "all/t", "all/bow/t"}) {
    desk.write(std::string(trace) + "/kernelslist.g", "kernel-1.traceg\n");
    desk.write(std::string(trace) + "/kernel-1.traceg", busy_kernel(4));
  }
  desk.write("own.yaml", "extends: bow.yaml\nname: v100\n");
  desk.succeed({"run", "-p", "own.yaml", "-t", "all", "-q", "-r", "r"});
  const std::string first = desk.file("r/v100/t/stats.json"), second = desk.file("r/v100/bow/t/stats.json");
  desk.refuse({"run", "-p", "v100/bow", "-t", "t", "-q", "-r", "r"},
              {"v100/bow on t: would have the folder of v100 on bow/t; expected another name"});
  CHECK(desk.file("r/v100/t/stats.json") == first);
  CHECK(desk.file("r/v100/bow/t/stats.json") == second);
}

TEST_CASE("what cannot be combined is refused in one line") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", busy_kernel(4));
  desk.write("mine.yaml", "machine: mine\n");
  desk.write("both.yaml", "extends: [bow.yaml, gpus/v100.yaml]\n");
  desk.write("whole.yaml", "name: whole\nmachine: mine\n");
  desk.write("rules.yaml", "machine: rules\nsub_core: {collector: {kind: ccu}}\n");
  desk.write("old.yaml", "extends: v100_bow.yaml\n");
  desk.write("sub/own.yaml", "extends: bow.yaml\nname: own\n");
  desk.write("names.yaml", "machine: m\nextends: bow.yaml\n");
  desk.write("keyless.yaml", "memory: {hit_latency: 40}\n");
  desk.write("s.yaml", "platforms: v100/bow\ngpu: rtx2060\ntraces: t\n");
  const auto refused = [&](const Strings& arguments, const Strings& texts) {
    Strings all{"run", "-t", "t"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    desk.refuse(all, texts);
  };
  refused({"-p", "v100"}, {"'v100': is a machine; expected a register system", "v100/SYSTEM"});
  refused({"-p", "mine.yaml"}, {"mine.yaml: is a machine; expected a register system", "--gpu"});
  refused({"-p", "bow", "--gpu", "malekeh"}, {"'malekeh': is a register system; expected a machine"});
  refused({"-p", "v100/bow", "--gpu", "rtx2060"}, {"'v100/bow': names a machine, and 'rtx2060' is another"});
  refused({"-p", "bow", "--gpu", "rules.yaml"},
          {"rules.yaml:2: sub_core.collector.kind: is a key of register systems; expected no such key"});
  refused({"-p", "v100/"}, {"'v100/': does not name a register system; expected v100/SYSTEM"});
  refused({"-p", "v100_bow"}, {"'v100_bow': is called 'v100/bow' now"});
  refused({"-p", "rtx2060_malekeh"}, {"is called 'rtx2060_third/malekeh' now"});
  refused({"-p", "rtx2060_nvidia"}, {"is called 'rtx2060_third/nvidia_turing' now"});
  refused({"-p", "old.yaml"},
          {"old.yaml:1: extends: v100_bow.yaml: no such file; its name is 'v100/bow' now"});
  for (const char* platform : {"bow", "v100/bow"})
    refused({"-p", platform, "--set", "machine=foo"},
            {"--set machine=foo: only a machine's file may set its own name"});
  desk.succeed({"run", "-t", "t", "-q", "-p", "v100/bow", "--gpu", "v100"});
  desk.succeed({"run", "-t", "t", "-q", "-p", "mine.yaml/sub/own.yaml"});
  refused({"-p", "v10/bow"}, {"'v10'", "did you mean 'v100'?"});
  refused({"-p", "v100/bw"}, {"'bw'", "did you mean 'bow'?"});
  refused({"-p", "both.yaml"},
          {"both.yaml: extends: ", "v100.yaml: is a machine; expected a register system"});
  refused({"-p", "whole.yaml", "--gpu", "v100"}, {"whole.yaml: is a whole platform", "no key machine"});
  refused({"-p", "bow", "--gpu", "whole.yaml"}, {"whole.yaml: is a register system by its key name"});
  refused({"-p", "bow", "--gpu", "names.yaml"}, {"bow.yaml: is a register system by its key name"});
  refused({"-p", "bow", "--gpu", "keyless.yaml"},
          {"keyless.yaml: is not a machine, because it has no key machine"});
  refused({"-p", "bow", "--set", "sm.warp_slots=30"}, {"30 warps have no equal shares for 4 sub-cores"});
  refused({"-p", "bow", "--set", "hints.rthld=3"}, {"hints is called 'passes' now; expected passes.rthld"});
  desk.refuse({"run", "s.yaml"}, {"s.yaml: platforms: 'v100/bow': names a machine"});
}

}  // namespace platforms_test
