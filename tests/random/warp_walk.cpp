#include "tests/random/warp_walk.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "subcore/base/bits.h"

namespace subcore::random {
namespace {

std::string hex(std::uint64_t value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*" PRIx64, digits, value);
  return text;
}

class Walk {
 public:
  Walk(const Program& program, std::uint32_t lanes, const LineFormat& format, const Regions& regions,
       const WalkOptions& options)
      : program_(program),
        format_(format),
        regions_(regions),
        options_(options),
        random_(options.own_seed),
        live_(lanes) {}

  WarpText run() {
    run(program_.main, live_);
    if (live_ != 0 && options_.final_exit) emit(program_.exit, live_);
    return std::move(out_);
  }

 private:
  void run(const std::vector<Node>& nodes, std::uint32_t lanes) {
    for (const Node& n : nodes)
      if ((lanes & live_) != 0) run(n, lanes & live_);
  }

  void run(const Node& n, std::uint32_t lanes) {
    switch (n.kind) {
      case NodeKind::line: {
        const Line& line = program_.lines[static_cast<std::size_t>(n.first)];
        emit(n.first, line.predicated ? chosen(line.predicate, lanes, random_) : lanes);
        break;
      }
      case NodeKind::choice:
        run_choice(n, lanes);
        break;
      case NodeKind::loop:
        run_loop(n, lanes);
        break;
      case NodeKind::uniform_loop: {
        const unsigned trips = 1 + Random(options_.common_seed + n.id).below(n.trips);
        for (unsigned i = 1; i <= trips && (lanes & live_) != 0; ++i) {
          run(n.body, lanes);
          if ((lanes & live_) != 0) emit(n.branch, i < trips ? lanes & live_ : 0);
        }
        break;
      }
      case NodeKind::leave: {
        std::uint32_t leaving = chosen(n.condition, lanes, random_);
        if (options_.keep_a_lane && leaving == live_) leaving &= leaving - 1;
        emit(n.first, leaving);
        live_ &= ~leaving;
        break;
      }
      case NodeKind::call: {
        const Function& f = program_.functions[n.function];
        emit(n.first, lanes);
        run(f.body, lanes);
        if ((lanes & live_) != 0) emit(f.ret, lanes & live_);
        break;
      }
      case NodeKind::barrier:
        emit(n.first, lanes);
        break;
    }
  }

  void run_choice(const Node& n, std::uint32_t lanes) {
    if (n.first >= 0) emit(n.first, lanes);
    const std::uint32_t taken = chosen(n.condition, lanes, random_);
    emit(n.branch, taken);
    const bool taken_first = random_.below(2) != 0;
    for (const bool second : {taken_first, !taken_first}) {
      const std::uint32_t part = second ? taken : lanes & ~taken;
      if (part == 0) continue;
      run(second ? n.otherwise : n.body, part);
      if ((part & live_) == 0) continue;
      if (!second && n.skip >= 0) emit(n.skip, part & live_);
      if (n.last >= 0) emit(n.last, part & live_);
    }
  }

  void run_loop(const Node& n, std::uint32_t lanes) {
    std::array<unsigned, warp_lanes> trips{};
    for (unsigned& t : trips) t = 1 + random_.below(n.trips);
    for (unsigned i = 1; (lanes & live_) != 0; ++i) {
      run(n.body, lanes);
      std::uint32_t again = 0;
      for (unsigned lane = 0; lane < warp_lanes; ++lane)
        if (trips[lane] > i) again |= 1u << lane;
      again &= lanes & live_;
      if (out_.count > options_.lines) again = 0;
      if ((lanes & live_) != 0) emit(n.branch, again);
      lanes = again;
    }
  }

