// The pipeline view, as a file for Konata and in the terminal.
#include <map>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/kanata.h"
#include "tests/program/program.h"

namespace pipeline_test {

using namespace subcore::test;

namespace {

const Strings plain_run{"run", "-p", "baseline", "-t", "t"};

std::string pipeline(const Desk& desk, const Strings& more = {}, const std::string& platform = "baseline") {
  desk.succeed(with({"run", "-p", platform, "-t", "t", "--pipeline", "p.log"}, more));
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
  return desk.file("p.log");
}

// An addition waits for a move, and its two operands lie in one bank.
const std::string three_lines =
    "0000 ffffffff 1 R1 MOV 0 0 \n"
    "0010 ffffffff 1 R2 IADD3 2 R1 R3 0 \n"
    "0020 ffffffff 0 EXIT 0 0 \n";

// The move is fetched in 2 and issued in 3. The move has no sources, so it is ready in 4 and dispatched in
// that cycle. Execution takes 4 cycles, and the move is written back in 9. An instruction that issues in 10
// can read R1. R1 and R3 lie in bank 1 (warp slot 0): read in 11 and 12.
const char* const three_instructions =
    "Kanata\t0004\n"
    "C=\t2\n"
    "I\t0\t0\t0\n"
    "L\t0\t0\tw0 0x0000 MOV R1v1\n"
    "L\t0\t1\tsm_0.sub_core_0, s0, CTA slot 0, instruction 0 of its warp, lanes 0xffffffff, unit "
    "integer\n"
    "S\t0\t0\tF\n"
    "C\t1\n"  // 3
    "S\t0\t0\tI\n"
    "I\t1\t1\t0\n"
    "L\t1\t0\tw0 0x0010 IADD3 R2v1 <- R1v1 R3v0\n"
    "L\t1\t1\tsm_0.sub_core_0, s0, CTA slot 0, instruction 1 of its warp, lanes 0xffffffff, unit "
    "integer\n"
    "S\t1\t0\tF\n"
    "W\t1\t0\t0\n"
    "C\t1\n"  // 4
    "S\t0\t0\tR\n"
    "S\t1\t0\tW:raw_short\n"
    "I\t2\t2\t0\n"
    "L\t2\t0\tw0 0x0020 EXIT\n"
    "L\t2\t1\tsm_0.sub_core_0, s0, CTA slot 0, instruction 2 of its warp, lanes 0xffffffff, unit "
    "integer\n"
    "S\t2\t0\tF\n"
    "C\t1\n"  // 5
    "S\t0\t0\tX\n"
    "S\t2\t0\tW\n"
    "C\t4\n"  // 9
    "S\t0\t0\tB\n"
    "C\t1\n"  // 10
    "R\t0\t0\t0\n"
    "S\t1\t0\tI\n"
    "C\t1\n"  // 11
    "S\t1\t0\tC1\n"
    "S\t1\t1\tread\n"
    "S\t1\t2\tb1\n"
    "S\t2\t0\tI\n"
    "C\t1\n"  // 12
    "E\t1\t1\tread\n"
    "S\t1\t2\tread\n"
    "S\t2\t0\tR\n"
    "C\t1\n"  // 13
    "E\t1\t2\tread\n"
    "S\t1\t0\tR\n"
    "S\t2\t0\tX\n"
    "C\t1\n"  // 14
    "S\t1\t0\tX\n"
    "S\t2\t0\tB\n"
    "C\t1\n"  // 15
    "R\t2\t1\t0\n"
    "C\t3\n"  // 18
    "S\t1\t0\tB\n"
    "C\t1\n"  // 19
    "R\t1\t2\t0\n";

// Checks arrows against the versions in labels. Each operand leads to the instruction of its warp that has
// this register in this version before the "<-", if there is one. Returns the number of such arrows.
std::size_t producers_by_label(const Kanata& k) {
  std::map<std::string, std::size_t> writer;  // the writer of "w0 R2v3"
  std::size_t arrows = 0;
  for (std::size_t id = 0; id < k.operations.size(); ++id) {
    std::istringstream label(k.operations[id].label);
    std::string warp, pc, opcode;
    label >> warp >> pc >> opcode;
    std::vector<std::size_t> expected;
    std::vector<std::string> written;
    bool reads = false;
    for (std::string word; label >> word;) {
      if (word == "<-") {
        reads = true;
      } else if (!reads) {
        written.push_back(warp + ' ' + word);
      } else if (const auto w = writer.find(warp + ' ' + word); w != writer.end()) {
        expected.push_back(w->second);
      }
    }
    INFO(k.operations[id].label);
    REQUIRE(k.operations[id].producers == expected);
    arrows += expected.size();
    for (const std::string& w : written) writer[w] = id;
  }
  return arrows;
}

unsigned count(const std::vector<Kanata::Operation>& all, const std::string& word) {
  unsigned n = 0;
  for (const auto& o : all) n += o.detail.find(word) != std::string::npos ? 1 : 0;
  return n;
}

}  // namespace

TEST_CASE("a pipeline view of three instructions, as worked out by hand") {
  const Desk desk;
  desk.trace("t", three_lines);
  CHECK(pipeline(desk) == three_instructions);
}

TEST_CASE("a timeline of three instructions, as worked out by hand") {
  const Desk desk;
  desk.trace("t", three_lines);
  const Strings timeline{"timeline", "-p", "baseline", "-t", "t"};
  CHECK(desk.succeed(timeline).out ==
        "F fetch  . wait  s raw_short  I issue  r bank read  R ready  X execute  B write back\n"
        "cycle                             2       10\n"
        "w0 0x0000 MOV R1v1                FIRXXXXB\n"
        "w0 0x0010 IADD3 R2v1 <- R1v1 R3v0  FssssssIrrRXXXXB\n"
        "w0 0x0020 EXIT                      F......IRXB\n");
  // All three instructions were fetched before cycle 5; --rows 2 leaves the third out.
  CHECK(desk.succeed(with(timeline, {"--from", "5", "--to", "12", "--rows", "2"})).out ==
        "s raw_short  I issue  r bank read  X execute  B write back\n"
        "cycle                             5    10\n"
        "w0 0x0000 MOV R1v1                XXXXB\n"
        "w0 0x0010 IADD3 R2v1 <- R1v1 R3v0 sssssIrr\n");
}

TEST_CASE("a pipeline view has every instruction that retires in its scope") {
  const std::string hotspot = std::string(SUBCORE_SOURCE_DIR) + "/scenarios/traces/hotspot";
  if (!std::filesystem::exists(hotspot)) return;
  const Desk desk;
  for (const std::string platform : {"baseline", "malekeh"}) {
    desk.succeed({"run", "-p", platform, "-t", hotspot, "--pipeline", "p.log", "--pipeline-scope",
                  "sm_0.sub_core_0", "-r", "r"});
    const Kanata k(desk.file("p.log"));
    CHECK(k.retired == 24084);
    CHECK(k.operations.size() == k.retired);
    std::istringstream statistics(desk.file("r/" + platform + "/hotspot/stats.csv"));
    std::map<std::string, std::uint64_t> of;
    for (std::string line; std::getline(statistics, line);) {
      const std::size_t comma = line.find(',');
      const std::string begin = "root.sm_0.sub_core_0.";
      if (line.compare(0, begin.size(), begin) == 0)
        of[line.substr(begin.size(), comma - begin.size())] = std::strtoull(&line[comma + 1], nullptr, 10);
    }
    CHECK(of.at("issue_scheduler.retired") == k.retired);
    CHECK(of.at("arbiter.bank_reads") == k.operand_stages.at("read"));
    CHECK(producers_by_label(k) > k.retired / 2);
    CHECK((count(k.operations, "; hits in collector ") != 0) == (platform == "malekeh"));
  }
}

TEST_CASE("a pipeline view is sound on every kind of collector and cache") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings two_steps{"-s", "sub_core.register_file.steps_per_cycle=2", "-s",
                          "sub_core.register_file.collector_port_limit=0"};
  CHECK(Kanata(pipeline(desk, two_steps)).retired == 101);
  for (const char* platform : {"malekeh", "bow", "bow_wr", "rfc", "software_rfc", "ltrf", "register_cache",
                               "socgpu", "monolithic_baseline", "rtx2060_third/malekeh"}) {
    INFO(platform);
    const std::string text = pipeline(desk, {}, platform);
    const Kanata k(text);
    CHECK(k.retired == 101);
    for (const char* order : {"reverse", "shuffled"})
      CHECK(pipeline(desk, {"-s", std::string("tick_order=") + order}, platform) == text);
  }
}

