// Readers cannot tell a packed trace from its text.
#include "subcore/model/trace/pack.h"

#include <random>
#include <string>
#include <vector>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <catch2/catch.hpp>

#include "subcore/base/hash.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/model/trace/trace.h"
#include "tests/random/random_trace.h"
#include "tests/unit/trace_files.h"

namespace pack_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;
namespace io = boost::iostreams;

fs::path pack(const fs::path& kernel) {
  const fs::path packed = kernel.parent_path() / (kernel.stem().string() + ".traceg.packed");
  pack_kernel(kernel, packed, [](double share) { CHECK((share >= 0 && share <= 1)); });
  return packed;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool same(const Dim3& a, const Dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool same(const StaticInstruction& a, const StaticInstruction& b) {
  return a.pc == b.pc && a.opcode == b.opcode && a.index == b.index && a.execution == b.execution &&
         a.kind == b.kind && a.space == b.space && a.memory_bytes == b.memory_bytes &&
         a.source_count == b.source_count && a.destination_count == b.destination_count &&
         a.duplicate_sources == b.duplicate_sources && a.predicates_read == b.predicates_read &&
         a.predicates_written == b.predicates_written && a.touches_when_off == b.touches_when_off &&
         a.reuse_mask == b.reuse_mask && a.slots == b.slots && a.source_slots == b.source_slots &&
         a.controlled == b.controlled && a.control == b.control && a.sources == b.sources &&
         a.destinations == b.destinations && a.name == b.name;
}

void require_same(const WarpTrace& a, const WarpTrace& b) {
  REQUIRE((a.warp == b.warp && a.lanes == b.lanes && a.records.size() == b.records.size()));
  for (std::size_t i = 0; i < a.records.size(); ++i)
    REQUIRE((a.records[i].code == b.records[i].code && a.records[i].mask == b.records[i].mask));
  REQUIRE(a.addresses == b.addresses);
}

bool same(const SidecarOperands& a, const SidecarOperands& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SidecarOperand& x, const SidecarOperand& y) {
                      return x.base == y.base && x.width == y.width && x.slot == y.slot;
                    });
}

void require_same(const std::optional<Sidecar>& a, const std::optional<Sidecar>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  REQUIRE(a->by_pc.size() == b->by_pc.size());
  for (const auto& [pc, x] : a->by_pc) {
    const SidecarEntry* y = b->find(pc);
    REQUIRE(y != nullptr);
    REQUIRE((same(x.sources, y->sources) && same(x.destinations, y->destinations)));
    REQUIRE((x.control == y->control && x.reuse_mask == y->reuse_mask));
    REQUIRE((x.uniforms_read == y->uniforms_read && x.uniforms_written == y->uniforms_written));
    REQUIRE((x.predicates_read == y->predicates_read && x.predicates_written == y->predicates_written));
    REQUIRE(a->text(x) == b->text(*y));
  }
}

// Returns the count of instructions.
std::size_t require_same_ctas(KernelReader& text, KernelReader& packed) {
  CtaTrace a, b;
  std::size_t instructions = 0;
  for (;;) {
    const bool more = text.next(a);
    REQUIRE(packed.next(b) == more);
    // Both readers have met the same instructions so far, and no others. Annotations are made from these.
    REQUIRE(text.code().instructions.size() == packed.code().instructions.size());
    if (!more) return instructions;
    REQUIRE((same(a.id, b.id) && a.warps.size() == b.warps.size()));
    for (std::size_t w = 0; w < a.warps.size(); ++w) {
      require_same(a.warps[w], b.warps[w]);
      instructions += a.warps[w].records.size();
    }
  }
}

