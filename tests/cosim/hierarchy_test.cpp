// A GPU as SystemC's own tools see it: its parameters as attributes of an object in the hierarchy, and the
// signals of its modules in one of SystemC's trace files.
#include <functional>
#include <utility>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/observers/signal_trace.h"
#include "subcore/observers/waveform.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/parameter_attributes.h"
#include "tests/cosim/rig.h"
#include "tests/program/vcd.h"
#include "tests/unit/trace_files.h"

namespace hierarchy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Attributes = std::map<std::string, std::string>;  // path of the object:name

void walk(const std::vector<sc_core::sc_object*>& objects, Attributes& found) {
  for (sc_core::sc_object* o : objects) {
    for (sc_core::sc_attr_base* a : o->attr_cltn())
      if (const auto* text = dynamic_cast<sc_core::sc_attribute<std::string>*>(a))
        found[std::string(o->name()) + ':' + a->name()] = text->value;
    walk(o->get_child_objects(), found);
  }
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The bits of a word as SystemC's file has them.
std::string in_bits(const std::string& word) {
  std::string bits;
  for (const char c : word.substr(0, 16))
    for (int b = 7; b >= 0; --b) bits += (static_cast<unsigned char>(c) >> b & 1) != 0 ? '1' : '0';
  return bits.substr(std::min(bits.find('1'), bits.size() - 1));
}

// Bits without leading zeros, or one x if all are x.
std::string short_bits(std::string bits) {
  const std::size_t one = bits.find_first_not_of('0');
  bits = one == std::string::npos ? "0" : bits.substr(one);
  return bits.find_first_not_of("xX") == std::string::npos ? "x" : bits;
}

// A waveform in the strict form that our reader demands: first values have a time, and bits have no needless
// digits.
std::string strict(const std::string& vcd) {
  std::istringstream in(vcd);
  std::string out, line;
  bool values = false, comment = false;
  while (std::getline(in, line)) {
    comment |= line == "$comment";
    values |= line == "$dumpvars";
    if (line == "$dumpvars") out += "#0\n";
    if (values && line[0] == 'b')
      line = 'b' + short_bits(line.substr(1, line.find(' ') - 1)) + line.substr(line.find(' '));
    if (values && line[0] == 'X') line[0] = 'x';
    if (!comment) out += line + '\n';
    if (line == "$end") comment = false;
  }
  return out;
}

}  // namespace

TEST_CASE("a walk through the hierarchy finds the parameters of every GPU") {
  PlatformParameters p = load_platform(find_platform("rtx2060_third/malekeh"), {"gpu.sms=2"});
  const PlatformParameters q = load_platform(find_platform("bow"), {"clock_period_ns=2"});
  Gpu first("first", p), second("second", q);
  list_parameters(first);
  list_parameters(second);
  Attributes found;
  walk(sc_core::sc_get_top_level_objects(), found);
  CHECK_THAT(found.at("first:parameters"), Catch::StartsWith("read-only: "));
  CHECK(found.at("first:gpu.sms") == "2");
  CHECK(found.at("first:memory.kind") == "hierarchy");
  CHECK(found.at("first:sub_core.collector.kind") == "ccu");
  CHECK(found.at("second:gpu.sms") == "1");
  CHECK(found.at("second:sub_core.collector.kind") == "boc");
  CHECK(found.at("second:clock_period_ns") == "2");
  CHECK(found.count("second:memory.l2.slices") == 0);  // the second platform does not read the key
  std::size_t of_first = 0;
  for (const auto& [key, value] : found) of_first += key.rfind("first:", 0) == 0 ? 1 : 0;
  const std::string yaml = resolved_yaml(p);
  std::size_t lines_with_value = 0;
  for (std::size_t at = 0; (at = yaml.find(": ", at)) != std::string::npos; ++at) ++lines_with_value;
  CHECK(of_first > 80);
  CHECK(of_first <= lines_with_value);
}

TEST_CASE("an attribute that somebody sets is an error, and not a platform that is other than it says") {
  PlatformParameters p = load_platform(find_platform("malekeh"));
  Gpu gpu("gpu", p);
  list_parameters(gpu);
  const auto set = [&](const char* key, const std::string& value) {
    auto* const text = dynamic_cast<sc_core::sc_attribute<std::string>*>(gpu.get_attribute(key));
    REQUIRE(text != nullptr);
    return std::exchange(text->value, value);
  };
  const TraceProgram trace = open_trace(project_traces() / "vectoradd");
  const std::string before = set("sub_core.collector.entries", "4");
  CHECK_THROWS_WITH(gpu.run(trace),
                    Catch::Contains("gpu: attribute sub_core.collector.entries was set to '4', "
                                    "which changes nothing; expected '" +
                                    before + "'"));
}

