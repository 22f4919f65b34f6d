#include "tests/random/divergent_trace.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "subcore/base/bits.h"
#include "subcore/model/isa/issue_distance.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/policy/random.h"

namespace subcore::random {
namespace {

// Lanes are in groups. The code is made for groups, and it is random which lanes of a warp are in which
// group. A path has some of the groups, and a predicated instruction has some of its path's groups.
using Groups = std::uint32_t;
constexpr unsigned group_count = 8;
constexpr Groups all_groups = (1u << group_count) - 1;
constexpr unsigned barriers = 6;

struct DivergentForm {
  std::string_view opcode, destinations, sources;  // per operand, a digit: its number of registers
  unsigned bytes = 0;
};
// Instructions of fixed latency, and below them others.
constexpr DivergentForm fixed_forms[] = {
    {"MOV", "1", "1"},          {"IADD3", "1", "111"}, {"LOP3.LUT", "1", "111"}, {"FADD", "1", "11"},
    {"FFMA", "1", "111"},       {"IMAD", "1", "111"},  {"CS2R", "2", ""},        {"CS2R.32", "1", ""},
    {"IMAD.MOV.U32", "1", "1"}, {"SEL", "1", "11"},    {"HFMA2", "1", "111"},
};
constexpr DivergentForm late_forms[] = {
    {"DADD", "2", "22"},           {"DFMA", "2", "222"},       {"DMUL", "2", "22"},
    {"MUFU.RCP", "1", "1"},        {"F2F.F64.F32", "2", "1"},  {"LDG.E.SYS", "1", "2", 4},
    {"LDG.E.64.SYS", "2", "2", 8}, {"STG.E.SYS", "", "21", 4}, {"LDS.U", "1", "1", 4},
};

// All instructions write and read the same few pairs of registers. No instruction writes the address
// register.
constexpr unsigned first_register = 8, register_count = 8, address_register = 2;

// Instructions of no pipe whose results take a time of their own.
constexpr UnitUse none{ExecutionClass::branch, IssuePipe::control};

struct CodeLine {
  DivergentForm form;
  UnitUse use = none;
  Groups groups = all_groups;                   // groups whose lanes run the instruction
  std::vector<unsigned> destinations, sources;  // registers as the line lists them
  unsigned stall = 1, write_barrier = 7, read_barrier = 7, waits = 0;
};

// The writes and reads that are under way in one group of lanes of a register.
struct UnderWay {
  std::int64_t issued = -1000;  // when its producer of fixed latency issued, on the group's clock
  UnitUse use = none;
  unsigned written_behind = 0, read_behind = 0;  // barriers that end it, a bit for each
};

class DivergentKernel {
 public:
  explicit DivergentKernel(std::uint64_t seed) : random_(seed) {
    late_share_ = 15 + random_.below(45);
    predicated_ = 10 * random_.below(6);
    slack_ = random_.below(4) == 0 ? 6 : 1;
  }

  std::vector<TraceFile> write() {
    straight_for_all(2 + random_.below(6));
    for (unsigned n = 2 + random_.below(6); n > 0; --n) region();
    finish();
    return {
        {"kernelslist.g", "kernel-1.traceg\n"}, {"kernel-1.traceg", trace()}, {"kernel-1.sass", sidecar()}};
  }

 private:
  // A part of the code, in the order of addresses. Its paths are runs of lines. Before and behind a part with
  // several paths is a part that all lanes run.
  struct Part {
    std::vector<std::pair<std::size_t, std::size_t>>
        paths;  // each path's first line, and the line behind its last
  };

  bool chance(unsigned percent) { return random_.below(100) < percent; }