std::size_t require_same(const fs::path& text_file, const fs::path& packed_file,
                         const OperandOptions& options) {
  KernelReader text(text_file, options), packed(packed_file, options);
  const KernelHeader &a = text.header(), &b = packed.header();
  REQUIRE((a.name == b.name && a.id == b.id && same(a.grid, b.grid) && same(a.block, b.block)));
  REQUIRE(
      (a.shared_memory_bytes == b.shared_memory_bytes && a.registers_per_thread == b.registers_per_thread));
  REQUIRE(
      (a.binary_version == b.binary_version && a.stream == b.stream && a.tracer_version == b.tracer_version));
  REQUIRE((a.shared_base == b.shared_base && a.local_base == b.local_base && a.line_info == b.line_info));
  REQUIRE(text.has_sidecar() == packed.has_sidecar());
  require_same(sidecar_of(text_file), sidecar_of(packed_file));
  const std::size_t instructions = require_same_ctas(text, packed);
  for (std::size_t i = 0; i < text.code().instructions.size(); ++i)
    REQUIRE(same(text.code().instructions[i], packed.code().instructions[i]));
  REQUIRE(text.code().opcode_names == packed.code().opcode_names);
  REQUIRE(text.code().unknown_opcodes == packed.code().unknown_opcodes);
  CHECK(packed.bytes_read() == packed.bytes_total());
  text.rewind();
  packed.rewind();
  REQUIRE(require_same_ctas(text, packed) == instructions);
  return instructions;
}

std::vector<OperandOptions> several_options() {
  OperandOptions counting;
  counting.count_rz = counting.count_predicated_off = counting.predicates = true;
  OperandOptions without;
  without.tensor = TensorOperands::exact;
  without.use_sidecar = false;
  return {OperandOptions{}, counting, without};
}

std::vector<std::string> lines_of(const fs::path& file) {
  LineSource source(file);
  std::vector<std::string> lines;
  for (std::string_view line; source.next(line);) lines.emplace_back(line);
  return lines;
}

std::string error_of(const fs::path& file, const OperandOptions& options = {}) {
  try {
    KernelReader reader(file, options);
    CtaTrace cta;
    while (reader.next(cta)) {
    }
  } catch (const TraceError& e) {
    return e.what();
  }
  return {};
}

// Every kind of access and of run, in two thread blocks, small enough to be spoilt in every byte.
const std::string small_kernel = header("5", "(2,1,1)", "(64,1,1)") +
                                 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 6\n"
                                 "0000 ffffffff 1 R1 MOV 0 0 \n"
                                 "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4000000000 4 \n"
                                 "0020 0000000f 1 R3 LDG.E.SYS 1 R4 4 2 0x7f4000000000 4 400 -90000 \n"
                                 "0030 00000003 1 R3 LDG.E.SYS 1 R4 8 0 0x7f4000000000 0x10 reuse=1\n"
                                 "0040 00000000 0 STG.E.SYS 2 R4 R2 4 1 0x0 0 \n"
                                 "0050 ffffffff 0 EXIT 0 0 \n"
                                 "warp = 1\ninsts = 0\n#END_TB\n"
                                 "#BEGIN_TB\nthread block = 1,0,0\nwarp = 1\ninsts = 2\n"
                                 "0040 00000101 0 STG.E.SYS 2 R4 R2 4 2 0x7f4000001000 8 \n"
                                 "0050 ffffffff 0 EXIT 0 0 \n"
                                 "#END_TB\n";

// The blocks of a packed file, unpacked, the tables last, and the file's end.
struct PackedParts {
  std::vector<std::string> blocks;
  PackedTrailer trailer;
};

PackedParts parts_of(const std::string& file) {
  PackedParts parts;
  const std::size_t end = file.size() - sizeof parts.trailer;
  std::memcpy(&parts.trailer, file.data() + end, sizeof parts.trailer);
  for (std::size_t at = packed_magic.size() + sizeof packed_version; at < end;) {
    PackedBlockHead head;
    std::memcpy(&head, file.data() + at, sizeof head);
    at += sizeof head;
    std::string contents;
    io::filtering_ostream filter;
    if (head.packed_bytes != head.bytes) filter.push(io::zstd_decompressor());
    filter.push(io::back_inserter(contents));
    filter.write(file.data() + at, static_cast<std::streamsize>(head.packed_bytes));
    filter.reset();
    REQUIRE(contents.size() == head.bytes);
    parts.blocks.push_back(contents);
    at += head.packed_bytes;
  }
  return parts;
}

