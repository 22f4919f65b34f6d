// Paths that are no trace, and misspelt names: the message names similar ones that exist.
#include <cstdlib>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace near_miss_test {

using namespace subcore::test;
namespace fs = std::filesystem;

namespace {

Strings run_of(const std::string& trace, const Strings& more = {}) {
  Strings arguments{"run", "--platform", "baseline", "--trace", trace};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return everything(arguments);
}

const std::string kernel = header() + one_warp(sound_lines());

}  // namespace

TEST_CASE("a folder above traces where one is wanted names their lists") {
  const Desk desk;
  for (const char* folder : {"all/a", "all/b", "all/c", "all/d"}) desk.trace(folder, sound_lines());
  desk.refuse(
      {"trace-info", "all", "--json", "x.json"},
      {"all: has 4 traces below it, all/a/kernelslist.g, all/b/kernelslist.g, all/c/kernelslist.g and 1 "
       "more; expected one of them"});
  desk.refuse({"annotate", "all", "--json", "x.json"}, {"all/b/kernelslist.g"});
}

TEST_CASE("what is no trace names the lists near it") {
  const Desk desk;
  desk.trace("all/a", sound_lines());
  desk.trace("all/b", sound_lines());
  desk.write("all/readme", "Two traces.\n");
  desk.refuse(run_of("all/readme"), {"all/readme: does not name a trace file; expected a trace folder, a "
                                     "kernelslist.g or a trace file such as "
                                     "all/a/kernelslist.g and all/b/kernelslist.g"});
  desk.write("alone/readme", "Nothing.\n");
  desk.refuse(run_of("alone/readme"), {"alone/readme: does not name a trace file; expected a trace folder"});
}

TEST_CASE("trace files without a list are named") {
  const Desk desk;
  desk.write("t/kernel-1.traceg", kernel);
  desk.refuse(run_of("t"), {"t: holds t/kernel-1.traceg, but no kernelslist.g; expected a list"});
}

TEST_CASE("raw traces want post-processing") {
  const Desk desk;
  desk.write("t/kernel-1.trace", kernel);
  desk.write("t/kernel-2.trace.xz", compressed(kernel, true));
  desk.write("t/kernelslist", "MemcpyHtoD,0x1000,64\nkernel-1.trace\n");
  const std::string step = "that Accel-Sim's post-traces-processing makes";
  desk.refuse(run_of("t"), {"t: holds raw traces, t/kernel-1.trace and t/kernel-2.trace.xz; expected", step});
  desk.refuse(run_of("t/kernelslist"),
              {"t/kernelslist:2: trace file 'kernel-1.trace' is raw; expected", step});
  desk.refuse(run_of("t/kernel-1.trace"), {"t/kernel-1.trace: is raw; expected", step});
  desk.refuse(run_of("t/kernel-2.trace.xz"), {"t/kernel-2.trace.xz: is raw; expected", step});
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.refuse(run_of("t"),
              {"t/kernelslist.g:1: trace file 'kernel-1.traceg' is missing, but 'kernel-1.trace' is "
               "there; expected"});
}

TEST_CASE("a trace file that is there in another form is named") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  for (const char* other : {"kernel-1.traceg.gz", "kernel-1.traceg.xz", "kernel-1.traceg.zst"}) {
    const auto file = desk.write(std::string("t/") + other, "");
    desk.refuse(run_of("t"), {"t/kernelslist.g:1: trace file 'kernel-1.traceg' is missing, but '" +
                              std::string(other) + "' is there; expected"});
    desk.refuse(run_of("t/kernel-1.traceg"),
                {"t/kernel-1.traceg: cannot open, but '" + std::string(other) + "' is there; expected"});
    std::filesystem::remove(file);
  }
  desk.write("t/kernelslist.g", "kernel-1.traceg.xz\n");
  desk.write("t/kernel-1.traceg", kernel);
  desk.refuse(run_of("t"), {"'kernel-1.traceg.xz' is missing, but 'kernel-1.traceg' is there"});
}