  void region() {
    const unsigned paths = 2 + random_.below(3);
    std::array<Groups, 4> groups{};
    for (unsigned g = 0; g < group_count; ++g) bits::add(groups[random_.below(paths)], g);
    common("BRA", 15);
    Part part;
    const std::int64_t start = clock_;
    std::int64_t last = start;
    for (unsigned p = 0; p < paths; ++p) {
      if (groups[p] == 0) continue;
      clock_ = start;
      const std::size_t first = lines_.size();
      straight(groups[p], 2 + random_.below(10));
      add_control("BRA", groups[p], 15);
      part.paths.emplace_back(first, lines_.size());
      last = std::max(last, clock_);
    }
    clock_ = last;
    parts_.push_back(part);
    common("NOP", 15);
    straight_for_all(1 + random_.below(5));
  }

  void common(std::string_view opcode, unsigned stall) {
    parts_.push_back({{{lines_.size(), lines_.size() + 1}}});
    add_control(opcode, all_groups, stall);
  }
  void add_control(std::string_view opcode, Groups groups, unsigned stall) {
    CodeLine l;
    l.form = {opcode, "", ""};
    l.groups = groups;
    l.stall = stall;
    lines_.push_back(l);
    clock_ += stall;
  }
  void finish() {
    common("NOP", 15);
    CodeLine wait;
    wait.form = {"NOP", "", ""};
    wait.waits = (1u << barriers) - 1;
    wait.stall = 15;
    parts_.push_back({{{lines_.size(), lines_.size() + 2}}});
    lines_.push_back(wait);
    add_control("EXIT", all_groups, 5);
  }

  void straight_for_all(unsigned count) {
    const std::size_t first = lines_.size();
    straight(all_groups, count);
    if (lines_.size() > first) parts_.push_back({{{first, lines_.size()}}});
  }

  void straight(Groups groups, unsigned count) {
    for (; count > 0; --count) {
      const bool late = chance(late_share_);
      const DivergentForm& form = late ? late_forms[random_.below(std::size(late_forms))]
                                       : fixed_forms[random_.below(std::size(fixed_forms))];
      // An instruction for some lanes, and often another one for the other lanes with the same destination.
      if (chance(predicated_)) {
        const Groups some = groups & static_cast<Groups>(random_.next() >> 40);
        if (some == 0) continue;
        add(form, some, {});
        const std::vector<unsigned> same = lines_.back().destinations;
        if (some != groups && chance(60))
          add(fixed_forms[random_.below(std::size(fixed_forms))], groups & ~some, same);
      } else {
        add(form, groups, {});
      }
    }
  }

  unsigned any_register(unsigned width) {
    return first_register + random_.below(register_count) / width * width;
  }

  void add(const DivergentForm& form, Groups groups, const std::vector<unsigned>& wanted) {
    CodeLine l;
    l.form = form;
    l.groups = groups;
    l.use = unit_use(75, form.opcode, *opcode_info(form.opcode));
    for (std::size_t n = 0; n < form.destinations.size(); ++n) {
      const auto width = static_cast<unsigned>(form.destinations[n] - '0');
      l.destinations.push_back(n < wanted.size() ? wanted[n] / width * width : any_register(width));
    }
    for (std::size_t n = 0; n < form.sources.size(); ++n)
      l.sources.push_back(form.bytes != 0 && n == 0
                              ? address_register
                              : any_register(static_cast<unsigned>(form.sources[n] - '0')));
    keep_dependences(l);
    lines_.push_back(l);
    clock_ += l.stall;
  }

  template <class F>
  static void each_register(const std::vector<unsigned>& listed, std::string_view widths, F use) {
    for (std::size_t n = 0; n < listed.size(); ++n)
      for (unsigned r = listed[n]; r < listed[n] + static_cast<unsigned>(widths[n] - '0'); ++r) use(r);
  }