// A file of these parts with a right frame, except that each block says it has so many bytes more. The tables
// that say where blocks are hold for one more block.
std::string file_of(const PackedParts& parts, std::uint32_t more = 0) {
  std::string file(packed_magic);
  const auto put = [&file](const auto& value) {
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put(packed_version);
  PackedTrailer trailer = parts.trailer;
  for (const std::string& contents : parts.blocks) {
    trailer.tables = file.size();
    std::string packed;
    io::filtering_ostream filter;
    filter.push(io::zstd_compressor(io::zstd_params(1)));
    filter.push(io::back_inserter(packed));
    filter << contents;
    filter.reset();
    PackedBlockHead head{static_cast<std::uint32_t>(packed.size()),
                         static_cast<std::uint32_t>(contents.size() + more), 0};
    head.checksum = packed_checksum(head, packed);
    put(head);
    file += packed;
  }
  trailer.checksum = packed_checksum(trailer);
  put(trailer);
  return file;
}

// A kernel of 400 CTAs, whose packed form has several blocks.
std::string long_kernel() {
  std::string text = header("3", "(400,1,1)");
  for (int c = 0; c < 400; ++c) {
    text += "#BEGIN_TB\nthread block = " + std::to_string(c) +
            ",0,0\nwarp = 0\ninsts = " + std::to_string(200 + c % 3) + "\n";
    // Every hundredth CTA has an instruction that none before it has.
    for (int i = 0; i < 200 + c % 3; ++i)
      text += (i == 7 ? "00" + std::to_string(20 + 10 * (c / 100)) : "0010") +
              " 0000ffff 1 R2 LDG.E.SYS 1 R4 4 2 0x" + std::to_string(10000000 + c * 977 * i) +
              " 4 4 4 4 4 400 4 4 -9 4 4 4 4 4 4\n";
    text += "#END_TB\n";
  }
  return text;
}

// Requires of both readers, from CTA `cta` on, that they have the same CTAs and the same code.
void require_same_from(KernelReader& text, KernelReader& packed, std::uint64_t cta) {
  text.seek(cta);
  packed.seek(cta);
  REQUIRE(text.code().instructions.size() == packed.code().instructions.size());
  require_same_ctas(text, packed);
}

}  // namespace

TEST_CASE("a packed random trace is the trace that it was made of", "[trace]") {
  std::size_t instructions = 0, sidecars = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const TemporaryFolder folder;
    random::write_trace(random::random_trace(seed), folder.path());
    for (const fs::path& file : open_trace(folder.path()).kernels) {
      sidecars += KernelReader(file, {}).has_sidecar() ? 1 : 0;
      const fs::path packed = pack(file);
      for (const OperandOptions& options : several_options())
        instructions += require_same(file, packed, options);
    }
  }
  CHECK(instructions > 50000);
  CHECK(sidecars > 10);
}

TEST_CASE("the project's traces packed are the same", "[trace]") {
  if (!fs::exists(project_traces())) return;
  for (const auto& entry : fs::directory_iterator(project_traces())) {
    if (!fs::exists(entry.path() / "kernelslist.g")) continue;
    for (const fs::path& file : open_trace(entry.path()).kernels) {
      CAPTURE(file);
      const TemporaryFolder folder;
      const fs::path packed = folder.path() / "kernel-1.traceg.packed";
      pack_kernel(file, packed, [](double) {});
      require_same(file, packed, {});
      CHECK(lines_of(packed).size() > 15);
    }
  }
}

TEST_CASE("what hardly packs is left as it is", "[trace]") {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  for (const bool repeats : {false, true}) {
    std::string lines;
    for (int i = 0; i < 500; ++i) {
      lines += "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 2 0x7f4000000000";
      for (int lane = 1; lane < 32; ++lane) lines += " " + std::to_string(repeats ? lane : random() % 30000);
      lines += "\n";
    }
    const fs::path file = folder.write("kernel-1.traceg", header() + one_warp(lines));
    const std::string packed = bytes_of(pack(file));
    PackedBlockHead head;
    std::memcpy(&head, packed.data() + packed_magic.size() + sizeof packed_version, sizeof head);
    CHECK((head.packed_bytes == head.bytes) == !repeats);
    require_same(file, folder.path() / "kernel-1.traceg.packed", {});
  }
}

TEST_CASE("a packed trace holds several blocks", "[trace]") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("kernel-1.traceg", long_kernel()), packed = pack(file);
  CHECK(parts_of(bytes_of(packed)).blocks.size() > 10);
  CHECK(require_same(file, packed, {}) == 80399);
}

