// Waveforms in a platform of the user's own, with our modules and the user's, beside one of SystemC's trace
// files.
#include "subcore/observers/waveform.h"

#include <catch2/catch.hpp>

#include "subcore/modules/memory/simple_memory.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/cosim/rig.h"
#include "tests/program/vcd.h"
#include "tests/unit/trace_files.h"

namespace waveform_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Counts the instructions that retire, in one of SystemC's signals and in one of ours.
class Counting : public Module {
 public:
  sc_core::sc_signal<unsigned> retired;
  Counting(const sc_core::sc_module_name& name, const StreamingMultiprocessor& sm)
      : Module(name), retired("retired"), sm_(sm) {
    SC_HAS_PROCESS(Counting);
    SC_THREAD(look);
  }
  std::vector<Signal> signals() override {
    return {{"retired_here", 16, [this](Cycle) { return std::uint64_t{retired.read()}; }}};
  }

 private:
  void look() {
    for (int n = 0; n < 500; ++n) {
      wait(cycles(1));
      retired.write(static_cast<unsigned>(sm_.instructions_retired()));
    }
  }
  const StreamingMultiprocessor& sm_;
};

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a waveform of an SM and of a module of the user's, beside sc_trace") {
  const TemporaryFolder folder;
  const PlatformParameters p = load_platform(std::string(SUBCORE_SOURCE_DIR) + "/platforms/malekeh.yaml",
                                             {"sthld.mode=fixed", "sthld.value=0"});
  StreamingMultiprocessor sm("sm", 0, p);
  SimpleMemory memory("memory", p.memory.kind.as<SimpleMemoryChoice>().parameters, cycles(1));
  sm.memory_socket().bind(memory.memory_socket);
  TraceDriver driver("driver", p, {&sm});
  Counting counting("counting", sm);
  WaveformOptions options;
  options.file = folder.path() / "ours.vcd";
  options.from = 5;
  Waveform waveform(sm.conductor, options);
  waveform.add(sm);
  waveform.add(memory);
  waveform.add(counting);
  waveform.begin();
  sc_core::sc_trace_file* theirs = sc_core::sc_create_vcd_trace_file((folder.path() / "theirs").c_str());
  sc_core::sc_trace(theirs, counting.retired, "retired");
  driver.run(open_trace(std::string(SUBCORE_SOURCE_DIR) + "/scenarios/traces/vectoradd"));
  sc_core::sc_start();
  sc_core::sc_close_vcd_trace_file(theirs);
  REQUIRE(driver.finished());
  waveform.close(driver.finish_cycle());

  const Vcd ours = read_vcd(content(options.file));
  CHECK(ours.times.front() == 5000);
  CHECK(ours.find("sm.cycle").number_at(300000) == 300);
  CHECK(ours.find("sm.sub_core_0.issue_scheduler.state").at(5000) != "");
  CHECK(ours.find("memory.memory_reads").bits == 8);
  const auto& values = ours.find("counting.retired_here").values;
  CHECK(values.size() > 2);
  CHECK(std::is_sorted(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return std::stoull(a.second, nullptr, 2) < std::stoull(b.second, nullptr, 2);
  }));
  CHECK(std::filesystem::exists(folder.path() / "ours.gtkw"));

  const std::string text = content(folder.path() / "theirs.vcd");
  CHECK_THAT(text, Catch::Contains("$var wire   32") && Catch::Contains("retired"));
  CHECK(std::count(text.begin(), text.end(), '#') > 20);
}

TEST_CASE("a waveform of what is not there") {
  const TemporaryFolder folder;
  const PlatformParameters p = load_platform(std::string(SUBCORE_SOURCE_DIR) + "/platforms/baseline.yaml");
  StreamingMultiprocessor sm("sm", 0, p);
  WaveformOptions options;
  options.file = folder.path() / "w.vcd";
  options.scope = "sub_core_7";
  Waveform waveform(sm.conductor, options);
  waveform.add(sm);
  CHECK_THROWS_WITH(waveform.begin(), Catch::Contains("'sub_core_7': no module has that path"));
  options.on = "never";
  CHECK_THROWS_WITH(Waveform(sm.conductor, options),
                    Catch::Contains("'never': no such event; expected stale"));
}

}  // namespace waveform_test