TEST_CASE("compression that the name does not say, or twice") {
  const Desk desk;
  const auto refuse = [&](const std::string& name, const std::string& content, const Strings& words) {
    desk.write("t/kernelslist.g", name + "\n");
    const auto file = desk.write("t/" + name, content);
    desk.refuse(run_of("t"), words);
    std::filesystem::remove(file);
  };
  const std::string gz = compressed(kernel, false), xz = compressed(kernel, true);
  const std::string zst = "\x28\xb5\x2f\xfd and more", bz2 = "BZh91AY&SY and more";
  const std::string name = "kernel-1.traceg", place = "t/kernel-1.traceg";
  refuse(
      name, gz,
      {place + ": holds gzip data, but the file's name does not say so; expected a name that ends in .gz"});
  refuse(name, xz,
         {place + ": holds xz data, but the file's name does not say so; expected a name that ends in .xz"});
  refuse(name, zst, {place + ": holds zstd data, but the file's name does not say so; expected text"});
  refuse(name, bz2, {place + ": holds bzip2 data", "; expected text, or text compressed by gzip or xz"});
  refuse(name + ".xz", gz, {place + ".xz: holds gzip data", "; expected a name that ends in .gz"});
  refuse(name + ".gz", xz, {place + ".gz: holds xz data", "; expected a name that ends in .xz"});
  refuse(name + ".zst", zst,
         {place + ".zst: is compressed by zstd, which subcore does not read; expected text"});
  refuse(name + ".bz2", kernel,
         {place + ".bz2: is compressed by bzip2, which subcore does not read; expected"});
  refuse(name + ".xz", compressed(gz, true),
         {place + ".xz: is compressed twice, by gzip and then by xz; expected once"});
  refuse(name + ".gz", compressed(zst, false), {"compressed twice, by zstd and then by gzip; expected once"});
  refuse(name + ".gz", compressed(gz, false), {"compressed twice, by gzip and then by gzip"});
  refuse(name + ".xz", compressed(xz, true), {"compressed twice, by xz and then by xz"});
}

TEST_CASE("a CTA that no SM can hold names the keys to raise") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  const auto refuse = [&](const std::string& shared, const Strings& set, const std::string& keys) {
    std::string head = header("3", "(1,1,1)", "(1024,1,1)");
    head.replace(head.find("shmem = 0"), 9, "shmem = " + shared);
    desk.write("t/kernel-1.traceg", head + one_warp("0000 ffffffff 0 EXIT 0 0 \n"));
    desk.refuse(run_of("t", set), {"t/kernel-1.traceg: a CTA of kernel k needs 32 warps",
                                   "; expected at most", ", or more by raising " + keys + "\n"});
  };
  refuse("0", {"--set", "sub_core.warp_slots=4"}, "sub_core.warp_slots");
  refuse("0", {"--set", "sm.registers=8192"}, "sm.registers");
  refuse("70000", {}, "sm.shared_memory_kilobytes");
  refuse("70000", {"--set", "sm.registers=8192"}, "sm.registers and sm.shared_memory_kilobytes");
}

TEST_CASE("files and folders that are misspelt") {
  const Desk desk;
  desk.trace("kernels/hotspot/traces", sound_lines());
  desk.write("compare_all.yaml", "platforms: [baseline]\ntraces: [kernels/hotspot/traces]\n");
  desk.write("my_variant.yaml", "extends: baseline.yaml\n");
  desk.refuse(run_of("kernels/hotpsot/traces"), {"kernels/hotpsot/traces: cannot open; did you mean "
                                                 "'kernels/hotspot/traces'? expected a trace folder"});
  desk.refuse(run_of("kernals"), {"did you mean 'kernels'?"});
  desk.refuse({"trace-info", "kernels/hotspot/trace"}, {"did you mean 'kernels/hotspot/traces'?"});
  desk.refuse({"run", "comapre_all.yaml"},
              {"comapre_all.yaml: no such file; did you mean 'compare_all.yaml'? expected the YAML file"});
  const auto platform = [](const std::string& name) { return Strings{"run", "-p", name, "-t", "kernels"}; };
  desk.refuse(platform("my_varaint.yaml"), {"did you mean 'my_variant.yaml'?"});
  desk.refuse(platform("malekhe.yaml"), {"did you mean 'malekeh'?"});
  desk.refuse(platform("units/tuirng"), {"did you mean 'units/turing'?"});
  desk.write("second.yaml", "extends: my_varient.yaml\n");
  desk.refuse(platform("second.yaml"), {"second.yaml:1: extends: my_varient.yaml: no such file; did you mean "
                                        "'my_variant.yaml'? expected a file beside"});
  desk.write("second.yaml", "extends: [baseline.yaml, units/turin.yaml]\n");
  desk.refuse(platform("second.yaml"), {"did you mean 'units/turing'?"});
  desk.refuse({"report", "kernelz"}, {"kernelz: is not there; did you mean 'kernels'? expected a folder of"});
  desk.refuse({"explain", "kernelz"}, {"did you mean 'kernels'? expected a results folder"});
  desk.refuse(run_of("kernels", {"--finished", "kernelz"}), {"did you mean 'kernels'? expected a folder of"});
}

