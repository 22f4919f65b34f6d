#include "subcore/tracer/files/trace_writer.h"

#include <charconv>
#include <fstream>
#include <stdexcept>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "subcore/base/bits.h"
#include "subcore/base/formatted.h"
#include "subcore/base/names.h"
#include "subcore/base/whole_file.h"
#include "subcore/tracer/machine/instruction_table.h"

namespace io = boost::iostreams;

namespace subcore::tracer {
namespace {

void append_hex(std::string& to, std::uint64_t value, unsigned digits) {
  for (unsigned n = digits; n-- > 0;) to += "0123456789abcdef"[value >> 4 * n & 15];
}

template <class Number>
void append_number(std::string& to, Number value, int base = 10) {
  std::array<char, 24> digits;
  to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr);
}

// Writes base and stride if the lanes have no gap and one stride, otherwise base and differences.
void append_addresses(std::string& to, Lanes lanes,
                      const std::array<std::uint64_t, lanes_of_warp>& addresses) {
  if (lanes == 0) {
    to += "1 0x0 0 ";
    return;
  }
  const unsigned first = bits::lowest(lanes), last = bits::highest(lanes);
  const auto step = [&](unsigned lane) {
    return static_cast<std::int64_t>(addresses[lane] - addresses[lane - 1]);
  };
  bool has_stride = last > first && lanes == (bits::first<Lanes>(last + 1) & ~bits::below<Lanes>(first));
  for (unsigned lane = first + 2; has_stride && lane <= last; ++lane)
    has_stride = step(lane) == step(first + 1);
  to += has_stride ? "1 0x" : "2 0x";
  append_number(to, addresses[first], 16);
  to += ' ';
  if (has_stride) {
    append_number(to, step(first + 1));
    to += ' ';
    return;
  }
  std::uint64_t before = addresses[first];
  for (const unsigned lane : bits::each(bits::without_lowest(lanes))) {
    append_number(to, static_cast<std::int64_t>(addresses[lane] - before));
    to += ' ';
    before = addresses[lane];
  }
}

std::string dimensions_text(Dimensions d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string window_text(std::uint64_t address) {
  return formatted("0x%016llx", static_cast<unsigned long long>(address));
}

}  // namespace

// A file that is compressed while it is written.
class TraceWriter::File {
 public:
  File(const std::filesystem::path& path, TracePacking packing) : path_(path) {
    if (packing == TracePacking::gz) stream_.push(io::gzip_compressor(io::gzip_params(1)));
    if (packing == TracePacking::xz) stream_.push(io::lzma_compressor(io::lzma_params(3)));
    file_.open(path, std::ios::binary);
    stream_.push(file_);
  }
  void write(const std::string& text) {
    stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!stream_) fail();
  }
  void close() {
    stream_.reset();
    file_.close();
    if (!file_) fail();
  }

 private:
  [[noreturn]] void fail() const { throw std::runtime_error("cannot write " + path_.string()); }
  std::filesystem::path path_;
  std::ofstream file_;
  io::filtering_ostream stream_;
};

unsigned traced_bytes(const Instruction& i) {
  if (i.field(Field::size) == 0 && i.opcode.compare(0, 4, "LDSM") == 0) return 2;
  if (i.opcode.compare(0, 4, "ATOM") == 0 || i.opcode.compare(0, 3, "RED") == 0)
    return i.opcode.find("64") != std::string::npos ? 8 : 4;  // .64, .S64, .F64
  return access_bytes(i.field(Field::size));
}

std::string sidecar_line(const Instruction& i) {
  std::string line =
      formatted("%04x | %016llx %016llx | %2d %c %d %d %02x %x |", i.pc,
                static_cast<unsigned long long>(i.low), static_cast<unsigned long long>(i.high), i.stall,
                i.yields ? 'Y' : '-', i.write_barrier, i.read_barrier, i.wait_mask, i.reuse);
  for (const RegisterUse& use : i.registers) {
    line += use.is_destination ? " D:" : " S:";
    line += (use.is_uniform ? "UR" : "R") + std::to_string(use.number) + "x" + std::to_string(use.width);
    if (!use.is_destination) line += use.slot == 0 ? "/A" : use.slot == 1 ? "/B" : "/C";
    if (use.is_reused) line += "*";
  }
  return line + " | " + i.text;
}

TraceWriter::TraceWriter(const std::filesystem::path& folder, TracePacking packing, TraceVersion version)
    : folder_(folder), packing_(packing), version_(version) {}

TraceWriter::~TraceWriter() = default;

void TraceWriter::copied_to_device(std::uint64_t address, std::uint64_t bytes) {
  commands_ += formatted("MemcpyHtoD,0x%016llx,%llu\n", static_cast<unsigned long long>(address),
                         static_cast<unsigned long long>(bytes));
}

