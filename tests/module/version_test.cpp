// The check of operands finds modules that are wrong, and lets results of divergent paths come in any order.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/modules/collector/ccu.h"
#include "tests/module/bench.h"

namespace version_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A bank that mixes warps up: it has one entry for a register of all warps. Two warps of one program write
// their registers equally often, so the numbers of writes do not show the mistake.
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
    if (t.writes()) {
      versions_[t.reg] = t.version;
      return;
    }
    t.version = versions_[t.reg];
    data_socket.send(t);
  }
  std::array<Version, 256> versions_{};
};

// A cache that mixes warps up in the same way.
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

// Adds instructions behind which both warps are past the first instruction, and its result is written.
void wait(WarpOps& ops) {
  ops.push_back(barrier());
  for (int n = 0; n < 10; ++n) ops.push_back(alu({}, {}));
}
// Two warps that write the same register once, and read it when both have.
Program alike() {
  Program program;
  WarpOps ops{alu({4}, {})};
  wait(ops);
  ops.push_back(alu({6}, {4}));
  program.add({ops, ops});
  return program;
}
PlatformParameters one_bank() {
  PlatformParameters p = baseline();
  p.sub_core.register_file.banks = 1;
  return p;
}

// The error of a run in which an operand is stale. All modules have to be made before.
std::string failure() {
  try {
    run_cycles(2000);
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/stale_operand");
    return report.get_msg();
  }
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

// A register is written twice, the second time only in the lower half of the lanes. The caching collector
// holds the first value, and the second value is kept out of it.
Program half_outdated(std::uint32_t readers) {
  Program program;
  program.add({{alu({2}, {}), alu({6}, {2}).near(1, 0), alu({2}, {}).with_mask(0xffff),
                alu({6}, {2}).with_mask(readers)}});
  return program;
}
PlatformParameters without_invalidation() {
  PlatformParameters p = malekeh(1);
  p.sub_core.collector.kind.as<CcuChoice>().stale_invalidate = false;
  return p;
}

}  // namespace

TEST_CASE("a bank that answers with another warp's register is found, though counts of writes agree") {
  const Program program = alike();
  Bench bench("bench", one_bank(), program, 1, mixed_up_banks());
  CHECK_THAT(failure(), Catch::Contains("R4 is version 1 of R4 of s") &&
                            Catch::Contains(" of sub-core 0, program order demands 1"));
}

TEST_CASE("so it is for a register that its warp has not written") {
  Program program;
  WarpOps writer{alu({4}, {})}, reader{alu({5}, {})};
  for (WarpOps* ops : {&writer, &reader}) wait(*ops);
  reader.push_back(alu({6}, {4}));
  program.add({writer, reader});
  Bench bench("bench", one_bank(), program, 1, mixed_up_banks());
  CHECK_THAT(failure(),
             Catch::Contains("R4 is version 1 of R4 of s0 of sub-core 0, program order demands 0"));
}

TEST_CASE("a cache that answers with another warp's entry is found, though counts of writes agree") {
  OperandCacheChoice::choices().add<MixedUpCacheChoice>("mixed_up", "of any warp");
  PlatformParameters p = baseline();
  p.sub_core.operand_cache.kind = "mixed_up";
  const Program program = alike();
  Bench bench("bench", p, program);
  CHECK_THAT(failure(), Catch::Contains("R4 is version 1 of R4 of s"));
}

TEST_CASE("lanes that nobody has written, or not outdated, are no stale operands") {
  Program again;
  again.add({{alu({4}, {}), alu({4}, {4})}});
  again.add({{alu({6}, {4}), alu({4}, {6}).with_mask(0xff), alu({6}, {4})}});
  const Program others = half_outdated(0xffff0000);
  Bench a("a", baseline(), again), b("b", malekeh(), again), c("c", bow(), again), d("d", bow_wr(), again),
      e("e", rfc(), again), f("f", without_invalidation(), others);
  CHECK(failure() == "");
  for (const Bench* bench : {&a, &b, &c, &d, &e, &f}) CHECK(bench->finished());
}

TEST_CASE("without stale_invalidate a copy is found that lacks a result of some of the lanes that are read") {
  const Program program = half_outdated(0x1ffff);
  Bench bench("bench", without_invalidation(), program);
  CHECK_THAT(failure(), Catch::Contains("R2 is version 1, program order demands 2 in lanes 0x0000ffff"));
}

TEST_CASE("without stale_invalidate a copy is found that lacks all that is read") {
  const Program program = half_outdated(0xff);
  Bench bench("bench", without_invalidation(), program);
  CHECK_THAT(failure(), Catch::Contains("R2 is version 1, program order demands 2"));
}

}  // namespace version_test
