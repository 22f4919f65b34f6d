#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/policy/operand_cache/reuse.h"
#include "tests/unit/kept_registers.h"
#include "tests/unit/made_instruction.h"

namespace reuse_operand_cache_policy_test {

using namespace subcore;
using test::MadeInstruction;

namespace {

// An instruction whose sources are in slots A, B, C, with the bits of `flags` as their reuse flags.
struct Reader : MadeInstruction {
  Reader(std::uint64_t sequence, const std::vector<Register>& sources, unsigned flags = 0)
      : MadeInstruction({}, sources) {
    for (unsigned s = 0; s < sources.size(); ++s) code.source_slots[s] = static_cast<std::uint8_t>(1u << s);
    code.reuse_mask = static_cast<std::uint8_t>(flags);
    instruction.sequence = sequence;
    instruction.warp_uid = 1;
  }
};

// Issues an instruction. Missing sources come at once, as version 7. Returns true for each source that hit.
std::vector<bool> run(OperandCachePolicy& cache, MadeInstruction& m) {
  std::vector<bool> hits;
  for (unsigned s = 0; s < m.instruction.source_count; ++s) hits.push_back(cache.read(m.instruction, s).hit);
  cache.issued(m.instruction);
  for (unsigned s = 0; s < m.instruction.source_count; ++s)
    if (!hits[s] && cache.keeps_fills()) cache.filled(m.instruction, s, {7});
  return hits;
}

}  // namespace

TEST_CASE("reuse operand cache: a flagged source hits once the bank has answered") {
  ReuseOperandCache cache{ReuseCacheParameters()};
  Reader first(0, {2, 3}, 1), early(1, {2}, 1), second(2, {2}, 1), third(3, {2}), fourth(4, {2});
  CHECK(!cache.read(first.instruction, 0).hit);
  CHECK(!cache.read(early.instruction, 0).hit);  // the value is on its way
  CHECK(cache.filled(first.instruction, 0, {5}));
  CHECK(!cache.filled(first.instruction, 1, {5}));  // not flagged
  const OperandCachePolicy::Lookup found = cache.read(second.instruction, 0);
  CHECK(found.hit);
  CHECK(found.version.write == 5);
  CHECK(cache.read(third.instruction, 0).hit);
  CHECK(!cache.read(fourth.instruction, 0).hit);
}

TEST_CASE("reuse operand cache: a waveform shows values that have come, in the slot of their warp") {
  ReuseOperandCache cache{ReuseCacheParameters()};
  const auto kept = [&](unsigned warp_slot) { return test::kept_registers(cache, warp_slot); };
  Reader reader(0, {2}, 1);
  CHECK_FALSE(cache.read(reader.instruction, 0).hit);
  CHECK(kept(0).empty());  // the value is on its way
  CHECK(cache.filled(reader.instruction, 0, {5}));
  CHECK(kept(0) == std::vector<Register>{2});
  CHECK(kept(1).empty());
}

TEST_CASE("reuse operand cache: results go to the banks and nowhere else") {
  ReuseOperandCache cache{ReuseCacheParameters()};
  MadeInstruction writer({2}, {});
  CHECK(cache.to_banks(writer.instruction) == 0xff);
  CHECK(!cache.written(writer.instruction, 0));
}

TEST_CASE("reuse operand cache: memory leaves it alone unless it is to evict") {
  for (const bool evicts : {false, true}) {
    ReuseOperandCache cache({3, 2, evicts});
    Reader first(0, {2}, 1), load(1, {4}), second(2, {2});
    load.code.execution = ExecutionClass::load_store;
    run(cache, first);
    CHECK(!cache.read(load.instruction, 0).searched);
    run(cache, load);
    CHECK(run(cache, second) == std::vector<bool>{!evicts});
  }
}

TEST_CASE("reuse operand cache: what is predicated off takes away what is in its slots") {
  ReuseOperandCache cache{ReuseCacheParameters()};
  Reader first(0, {2, 4}, 3), off(1, {6}), second(2, {2, 4});
  off.predicated_off();
  run(cache, first);
  run(cache, off);
  CHECK(run(cache, second) == std::vector<bool>{false, true});
}

TEST_CASE("reuse operand cache: a register in two slots hits by either") {
  ReuseOperandCache cache{ReuseCacheParameters()};
  Reader first(0, {2}, 2), second(1, {2});
  first.code.source_slots[0] = 3;  // A and B, of which B is flagged
  run(cache, first);
  second.code.source_slots[0] = 2;
  CHECK(run(cache, second) == std::vector<bool>{true});
}

}  // namespace reuse_operand_cache_policy_test
