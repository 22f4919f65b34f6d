// Pairs of runs whose results have a known relation, though nobody knows either result: the same work in
// other words, or more of something. Each relation has the bound within which it holds, and the reason.
#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/power/energy_events.h"
#include "tests/edited_sidecar.h"
#include "tests/platform/runs.h"
#include "tests/temporary_folder.h"

namespace metamorphic_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Folder = std::filesystem::path;
using Words = std::vector<std::string>;

Folder own_trace(const std::string& name) {
  return Folder(SUBCORE_SOURCE_DIR) / "scenarios" / "traces" / name;
}

// The text of a trace's first kernel: the part before its CTAs, and each CTA.
struct KernelText {
  std::string head;
  std::vector<std::string> ctas;

  explicit KernelText(const Folder& trace) {
    const std::string all = text_of_sidecar(trace / "kernel-1.traceg.xz"), begin = "#BEGIN_TB";
    std::size_t at = all.find(begin);
    head = all.substr(0, at);
    while (at != std::string::npos) {
      const std::size_t next = all.find(begin, at + 1);
      ctas.push_back(all.substr(at, next - at));
      at = next;
    }
    REQUIRE(!ctas.empty());
  }
  // Changes the words of each instruction's line.
  void edit(const std::function<void(Words&)>& change) {
    for (std::string& cta : ctas) {
      std::istringstream in(cta);
      std::string line, out;
      while (std::getline(in, line)) {
        const bool is_instruction = line.find_first_not_of("0123456789abcdef") == 4 && line[4] == ' ';
        if (is_instruction) {
          std::istringstream fields(line);
          Words words{std::istream_iterator<std::string>(fields), {}};
          change(words);
          line.clear();
          for (const std::string& w : words) line += w + ' ';
        }
        out += line + '\n';
      }
      cta = out;
    }
  }
  // Writes the kernel into a folder, `times` times, and returns the folder. Without a sidecar, registers are
  // those that the trace names.
  Folder write(const TemporaryFolder& folder, unsigned times = 1) const {
    std::string list, text = head;
    for (const std::string& cta : ctas) text += cta;
    for (unsigned n = 1; n <= times; ++n) {
      const std::string name = "kernel-" + std::to_string(n) + ".traceg";
      folder.write(name, text);
      list += name + '\n';
    }
    folder.write("kernelslist.g", list);
    return folder.path();
  }
};

RunResult run_one(const PlatformParameters& p, const Folder& trace) {
  return run(jobs_of({p}, {trace})).at(0);
}
RunResult run_one(const std::string& p, const Folder& trace, const std::vector<std::string>& set = {}) {
  return run_one(platform(p, set), trace);
}

// The result without words about its origin.
std::string content(RunResult r) {
  r.trace.clear();
  return without_time(r);
}

// The work that a run has done, however long that took.
std::vector<std::uint64_t> work(const RunResult& r) {
  return {r.instructions_retired, r.source_operands, r.ctas, r.operands_checked};
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

const Words systems{"baseline", "malekeh", "bow", "rfc", "ltrf", "nvidia_turing_scoreboard"};

}  // namespace

// CTAs of these kernels use no results of each other. Only their places change: which CTAs are on an SM
// together, what they find in the caches, and how they are in each other's way. So cycles differ, by a tenth
// at most.
TEST_CASE("CTAs in another order are the same work in about the same time") {
  for (const std::string name : {"vectoradd", "sgemm", "nn"}) {
    const KernelText text(own_trace(name));
    const TemporaryFolder plain, reversed;
    text.write(plain);
    KernelText other = text;
    std::reverse(other.ctas.begin(), other.ctas.end());
    other.write(reversed);
    for (const std::string& s : {std::string("baseline"), std::string("malekeh"), std::string("bow")}) {
      const RunResult a = run_one(s, plain.path()), b = run_one(s, reversed.path());
      CAPTURE(name, s, a.cycles, b.cycles);
      CHECK(work(a) == work(b));
      CHECK(ratio(a.cycles, b.cycles) == Approx(1).margin(0.1));
    }
  }
}

// A register 32 numbers further on has the same bank, the same set of every cache, and the same half of a
// pair. Nothing else depends on a register's number. So the results are the same to the last digit, if the
// kernel has as many registers, by which CTAs find room in an SM.
TEST_CASE("registers that are renamed within their banks change nothing") {
  for (const std::string name : {"vectoradd", "sgemm"}) {
    KernelText text(own_trace(name));
    const std::string key = "-nregs = ";
    const std::size_t at = text.head.find(key) + key.size();
    text.head.replace(at, text.head.find('\n', at) - at, "80");
    const TemporaryFolder plain, renamed;
    text.write(plain);
    text.edit([](Words& words) {
      for (std::size_t n = 2; n < words.size(); ++n) {
        std::string& w = words[n];
        if (w.size() < 2 || w[0] != 'R' || w.find_first_not_of("0123456789", 1) != std::string::npos)
          continue;
        const unsigned long r = std::stoul(w.substr(1));
        if (r == 255) continue;
        w = "R" + std::to_string(r + 32);
      }
    });
    text.write(renamed);
    for (const std::string& s : systems) {
      CAPTURE(name, s);
      CHECK(content(run_one(s, plain.path())) == content(run_one(s, renamed.path())));
    }
  }
}

