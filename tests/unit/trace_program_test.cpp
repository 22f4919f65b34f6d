// The kernels that a path stands for, and the name of the trace.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/unit/config_text.h"

namespace trace_program_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const std::string nop = header() + one_warp("0000 ffffffff 0 EXIT 0 0\n");

// Trace folders below one of their own, which stands for the folder of a machine's traces.
class Traces {
 public:
  explicit Traces(const Names& folders) {
    for (const std::string& f : folders) {
      folder_.write(f + "/kernelslist.g", "kernel-1.traceg\n");
      folder_.write(f + "/kernel-1.traceg", nop);
    }
  }
  fs::path at(const std::string& below) const { return folder_.path() / below; }
  Names names(const Names& given) const {
    std::vector<TracePath> paths;
    for (const std::string& g : given) {
      const std::size_t equals = g.find('=');  // NAME=PATH
      const std::string name = equals == std::string::npos ? "" : g.substr(0, equals);
      paths.push_back({at(name.empty() ? g : g.substr(equals + 1)), name});
    }
    Names all;
    for (const TraceProgram& p : open_traces(paths)) all.push_back(p.name);
    return all;
  }
  std::string error(const Names& given) const {
    return error_of([&] { names(given); });
  }

 private:
  TemporaryFolder folder_;
};

// The numbers in the files' names of the kernels that are kept, and the name of the selection.
std::string kept(const fs::path& folder, const std::string& text) {
  TraceProgram program = open_trace(folder);
  keep_kernels(program, text);
  std::string numbers;
  for (const fs::path& k : program.kernels) numbers += k.stem().string().substr(7);
  return numbers + ' ' + program.selection_name;
}

}  // namespace

TEST_CASE("a kernel list opens as a program", "[trace]") {
  TemporaryFolder folder;
  const std::string& text = nop;
  folder.write("kernel-1.traceg", text);
  folder.write("kernel-2-ctx_0x55.traceg.xz", compressed(text, true));
  folder.write("kernelslist.g",
               "MemcpyHtoD,0x7f00,16\r\nkernel-1.traceg\r\nncclAllReduce\n\nkernel-2-ctx_0x55.traceg.xz\n");
  for (const auto& path : {folder.path(), folder.path() / "kernelslist.g", folder.path() / ""}) {
    const TraceProgram program = open_trace(path);
    CHECK(program.kernels.size() == 2);
    CHECK(program.kernels[1].filename() == "kernel-2-ctx_0x55.traceg.xz");
    CHECK(program.skipped_commands == std::vector<std::string>{"ncclAllReduce"});
    CHECK(program.name == folder.path().filename());
  }
  const TraceProgram alone = open_trace(folder.path() / "kernel-1.traceg");
  CHECK(alone.kernels == std::vector<fs::path>{folder.path() / "kernel-1.traceg"});
  CHECK(alone.name == folder.path().filename());
}

TEST_CASE("a kernel's file has no NUL in its name", "[trace]") {
  TemporaryFolder folder;
  folder.write("kernel-1.traceg", nop);
  folder.write("kernelslist.g", std::string("kernel-1.traceg\0.xz\n", 20));
  CHECK_THAT(error_of([&] { open_trace(folder.path()); }),
             Contains("kernelslist.g:1: trace file 'kernel-1.traceg?.xz' has a NUL in its name; expected a "
                      "file in the list's folder"));
}

TEST_CASE("kernels of a program are kept by their places", "[trace]") {
  TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  for (const char* file : {"kernel-1.traceg", "kernel-2.traceg", "kernel-3.traceg"}) folder.write(file, nop);
  const auto places = [&](const std::string& text) { return kept(folder.path(), text); };
  CHECK(places("2") == "2 kernel=2");
  CHECK(places("1:2") == "12 kernels=1-2");
  CHECK(places("2:3") == "23 kernels=2-3");
  CHECK(places("2:") == "23 kernels=2-3");
  CHECK(places("3:3") == "3 kernels=3-3");
  for (const char* wrong : {"0:1", "3:2", "1:4", "4:"})
    CHECK_THAT(error_of([&] { places(wrong); }),
               Contains(std::string("no kernels ") + wrong + "; expected FIRST:LAST of 1 to 3"));
}

TEST_CASE("kernels of a program are kept by a pattern of their names", "[trace]") {
  TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  const Names names{"gemm_nn", "scale/2", "gemm_tn"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string text = nop;
    const std::string name = "-kernel name = ";
    folder.write("kernel-" + std::to_string(k + 1) + ".traceg",
                 text.replace(text.find(name), name.size() + 1, name + names[k]));
  }
  const auto named = [&](const std::string& text) { return kept(folder.path(), text); };
  CHECK(named("gemm_tn") == "3 kernels=gemm_tn");
  CHECK(named("gemm_?n") == "13 kernels=gemm_?n");
  CHECK(named("*n") == "13 kernels=*n");
  // A name is no path: '*' also stands for '/'. The selection's name is a part of paths.
  CHECK(named("scale*") == "2 kernels=scale*");
  CHECK(named("*/2") == "2 kernels=*_2");
  CHECK_THAT(
      error_of([&] { named("gemm"); }),
      Contains("no kernel has the name 'gemm'; expected a name such as gemm_nn, or a part of one with *"));
}

