// Small programs for the tests of compiler passes: written by hand, or random with divergence, loops,
// predicates and lanes that exit.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/passes/pass_runner.h"

namespace subcore::test {

struct PassProgram {
  CodeTable code;
  std::vector<WarpTrace> warps{1};
  KernelAnnotation annotation;

  // Adds the next instruction in memory; returns its index.
  std::uint32_t add(const std::string& opcode, std::vector<Register> destinations = {},
                    std::vector<Register> sources = {}) {
    StaticInstruction s;
    const OpcodeInfo info = opcode_info(opcode).value();
    s.index = static_cast<std::uint32_t>(code.instructions.size());
    s.pc = 16u * s.index;
    s.execution = info.execution;
    s.kind = info.kind;
    s.space = info.space;
    const auto name = std::find(code.opcode_names.begin(), code.opcode_names.end(), opcode);
    s.opcode = static_cast<std::uint32_t>(name - code.opcode_names.begin());
    if (name == code.opcode_names.end()) code.opcode_names.push_back(opcode);
    s.source_count = static_cast<std::uint8_t>(sources.size());
    s.destination_count = static_cast<std::uint8_t>(destinations.size());
    std::copy(sources.begin(), sources.end(), s.sources.begin());
    std::copy_n(sources.begin(), std::min(sources.size(), s.slots.size()), s.slots.begin());
    for (unsigned k = 0; k < std::min<std::size_t>(sources.size(), operand_slots); ++k)
      s.source_slots[k] = bits::one<std::uint8_t>(k);
    std::copy(destinations.begin(), destinations.end(), s.destinations.begin());
    code.instructions.push_back(s);
    return s.index;
  }
  void run(std::uint32_t index, std::uint32_t mask = ~0u) { warps.back().records.push_back({index, mask}); }
  void run_all(std::uint32_t mask = ~0u) {
    for (const StaticInstruction& s : code.instructions) run(s.index, mask);
  }
  KernelProfile profile() const {
    KernelProfile p;
    for (const WarpTrace& w : warps) p.add(w, code);
    return p;
  }
  const Annotation& compile(const PassOptions& options, std::uint32_t instruction = 0) {
    PassRunner compiler(options);
    for (const WarpTrace& w : warps) compiler.add(w, code);
    annotation = KernelAnnotation{};
    compiler.compile(code, false, annotation);
    return annotation.instructions.at(instruction);
  }
};

inline PassOptions every_pass() {
  PassOptions o;
  o.write_back = o.dead = o.liveness = o.strands = o.intervals = true;
  return o;
}

// Statements nest; a branch's sides run one after the other in either order, or their instructions alternate.
class RandomProgram {
 public:
  explicit RandomProgram(std::mt19937& random) : random_(random) {
    registers_ = 3 + below(10);
    const unsigned statements = 1 + below(5);
    for (unsigned i = 0; i < statements; ++i) body_.push_back(statement(0));
    const unsigned warps = 1 + below(3);
    for (unsigned w = 0; w < warps; ++w) {
      alive_ = below(4) == 0 ? lanes() | 1u : ~0u;
      budget_ = 600;
      result.warps.resize(w + 1);
      for (const Statement& s : body_) run(s, ~0u, result.warps.back().records);
    }
  }
  PassProgram result;

 private:
  struct Statement {
    enum { line, branch, loop, leave } kind = line;
    std::vector<std::uint32_t> code;  // line: instructions; else the branch or exit
    std::vector<Statement> first, second;
    bool predicated = false;
  };
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::uint32_t lanes() { return static_cast<std::uint32_t>(random_()); }
  std::vector<Register> some(unsigned most) {
    std::vector<Register> list;
    for (unsigned k = below(most + 1); k > 0; --k) {
      const auto r = static_cast<Register>(below(registers_));
      if (std::find(list.begin(), list.end(), r) == list.end()) list.push_back(r);
    }
    return list;
  }
  std::uint32_t instruction() {
    switch (below(16)) {
      case 0:
        return result.add("LDG.E", some(2), some(1));
      case 1:
        return result.add("STG.E", {}, some(2));
      case 2:
        return result.add("MUFU.RCP", some(1), some(1));
      case 3:
        return result.add("LDS", some(1), some(1));
      case 4:
        return below(3) == 0 ? result.add("BAR.SYNC") : result.add("ATOMG.ADD", some(1), some(2));
      default:
        return result.add("IADD3", some(2), some(3));
    }
  }
  std::vector<Statement> block(unsigned depth) {
    std::vector<Statement> list;
    for (unsigned n = below(3); n > 0; --n) list.push_back(statement(depth + 1));
    return list;
  }
  Statement statement(unsigned depth) {
    Statement s;
    const unsigned pick = depth < 3 ? below(10) : 0;
    if (pick < 6) {
      for (unsigned n = 1 + below(6); n > 0; --n) s.code.push_back(instruction());
      s.predicated = below(4) == 0;
    } else if (pick < 8) {
      s.kind = Statement::branch;
      s.code.push_back(result.add("BRA", {}, {}));
      s.first = block(depth);
      s.second = block(depth);
    } else if (pick < 9) {
      s.kind = Statement::loop;
      s.first = block(depth);
      s.code.push_back(result.add("BRA", {}, {}));
    } else {
      s.kind = Statement::leave;
      s.code.push_back(result.add("EXIT"));
    }
    return s;
  }
  void run(const Statement& s, std::uint32_t mask, std::vector<TraceRecord>& out) {
    mask &= alive_;
    if (mask == 0 || budget_ == 0) return;
    --budget_;
    switch (s.kind) {
      case Statement::line:
        for (const std::uint32_t i : s.code)
          out.push_back({i, !s.predicated || below(2) == 0 ? mask : below(2) == 0 ? 0 : mask & lanes()});
        break;
      case Statement::branch: {
        const std::uint32_t taken = below(3) == 0 ? (below(2) == 0 ? mask : 0) : mask & lanes();
        out.push_back({s.code[0], taken});
        std::vector<TraceRecord> sides[2];
        for (const Statement& t : s.first) run(t, mask & ~taken, sides[0]);
        for (const Statement& t : s.second) run(t, taken, sides[1]);
        const bool alternate = below(3) == 0;
        std::size_t at[2] = {0, 0};
        for (unsigned side = below(2); at[0] < sides[0].size() || at[1] < sides[1].size();) {
          if (at[side] == sides[side].size()) side ^= 1u;
          out.push_back(sides[side][at[side]++]);
          if (alternate && below(2) == 0) side ^= 1u;
        }
        break;
      }
      case Statement::loop:
        for (std::uint32_t in = mask; in != 0 && budget_ != 0;) {
          for (const Statement& t : s.first) run(t, in, out);
          in = below(3) == 0 ? 0 : below(2) == 0 ? in : in & lanes();
          in &= alive_;
          out.push_back({s.code[0], in});
        }
        break;
      case Statement::leave: {
        const std::uint32_t gone = mask & lanes() & lanes();
        out.push_back({s.code[0], gone});
        alive_ &= ~gone;
        break;
      }
    }
  }

  std::mt19937& random_;
  unsigned registers_ = 0;
  unsigned budget_ = 0;
  std::uint32_t alive_ = 0;
  std::vector<Statement> body_;
};

}  // namespace subcore::test
