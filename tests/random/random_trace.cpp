#include "tests/random/random_trace.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "tests/random/warp_walk.h"

namespace subcore::random {
namespace {

struct KernelShape {
  unsigned x = 1, y = 1, z = 1;  // grid
  unsigned threads = 32;
  unsigned budget = 100;  // warp instructions
  unsigned ctas() const { return x * y * z; }
  unsigned warps() const { return (threads + warp_lanes - 1) / warp_lanes; }
};

class KernelWriter {
 public:
  KernelWriter(unsigned id, const KernelShape& shape, Draws& random)
      : id_(id), shape_(shape), random_(random) {
    constexpr unsigned versions[] = {70, 75, 80, 86, 89, 90, 61};
    binary_ = versions[random_.below(7)];
    tracer_ = 1 + random_.below(5);
    format_.prefix = tracer_ < 3;
    format_.line_info = chance(10);
    format_.immediates = tracer_ == 5;
    format_.bare_when_off = chance(50);
    registers_ = chance(30) ? 8 + 2 * random_.below(9) : chance(80) ? 24 + 2 * random_.below(41) : 254;
    const bool shared = chance(80);
    regions_.shared_bytes = 1024u << random_.below(4);
    shared_bytes_ = shared ? regions_.shared_bytes : 0;
    regions_.global = 0x7f4000000000 + (std::uint64_t{random_.below(16)} << 20);
    regions_.global_bytes = 1024u << random_.below(12);
    if (chance(80)) {
      regions_.shared_window = shared ? 0x7f3000000000 : 0;
      regions_.local_window = 0x7f2000000000;
    }
    ProgramShape program;
    program.registers = registers_;
    per_warp_ = std::max(6u, shape_.budget / (shape_.ctas() * shape_.warps()));
    program.lines = std::min(per_warp_, 8 + random_.below(90));
    program.pc_step = binary_ == 61 ? 8 : 16;
    program.first_pc = binary_ == 61 ? 8 : chance(10) ? 0xff80 : 0;
    program.shared_memory = shared;
    program.barriers = keep_a_lane_ = chance(50);
    program.exits = chance(40);
    program.reuse_flags = chance(50);
    program_ = make_program(program, random_);
  }

  std::string trace() {
    header();
    std::vector<unsigned> order(shape_.ctas());
    for (unsigned i = 0; i < order.size(); ++i) order[i] = i;
    if (chance(30))
      for (unsigned i = static_cast<unsigned>(order.size()); i > 1; --i)
        std::swap(order[i - 1], order[random_.below(i)]);
    for (const unsigned c : order) thread_block(c);
    return std::move(text_);
  }

  std::string sidecar() const {
    std::string out = "# k_random_" + std::to_string(id_) + "\n";
    for (const Line& line : program_.lines) {
      char pc[24];
      std::snprintf(pc, sizeof pc, "%04" PRIx64, line.pc);
      out += std::string(pc) + " | 0000000000000000 0000000000000000 |  1 - 7 7 00 " +
             std::to_string(line.reuse) + " |" + line.operands + " | ;\n";
    }
    return out;
  }

 private:
  bool chance(unsigned percent) { return random_.below(100) < percent; }

  void header() {
    const auto line = [&](const std::string& key, const std::string& value) {
      text_ += "-" + key + " = " + value + "\n";
    };
    const auto triple = [](unsigned x, unsigned y, unsigned z) {
      return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
    };
    const auto address = [](std::uint64_t a) {
      char s[32];
      std::snprintf(s, sizeof s, "0x%016" PRIx64, a);
      return std::string(s);
    };
    line("kernel name", "k_random_" + std::to_string(id_));
    line("kernel id", std::to_string(id_));
    line("grid dim", triple(shape_.x, shape_.y, shape_.z));
    line("block dim", triple(shape_.threads, 1, 1));
    line("shmem", std::to_string(shared_bytes_));
    line("nregs", std::to_string(registers_));
    line("binary version", std::to_string(binary_));
    line("cuda stream id", "0");
    line("shmem base_addr", address(regions_.shared_window));
    line("local mem base_addr", address(regions_.local_window));
    line("nvbit version", "1.5.5");
    line("accelsim tracer version", std::to_string(tracer_));
    line("enable lineinfo", format_.line_info ? "1" : "0");
    text_ +=
        "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width"
        " [adrrescompress?] [mem_addresses] [immediate]\n\n";
  }

  void thread_block(unsigned number) {
    const unsigned x = number % shape_.x, y = number / shape_.x % shape_.y, z = number / shape_.x / shape_.y;
    const std::string id = std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z);
    text_ += "#BEGIN_TB\n\nthread block = " + id + "\n\n";
    WalkOptions options;
    options.lines = per_warp_;
    options.keep_a_lane = keep_a_lane_;
    options.common_seed = random_.next();
    for (unsigned w = 0; w < shape_.warps(); ++w) {
      if (chance(2)) continue;  // a warp that the tracer lost
      options.prefix = std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + " " +
                       std::to_string(w) + " ";
      options.own_seed = random_.next();
      options.final_exit = !chance(3);
      const unsigned rest = shape_.threads - w * warp_lanes;
      const std::uint32_t lanes = rest >= warp_lanes ? ~0u : (1u << rest) - 1;
      WarpText warp;
      if (!chance(2)) warp = walk(program_, lanes, format_, regions_, options);
      text_ += "warp = " + std::to_string(w) + "\ninsts = " + std::to_string(warp.count) + "\n" + warp.lines +
               "\n";
    }
    text_ += "#END_TB\n\n";
  }

  unsigned id_;
  KernelShape shape_;
  Draws& random_;
  unsigned binary_ = 75, tracer_ = 4, registers_ = 32, shared_bytes_ = 0, per_warp_ = 50;
  bool keep_a_lane_ = false;
  LineFormat format_;
  Regions regions_;
  Program program_;
  std::string text_;
};

KernelShape random_shape(unsigned budget, Draws& random) {
  KernelShape s;
  s.budget = budget;
  s.x = 1 + std::min(random.below(3), random.below(3));
  if (random.below(4) == 0) s.y = 1 + random.below(2);
  if (random.below(8) == 0) s.z = 2;
  const unsigned warps = 1 + std::min(random.below(8), random.below(8));
  s.threads = warps * warp_lanes;
  if (random.below(5) == 0) s.threads -= random.below(warp_lanes);
  return s;
}

}  // namespace

std::vector<TraceFile> random_trace(std::uint64_t seed) {
  Draws draws(seed);
  return random_trace(draws);
}

std::vector<TraceFile> random_trace(Draws& draws) {
  std::vector<TraceFile> files{{"kernelslist.g", ""}};
  const unsigned kernels = 1 + std::min({draws.below(3), draws.below(3), draws.below(3)});
  const unsigned budget = 50u << draws.below(6);
  for (unsigned k = 1; k <= kernels; ++k) {
    const std::string name = "kernel-" + std::to_string(k);
    if (draws.below(2) == 0) files[0].text += "MemcpyHtoD,0x00007f4000000000,4096\n";
    files[0].text += name + ".traceg\n";
    KernelWriter writer(k, random_shape(budget / kernels, draws), draws);
    files.push_back({name + ".traceg", writer.trace()});
    if (draws.below(4) == 0) files.push_back({name + ".sass", writer.sidecar()});
  }
  return files;
}

void write_trace(const std::vector<TraceFile>& files, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const TraceFile& f : files) {
    std::ofstream out(folder / f.name, std::ios::binary);
    out << f.text;
    if (!out.flush()) throw std::runtime_error("cannot write " + (folder / f.name).string());
  }
}

}  // namespace subcore::random