TEST_CASE("an attribute that is set while a run is under way is an error at its end") {
  Gpu gpu("gpu", load_platform(find_platform("malekeh")));
  list_parameters(gpu);
  gpu.run(open_trace(project_traces() / "vectoradd"));
  sc_core::sc_start(10, sc_core::SC_NS);
  dynamic_cast<sc_core::sc_attribute<std::string>&>(*gpu.get_attribute("gpu.sms")).value = "2";
  CHECK_THROWS_WITH(sc_core::sc_start(), Catch::Contains("attribute gpu.sms was set to '2'"));
}

TEST_CASE("an attribute that is set is one error, and the model rests, where errors are only displayed") {
  static unsigned errors;
  for (const bool under_way : {false, true}) {
    const std::string end = in_child([&] {
      errors = 0;
      sc_core::sc_report_handler::set_handler(
          [](const sc_core::sc_report& report, const sc_core::sc_actions&) {
            errors += report.get_severity() == sc_core::SC_ERROR &&
                      report.get_msg_type() == std::string(report_id::attribute);
          });
      sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DISPLAY);
      Gpu gpu("gpu", load_platform(find_platform("malekeh")));
      list_parameters(gpu);
      const auto set = [&](const char* key) {
        dynamic_cast<sc_core::sc_attribute<std::string>&>(*gpu.get_attribute(key)).value = "4";
      };
      const auto set_both = [&] {
        set("gpu.sms");
        set("sub_core.collector.entries");
      };
      if (!under_way) set_both();
      gpu.run(open_trace(project_traces() / "vectoradd"));
      sc_core::sc_start(10, sc_core::SC_NS);
      if (under_way) set_both();
      sc_core::sc_start();
      return std::to_string(errors) + (gpu.failed() ? " failed" : " not failed") +
             (sc_core::sc_pending_activity() ? ", goes on" : ", rests");
    });
    CHECK(end == "1 failed, rests");
  }
}

TEST_CASE("a trace file of SystemC's has the values that our waveform has") {
  const TemporaryFolder folder;
  // Each file has a simulation of its own. In a common one, either file would make the other look at more
  // times.
  const auto run = [&](bool with_waveform) {
    Gpu gpu("gpu", load_platform(find_platform("malekeh")));
    SubCore& sub_core = gpu.sms[0].sub_cores[0];
    const std::vector<Module*> modules{&sub_core.scheduler, &sub_core.arbiter, &sub_core.collectors[0]};
    gpu.run(open_trace(project_traces() / "vectoradd"));
    if (with_waveform) {
      WaveformOptions options;
      options.file = folder.path() / "ours.vcd";
      Waveform waveform(gpu.driver.conductor, options);
      for (Module* m : modules) waveform.add(*m);
      waveform.begin();
      sc_core::sc_start();
      waveform.close(gpu.finish_cycle());
      return gpu.finish_cycle();
    }
    sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file((folder.path() / "theirs").c_str());
    file->set_time_unit(1, sc_core::SC_PS);
    sc_core::sc_signal<unsigned> mine("mine");
    sc_core::sc_trace(file, mine, "mine");
    sc_trace(file, gpu, "all");
    for (Module* m : modules) sc_trace(file, gpu, *m, std::string("only_") + m->basename());
    sc_core::sc_start();
    sc_core::sc_close_vcd_trace_file(file);
    return gpu.finish_cycle();
  };
  const std::string end = in_child([&] { return std::to_string(run(true)); });
  const Cycle finish = run(false);
  REQUIRE(end == std::to_string(finish));

  const Vcd ours = read_vcd(text_of(folder.path() / "ours.vcd"));
  const Vcd theirs = read_vcd(strict(text_of(folder.path() / "theirs.vcd")));
  CHECK(theirs.find("mine").bits == 32);
  CHECK(theirs.find("all.driver.kernel_dispatcher.live_ctas").bits > 0);
  std::size_t signals = 0, values = 0;
  for (const Vcd::Variable& v : ours.variables) {
    if (v.name == "cycle") continue;
    const std::string module = v.scope.substr(v.scope.rfind('.') + 1);
    INFO(v.path());
    for (const std::string& scope : {"only_" + module, "all." + v.scope.substr(4)}) {
      const Vcd::Variable& t = theirs.find(scope + '.' + v.name);
      ++signals;
      std::size_t differ = 0;
      for (Cycle c = 1; c <= finish; ++c) {
        const std::uint64_t ps = c * 1000;
        std::string expected = v.at(ps), found = t.at(ps);
        if (v.type == "string") expected = expected == "x" ? "x" : in_bits(expected);
        if (v.type != "real") expected = short_bits(expected), found = short_bits(found);
        differ += expected == found ? 0 : 1;
        values += expected == "x" || expected == "0" ? 0 : 1;
      }
      CHECK(differ == 0);
    }
  }
  CHECK(signals > 20);
  CHECK(values > 1000);
}

}  // namespace hierarchy_test