TEST_CASE("a pipeline view keeps to its window of cycles") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Kanata all(pipeline(desk));
  const Kanata part(pipeline(desk, {"--pipeline-from", "100", "--pipeline-to", "600"}));
  CHECK(part.first_cycle == 100);
  CHECK(part.cycle <= 600);
  std::size_t under_way = 0, retired = 0;
  for (const auto& o : all.operations) CHECK(o.retired);
  for (const auto& o : part.operations) {
    under_way += o.detail.find("as it is since cycle") != std::string::npos ? 1 : 0;
    retired += o.retired ? 1 : 0;
    const auto same = [&](const auto& other) { return other.label == o.label; };
    CHECK(std::any_of(all.operations.begin(), all.operations.end(), same));
  }
  CHECK(under_way > 0);
  CHECK(retired > 0);
  CHECK(part.operations.size() < all.operations.size());
  // The last cycle of the run is in a window, although nothing is under way in it. The next cycle is not.
  CHECK(Kanata(pipeline(desk, {"--pipeline-from", std::to_string(all.cycle), "-j", "r.json"})).retired == 1);
  const std::uint64_t cycles = desk.json("r.json").at("cycles");
  const std::string last = std::to_string(cycles), behind = std::to_string(cycles + 1);
  CHECK(pipeline(desk, {"--pipeline-from", last}) == "Kanata\t0004\n");
  desk.refuse(with(plain_run, {"--pipeline", "q.log", "--pipeline-from", behind}),
              {"begins with cycle " + behind, "the run ended in " + last, "expected"});
}