// The sub-cores keep almost nothing of a kernel for the next one. Random choices, of a free collector or a
// victim, and STHLD go on from where they were. These leftovers change a hundredth of the cycles, and a
// twentieth of the energy. The tags of the simple memory stay, so that the second kernel finds no less there.
TEST_CASE("the second of two equal kernels is the same work, and takes hardly longer") {
  for (const std::string name : {"vectoradd", "hgemm_f16"}) {
    const KernelText text(own_trace(name));
    const TemporaryFolder once, twice;
    text.write(once);
    text.write(twice, 2);
    for (const std::string& s : systems) {
      const RunResult one = run_one(s, once.path()), two = run_one(s, twice.path());
      REQUIRE(two.per_kernel.size() == 2);
      CAPTURE(name, s, one.cycles, two.per_kernel[0].cycles, two.per_kernel[1].cycles);
      CHECK(two.instructions_retired == 2 * one.instructions_retired);
      CHECK(two.source_operands == 2 * one.source_operands);
      CHECK(two.per_kernel[0].cycles == one.per_kernel[0].cycles);
      CHECK(ratio(two.per_kernel[1].cycles, two.per_kernel[0].cycles) < 1.01);
      CHECK(two.energy_total_pj == Approx(2 * one.energy_total_pj).epsilon(0.05));
    }
  }
}

// 16 GiB further on are the same lines, sets and banks, if the lowest bits of an address choose them. Hashed
// sets and slices differ, so that other lines meet. In these short kernels this changes the time by no more
// than a twentieth.
TEST_CASE("addresses further on change nothing, or little where they are hashed") {
  for (const std::string name : {"vectoradd", "sgemm"}) {
    KernelText text(own_trace(name));
    const TemporaryFolder plain, shifted;
    text.write(plain);
    unsigned moved = 0;
    text.edit([&](Words& words) {
      for (std::string& w : words) {
        if (w.rfind("0x7f4", 0) != 0) continue;  // global memory; the windows of shared and local stay
        std::ostringstream out;
        out << "0x" << std::hex << std::stoull(w, nullptr, 16) + (std::uint64_t{16} << 30);
        w = out.str();
        ++moved;
      }
    });
    REQUIRE(moved > 0);
    text.write(shifted);
    for (const std::string& s : systems) {
      CAPTURE(name, s);
      CHECK(content(run_one(s, plain.path())) == content(run_one(s, shifted.path())));
    }
    const PlatformParameters gpu = load_platform(find_platform("baseline", "rtx2060_third"));
    const RunResult a = run_one(gpu, plain.path()), b = run_one(gpu, shifted.path());
    CAPTURE(name, a.cycles, b.cycles);
    CHECK(work(a) == work(b));
    CHECK(ratio(a.cycles, b.cycles) == Approx(1).margin(0.05));
  }
}

// Every time of the model is a number of cycles, and all modules have one clock.
TEST_CASE("a clock of another period takes the same cycles") {
  for (const char* gpu : {"", "rtx2060_third"}) {
    const PlatformChoice choice = find_platform("malekeh", gpu);
    const auto with = [&](const char* period) {
      return run_one(load_platform(choice, {std::string("clock_period_ns=") + period}), own_trace("nn"));
    };
    RunResult one = with("1"), other = with("2.5");
    for (RunResult* r : {&one, &other}) r->swept.clear();
    CHECK(content(one) == content(other));
  }
}

// The energy is a sum over events of a count times a coefficient, and coefficients decide nothing else. Each
// coefficient's share of the total grows with the coefficient, and no other share does.
TEST_CASE("energy is linear in each coefficient") {
  const TemporaryFolder folder;
  const auto table = [&](const std::string& other, const char* value) {
    std::string text = "preset: made\nsource: a test\nevents:\n";
    for (const std::string& name : EnergyEvents::table().names())
      text += "  " + name + ": " + (name == other ? value : "1") + "\n";
    return "energy.preset=" + folder.write("made.yaml", text).string();
  };
  for (const std::string s : {"malekeh", "bow_wr", "rfc"}) {
    const Folder trace = own_trace("vectoradd");
    const RunResult ones = run_one(s, trace, {table("", "1")});
    unsigned counted = 0;
    for (const auto& [event, share] : ones.energy_pj) {
      if (share == 0) continue;
      const RunResult more = run_one(s, trace, {table(event, "4")});
      CAPTURE(s, event, share);
      CHECK(more.energy_total_pj - ones.energy_total_pj == Approx(3 * share));
      CHECK(more.cycles == ones.cycles);
      for (const auto& [other, now] : more.energy_pj)
        CHECK(now == Approx(*value_of(ones.energy_pj, other) * (other == event ? 4 : 1)));
      ++counted;
    }
    CHECK(counted > 4);
  }
}