TEST_CASE("a packed trace tells its CTAs without being unpacked", "[trace]") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("kernel-1.traceg", long_kernel()), packed = pack(file);
  const CtaIndex index = cta_index(packed), counted = cta_index(file);
  REQUIRE(index.instructions.size() == 400);
  CHECK(index.instructions[5] == 202);
  CHECK(index.total == 80399);
  CHECK((index.instructions == counted.instructions && index.total == counted.total));
  for (const fs::path& f : {file, packed}) {
    const KernelSize size = kernel_size(f);
    CHECK((size.ctas == 400 && size.instructions == 80399));
  }
  CHECK(KernelReader(file, {}).index() == nullptr);
  const std::uint64_t before = LineSource::blocks_read();
  KernelReader reader(packed, {});
  REQUIRE(reader.index() != nullptr);
  CHECK(kernel_size(packed).instructions == 80399);
  CHECK(LineSource::blocks_read() == before + 1);  // the tables
  reader.seek(390);
  CtaTrace cta;
  REQUIRE(reader.next(cta));
  CHECK((cta.id.x == 390 && cta.warps[0].records.size() == 200));
  CHECK(LineSource::blocks_read() == before + 2);
}

TEST_CASE("a reader begins at any CTA, with the code of those before", "[trace]") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("kernel-1.traceg", long_kernel()), packed = pack(file);
  for (const std::uint64_t cta : {0u, 1u, 99u, 100u, 101u, 250u, 399u, 400u, 1000u}) {
    CAPTURE(cta);
    KernelReader text(file, {}), reader(packed, {});
    require_same_from(text, reader, cta);
    require_same_from(text, reader, cta / 2);
    require_same_from(text, reader, 0);
  }
  KernelReader reader(packed, {});
  reader.seek(150);
  CHECK(reader.code().instructions.size() == 3);  // a load in each, and two that came once in a hundred
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const TemporaryFolder other;
    random::write_trace(random::random_trace(seed), other.path());
    for (const fs::path& kernel : open_trace(other.path()).kernels) {
      KernelReader text(kernel, {}), of_packed(pack(kernel), {});
      const std::uint64_t ctas = of_packed.index()->instructions.size();
      for (std::uint64_t cta = 0; cta <= ctas; ++cta) require_same_from(text, of_packed, cta);
    }
  }
}

// Lanes whose addresses lie far apart make an access as long as any can be. A reader that begins at the
// second thread block reads such an access of the first one.
TEST_CASE("a reader begins behind the longest accesses", "[trace]") {
  std::string addresses;
  for (int lane = 0; lane < 32; ++lane) addresses += lane % 2 == 0 ? " 0x7f4000000000" : " 0x10";
  std::string kernel = header("3", "(2,1,1)");
  for (const char* id : {"0,0,0", "1,0,0"})
    kernel += "#BEGIN_TB\nthread block = " + std::string(id) +
              "\nwarp = 0\ninsts = 1\n0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 0" + addresses + "\n#END_TB\n";
  const TemporaryFolder folder;
  const fs::path file = folder.write("kernel-1.traceg", kernel);
  KernelReader text(file, {}), reader(pack(file), {});
  CtaTrace cta;
  REQUIRE(reader.next(cta));
  CHECK(cta.warps[0].addresses.size() == packed::longest_access);
  require_same_from(text, reader, 1);
}

// The file was written by the version of the program that wrote version 4.
TEST_CASE("a packed trace of version 4 is still read", "[trace]") {
  const TemporaryFolder folder;
  const fs::path text = folder.write("kernel-1.traceg", small_kernel);
  const fs::path old =
      fs::path(SUBCORE_SOURCE_DIR) / "tests" / "traces" / "packed_version_4" / "kernel-1.traceg.packed";
  for (const OperandOptions& options : several_options()) CHECK(require_same(text, old, options) == 8);
  CHECK(KernelReader(old, {}).index() == nullptr);
  CHECK(cta_index(old).instructions == std::vector<std::uint32_t>{6, 2});
  CHECK(kernel_size(old).instructions == 8);
  KernelReader a(text, {}), b(old, {});
  require_same_from(a, b, 1);
  pack_kernel(old, folder.path() / "again.traceg.packed", [](double) {});
  CHECK(bytes_of(folder.path() / "again.traceg.packed") == bytes_of(pack(text)));
}