TEST_CASE("a pipeline view and a waveform of one run change no result") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string alone = pipeline(desk);
  pipeline(desk, {"--vcd", "w.vcd", "-r", "with"});
  desk.succeed(with(plain_run, {"-r", "without"}));
  CHECK(desk.file("with/baseline/t/stats.json") == desk.file("without/baseline/t/stats.json"));
  CHECK(desk.file("p.log") == alone);
  CHECK(desk.file("w.vcd").rfind("$version", 0) == 0);
}

TEST_CASE("a pipeline view is packed as its name says, and asked for by a scenario") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string plain = pipeline(desk, {"--pipeline-scope", "sm_0.sub_core_0", "--pipeline-from", "50"});
  desk.write("s.yaml",
             "platforms: [baseline]\ntraces: [t]\npipeline: {file: p.kanata.gz, scope: sm_0, from: 50}\n");
  desk.succeed({"run", "s.yaml"});
  const std::string packed = desk.file("p.kanata.gz");
  CHECK(packed.size() < plain.size() / 2);
  std::istringstream in(packed);
  boost::iostreams::filtering_istream unpacked;
  unpacked.push(boost::iostreams::gzip_decompressor());
  unpacked.push(in);
  std::ostringstream text;
  text << unpacked.rdbuf();
  CHECK(text.str() == plain);  // the trace has one warp
}

