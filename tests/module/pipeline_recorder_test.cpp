// The records of instructions that a PipelineRecorder collects, as cycle tables.
#include "subcore/observers/pipeline_recorder.h"

#include <catch2/catch.hpp>

#include "subcore/observers/packed_file.h"
#include "subcore/observers/text.h"
#include "tests/module/bench.h"
#include "tests/unit/trace_files.h"

namespace pipeline_recorder_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Rows "cycle: w.i what", with w and i as in a Bench; an operand as its register.
class RecordLog : public PipelineReader {
 public:
  Rows rows;
  std::vector<std::vector<std::uint64_t>> producers;  // by id, where there are any
  bool over = false;

  void begins(const InstructionRecord& l, Cycle at) override {
    add(l, at, std::string("begins ") + stages[static_cast<unsigned>(l.stage)]);
    CHECK(l.id == producers.size());
    producers.emplace_back();
    for (unsigned s = 0; s < l.sources.size(); ++s)
      if (l.producers[s] != InstructionRecord::none) producers.back().push_back(l.producers[s]);
  }
  void enters(const InstructionRecord& l, Cycle at) override {
    std::string stage = stages[static_cast<unsigned>(l.stage)];
    if (l.stage == PipelineStage::wait && !l.cause.empty()) stage.append(1, ' ').append(l.cause);
    if (l.stage == PipelineStage::collect) stage += ' ' + std::to_string(l.collector);
    add(l, at, stage);
  }
  void moves(const InstructionRecord& l, unsigned source, Whereabouts, Cycle at) override {
    const Whereabouts where = l.whereabouts[source];
    std::string text =
        'R' + std::to_string(l.sources[source].reg) + ' ' + places[static_cast<unsigned>(where)];
    if (where == Whereabouts::bank || where == Whereabouts::read)
      text += ' ' + std::to_string(l.bank[source]);
    add(l, at, text);
  }
  void retires(const InstructionRecord& l, Cycle at) override { add(l, at, "retires"); }
  void ends() override { over = true; }

 private:
  static constexpr const char* stages[] = {"fetch", "wait",    "issue",     "collect",
                                           "ready", "execute", "write_back"};
  static constexpr const char* places[] = {"here", "bank", "port", "read", "cache"};
  void add(const InstructionRecord& l, Cycle at, const std::string& what) {
    CHECK((rows.empty() || at >= last_));
    last_ = at;
    rows.push_back(std::to_string(at) + ": " + std::to_string(l.warp_uid) + '.' + std::to_string(l.sequence) +
                   ' ' + what);
  }
  Cycle last_ = 0;
};

Rows of(const RecordLog& log, const std::string& instruction) {
  Rows rows;
  for (const std::string& r : log.rows)
    if (r.find(": " + instruction + ' ') != std::string::npos) rows.push_back(r);
  return rows;
}

}  // namespace

TEST_CASE("a record from fetch to retirement: operands wait for a bank, and for port S") {
  // R2 and R4 lie in bank 0, R3 in bank 1. Port S takes one operand a cycle: the older request first.
  Program program;
  program.add({{alu({1}, {2, 3, 4})}});
  const PlatformParameters p = baseline();
  REQUIRE(p.sub_core.register_file.collector_port_limit == 1);
  Bench bench("bench", p, program);
  RecordLog log;
  PipelineRecorder recorder(log, {});
  CHECK(recorder.watch(bench.sm, p) == 1);
  run_cycles(100);
  recorder.close(bench.conductor.now());
  CHECK(log.over);
  CHECK(log.rows == Rows{"2: 1.0 begins fetch", "3: 1.0 issue", "4: 1.0 collect 0", "4: 1.0 R2 read 0",
                         "4: 1.0 R4 bank 0", "4: 1.0 R3 port", "5: 1.0 R2 here", "5: 1.0 R3 read 1",
                         "5: 1.0 R4 port", "6: 1.0 R3 here", "6: 1.0 R4 read 0", "7: 1.0 R4 here",
                         "7: 1.0 ready", "8: 1.0 execute", "12: 1.0 write_back", "13: 1.0 retires"});
}