TEST_CASE("words that are misspelt") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nresult: r\n");
  desk.refuse({"run", "s.yaml"},
              {"s.yaml:3: result: unknown key; did you mean 'results'? expected one of name"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nvcd: {flie: w.vcd}\n");
  desk.refuse({"run", "s.yaml"},
              {"s.yaml:3: vcd.flie: unknown key; did you mean 'file'? expected one of file"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", "w.vcd", "--vcd-on", "flsuh"},
              {"'flsuh': no such event; did you mean 'flush'? expected"});
  desk.refuse(run_of("t", {"--set", "sub_core.scheduler.priority=gtoo"}), {"did you mean 'gto'?"});
  desk.refuse({"trace-inof", "t"}, {"did you mean 'trace-info'?"});
  desk.refuse({"cache-study", "-t", "t", "--behaviour", "compt"},
              {"'compt' for --behaviour; did you mean 'compat'? expected compat, corrected or both"});
  desk.refuse({"cache-study", "-t", "t", "--allocation", "wrte"},
              {"'wrte' for --allocation; did you mean 'write'? expected read, write"});
  desk.refuse({"run", "--platfrom", "baseline"}, {"did you mean '--platform'?"});
}

TEST_CASE("a file in another file's place is told by what it is") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("p.yaml", "extends: baseline\nname: mine\nseed: 2\n");
  desk.write("s.yaml", "platforms: baseline\ntraces: t\n");
  desk.refuse({"run", "baseline"}, {"baseline: no such file;",
                                    "expected the YAML file of a scenario (--platform names platforms)"});
  desk.refuse({"run", "-p", "baseline", "-t", "p.yaml"},
              {"p.yaml: does not name a trace file, but its keys are those of a platform", "--platform"});
  desk.refuse({"report", "s.yaml"},
              {"s.yaml: is not JSON, but its keys are those of a scenario", "subcore run SCENARIO.yaml"});
}

TEST_CASE("a map without keys, a blank in a list, a mark before a text") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("s.yaml", "platforms: baseline\ntraces: t\nsweep: {}\n");
  desk.refuse({"run", "s.yaml"}, {"s.yaml:3: sweep: is an empty map; expected a map of keys"});
  desk.write("p.yaml", "extends: baseline\nsub_core: {}\n");
  desk.refuse({"run", "-p", "p.yaml", "-t", "t"}, {"p.yaml:2: sub_core: is an empty map; expected a map of"});
  desk.succeed({"cache-study", "-t", "t", "--allocation", "write, read"});
  desk.succeed(
      {"run", "-p", "baseline", "-t", "t", "--vcd", "w.vcd", "--vcd-on", "sthld, stall>2", "--quiet"});
  for (const char* file : {"t/kernelslist.g", "t/kernel-1.traceg"}) {
    desk.write(file, "\xef\xbb\xbf" + desk.file(file));
    desk.succeed({"run", "-p", "baseline", "-t", "t", "--quiet"});
  }
}

TEST_CASE("what is in the place of a trace's file is told") {
  const Desk desk;
  desk.trace("t", sound_lines());
  fs::remove(desk.path() / "t/kernel-1.traceg");
  fs::create_directory(desk.path() / "t/kernel-1.traceg");
  const Strings run{"run", "-p", "baseline", "-t", "t"};
  desk.refuse(run, {"t/kernelslist.g:1: trace file 'kernel-1.traceg' is a folder; expected"});
  fs::remove(desk.path() / "t/kernel-1.traceg");
  fs::create_symlink("nowhere", desk.path() / "t/kernel-1.traceg");
  desk.refuse(run, {"trace file 'kernel-1.traceg' is a link to a missing file; expected"});
  fs::remove(desk.path() / "t/kernelslist.g");
  fs::create_directory(desk.path() / "t/kernelslist.g");
  desk.refuse(run, {"t/kernelslist.g: is a folder; expected a list of the files to run"});
}

TEST_CASE("an output folder in an input's folder, or with a file's name") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet"});
  desk.refuse({"report", "r/results.json", "--figures", "r/figs"},
              {"--figures r/figs: is in r", "expected a folder outside it"});
  desk.refuse({"report", "r", "--figures", "a.pdf"},
              {"--figures a.pdf: would be a folder; expected a name without .pdf"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "-r", "a.png"}, {"--results a.png: would be a folder"});
  desk.refuse({"pack", "t", "-o", "a.pdf"}, {"--output a.pdf: would be a folder"});
}

}  // namespace near_miss_test
