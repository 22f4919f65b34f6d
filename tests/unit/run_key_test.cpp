// Run keys have all that decides the files of a run, and nothing else.
#include "subcore/program/runs/run_key.h"

#include <set>

#include <catch2/catch.hpp>

#include "subcore/platforms/config/reader.h"
#include "tests/unit/trace_files.h"

namespace run_key_test {

using namespace subcore;
using namespace subcore::test;
namespace fs = std::filesystem;

TEST_CASE("a hash tells pieces, their order and their borders apart") {
  const auto text = [](std::initializer_list<const char*> pieces) {
    Hash hash;
    for (const char* p : pieces) hash.add(p);
    return hash.text();
  };
  CHECK(text({"a", "b"}) == text({"a", "b"}));
  const std::set<std::string> all{text({}),         text({""}),       text({"ab"}),
                                  text({"a", "b"}), text({"b", "a"}), text({"a", "b", ""})};
  CHECK(all.size() == 6);
}

TEST_CASE("a hash of a file is of its content, however long") {
  const TemporaryFolder folder;
  std::string content(3 << 20, 'x');
  const auto hash_of = [&](const char* name) { return Hash().add_file(folder.write(name, content)).text(); };
  const std::string first = hash_of("a");
  CHECK(hash_of("b") == first);
  std::set<std::string> all{first, Hash().add_file(folder.write("c", "")).text()};
  for (const std::size_t at : {std::size_t{0}, std::size_t{1} << 20, content.size() - 1}) {
    content[at] = 'y';
    all.insert(hash_of("d"));
  }
  content += 'x';
  all.insert(hash_of("e"));
  CHECK(all.size() == 6);
  const fs::path half = folder.write("f", std::string(1 << 20, 'x')),
                 both = folder.write("g", std::string(2 << 20, 'x'));
  CHECK(Hash().add_file(half).add_file(half).text() != Hash().add_file(both).text());
  CHECK_THROWS_WITH(Hash().add_file(folder.path() / "nowhere"),
                    Catch::Contains("cannot read ") && Catch::Contains("nowhere: No such file"));
  CHECK_THROWS_WITH(Hash().add_file(folder.path()), Catch::Contains("Is a directory"));
}

TEST_CASE("every parameter that a platform reads is in its hash") {
  const fs::path file = fs::path(SUBCORE_SOURCE_DIR) / "platforms/malekeh.yaml";
  std::set<std::string> all{PlatformHashes().of(load_platform(file))};
  const std::vector<std::string> changes{"name=other",
                                         "seed=2",
                                         "sub_core.collector.entries=12",
                                         "sm.cta_slots=3",
                                         "checks.watchdog_seconds=7",
                                         "energy.preset=bow_table4",
                                         "energy.crossbar_factor=2",
                                         "memory.hit_latency=77",
                                         "tick_order=reverse"};
  for (const std::string& c : changes) {
    INFO(c);
    CHECK(all.insert(PlatformHashes().of(load_platform(file, {c}))).second);
  }
  CHECK(all.count(PlatformHashes().of(load_platform(file, {"seed=1"}))) == 1);  // the seed is 1 anyway
}

TEST_CASE("a trace's hash is of what is read of it") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& trace, const std::string& content) {
    folder.write(trace + "/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
    folder.write(trace + "/kernel-1.traceg", content);
    folder.write(trace + "/kernel-2.traceg", "two");
    return open_trace(folder.path() / trace);
  };
  const std::string first = trace_hash(write("a", "one"));
  CHECK(trace_hash(write("b", "one")) == first);
  std::set<std::string> all{first, trace_hash(write("b", "on"))};
  const TraceProgram two = write("c", "one");
  for (const std::uint64_t kernel : {1, 2}) {
    TraceProgram one = two;
    keep_kernel(one, kernel);
    all.insert(trace_hash(one));
  }
  folder.write("c/kernelslist.g", "kernel-2.traceg\nkernel-1.traceg\n");
  all.insert(trace_hash(open_trace(folder.path() / "c")));
  for (const char* command : {"some_command", "other_command"}) {
    folder.write("c/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n" + std::string(command) + "\n");
    all.insert(trace_hash(open_trace(folder.path() / "c")));
  }
  folder.write("c/kernelslist.g", "kernel-1.traceg\n");  // the only kernel of a list, not one of two
  all.insert(trace_hash(open_trace(folder.path() / "c")));
  folder.write("c/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  CHECK(trace_hash(open_trace(folder.path() / "c")) == first);
  folder.write("c/kernel-2.sass", "side");
  all.insert(trace_hash(open_trace(folder.path() / "c")));
  folder.write("c/kernel-2.sass", "sides");
  all.insert(trace_hash(open_trace(folder.path() / "c")));
  CHECK(all.size() == 10);
}

TEST_CASE("a program is the same as long as it runs") {
  CHECK(program_hash() == program_hash());
  CHECK(program_hash() != Hash().text());
}

}  // namespace run_key_test