// Readers of lines get the lines back, without the words before the PC and with single blanks. An immediate
// still looks like an address or not, which is counted elsewhere.
TEST_CASE("the lines of a packed trace", "[trace]") {
  const TemporaryFolder folder;
  const std::string head = header("5", "(1,1,1)", "(32,1,1)", "-enable lineinfo = 1\n-something else = 3\n");
  const fs::path file = folder.write(
      "kernel-1.traceg",
      head + one_warp("7 0000 ffffffff 1  R1 MOV 1 R3 0 17 \n"
                      "7 0000 ffffffff 1 R1 MOV 1 R3 0 0x11\n"
                      "7 0000 ffffffff 1 R1 MOV 1 R3 0 0x1\n"
                      "8 0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4000000000 -4\n"
                      "8 00000020 0000000b 1 R3 LDG.E.SYS 1 R4 4 2 7f4000000000 4 -400 reuse=0\n"
                      "9 0030 00000005 1 R3 LDG.E.SYS 1 R4 4 0 0x00007f4000000000 0x0000000000000010\n"
                      "9 0030 00000005 1 R3 LDG.E.SYS 1 R4 4 0 0x7f4000000000 10\n"
                      "9 0040 00000000 0 STG.E.SYS 2 R4 R2 4\n"
                      "9 0040 00000000 0 STG.E.SYS 2 R4 R2 4 0\n"
                      "9 0040 00000000 0 STG.E.SYS 2 R4 R2 4 1 0x0 0\n"
                      "9 0050 ffffffff 1 R2 TEX 1 R4 4 1 0x0 16 reuse=2\n"));
  const std::vector<std::string> got = lines_of(pack(file));
  const std::vector<std::string> wanted{
      "#BEGIN_TB",
      "thread block = 0,0,0",
      "warp = 0",
      "insts = 11",
      "0000 ffffffff 1 R1 MOV 1 R3 0 0",
      "0000 ffffffff 1 R1 MOV 1 R3 0 0x00",
      "0000 ffffffff 1 R1 MOV 1 R3 0 0",  // an address has more digits
      "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4000000000 -4",
      "00000020 0000000b 1 R3 LDG.E.SYS 1 R4 4 2 7f4000000000 4 -400 reuse=0",
      "0030 00000005 1 R3 LDG.E.SYS 1 R4 4 0 0x00007f4000000000 0x0000000000000010",
      "0030 00000005 1 R3 LDG.E.SYS 1 R4 4 0 0x7f4000000000 10",
      "0040 00000000 0 STG.E.SYS 2 R4 R2 4",
      "0040 00000000 0 STG.E.SYS 2 R4 R2 4 0",
      "0040 00000000 0 STG.E.SYS 2 R4 R2 4 1 0x0 0",
      "0050 ffffffff 1 R2 TEX 1 R4 4 1 0x0 16 reuse=2",
      "#END_TB"};
  const std::vector<std::string> text = lines_of(file);
  const auto head_lines = static_cast<std::ptrdiff_t>(text.size() - wanted.size());
  REQUIRE(got.size() == text.size());
  CHECK(std::vector<std::string>(got.begin(), got.begin() + head_lines) ==
        std::vector<std::string>(text.begin(), text.begin() + head_lines));
  CHECK(std::vector<std::string>(got.begin() + head_lines, got.end()) == wanted);
  for (const OperandOptions& options : several_options())
    require_same(file, folder.path() / "kernel-1.traceg.packed", options);
}

// Users who keep packed traces rely on the version. If this test fails, raise packed_version. Keep this
// file's form readable, or say that it is not.
TEST_CASE("the packed form of this version is what it was", "[trace]") {
  const TemporaryFolder folder;
  folder.write("kernel-1.sass",
               "0010 | 1 1 | 2 - 0 1 03 1 | D:R2x1 S:R4x2/A S:UR4x2 | @P0 LDG.E.SYS R2, [R4] ;\n");
  Hash hash;
  for (const std::string& block :
       parts_of(bytes_of(pack(folder.write("kernel-1.traceg", small_kernel)))).blocks)
    hash.add(block);
  CHECK(packed_version == 5);
  CHECK(hash.text() == "9aad1652-7b5c-564e-bd04-6144b225e27b");
}

TEST_CASE("packing what is packed changes nothing", "[trace]") {
  const TemporaryFolder folder;
  const fs::path once = pack(folder.write("kernel-1.traceg", small_kernel));
  const fs::path twice = folder.path() / "kernel-2.traceg.packed";
  pack_kernel(once, twice, [](double) {});
  CHECK(bytes_of(once) == bytes_of(twice));
}