TEST_CASE("a program that is cut says which kernels and CTAs it keeps", "[trace]") {
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  for (const char* file : {"kernel-1.traceg", "kernel-2.traceg", "kernel-3.traceg"}) folder.write(file, nop);
  const auto kept_by = [&](const std::string& text) {
    TraceProgram program = open_trace(folder.path());
    keep_kernels(program, text);
    return program;
  };
  CHECK(kept_by("3").selection == "kernel 3 of 3");
  CHECK(kept_by("k").selection == "3 of 3 kernels, those called k");
  for (const char* wrong : {"0", "4"})
    CHECK_THAT(error_of([&] { kept_by(wrong); }),
               Contains(std::string("no kernel ") + wrong + "; expected 1 to 3"));
  TraceProgram range = kept_by("2:3"), all = open_trace(folder.path());
  CHECK(range.selection == "kernels 2 to 3 of 3");
  CHECK(all.selection.empty());
  for (TraceProgram* const program : {&range, &all}) keep_ctas(*program, 2, 5);
  CHECK(range.selection == "kernels 2 to 3 of 3, CTAs 2 to 5 of each kernel");
  CHECK(range.selection_name == "kernels=2-3,ctas=2-5");
  CHECK(all.selection == "CTAs 2 to 5 of each kernel");
  CHECK(all.selection_name == "ctas=2-5");
  REQUIRE(range.parts.size() == 2);
  for (const KernelPart& part : range.parts) {
    // Places begin at 0.
    CHECK(part.first == 1);
    CHECK(part.end == 5);
    CHECK(part.tail == KernelPart::none);
    CHECK(part.wave == 0);
  }
}

TEST_CASE("a part of a kernel has its CTAs up to an end, and from its tail on", "[trace]") {
  const KernelPart with_tail{2, 4, 7, 0}, without{2, 4, KernelPart::none, 0};
  const std::vector<std::uint64_t> following{2, 2, 2, 3, 7, 7, 7, 7, 8};  // of places 0 to 8
  for (std::uint64_t n = 0; n < following.size(); ++n) {
    CAPTURE(n);
    CHECK(with_tail.next(n) == following[n]);
    CHECK(without.next(n) == (n < 4 ? following[n] : KernelPart::none));
  }
  CHECK(KernelPart{}.is_whole());
  CHECK(KernelPart{0, 4, 4, 0}.is_whole());
  CHECK(KernelPart{0, 4, 3, 0}.is_whole());
  CHECK_FALSE(KernelPart{0, 4, 5, 0}.is_whole());
  CHECK_FALSE(KernelPart{0, 4, KernelPart::none, 0}.is_whole());
  CHECK_FALSE(KernelPart{1, KernelPart::none, KernelPart::none, 0}.is_whole());
}

TEST_CASE("a program's binary version is that of its first kernel, if that can be read", "[trace]") {
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  const fs::path kernel = folder.write("kernel-1.traceg", nop);
  TraceProgram program = open_trace(folder.path());
  CHECK(binary_version_of(program) == 75);
  folder.write("kernel-1.traceg", "no header\n");
  CHECK(binary_version_of(program) == 0);
  fs::remove(kernel);
  CHECK(binary_version_of(program) == 0);
  program.kernels.clear();
  CHECK(binary_version_of(program) == 0);
}

TEST_CASE("traces are called by the shortest tails of their folders that differ", "[trace]") {
  const Traces t({"run/bfs/NO_ARGS/traces", "run/nn/NO_ARGS/traces", "run/nn/4_8/traces",
                  "other/nn/4_8/traces", "plain/lud", "plain/traces"});
  CHECK(t.names({"run/bfs/NO_ARGS/traces"}) == Names{"bfs"});
  CHECK(t.names({"run/bfs/NO_ARGS/traces/kernelslist.g"}) == Names{"bfs"});
  CHECK(t.names({"run/bfs/NO_ARGS/traces", "run/nn/NO_ARGS/traces", "run/nn/4_8/traces"}) ==
        Names{"bfs", "nn/NO_ARGS", "nn/4_8"});
  CHECK(t.names({"run/nn/4_8/traces", "plain/lud/kernelslist.g", "other/nn/4_8/traces/"}) ==
        Names{"run/nn/4_8", "lud", "other/nn/4_8"});
  CHECK(t.names({"plain/traces"}) == Names{"plain"});
  CHECK(t.names({"plain/lud/kernel-1.traceg"}) == Names{"lud"});
  // A folder may be directly below the root. Names do not need the folder to be there.
  std::vector<TraceProgram> below_root(1);
  below_root[0].folder = "/no-such-application/traces";
  name_apart(below_root);
  CHECK(below_root[0].name == "no-such-application");
}

