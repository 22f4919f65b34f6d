// The SM's control port and the controller that uses it.
#include <array>
#include <cstring>
#include <memory>

#include <catch2/catch.hpp>
#include <tlm>

#include "subcore/modules/control_registers/control_registers.h"
#include "subcore/modules/sthld_controller/sthld_controller.h"
#include "tests/module/kit.h"
#include "tests/module/register_master.h"

namespace control_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct RegisterBench : Stage {
  explicit RegisterBench(const sc_core::sc_module_name& name)
      : Stage(name),
        control("control", 2, 9, true,
                {[] { return std::uint64_t{1000}; }, [] { return std::uint64_t{2000}; },
                 [] { return std::uint64_t{500}; }, [] { return std::uint64_t{3}; }},
                conductor),
        master("master") {
    master.socket.bind(control.control_socket);
    for (unsigned s = 0; s < 2; ++s) {
      sinks.push_back(std::make_unique<Sink<ControlTransfer>>(("scheduler" + std::to_string(s)).c_str()));
      control.sthld_socket[s].bind(sinks[s]->in);
    }
  }
  ControlRegisters control;
  RegisterMaster master;
  std::vector<std::unique_ptr<Sink<ControlTransfer>>> sinks;
};

}  // namespace

TEST_CASE("every control register") {
  RegisterBench b("bench");
  run_cycles(25);
  CHECK(b.master.read(control_register::cycle) == 25);
  CHECK(b.master.read(control_register::instructions_retired) == 1000);
  CHECK(b.master.read(control_register::source_operands) == 2000);
  CHECK(b.master.read(control_register::cache_read_hits) == 500);
  CHECK(b.master.read(control_register::sthld) == 9);
  CHECK(b.master.read(control_register::kernel_cycle) == ~std::uint64_t{0});
  b.control.begin_kernel(7);
  CHECK(b.master.read(control_register::kernel_cycle) == 7);
  CHECK(b.master.read(control_register::kernel_instructions) == 0);  // other instructions were before the
                                                                     // kernel
  CHECK(b.master.read(control_register::ctas) == 3);
  std::uint64_t value = 12;
  CHECK(b.master.access(tlm::TLM_WRITE_COMMAND, control_register::sthld, value) == tlm::TLM_OK_RESPONSE);
  CHECK(b.master.read(control_register::sthld) == 12);
  for (const auto& s : b.sinks) {
    // The first value at the start, the written one from the next cycle on.
    REQUIRE(s->seen.size() == 2);
    CHECK(s->seen[0].stamp == 0);
    CHECK(s->seen[0].sthld == 9);
    CHECK(s->seen[1].stamp == 26);
    CHECK(s->seen[1].sthld == 12);
  }
}