TEST_CASE("a packed trace with any byte wrong is an error that names the file", "[trace]") {
  const TemporaryFolder folder;
  const std::string whole = bytes_of(pack(folder.write("kernel-1.traceg", small_kernel)));
  const fs::path file = folder.path() / "kernel-1.traceg.packed";
  REQUIRE(error_of(file).empty());
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string spoilt = whole;
      spoilt[i] = static_cast<char>(spoilt[i] ^ flip);
      folder.write("kernel-1.traceg.packed", spoilt);
      INFO("byte " << i << " ^ " << flip);
      const std::string error = error_of(file);
      REQUIRE_THAT(error, Contains("kernel-1.traceg.packed: byte ") && Contains("; expected "));
      REQUIRE(error.find('\n') == std::string::npos);
    }
}

TEST_CASE("a packed trace of any other length is an error", "[trace]") {
  const TemporaryFolder folder;
  const std::string whole = bytes_of(pack(folder.write("kernel-1.traceg", small_kernel)));
  const fs::path file = folder.path() / "kernel-1.traceg.packed";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    folder.write("kernel-1.traceg.packed", whole.substr(0, length));
    INFO("length " << length);
    REQUIRE_THAT(error_of(file), Contains("kernel-1.traceg.packed: byte ") && Contains("; expected "));
  }
  folder.write("kernel-1.traceg.packed", whole + "x");
  CHECK_THAT(error_of(file), Contains("file ends early, or is damaged; expected "));
}

TEST_CASE("a packed trace of another version says so", "[trace]") {
  const TemporaryFolder folder;
  std::string whole = bytes_of(pack(folder.write("kernel-1.traceg", small_kernel)));
  whole[packed_magic.size()] = 1;
  folder.write("kernel-1.traceg.packed", whole);
  CHECK_THAT(error_of(folder.path() / "kernel-1.traceg.packed"),
             Contains("packed trace of version 1; expected version 4 or 5; pack the trace's text again"));
  folder.write("kernel-1.traceg.packed", small_kernel);
  CHECK_THAT(error_of(folder.path() / "kernel-1.traceg.packed"),
             Contains("the file is not a packed trace; expected "));
}

// Checksums detect damage. An invented file must not crash anything, either.
TEST_CASE("made-up contents of a packed trace are an error or another trace", "[trace]") {
  const TemporaryFolder folder;
  const PackedParts whole = parts_of(bytes_of(pack(folder.write("kernel-1.traceg", small_kernel))));
  REQUIRE(whole.blocks.size() == 2);
  const fs::path file = folder.path() / "kernel-1.traceg.packed";
  folder.write("kernel-1.traceg.packed", file_of(whole));
  REQUIRE(error_of(file).empty());
  for (const std::uint32_t more : {1u, 3'000'000'000u, ~0u}) {
    folder.write("kernel-1.traceg.packed", file_of(whole, more));
    CHECK_THAT(error_of(file), Contains("the contents make no sense; expected "));
  }
  std::size_t errors = 0, tries = 0;
  const auto attempt = [&](const PackedParts& parts) {
    folder.write("kernel-1.traceg.packed", file_of(parts));
    ++tries;
    errors += error_of(file).empty() ? 0 : 1;
    try {
      lines_of(file);
    } catch (const TraceError&) {
    }
    try {
      KernelReader reader(file, {});
      reader.seek(1);
      CtaTrace cta;
      reader.next(cta);
    } catch (const TraceError&) {
    }
  };
  for (std::size_t b = 0; b < whole.blocks.size(); ++b)
    for (std::size_t i = 0; i < whole.blocks[b].size(); ++i)
      for (const int flip : {0x01, 0x10, 0xff}) {
        PackedParts parts = whole;
        parts.blocks[b][i] = static_cast<char>(parts.blocks[b][i] ^ flip);
        attempt(parts);
      }
  for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{3}, ~std::uint64_t{0}})
    for (std::uint64_t PackedTrailer::*number : {&PackedTrailer::ctas, &PackedTrailer::instructions}) {
      PackedParts parts = whole;
      parts.trailer.*number = wrong;
      attempt(parts);
      CHECK_THAT(error_of(file), Contains("the contents make no sense; expected "));
    }
  std::mt19937_64 random(1);
  for (int i = 0; i < 4000; ++i) {
    PackedParts parts = whole;
    std::string& block = parts.blocks[static_cast<std::size_t>(i % 2)];
    for (int k = 0; k < 3; ++k) block[random() % block.size()] = static_cast<char>(random());
    if (i % 4 == 0) block.resize(random() % block.size());
    attempt(parts);
  }
  CHECK(errors > tries / 4);
}