TEST_CASE("a folder without a list stands for the traces below it", "[trace]") {
  const Traces t({"run/nn/NO_ARGS/traces", "run/bfs/NO_ARGS/traces", "run/bfs/4_8/traces", "one/a/b"});
  CHECK(t.names({"run"}) == Names{"bfs/4_8", "bfs/NO_ARGS", "nn"});
  CHECK(t.names({"run/bfs", "one"}) == Names{"bfs/4_8", "bfs/NO_ARGS", "b"});
  CHECK(open_trace(t.at("one")).name == "b");
  CHECK_THAT(error_of([&] { open_trace(t.at("run")); }), Contains("run: has 3 traces below it, ") &&
                                                             Contains("run/bfs/4_8/traces/kernelslist.g, ") &&
                                                             Contains("; expected one"));
  CHECK_THAT(t.error({"run", "run/bfs/4_8"}),
             Contains("run/bfs/4_8: this trace was given before; expected each once"));
  CHECK_THAT(t.error({"one/a/b", "one/a/b/kernelslist.g"}), Contains("this trace was given before"));
  CHECK_THAT(t.error({"one/a/b", "one/a/b/kernel-1.traceg"}),
             Contains("another trace is called ") && Contains("; expected traces in folders of their own"));
  fs::create_directories(t.at("empty/folder"));
  CHECK_THAT(t.error({"empty"}),
             Contains("empty: has no kernelslist.g, nor has a folder below it; expected a folder"));
  // A link back up is not followed.
  fs::create_directory_symlink(t.at("one"), t.at("one/a/loop"));
  CHECK(t.names({"one"}) == Names{"b"});
}

TEST_CASE("a trace is called by its application, not by the arguments", "[trace]") {
  for (const char* arguments : {"NO_ARGS", "4_8", "256", "_i_64_dat", "data__graph_txt", "hashed_args_0f3a",
                                "inference_half_35_700_2048_0_0"}) {
    INFO(arguments);
    const Traces t({"bench/app/" + std::string(arguments) + "/traces"});
    CHECK(t.names({"bench"}) == Names{"app"});
  }
  // A program's own folder, in which the tracer has left its traces.
  for (const char* program : {"plain", "vector_add", "2mm", "sgemm_16", "3DConvolution"}) {
    INFO(program);
    const Traces t({"home/" + std::string(program) + "/traces"});
    CHECK(t.names({"home"}) == Names{program});
  }
  // Arguments belong to a folder with that name alone.
  CHECK(Traces({"app/4_8/other"}).names({"app"}) == Names{"other"});
  CHECK(Traces({"app/4_8"}).names({"app"}) == Names{"4_8"});
}

TEST_CASE("a trace has the name that it is given", "[trace]") {
  const Traces t({"run/bfs/NO_ARGS/traces", "run/nn/NO_ARGS/traces", "run/nn/4_8/traces"});
  CHECK(t.names({"mine=run/bfs"}) == Names{"mine"});
  CHECK(t.names({"small=run/nn/4_8/traces", "run/nn/NO_ARGS/traces", "run/bfs"}) ==
        Names{"small", "nn", "bfs"});
  // Other traces make room for the new one.
  CHECK(t.names({"bfs=run/nn/4_8/traces", "run/bfs"}) == Names{"bfs", "bfs/NO_ARGS"});
  CHECK_THAT(
      t.error({"a=run/bfs", "a=run/nn/4_8"}),
      Contains("another trace is called a, too; expected traces in folders of their own, or other names"));
  CHECK_THAT(t.error({"a=run/nn"}), Contains("run/nn: has 2 traces below it"));
  CHECK_THAT(t.error({"a=run/bfs", "run/bfs"}), Contains("this trace was given before"));
}

TEST_CASE("a name stands before a path and '='", "[trace]") {
  const TemporaryFolder folder;
  const auto parts = [](const std::string& text) {
    const TracePath p = trace_path(text);
    return std::pair{p.name, p.path.string()};
  };
  using Pair = std::pair<std::string, std::string>;
  CHECK(parts("a=b/c") == Pair{"a", "b/c"});
  CHECK(parts("a b=c=d") == Pair{"a b", "c=d"});
  CHECK(parts("b/c") == Pair{"", "b/c"});
  CHECK(parts("b/size=4/c") == Pair{"", "b/size=4/c"});
  const std::string there = folder.write("x=y", "").string();
  CHECK(parts(there) == Pair{"", there});
  const std::string expected =
      " cannot be a trace's name; expected a name without '/' and of at most 255 bytes";
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string(256, 'n'), std::string("a\nb"),
        std::string("a\xff"), std::string("\xc0\xaf"), std::string("\xed\xa0\x80")})
    CHECK_THAT(error_of([&] { trace_path(name + "=b"); }), Contains(expected));
  CHECK(trace_path(std::string(255, 'n') + "=b").name.size() == 255);
  CHECK(trace_path("\xe2\x82\xac \xf0\x9f\x98\x80=b").name.size() == 8);
}

}  // namespace trace_program_test