// A cache that can hold more finds more. With more entries in a collector, instructions take other times, and
// so other instructions issue next. At most one hit in a hundred is lost in this way. For LRU in caches of
// memory only the order of accesses can lose hits.
TEST_CASE("what has more room finds no less") {
  for (const std::string name : {"sgemm", "hotspot"}) {
    const auto trace = own_trace(name);
    double before = 0;
    for (const char* entries : {"7", "8", "12", "16"}) {
      const RunResult r =
          run_one("malekeh_private", trace, {std::string("sub_core.collector.entries=") + entries});
      CAPTURE(name, entries, before, r.read_hit_ratio);
      CHECK(r.read_hit_ratio > before - 0.01);
      before = r.read_hit_ratio;
    }
    before = 0;
    for (const char* entries : {"2", "4", "8", "16"}) {
      const RunResult r = run_one("rfc", trace, {std::string("sub_core.operand_cache.entries=") + entries});
      CAPTURE(name, entries, before, r.read_hit_ratio);
      CHECK(r.read_hit_ratio > before - 0.01);
      before = r.read_hit_ratio;
    }
  }
  double before = 0;
  for (const char* kilobytes : {"256", "512", "1024", "4096"}) {
    const PlatformParameters gpu = load_platform(find_platform("baseline", "rtx2060_third"),
                                                 {std::string("memory.l2.kilobytes=") + kilobytes});
    const RunResult r = run_one(gpu, own_trace("hotspot"));
    CAPTURE(kilobytes, before, r.l2_hit_ratio.value());
    CHECK(r.l2_hit_ratio.value() > before - 0.001);
    before = r.l2_hit_ratio.value();
  }
}

// The CTAs of these kernels use no results of each other, and read each line of memory once. So a second SM
// saves a quarter of the time or more if an SM limits the kernel, and nothing if DRAM limits it. Requests of
// two SMs come to DRAM in another order, which may cost a hundredth.
TEST_CASE("a streaming kernel takes no longer on more SMs") {
  for (const std::string name : {"vectoradd", "nn"}) {
    for (const std::string bandwidth : {"1", "20.5"}) {
      std::uint64_t before = 0;
      for (const std::string sms : {"1", "2", "3"}) {
        const PlatformParameters gpu =
            load_platform(find_platform("baseline", "rtx2060_third"),
                          {"gpu.sms=" + sms, "memory.dram.bytes_per_cycle=" + bandwidth});
        const RunResult r = run_one(gpu, own_trace(name));
        CAPTURE(name, bandwidth, sms, before, r.cycles);
        if (before != 0) {
          CHECK(ratio(r.cycles, before) < 1.01);
          if (bandwidth != "1" && sms == "2") CHECK(ratio(r.cycles, before) < 0.75);
        }
        before = r.cycles;
      }
    }
  }
}

// A part of the CTAs is a part of the work. Two parts, one behind the other, take longer than both at once,
// because the end of the first leaves room unused. The two parts take longer by no more than the machine
// takes to drain and fill once more: a tenth here.
TEST_CASE("the parts of a trace that is cut are its work, and take a little longer") {
  for (const std::string name : {"sgemm", "vectoradd", "srad"}) {
    TraceProgram whole = open_trace(own_trace(name));
    keep_kernel(whole, 1);
    TraceProgram first = whole, second = whole;
    const std::uint64_t ctas = KernelText(own_trace(name)).ctas.size(), half = ctas / 2;
    keep_ctas(first, 1, half);
    keep_ctas(second, half + 1, ctas);
    for (const std::string s : {"baseline", "malekeh"}) {
      const auto p = std::make_shared<PlatformParameters>(platform(s));
      const auto results = run({{p, whole}, {p, first}, {p, second}});
      const RunResult &all = results.at(0), &a = results.at(1), &b = results.at(2);
      CAPTURE(name, s, all.cycles, a.cycles, b.cycles);
      CHECK(a.instructions_retired + b.instructions_retired == all.instructions_retired);
      CHECK(a.source_operands + b.source_operands == all.source_operands);
      CHECK(a.cycles < all.cycles);
      CHECK(b.cycles < all.cycles);
      CHECK(a.cycles + b.cycles >= all.cycles);
    }
  }
}

}  // namespace metamorphic_test