  void emit(int index, std::uint32_t mask) {
    const Line& line = program_.lines[static_cast<std::size_t>(index)];
    ++out_.count;
    std::string& text = out_.lines;
    if (format_.prefix) text += options_.prefix;
    if (format_.line_info) text += std::to_string(line.source_line) + ' ';
    text += hex(line.pc, 4) + ' ' + hex(mask, 8) + ' ' + line.text;
    if (line.bytes != 0) {
      if (mask == 0 && format_.bare_when_off) {
        text += " \n";
        return;
      }
      write_access(line, mask, text);
    }
    if (format_.immediates && !line.immediate.empty()) text += ' ' + line.immediate;
    if (line.reuse != 0) text += " reuse=" + std::to_string(line.reuse);
    text += " \n";
  }

  // Natural alignment; inside the region of the instruction's space.
  std::vector<std::uint64_t> addresses(const Line& line, std::uint32_t mask) {
    MemorySpace space = line.space;
    std::uint64_t base = regions_.global;
    std::uint32_t bytes = regions_.global_bytes;
    if (space == MemorySpace::generic) {
      const unsigned where = line.base % 4;  // an instruction's space is always the same
      if (where == 0 && regions_.shared_window != 0)
        base = regions_.shared_window, bytes = regions_.shared_bytes;
      if (where == 1 && regions_.local_window != 0) base = regions_.local_window, bytes = 4096;
    } else if (space == MemorySpace::shared) {
      base = 0, bytes = regions_.shared_bytes;
    } else if (space == MemorySpace::local) {
      base = regions_.local_window != 0 && line.base % 2 != 0 ? regions_.local_window : 0xfff000,
      bytes = 4096;
    } else if (space == MemorySpace::constant) {
      base = 0, bytes = 4096;
    }
    const std::uint32_t slots = bytes / line.bytes;
    const std::uint32_t start = line.base + (random_.below(100) < 50 ? random_.below(slots) : 0);
    const std::uint32_t stride = 1 + line.base % 40, turn = random_.below(32);
    std::vector<std::uint64_t> out;
    for (const std::uint32_t lane : bits::each(mask)) {
      std::uint32_t slot = start;
      switch (line.pattern) {
        case AccessPattern::coalesced:
          slot += lane;
          break;
        case AccessPattern::strided:
          slot += lane * stride;
          break;
        case AccessPattern::backwards:
          slot += 31 - lane;
          break;
        case AccessPattern::broadcast:
          break;
        case AccessPattern::scattered:
          slot = random_.below(slots);
          break;
        case AccessPattern::permuted:
          slot += lane ^ turn;
          break;
      }
      out.push_back(base + std::uint64_t{slot % slots} * line.bytes);
    }
    return out;
  }

  void write_access(const Line& line, std::uint32_t mask, std::string& text) {
    const std::vector<std::uint64_t> a = addresses(line, mask);
    const auto difference = [&](std::size_t i) { return static_cast<std::int64_t>(a[i] - a[i - 1]); };
    const std::uint32_t run = mask == 0 ? 0 : mask >> bits::lowest(mask);
    bool strided = (run & (run + 1)) == 0;
    for (std::size_t i = 2; i < a.size(); ++i) strided = strided && difference(i) == difference(1);
    unsigned mode = random_.below(100) < 20 ? 0 : 2;
    if (strided && random_.below(100) < 80) mode = 1;
    if (a.empty()) mode = 1;
    text += ' ' + std::to_string(mode);
    if (mode == 0) {
      for (const std::uint64_t address : a) text += " 0x" + hex(address, 1);
      return;
    }
    text += " 0x" + hex(a.empty() ? 0 : a[0], 1);
    if (mode == 1) {
      text += ' ' + std::to_string(a.size() > 1 ? difference(1) : 0);
      return;
    }
    for (std::size_t i = 1; i < a.size(); ++i) text += ' ' + std::to_string(difference(i));
  }

  const Program& program_;
  const LineFormat& format_;
  const Regions& regions_;
  const WalkOptions& options_;
  Random random_;
  std::uint32_t live_;
  WarpText out_;
};

}  // namespace

WarpText walk(const Program& program, std::uint32_t lanes, const LineFormat& format, const Regions& regions,
              const WalkOptions& options) {
  return Walk(program, lanes, format, regions, options).run();
}

}  // namespace subcore::random