  // Lets the instruction wait for all that it depends on, and notes what later instructions have to wait for.
  void keep_dependences(CodeLine& l) {
    std::int64_t earliest = clock_;
    const auto in_lanes = [&](unsigned r, auto use) {
      for (const unsigned g : bits::each(l.groups)) use(under_way_[r][g]);
    };
    each_register(l.sources, l.form.sources, [&](unsigned r) {
      in_lanes(r, [&](const UnderWay& u) {
        l.waits |= u.written_behind;
        if (u.use.pipe != IssuePipe::control)
          earliest = std::max<std::int64_t>(
              earliest, u.issued + issue_distance(75, u.use, l.use, DependenceKind::source));
      });
    });
    each_register(l.destinations, l.form.destinations, [&](unsigned r) {
      in_lanes(r, [&](const UnderWay& u) {
        l.waits |= u.written_behind | u.read_behind;
        if (u.use.pipe != IssuePipe::control)
          earliest = std::max<std::int64_t>(earliest, u.issued + overwrite_distance(75, u.use, l.use));
      });
    });
    // The stall count of the line before does the waiting.
    while (clock_ < earliest) {
      CodeLine& before = lines_.back();
      const auto more = std::min<std::int64_t>(earliest - clock_, 15 - before.stall);
      if (more <= 0) {
        add_control("NOP", l.groups, 1);
        continue;
      }
      before.stall += static_cast<unsigned>(more);
      clock_ += more;
    }
    for (auto& groups : under_way_)
      for (const unsigned g : bits::each(all_groups)) {
        // This instruction has waited for its barriers, but only in its own lanes.
        if (!bits::has(l.groups, g)) continue;
        groups[g].written_behind &= ~l.waits;
        groups[g].read_behind &= ~l.waits;
      }
    const bool late = has_variable_latency(75, l.use.pipe);
    l.stall = late ? 2 : 1 + random_.below(slack_);
    if (late) (l.destinations.empty() ? l.read_barrier : l.write_barrier) = random_.below(barriers);
    const unsigned armed = !late ? 0 : l.destinations.empty() ? 1u << l.read_barrier : 1u << l.write_barrier;
    if (late)
      each_register(l.sources, l.form.sources,
                    [&](unsigned r) { in_lanes(r, [&](UnderWay& u) { u.read_behind |= armed; }); });
    each_register(l.destinations, l.form.destinations, [&](unsigned r) {
      in_lanes(r, [&](UnderWay& u) {
        u = {clock_, late ? none : l.use, late ? armed : 0, late ? u.read_behind : 0};
      });
    });
  }

  std::string hex(std::uint64_t value, int digits) const {
    char text[32];
    std::snprintf(text, sizeof text, "%0*" PRIx64, digits, value);
    return text;
  }
  static std::uint64_t pc(std::size_t line) { return 16 * line; }

  // The warp goes through the paths of a part in any order, and changes between them at any line.
  std::string warp(unsigned number) {
    std::array<std::uint32_t, group_count> lanes{};
    const unsigned used = 1 + random_.below(group_count);
    std::array<unsigned, group_count> group_of{};
    for (unsigned& g : group_of) g = random_.below(group_count);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      bits::add(lanes[group_of[(chance(50) ? lane * used / warp_lanes : random_.below(used))]], lane);
    std::string text;
    unsigned count = 0;
    const auto emit = [&](std::size_t n) {
      std::uint32_t mask = 0;
      for (const unsigned g : bits::each(lines_[n].groups)) mask |= lanes[g];
      text += trace_line(n, mask);
      ++count;
    };
    for (const Part& part : parts_) {
      std::vector<std::pair<std::size_t, std::size_t>> left;
      for (const auto& p : part.paths) {
        std::uint32_t mask = 0;
        for (const unsigned g : bits::each(path_groups(p))) mask |= lanes[g];
        if (mask != 0) left.push_back(p);
      }
      while (!left.empty()) {
        auto& p = left[random_.below(static_cast<unsigned>(left.size()))];
        for (unsigned n = 1 + random_.below(chance(50) ? 20 : 4); n > 0 && p.first != p.second; --n)
          emit(p.first++);
        left.erase(
            std::remove_if(left.begin(), left.end(), [](const auto& x) { return x.first == x.second; }),
            left.end());
      }
    }
    return "warp = " + std::to_string(number) + "\ninsts = " + std::to_string(count) + "\n" + text + "\n";
  }
  Groups path_groups(const std::pair<std::size_t, std::size_t>& path) const {
    Groups all = 0;
    for (std::size_t n = path.first; n < path.second; ++n) all |= lines_[n].groups;
    return all;
  }