TEST_CASE("an error of a packed trace's meaning names the instruction", "[trace]") {
  const TemporaryFolder folder;
  std::string sources = " 17";
  for (int i = 0; i < 17; ++i) sources += " R" + std::to_string(2 * i);
  std::string head = header("3", "(2,1,1)");
  head.replace(head.find("-nregs = 16"), 11, "-nregs = 40");
  const fs::path file = pack(
      folder.write("kernel-1.traceg", head + one_warp("0000 ffffffff 1 R1 MOV 0 0\n") +
                                          "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 3\n"
                                          "0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 1 R1 HMMA.1688.F16" +
                                          sources + " 0\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n"));
  OperandOptions named;
  named.tensor = TensorOperands::named;
  CHECK(error_of(file, named).empty());
  CHECK_THAT(error_of(file), Contains("kernel-1.traceg.packed: byte ") &&
                                 Contains("kernel k, thread block 1,0,0, warp 0, instruction 2: "
                                          "'HMMA.1688.F16' reads too many registers; expected at most 32"));
}

TEST_CASE("a packed trace with two instructions at one program counter, or another kernel's sidecar",
          "[trace]") {
  const TemporaryFolder folder;
  const std::string text = header() + one_warp(
                                          "0010 ffffffff 1 R1 FADD 2 R2 R3 0\n"
                                          "0020 ffffffff 1 R1 FMUL 2 R2 R3 0\n");
  folder.write("kernel-1.sass", "0010 | 1 1 | 1 - 7 7 00 0 | D:R1x1 S:R2x1/A S:R3x1/B | FADD R1, R2, R3 ;\n");
  const fs::path file = pack(folder.write("kernel-1.traceg", text));
  CHECK(error_of(file).empty());
  const PackedParts whole = parts_of(bytes_of(file));
  const auto error_with = [&](const std::string& from, const std::string& to) {
    PackedParts parts = whole;
    std::size_t changed = 0;
    for (std::string& b : parts.blocks)
      for (std::size_t at = 0; (at = b.find(from, at)) != std::string::npos; ++changed)
        b.replace(at, from.size(), to);
    REQUIRE(changed == 1);
    folder.write("kernel-1.traceg.packed", file_of(parts));
    return error_of(file);
  };
  CHECK_THAT(error_with("0020", "0010"),
             Contains("warp 0, instruction 2: 'FMUL' at pc 0010, which had 'FADD' before; expected one"));
  CHECK_THAT(error_with("FADD R1", "FSET R1"),
             Contains("warp 0, instruction 1: 'FADD' at pc 0010, where the trace's sidecar has 'FSET'; "
                      "expected the sidecar of this kernel"));
}

TEST_CASE("a packed trace whose tables place a block in the tables is an error at once", "[trace]") {
  const TemporaryFolder folder;
  const fs::path file = pack(folder.write("kernel-1.traceg", long_kernel()));
  const std::string whole = bytes_of(file);
  const PackedParts parts = parts_of(whole);
  // The tables end in the offset and the count of CTAs of each block, which take 12 bytes, and in 8 bytes for
  // each of 400 CTAs.
  const std::string& tables = parts.blocks.back();
  const std::size_t last_block = tables.size() - 400 * 8 - 12;
  const auto error_with = [&](std::uint64_t offset) {
    std::string changed = tables;
    std::memcpy(changed.data() + last_block, &offset, sizeof offset);
    const auto size = static_cast<std::uint32_t>(changed.size());
    PackedBlockHead head{size, size, 0};
    head.checksum = packed_checksum(head, changed);
    folder.write("kernel-1.traceg.packed",
                 whole.substr(0, parts.trailer.tables) +
                     std::string(reinterpret_cast<const char*>(&head), sizeof head) + changed +
                     whole.substr(whole.size() - sizeof parts.trailer));
    return error_of(file);
  };
  std::uint64_t right = 0;
  std::memcpy(&right, tables.data() + last_block, sizeof right);
  CHECK(error_with(right).empty());
  CHECK_THAT(error_with(parts.trailer.tables),
             Contains("byte " + std::to_string(parts.trailer.tables) + ": the contents make no sense"));
}