TEST_CASE("a record whose operand comes from the operand cache, and who wrote its operands") {
  // The result of the first instruction is in the cache when the second one asks for it. R9 is in its bank,
  // 1.
  Program program;
  program.add({{alu({1}, {}), alu({2}, {1, 9}), alu({1}, {1}), alu({}, {2, 1})}});
  const PlatformParameters p = rfc();
  Bench bench("bench", p, program);
  RecordLog log;
  PipelineRecorder recorder(log, {});
  recorder.watch(bench.sm, p);
  run_cycles(200);
  recorder.close(bench.conductor.now());
  CHECK(bench.finished());
  CHECK(of(log, "1.1") == Rows{"3: 1.1 begins fetch", "4: 1.1 wait", "6: 1.1 wait raw_short", "12: 1.1 issue",
                               "13: 1.1 collect 1", "13: 1.1 R1 cache", "13: 1.1 R9 read 1",
                               "14: 1.1 R1 here", "14: 1.1 R9 here", "14: 1.1 ready", "15: 1.1 execute",
                               "19: 1.1 write_back", "20: 1.1 retires"});
  using Ids = std::vector<std::uint64_t>;
  CHECK(log.producers == std::vector<Ids>{{}, {0}, {0}, {1, 2}});
}

TEST_CASE("a window of cycles opens on what is under way, and a scope on one sub-core") {
  Program program;
  program.add({{alu({1}, {2, 4}), alu({3}, {1})}, {alu({1}, {2})}});
  PlatformParameters p = baseline();
  p.multiprocessor.sub_cores = 2;
  Bench bench("bench", p, program);
  RecordLog log, none;
  PipelineRecorder recorder(log, {"sm.sub_core_0", 5, 10}),
      elsewhere(none, {"sm.sub_core_1.banks", 0, never});
  CHECK(recorder.watch(bench.sm, p) == 1);
  CHECK(elsewhere.watch(bench.sm, p) == 0);
  run_cycles(100);
  CHECK_FALSE(recorder.over());
  recorder.close(bench.conductor.now());
  CHECK(recorder.over());
  CHECK(log.rows == Rows{"5: 1.0 begins collect", "5: 1.1 begins wait", "5: 1.0 R2 here", "5: 1.0 R4 read 0",
                         "6: 1.0 R4 here", "6: 1.0 ready", "7: 1.0 execute"});
  CHECK(log.producers == std::vector<std::vector<std::uint64_t>>{{}, {0}});
  RecordLog late;
  PipelineRecorder never_open(late, {"", 1000, never});
  CHECK_THROWS_WITH(never_open.close(99), Catch::Contains("begins with cycle 1000, but the run ended in 99"));
}

TEST_CASE("a packed file appears when it is closed, and leaves nothing otherwise") {
  const TemporaryFolder folder;
  const auto count = [&] {
    const auto all = std::filesystem::directory_iterator(folder.path());
    return std::distance(begin(all), end(all));
  };
  const auto file = folder.path() / "f.log.gz", aside = folder.path() / "aside";
  {
    PackedFile unfinished(file, {}, "a text");
    CHECK(count() == 1);
    CHECK_FALSE(std::filesystem::exists(file));
  }
  CHECK(count() == 0);
  PackedFile packed(file, aside, "a text");
  std::string expected;
  for (unsigned n = 0; n < 20000; ++n) {
    char* const at = packed.room(20);
    packed.used(put(put(at, std::uint64_t{n}), '\n'));
    expected += std::to_string(n) + '\n';
  }
  packed.close();
  CHECK(count() == 1);
  std::ifstream in(aside, std::ios::binary);
  boost::iostreams::filtering_istream unpacked;
  unpacked.push(boost::iostreams::gzip_decompressor());
  unpacked.push(in);
  std::ostringstream text;
  text << unpacked.rdbuf();
  CHECK(text.str() == expected);
  CHECK_THROWS_WITH(PackedFile(folder.path() / "no/f.log", {}, "a text"),
                    Catch::Contains("no/f.log: cannot write a text: No such file"));
}

}  // namespace pipeline_recorder_test
