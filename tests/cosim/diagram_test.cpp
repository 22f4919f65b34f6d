// The diagram of a platform that is put together in C++, with modules of the user's own.
#include <algorithm>

#include <catch2/catch.hpp>

#include "subcore/program/report/diagram/diagram_svg.h"
#include "tests/cosim/rig.h"

namespace diagram_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct Relay : Module {
  InPort<DispatchTransfer> in;
  OutPort<DispatchTransfer> out;
  explicit Relay(const sc_core::sc_module_name& name) : Module(name), in("in"), out("out_socket") {
    in.on_receive<&Relay::pass>(this);
    out.on_credit<&Relay::give_back>(this);
  }
  void pass(unsigned, DispatchTransfer& t) { out.send(t); }
  void give_back(unsigned, DispatchTransfer& t) { in.credit(t); }
};

const Diagram::Box& box_at(const Diagram& d, const std::string& path) {
  const auto found = std::find_if(d.boxes.begin(), d.boxes.end(), [&](auto& b) { return b.path == path; });
  REQUIRE(found != d.boxes.end());
  return *found;
}

}  // namespace

TEST_CASE("a module that is spliced in is drawn where it is, with its sockets") {
  SubCoreHooks hooks;
  hooks.dispatch_path = [](const SubCoreSite& site, auto& collector, auto& scheduler) {
    if (site.sub_core != 0) {
      collector.bind(scheduler);
      return std::unique_ptr<Relay>();
    }
    auto relay = std::make_unique<Relay>(("relay_" + std::to_string(site.index)).c_str());
    collector.bind(relay->in);
    relay->out.bind(scheduler);
    return relay;
  };
  const Program program = memory_program(7);
  PlatformParameters p = malekeh();
  p.multiprocessor.sub_cores = 4;
  Rig rig("rig", p, program, CheckingTarget::Rules{}, hooks);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Diagram d = diagram_of(structure_of(rig.sm));
  const Diagram::Box& relay = box_at(d, "sm.sub_core.relay");
  CHECK(relay.room == Room::own);
  CHECK(relay.count == "2 in all");  // a single sub-core of four has them
  CHECK(relay.column == 2.5);        // between collector and dispatch scheduler
  CHECK(relay.row == 0);
  CHECK(relay.page.empty());
  std::vector<std::string> words;
  for (const Diagram::Arrow& a : d.arrows)
    if (d.boxes[a.from].path == relay.path || d.boxes[a.to].path == relay.path)
      words.insert(words.end(), a.words.begin(), a.words.end());
  CHECK(words == std::vector<std::string>{"ready", "out"});
  CHECK(box_at(d, "sm.sub_core").count == "x 4");
  CHECK_FALSE(box_at(d, "sm.sub_core.caching_collector").is_apart);
  CHECK(svg_of(d, {"own", "", ""}).find("href") == std::string::npos);
}

}  // namespace diagram_test