TEST_CASE("a number of a packed trace takes the fewest bytes that hold it", "[trace]") {
  CHECK(packed::width_code(0) == 0);
  for (unsigned code = 0; code < 4; ++code) {
    CAPTURE(code);
    const unsigned width = 8u << code;
    const std::uint64_t most = ~std::uint64_t{0} >> (65 - width), least = ~most;  // 127 and -128 in one byte
    for (const std::uint64_t number : {most, least}) {
      CHECK(packed::width_code(number) == code);
      std::string bytes;
      packed::put_number(bytes, number, code);
      CHECK(bytes.size() == width / 8);
      bytes.append(packed::slack, '\x55');
      const auto* const at = reinterpret_cast<const std::uint8_t*>(bytes.data());
      CHECK(packed::Bytes{at, at + bytes.size()}.number(code) == number);
    }
    if (code == 3) continue;
    CHECK(packed::width_code(most + 1) == code + 1);
    CHECK(packed::width_code(least - 1) == code + 1);
  }
}

TEST_CASE("a packed trace names the last two partial masks of a warp", "[trace]") {
  PackedMasks masks;
  for (const std::uint32_t mask : {0x3u, 0xfu, 0u, ~0u, 0xfu}) masks.meet(mask);
  CHECK(masks.latest == 0xfu);
  CHECK(masks.older == 0x3u);
}

// The instructions that a reader met before decide whether R6 of IMAD.WIDE is a factor or half an address.
// The trace's text names every immediate, the packed trace an instruction once. A sum behind MOV is no new
// instruction, whatever its immediate, so MOV decides: R6 is a factor. If a program counter has more than 8
// texts, the reader finds the oldest by their hash.
TEST_CASE("a sum with another immediate is no new instruction, in the trace's text as in the packed trace",
          "[trace]") {
  for (const unsigned texts : {1u, 9u}) {
    for (const unsigned last : {0u, 99u}) {
      CAPTURE(texts, last);
      const auto sum = [](unsigned immediate) {
        return "0010 ffffffff 1 R6 IADD3 2 R2 R3 0 " + std::to_string(immediate) + "\n";
      };
      std::string lines = "0000 ffffffff 0 NOP 0 0\n";
      for (unsigned n = 0; n < texts; ++n) lines += sum(n);
      lines += "0020 ffffffff 1 R6 MOV 0 0\n" + sum(last) + "0030 ffffffff 1 R8 IMAD.WIDE 2 R4 R6 0\n";
      const TemporaryFolder folder;
      const fs::path file = folder.write("kernel-1.traceg", header("5") + one_warp(lines));
      CHECK(require_same(file, pack(file), {}) == texts + 4);
      KernelReader reader(file, {});
      for (CtaTrace cta; reader.next(cta);) continue;
      const auto& code = reader.code().instructions;
      const auto product =
          std::find_if(code.begin(), code.end(), [](const StaticInstruction& s) { return s.pc == 0x30; });
      REQUIRE(product != code.end());
      CHECK(product->source_count == 2);  // R4 and R6 are factors
    }
  }
}

TEST_CASE("what cannot be packed is an error of its text", "[trace]") {
  const TemporaryFolder folder;
  const fs::path to = folder.path() / "kernel-1.traceg.packed";
  const auto error = [&](const std::string& text) -> std::string {
    try {
      pack_kernel(folder.write("kernel-1.traceg", text), to, [](double) {});
    } catch (const TraceError& e) {
      CHECK_FALSE(error_of(to).empty());  // the rest is no trace
      return e.what();
    }
    return {};
  };
  CHECK_THAT(error(header() + one_warp("0000 ffffffff 1 R99 MOV 0 0\n")),
             Contains("kernel-1.traceg:17: R99 in a kernel of 16 registers"));
  CHECK_THAT(error(cut_kernel(2)), Contains("kernel-1.traceg:31: file ends"));
  CHECK_THAT(error(header() + one_warp("0000 ffffffff 1 R1 " + std::string(70000, 'M') + " 0 0\n")),
             Contains("kernel-1.traceg:17: "));
}

}  // namespace pack_test
