// The check of operands against modules that are wrong, and results of divergent paths that come in any
// order.
#include <memory>

#include <catch2/catch.hpp>

#include "model/policy/operand_cache/operand_cache_parameters.h"
#include "modules/collector/ccu.h"
#include "tests/module/bench.h"

using namespace subcore;
using namespace subcore::test;

namespace {

// A bank that takes every warp slot for slot 0: with two warps of one program, counts of writes agree.
class MixedUpBank : public Module {
 public:
  InPort<OperandTransfer> bank_socket;
  OutPort<OperandTransfer> data_socket;
  explicit MixedUpBank(const sc_core::sc_module_name& name)
      : Module(name), bank_socket("bank_socket"), data_socket("data_socket") {
    bank_socket.on_receive<&MixedUpBank::access>(this);
  }

 private:
  void access(unsigned, OperandTransfer& t) {
    if (t.write) {
      if (t.warp_slot == 0) versions_[t.reg] = t.version;
      return;
    }
    t.version = versions_[t.reg];
    data_socket.send(t);
  }
  std::array<Version, 256> versions_{};
};

// A cache that knows registers, but not whose.
class MixedUpCache : public OperandCachePolicy {
 public:
  Lookup read(const Instruction& i, unsigned source) override {
    const Version& v = versions_[i.source(source)];
    return {v.write != 0, v, true};
  }
  std::uint8_t to_banks(const Instruction&) const override { return 0xff; }
  bool written(const Instruction& i, unsigned d) override {
    versions_[i.destination(d)] = i.result(d);
    return true;
  }

 private:
  std::array<Version, 256> versions_{};
};
class MixedUpCacheChoice : public OperandCacheChoice {
 public:
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters&, unsigned) const override {
    return std::make_unique<MixedUpCache>();
  }
};

// Two warps that write and read the same register equally often; a third, which has slot 0 again.
Program alike() {
  Program program;
  const WarpOps ops{alu({4}, {}), alu({6}, {4})};
  program.add({ops, ops});
  return program;
}

std::string failure(const PlatformParameters& p, const Program& program, const SubCoreHooks& hooks = {}) {
  Bench bench("bench", p, program, 1, hooks);
  try {
    run_cycles(2000);
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/stale_operand");
    return report.get_msg();
  }
  CHECK(bench.finished());
  return "";
}

SubCoreHooks mixed_up_banks() {
  SubCoreHooks hooks;
  hooks.register_bank = [](const SubCoreSite& site, auto& arbiter, auto& crossbar) {
    auto bank = std::make_unique<MixedUpBank>(("bank_" + std::to_string(site.index)).c_str());
    arbiter.bind(bank->bank_socket);
    bank->data_socket.bind(crossbar);
    return bank;
  };
  return hooks;
}

}  // namespace

TEST_CASE("a bank that answers with another warp's register is found, though counts of writes agree") {
  CHECK_THAT(failure(baseline(), alike(), mixed_up_banks()),
             Catch::Contains("warp 2 (slot 1)") &&
                 Catch::Contains("R4 is version 1 of R4 of slot 0 of sub-core 0, program order demands 1"));
}

TEST_CASE("so it is for a register that its warp has not written") {
  Program program;
  program.add({{alu({4}, {}), alu({6}, {4})}, {alu({6}, {}), alu({6}, {6}), alu({6}, {6}), alu({6}, {4})}});
  CHECK_THAT(failure(baseline(), program, mixed_up_banks()),
             Catch::Contains("warp 2 (slot 1)") && Catch::Contains("of slot 0 of sub-core 0"));
}

TEST_CASE("a cache that answers with another warp's entry is found, though counts of writes agree") {
  auto& choices = OperandCacheChoice::choices();
  if (choices.find("mixed_up") == nullptr) choices.add<MixedUpCacheChoice>("mixed_up", "of any warp");
  PlatformParameters p = baseline();
  p.sub_core.operand_cache.kind = "mixed_up";
  CHECK_THAT(failure(p, alike()), Catch::Contains("R4 is version 1 of R4 of slot"));
}

TEST_CASE("a register that a warp has not written may hold what the slot's last warp left there") {
  Program program;
  program.add({{alu({4}, {}), alu({4}, {4})}});
  program.add({{alu({6}, {4}), alu({4}, {6}).with_mask(0xff), alu({6}, {4})}});
  for (const PlatformParameters& p : {baseline(), malekeh(), bow(), bow_wr(), rfc()})
    CHECK(failure(p, program) == "");
}

TEST_CASE("without stale_invalidate a copy is found that lacks a result of some of the lanes that are read") {
  // The first write is near, so that its value stays; the second, of the lower half, is kept out.
  const auto program = [](std::uint32_t readers) {
    Program p;
    p.add({{alu({2}, {}), alu({6}, {2}).near(1, 0), alu({2}, {}).with_mask(0xffff),
            alu({6}, {2}).with_mask(readers)}});
    return p;
  };
  PlatformParameters p = malekeh(1);
  p.sub_core.collector.kind.as<CcuChoice>().stale_invalidate = false;
  CHECK_THAT(failure(p, program(~0u)),
             Catch::Contains("R2 is version 1, program order demands 2 in lanes 0x0000ffff"));
  CHECK_THAT(failure(p, program(0x1ffff)), Catch::Contains("in lanes 0x0000ffff"));
  CHECK_THAT(failure(p, program(0xff)), Catch::Contains("R2 is version 1, program order demands 2"));
  CHECK(failure(p, program(0xffff0000)) == "");
}