void TraceWriter::begin_kernel(const Launch& launch, Dimensions grid) {
  const Kernel& kernel = *launch.kernel;
  const std::string name = "kernel-" + std::to_string(++kernels_) + ".traceg";
  const std::string packed =
      packing_ == TracePacking::none ? name : name + "." + std::string(name_of(packing_));
  commands_ += packed + "\n";
  write_sidecar(launch);
  file_ = std::make_unique<File>(folder_.path() / packed, packing_);
  std::string header =
      "-kernel name = " + kernel.name + "\n-kernel id = " + std::to_string(kernels_) +
      "\n-grid dim = " + dimensions_text(grid) + "\n-block dim = " + dimensions_text(launch.block) +
      "\n-shmem = " + std::to_string(launch.shared_bytes) + "\n-nregs = " + std::to_string(kernel.registers) +
      "\n-binary version = " + std::to_string(launch.architecture) +
      "\n-cuda stream id = 0\n-shmem base_addr = " + window_text(shared_window) +
      "\n-local mem base_addr = " + window_text(local_window) +
      "\n-nvbit version = none (subcore-trace " SUBCORE_VERSION ")";
  if (version_ == TraceVersion::immediates)
    header +=
        "\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = [line_num] PC mask "
        "dest_num "
        "[reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate\n";
  else
    header +=
        "\n-accelsim tracer version = 3\n\n#traces format = PC mask dest_num [reg_dests] opcode src_num "
        "[reg_srcs] "
        "mem_width [adrrescompress?] [mem_addresses] [reuse=slots]\n";
  file_->write(header);
  lines_.assign((launch.block.count() + lanes_of_warp - 1) / lanes_of_warp, {});
}

void TraceWriter::executed(const Warp& warp, const Instruction& i, Lanes lanes,
                           const std::array<std::uint64_t, lanes_of_warp>* addresses) {
  std::string& line = lines_[warp.number];
  append_hex(line, i.pc, i.pc > 0xffff ? 5 : 4);
  line += ' ';
  append_hex(line, lanes, 8);
  const auto is_result = [&](const RegisterUse& use) {
    return use.is_destination && (i.destination_is_first || version_ == TraceVersion::reuse_flags);
  };
  unsigned sources = 0, results = 0, result = 0;
  for (const RegisterUse& use : i.registers) {
    if (use.is_uniform) continue;
    if (is_result(use)) {
      results = 1;
      result = use.number;
    } else {
      ++sources;
    }
  }
  line += results != 0 ? " 1 R" : " 0 ";
  if (results != 0) {
    append_number(line, result);
    line += ' ';
  }
  line += i.opcode;
  line += ' ';
  append_number(line, sources);
  line += ' ';
  for (const RegisterUse& use : i.registers) {
    if (use.is_uniform || is_result(use)) continue;
    line += 'R';
    append_number(line, static_cast<unsigned>(use.number));
    line += ' ';
  }
  if (addresses == nullptr) {
    line += "0 ";
  } else {
    append_number(line, traced_bytes(i));
    line += ' ';
    append_addresses(line, lanes, *addresses);
  }
  if (version_ == TraceVersion::immediates) {
    append_number(line, i.immediate);
    line += ' ';
  } else {
    unsigned reused = 0;
    for (const RegisterUse& use : i.registers)
      if (use.is_reused) bits::add(reused, use.slot);
    if (reused != 0) line += "reuse=" + std::to_string(reused);
  }
  line += '\n';
}

void TraceWriter::end_cta(Dimensions place, const std::vector<Warp>& warps) {
  file_->write("\n#BEGIN_TB\n\nthread block = " + std::to_string(place.x) + "," + std::to_string(place.y) +
               "," + std::to_string(place.z) + "\n");
  for (const Warp& warp : warps) {
    file_->write("\nwarp = " + std::to_string(warp.number) + "\ninsts = " + std::to_string(warp.executed) +
                 "\n");
    file_->write(lines_[warp.number]);
    lines_[warp.number].clear();
  }
  file_->write("\n#END_TB\n");
}

void TraceWriter::end_kernel() {
  file_->close();
  file_.reset();
}

void TraceWriter::write_sidecar(const Launch& launch) {
  const Kernel& kernel = *launch.kernel;
  std::string name = "kernel-" + std::to_string(kernels_) + ".sass";
  if (packing_ != TracePacking::none) name += "." + std::string(name_of(packing_));
  File file(folder_.path() / name, packing_);
  file.write("# " + kernel.name + " nregs=" + std::to_string(kernel.registers) +
             " smem=" + std::to_string(launch.shared_bytes) +
             "\n# pc | lo hi | stall yield wrbar rdbar waitmask reuse | regs (D=dest S=src, "
             "[U]R<n>x<width>/<collector slot A|B|C>[*=reuse]) | text\n");
  for (const Instruction& i : kernel.code) file.write(sidecar_line(i) + "\n");
  file.close();
}

void TraceWriter::publish() {
  write_whole_file(folder_.path() / "kernelslist.g", commands_);
  folder_.publish();
}

}  // namespace subcore::tracer