TEST_CASE("a phase that the base protocol does not allow a control socket is an error, of the payload too") {
  RegisterBench b("bench");
  run_cycles(5);
  for (const tlm::tlm_phase_enum wrong : {tlm::END_REQ, tlm::BEGIN_RESP, tlm::END_RESP}) {
    tlm::tlm_generic_payload t;
    tlm::tlm_phase phase = wrong;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    CHECK_THROWS_WITH(b.master.socket->nb_transport_fw(t, phase, delay),
                      Catch::Contains("the initiator broke the base protocol"));
    CHECK(t.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
}

TEST_CASE("a control access that cannot be served says why and changes nothing") {
  RegisterBench b("bench");
  run_cycles(5);
  std::uint64_t value = 77;
  unsigned char enables[8] = {0xff};
  const auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
  CHECK(b.master.access(read, control_register::size, value) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(b.master.access(write, 0x1000, value) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(b.master.access(read, control_register::sthld, value, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(b.master.access(write, control_register::sthld, value, 16) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(b.master.access(write, control_register::sthld + 4, value) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(b.master.access(write, control_register::sthld, value, 8, enables) ==
        tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  for (const unsigned width : {4u, 16u}) {
    CHECK(b.master.access(write, control_register::sthld, value, 8, nullptr, width) ==
          tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(b.master.access(read, control_register::cycle, value, 8, nullptr, width) ==
          tlm::TLM_BURST_ERROR_RESPONSE);
  }
  for (std::uint64_t a = 0; a < control_register::sthld; a += 8) {
    CHECK(b.master.access(write, a, value) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  }
  CHECK(value == 77);
  CHECK(b.sinks[0]->seen.size() == 1);
  CHECK(b.master.read(control_register::sthld) == 9);
}

namespace {

// A temporally decoupled master. Half a cycle past an edge, its accesses are ahead of the simulation's time.
class Ahead : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket;
  struct Seen {
    std::uint64_t value;
    double at_ns;  // when the answer came
  };
  std::vector<Seen> blocking, phased;
  std::string from_method;

  Ahead(const sc_core::sc_module_name& name, bool blocking_first)
      : sc_module(name), socket("socket"), blocking_first_(blocking_first) {
    SC_HAS_PROCESS(Ahead);
    SC_THREAD(run);
    SC_METHOD(ask);
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }

 private:
  // Payloads without a pool.
  struct Request : tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
    Request(tlm::tlm_command command, std::uint64_t address, std::uint64_t data) : value(data) {
      set_mm(this);
      set_command(command);
      set_address(address);
      set_data_ptr(reinterpret_cast<unsigned char*>(&value));
      set_data_length(8);
      set_streaming_width(8);
    }
    std::uint64_t value;

   private:
    void free(tlm_generic_payload*) override {}
  };
  static double now() { return sc_core::sc_time_stamp().to_seconds() * 1e9; }
  void run() {
    wait(cycles(0.5));
    if (blocking_first_) {
      block(tlm::TLM_READ_COMMAND, control_register::cycle, 0, cycles(10000));
      block(tlm::TLM_READ_COMMAND, control_register::cycle, 0, cycles(0));
      block(tlm::TLM_WRITE_COMMAND, control_register::sthld, 21, cycles(500));
      return;
    }
    // The second access begins while the END_RESP of the first one is owed, and is due before that comes.
    phase(control_register::cycle, cycles(10000));
    phase(control_register::cycle, cycles(20));
    wait(cycles(100));
    tlm::tlm_phase end = tlm::END_RESP;
    sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
    end_now_ = true;
    socket->nb_transport_fw(*requests_.front(), end, zero);
    wait(responded_);
  }
  void block(tlm::tlm_command command, std::uint64_t address, std::uint64_t value, sc_core::sc_time delay) {
    Request r(command, address, value);
    socket->b_transport(r, delay);
    CHECK(r.is_response_ok());
    CHECK(delay == sc_core::SC_ZERO_TIME);
    blocking.push_back({r.value, now()});
  }
  void phase(std::uint64_t address, sc_core::sc_time delay) {
    requests_.push_back(std::make_unique<Request>(tlm::TLM_READ_COMMAND, address, 0));
    tlm::tlm_phase begin = tlm::BEGIN_REQ;
    CHECK(socket->nb_transport_fw(*requests_.back(), begin, delay) == tlm::TLM_ACCEPTED);
    if (requests_.size() == 1) wait(responded_);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& p,
                                     sc_core::sc_time& delay) override {
    CHECK(p == tlm::BEGIN_RESP);
    CHECK(delay == sc_core::SC_ZERO_TIME);
    CHECK(t.is_response_ok());
    phased.push_back({static_cast<Request&>(t).value, now()});
    responded_.notify(sc_core::SC_ZERO_TIME);
    return end_now_ ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  // A method cannot wait, so its access fails.
  void ask() {
    Request r(tlm::TLM_READ_COMMAND, control_register::cycle, 77);
    sc_core::sc_time delay = cycles(1);
    try {
      socket->b_transport(r, delay);
    } catch (const sc_core::sc_report& report) {
      from_method = report.what();
    }
    CHECK(r.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(r.value == 77);
  }

  bool blocking_first_, end_now_ = false;
  std::vector<std::unique_ptr<Request>> requests_;
  sc_core::sc_event responded_;
};

struct AheadBench : Stage {
  AheadBench(const sc_core::sc_module_name& name, bool blocking)
      : Stage(name),
        control("control", 1, 9, true,
                {[] { return std::uint64_t{0}; }, [] { return std::uint64_t{0}; },
                 [] { return std::uint64_t{0}; }, [] { return std::uint64_t{0}; }},
                conductor),
        sink("sink"),
        master("master", blocking) {
    master.socket.bind(control.control_socket);
    control.sthld_socket[0].bind(sink.in);
  }
  ControlRegisters control;
  Sink<ControlTransfer> sink;
  Ahead master;
};

}  // namespace

TEST_CASE("a master ahead of time sees and changes what is there then") {
  AheadBench b("bench", true);
  run_cycles(20000);
  REQUIRE(b.master.blocking.size() == 3);
  CHECK(b.master.blocking[0].value == 10000);
  CHECK(b.master.blocking[0].at_ns == Approx(10000.5));
  CHECK(b.master.blocking[1].value == 10000);
  CHECK(b.master.blocking[2].at_ns == Approx(10500.5));
  CHECK(b.sink.stamps() == std::vector<Cycle>{0, 10501});
  CHECK_THAT(b.master.from_method, Catch::Contains("/subcore/control") && Catch::Contains("delay of 1 ns") &&
                                       Catch::Contains("expected a caller that can wait"));
}

TEST_CASE("a master ahead of time that speaks in phases is answered then, one response at a time") {
  AheadBench b("bench", false);
  run_cycles(20000);
  REQUIRE(b.master.phased.size() == 2);
  CHECK(b.master.phased[0].value == 10000);
  CHECK(b.master.phased[0].at_ns == Approx(10000.5));
  // The second access is due in 10020, but the END_RESP before it comes in 10100.
  CHECK(b.master.phased[1].value == 10100);
  CHECK(b.master.phased[1].at_ns == Approx(10100.5));
}

namespace {

// An SM's control port as the controller sees it. The SM retires as many instructions per interval as the
// script says.
class FakeSm : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  std::vector<std::uint64_t> per_interval;
  std::vector<double> reads, writes;  // times in ns
  std::vector<std::uint64_t> sthld;
  explicit FakeSm(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) override {
    const double now = sc_core::sc_time_stamp().to_seconds() * 1e9;
    CHECK(t.get_data_length() == 8);
    if (t.is_read()) {
      CHECK(t.get_address() == control_register::instructions_retired);
      retired_ += per_interval.at(reads.size());
      reads.push_back(now);
      std::memcpy(t.get_data_ptr(), &retired_, 8);
    } else {
      CHECK(t.get_address() == control_register::sthld);
      std::uint64_t value = 0;
      std::memcpy(&value, t.get_data_ptr(), 8);
      writes.push_back(now);
      sthld.push_back(value);
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  std::uint64_t retired_ = 0;
};

}  // namespace

TEST_CASE("the six-state machine walks to the knee through the control sockets") {
  // Two SMs, 100 cycles an interval; the second one contributes a constant 100, so that only the sum tells.
  SthldParameters p;
  p.mode = SthldMode::adaptive;
  p.intervals = SthldIntervals::absolute;
  p.interval = 100;
  SthldController controller("controller", 2, p, cycles(1));
  FakeSm first("first"), second("second");
  controller.control_socket[0].bind(first.socket);
  controller.control_socket[1].bind(second.socket);
  struct Step {
    std::uint64_t instructions;  // instructions of both SMs
    unsigned state;              // after the interval
    std::uint64_t sthld;
  };
  const std::array<Step, 13> steps{{
      {1000, 2, 1},  // start: nothing to compare with
      {1010, 2, 2},  // small changes: climb
      {1000, 2, 3},
      {1010, 2, 4},
      {1000, 2, 5},
      {800, 4, 4},   // a drop: back to where it was flat
      {1000, 6, 4},  // the step did it: hold
      {1000, 6, 4},
      {1019, 6, 4},  // a rise is small, and the best from now on
      {995, 5, 3},   // 2.4 % below it: descend
      {1010, 6, 3},  // 0.9 % below it: hold
      {2000, 6, 3},
      {1000, 5, 2},
  }};
  for (const Step& s : steps) {
    first.per_interval.push_back(s.instructions - 100);
    second.per_interval.push_back(100);
  }
  for (std::size_t n = 0; n < steps.size(); ++n) {
    INFO("interval " << n);
    run_cycles(100);
    REQUIRE(first.sthld.size() == n + 1);
    CHECK(controller.machine().state() == steps[n].state);
    CHECK(first.sthld[n] == steps[n].sthld);
    CHECK(second.sthld == first.sthld);
    // Half a cycle before the edge of cycle 100 (n + 1), where no SM is in the middle of a cycle.
    CHECK(first.reads[n] == Approx(100.0 * static_cast<double>(n + 1) - 0.5));
    CHECK(first.writes[n] == first.reads[n]);
  }
  controller.stop();
  run_cycles(1000);
  CHECK(first.reads.size() == steps.size());
  // After start() a whole interval passes before the next decision, which knows only that interval.
  for (const std::uint64_t n : {7777u, 400u}) first.per_interval.push_back(n);
  for (const std::uint64_t n : {0u, 100u}) second.per_interval.push_back(n);
  run_cycles(30);
  controller.start();
  CHECK(first.reads.size() == steps.size() + 1);
  run_cycles(100);
  REQUIRE(first.sthld.size() == steps.size() + 1);
  CHECK(first.reads.back() == Approx(100.0 * static_cast<double>(steps.size()) + 1030.0 + 99.5));
  CHECK(controller.machine().state() == 5);  // 500 instructions are a drop, so the threshold still falls
  CHECK(first.sthld.back() == 1);
}

namespace {

// An SM's control port as the controller sees it, with the present values of its registers.
class ScriptedSm : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  std::uint64_t kernel = ~std::uint64_t{0}, instructions = 0, ctas = 0;
  unsigned writes = 0;
  explicit ScriptedSm(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) override {
    writes += t.is_write() ? 1 : 0;
    const std::uint64_t value = t.get_address() == control_register::kernel_cycle          ? kernel
                                : t.get_address() == control_register::kernel_instructions ? instructions
                                                                                           : ctas;
    if (t.is_read()) std::memcpy(t.get_data_ptr(), &value, 8);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

}  // namespace

TEST_CASE("the controller decides by the intervals that end while a kernel runs") {
  SthldParameters p;
  p.mode = SthldMode::adaptive;
  p.interval = 100;
  SthldController controller("controller", 1, p, cycles(1));
  ScriptedSm sm("sm");
  controller.control_socket[0].bind(sm.socket);
  Cycle now = 0;
  const auto at = [&](Cycle cycle) {
    run_cycles(cycle - now);
    now = cycle;
  };
  at(230);
  CHECK(sm.writes == 0);  // no kernel yet
  sm.kernel = 230;
  sm.ctas = 2;
  sm.instructions = 1000;
  at(329);
  CHECK(sm.writes == 0);
  at(330);  // half a cycle after the first interval's end
  CHECK(sm.writes == 1);
  sm.instructions = 1500;  // half as many as in the interval before: a drop
  at(430);
  CHECK(sm.writes == 2);
  CHECK(controller.machine().state() == 4);
  sm.ctas = 0;
  at(10000);
  CHECK(sm.writes == 2);  // the kernel is over
  sm.kernel = 10000;
  sm.instructions = 990;
  sm.ctas = 1;
  at(10099);
  CHECK(sm.writes == 2);
  at(10100);
  CHECK(sm.writes == 3);
  CHECK(controller.machine().state() == 6);  // no drop, because the gap does not count
}

}  // namespace control_test