TEST_CASE("a pipeline view that cannot be") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("bad", sound_lines() + "nonsense\n");
  const Strings asked = with(plain_run, {"--pipeline", "p.log"});
  for (const char* name : {"p.xz", "p.vcd", "p.log.bz2", "p.json.gz"})
    desk.refuse(with(plain_run, {"--pipeline", name}), {name, "is not written here; expected .kanata"});
  desk.refuse(with(asked, {"--pipeline-scope", "sm_0.sub_core_9"}),
              {"'sm_0.sub_core_9': no sub-core has that path; expected"});
  desk.refuse(with(asked, {"--pipeline-from", "9", "--pipeline-to", "8"}), {"--pipeline-to 8", "at least 9"});
  desk.refuse(with(asked, {"--pipeline-from", "x"}), {"'x' for --pipeline-from; expected"});
  desk.refuse(with(plain_run, {"--pipeline-scope", "sm_0"}),
              {"--pipeline-scope without a pipeline view; expected --pipeline FILE, too"});
  desk.refuse(with(asked, {"-p", "malekeh"}), {"--pipeline with several runs; expected one platform"});
  desk.refuse(with(asked, {"--vcd", "p.log"}), {"p.log", "--vcd, too; expected another file"});
  desk.refuse(with(asked, {"--json", "./p.log"}), {"p.log", "expected another file"});
  desk.refuse({"run", "-p", "baseline", "-t", "bad", "--pipeline", "p.log"}, {"kernel-1.traceg:"});
  desk.refuse(with(plain_run, {"--pipeline", "no/such/p.log"}), {"no/such/p.log"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\npipeline: {from: 3}\n");
  desk.refuse({"run", "s.yaml"}, {"s.yaml:3", "pipeline.file: is missing; expected a key 'file'"});
  const Strings timeline{"timeline", "-p", "baseline", "-t", "t"};
  desk.refuse(with(timeline, {"--scope", "sm_7"}), {"'sm_7': no sub-core has that path; expected"});
  desk.refuse(with(timeline, {"--from", "5", "--to", "4"}), {"--to 4 is before --from; expected"});
  desk.refuse(with(timeline, {"--from", "1000000"}), {"begins with cycle 1000000", "the run ended in"});
  desk.refuse(with(timeline, {"--rows", "0"}), {"'0' for --rows; expected"});
  desk.refuse({"timeline", "-t", "t"}, {"no platform; expected"});
  desk.refuse({"timeline", "-p", "baseline"}, {"no trace; expected"});
  desk.refuse({"timeline", "-p", "baseline", "-t", "bad"}, {"kernel-1.traceg:"});
}

// BOW's Fig. 4 divides by these cycles, which results keep as sums alone; the view has each instruction's.
TEST_CASE("cycles from issue to retirement are those of the pipeline view") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* platform : {"baseline", "malekeh", "bow_wr_hints", "malekeh_socgpu"}) {
    CAPTURE(platform);
    desk.succeed({"run", "-p", platform, "-t", "t", "--pipeline", "p.log", "--json", "x.json"});
    std::istringstream in(desk.file("p.log"));
    std::map<std::string, std::uint64_t> issued;
    std::map<std::string, bool> is_memory;
    std::uint64_t cycle = 0, memory = 0, other = 0;
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string command, id, lane, what;
      words >> command >> id >> lane >> what;
      if (command == "C=" || command == "C") cycle += std::stoull(id);
      if (command == "L" && lane == "1") is_memory[id] |= line.find("unit load_store") != std::string::npos;
      if (command == "S" && lane == "0" && what == "I") issued[id] = cycle;
      if (command == "R") (is_memory[id] ? memory : other) += cycle - issued[id];
    }
    const auto result = desk.json("x.json");
    CHECK(result.at("execution_memory_cycles") == memory);
    CHECK(result.at("execution_other_cycles") == other);
    CHECK(memory > result.at("collection_memory_cycles").get<std::uint64_t>());
    CHECK(result.at("collection_memory_cycles").get<std::uint64_t>() +
              result.at("collection_other_cycles").get<std::uint64_t>() ==
          result.at("collection_cycles"));
  }
}

}  // namespace pipeline_test