  std::string trace_line(std::size_t n, std::uint32_t mask) {
    const CodeLine& l = lines_[n];
    std::string text = hex(pc(n), 4) + ' ' + hex(mask, 8) + ' ' + std::to_string(l.destinations.size());
    for (const unsigned r : l.destinations) text += " R" + std::to_string(r);
    text += ' ' + std::string(l.form.opcode) + ' ' + std::to_string(l.sources.size());
    for (const unsigned r : l.sources) text += " R" + std::to_string(r);
    text += ' ' + std::to_string(l.form.bytes);
    if (l.form.bytes != 0 && mask != 0) {
      const bool shared = l.form.opcode.substr(0, 3) == "LDS";
      const std::uint64_t base = shared ? 0 : 0x7f4000000000 + std::uint64_t{random_.below(64)} * 4096;
      text += " 0";
      for (unsigned lane = 0; lane < bits::count(mask); ++lane)
        text += " 0x" + hex(base + std::uint64_t{random_.below(64)} * 16, 1);
    }
    return text + " \n";
  }

  std::string trace() {
    const unsigned ctas = 1 + random_.below(3), warps = 1 + random_.below(12);
    std::string text = "-kernel name = k_divergent\n-kernel id = 1\n-grid dim = (" + std::to_string(ctas) +
                       ",1,1)\n-block dim = (" + std::to_string(warps * warp_lanes) +
                       ",1,1)\n-shmem = 1024\n-nregs = 32\n-binary version = 75\n-cuda stream id = 0\n"
                       "-shmem base_addr = 0x00007f3000000000\n-local mem base_addr = 0x00007f2000000000\n"
                       "-nvbit version = 1.5.5\n-accelsim tracer version = 4\n-enable lineinfo = 0\n\n"
                       "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width"
                       " [adrrescompress?] [mem_addresses]\n\n";
    for (unsigned c = 0; c < ctas; ++c) {
      text += "#BEGIN_TB\n\nthread block = " + std::to_string(c) + ",0,0\n\n";
      for (unsigned w = 0; w < warps; ++w) text += warp(w);
      text += "#END_TB\n\n";
    }
    return text;
  }

  std::string sidecar() const {
    std::string out = "# k_divergent\n";
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const CodeLine& l = lines_[n];
      out += hex(pc(n), 4) + " | 0000000000000000 0000000000000000 | " + std::to_string(l.stall) +
             (l.stall > 11 ? " Y " : " - ") + std::to_string(l.write_barrier) + ' ' +
             std::to_string(l.read_barrier) + ' ' + hex(l.waits, 2) + " 0 |";
      for (std::size_t d = 0; d < l.destinations.size(); ++d)
        out += " D:R" + std::to_string(l.destinations[d]) + 'x' + l.form.destinations[d];
      for (std::size_t s = 0; s < l.sources.size(); ++s)
        out += " S:R" + std::to_string(l.sources[s]) + 'x' + l.form.sources[s] + '/' +
               static_cast<char>('A' + static_cast<char>(s));
      out += " | " + std::string(l.form.opcode) + " ;\n";
    }
    return out;
  }

  Random random_;
  unsigned late_share_, predicated_, slack_;
  std::vector<CodeLine> lines_;
  std::vector<Part> parts_;
  std::int64_t clock_ = 0;  // cycle of the path that is being written
  std::array<std::array<UnderWay, group_count>, 32> under_way_{};
};

}  // namespace

std::vector<TraceFile> divergent_trace(std::uint64_t seed) {
  return DivergentKernel(seed).write();
}

}  // namespace subcore::random
