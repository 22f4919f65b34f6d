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
    std::vector<fs::path> paths;
    for (const std::string& g : given) paths.push_back(at(g));
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
  CHECK(open_trace(folder.path() / "kernel-1.traceg").kernels.size() == 1);
}

TEST_CASE("traces are called by the shortest tails of their folders that differ", "[trace]") {
  const Traces t({"run/bfs/NO_ARGS/traces", "run/nn/NO_ARGS/traces", "run/nn/4_8/traces",
                  "other/nn/4_8/traces", "plain/lud", "plain/traces"});
  CHECK(t.names({"run/bfs/NO_ARGS/traces"}) == Names{"NO_ARGS"});
  CHECK(t.names({"run/bfs/NO_ARGS/traces", "run/nn/NO_ARGS/traces", "run/nn/4_8/traces"}) ==
        Names{"bfs/NO_ARGS", "nn/NO_ARGS", "4_8"});
  CHECK(t.names({"run/nn/4_8/traces", "plain/lud/kernelslist.g", "other/nn/4_8/traces/"}) ==
        Names{"run/nn/4_8", "lud", "other/nn/4_8"});
  CHECK(t.names({"plain/traces"}) == Names{"plain"});
  CHECK(t.names({"plain/lud/kernel-1.traceg"}) == Names{"lud"});
}

TEST_CASE("a folder without a list stands for the traces below it", "[trace]") {
  const Traces t({"run/nn/NO_ARGS/traces", "run/bfs/NO_ARGS/traces", "run/bfs/4_8/traces", "one/a/b"});
  CHECK(t.names({"run"}) == Names{"4_8", "bfs/NO_ARGS", "nn/NO_ARGS"});
  CHECK(t.names({"run/bfs", "one"}) == Names{"4_8", "NO_ARGS", "b"});
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

}  // namespace trace_program_test
