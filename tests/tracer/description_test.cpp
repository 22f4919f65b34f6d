// Descriptions: the traces that are made from them, and the errors in them.
#include <array>
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "../temporary_folder.h"
#include "checks/checks.h"
#include "checks/gpu.h"
#include "subcore/base/config_error.h"
#include "subcore/tracer/launch/random_numbers.h"
#include "subcore/tracer/launch/trace_description.h"
#include "subcore/tracer/machine/decoder.h"

namespace description_test {

using namespace subcore::tracer;
using Catch::Matchers::Contains;
using subcore::test::TemporaryFolder;

const std::string kernels = SUBCORE_SOURCE_DIR "/scenarios/traces/kernels/";
const std::string softmax = SUBCORE_SOURCE_DIR "/examples/softmax/softmax.yaml";

// The output of a run of the description. The description is of a vector addition, with these lines behind
// its code.
std::string run(const std::string& lines, TraceOptions options = {}) {
  const TemporaryFolder folder;
  options.description =
      folder.write("vectors.yaml", "code: " + kernels + "vectoradd.cubin\n" + lines).string();
  if (options.output.empty()) options.output = (folder.path() / "trace").string();
  try {
    std::string said = trace_description(options, {});
    const std::size_t end = said.find(": ");
    return said.substr(end + 2);
  } catch (const std::exception& e) {
    std::string said = e.what();
    if (const std::size_t at = said.find("vectors.yaml"); at != std::string::npos) said.erase(0, at);
    REQUIRE_FALSE(std::filesystem::exists(options.output));
    return said;
  }
}

const std::string buffers =
    "buffers:\n"
    "  a: {type: f32, count: 1000, fill: ramp}\n"
    "  b: {type: f32, count: 1000, fill: constant, value: 2}\n"
    "  c: {type: f32, count: 1000}\n";
const std::string launches =
    "launches:\n"
    "  - {kernel: k_vectoradd, grid: 4, block: 256, arguments: [a, b, c, 1000]}\n";

TEST_CASE("A description runs, is checked, and leaves a trace") {
  REQUIRE(run(buffers + launches) == "1 kernel of 1 launch, 4 CTAs, 480 warp instructions, nothing to check");
  REQUIRE(run(buffers + launches + "checks: [{buffer: c, values: [2, 3, 4]}]\n") ==
          "1 kernel of 1 launch, 4 CTAs, 480 warp instructions, 1 check passed");
  REQUIRE(run(buffers + launches + "checks: [{buffer: c, values: [2, 3, 5]}]\n") ==
          "vectors.yaml:8: 1 of 3 elements of 'c' are wrong; element 2 is 4, expected 5");
  REQUIRE(run(buffers + launches +
              "checks: [{buffer: c, same_as: a, tolerance: 0.5}, {buffer: b, value: 2}]\n") ==
          "vectors.yaml:8: 4 of 1000 elements of 'c' are wrong; element 0 is 2, expected 0");
}

TEST_CASE("The trace of the shipped cubin is the shipped trace") {
  const TemporaryFolder folder;
  TraceOptions options;
  options.description = kernels + "vectoradd.yaml";
  options.output = (folder.path() / "vectoradd").string();
  options.version = "3";
  REQUIRE_THAT(trace_description(options, {}), Contains("2373 warp instructions"));
  const std::string shipped = SUBCORE_SOURCE_DIR "/scenarios/traces/vectoradd/";
  for (const char* const file : {"kernelslist.g", "kernel-1.sass.xz", "kernel-1.traceg.xz"}) {
    const auto text = [&](const std::string& path) {
      std::string all =
          std::string(file).find(".xz") == std::string::npos ? bytes_of_file(path) : text_of_xz(path);
      // The line that names the program which has made the trace.
      if (const std::size_t line = all.find("-nvbit version"); line != std::string::npos)
        all.erase(line, all.find('\n', line) - line);
      return all;
    };
    REQUIRE(text(shipped + file) == text(options.output + "/" + file));
  }
  REQUIRE_THROWS_WITH(trace_description(options, {}),
                      Contains("the path exists already; expected the name of a new folder"));
}

TEST_CASE("CTAs and kernels can be chosen") {
  TraceOptions options;
  options.ctas = "1:3";
  REQUIRE(
      run(buffers + launches, options) ==
      "1 kernel of 1 launch, 2 CTAs, 240 warp instructions, nothing checked because some CTAs did not run");
  options.ctas = "4:9";
  REQUIRE(run(buffers + launches, options) == "k_vectoradd: a grid of 4 CTAs, none of which is executed");
  options.ctas = "3:1";
  REQUIRE(run(buffers + launches, options) ==
          "--ctas 3:1: expected FROM:TO, two numbers of which the first is smaller");
  options.ctas.clear();
  options.kernels = {"k_vectorad"};
  REQUIRE_THAT(run(buffers + launches, options),
               Contains("has no kernel 'k_vectorad'; did you mean 'k_vectoradd'?"));
}

TEST_CASE("A trace of some CTAs has a grid of as many") {
  const TemporaryFolder folder;
  TraceOptions options;
  options.description = kernels + "vectoradd.yaml";
  options.output = (folder.path() / "some").string();
  options.ctas = "2:5";
  options.packing = "none";
  trace_description(options, {});
  const std::string text = bytes_of_file(options.output + "/kernel-1.traceg");
  REQUIRE_THAT(text, Contains("-grid dim = (3,1,1)\n") && Contains("thread block = 2,0,0\n") &&
                         !Contains("thread block = 3,0,0\n"));
  // The address of the third CTA's first element.
  REQUIRE_THAT(text, Contains("0x7f4000100800 4 "));
}

TEST_CASE("Options that are not known are named with what is expected") {
  TraceOptions options;
  options.packing = "gzip";
  REQUIRE(run(buffers + launches, options) == "--pack gzip: expected one of none, gz, xz");
}

TEST_CASE("What is wrong with a description is said in one line") {
  const auto says = [](const std::string& lines, const std::string& expected) {
    const std::string said = run(lines);
    CAPTURE(lines);
    REQUIRE_THAT(said, Contains(expected));
    REQUIRE(said.find('\n') == std::string::npos);
  };
  says(buffers, "launches");
  says(buffers + "launches: 3\n", "expected a list of launches");
  says("buffers: {a: {type: f33, count: 1}}\n" + launches, "did you mean 'f32'?");
  says("buffers: {a: {type: f32, fill: zeros}}\n" + launches, "expected a count of elements, or a file");
  says("buffers: {a: {type: f32, count: 2, fill: zeros, low: 1}}\n" + launches,
       "expected it with fill: random only");
  says("buffers: {a: {type: f32, count: 2, size: 2}}\n" + launches, "size");
  says("buffers: {a: {type: f32, file: nothing.bin}}\n" + launches, "cannot read");
  says(buffers + "launches:\n  - {kernel: k_vectoradd, grid: 0, block: 1}\n",
       "expected whole numbers from 1 on");
  says(buffers + "launches:\n  - {kernel: k_vectoradd, grid: 1, block: 2000, arguments: [a, b, c, 1]}\n",
       "2000 threads in a CTA; expected 1 to 1024");
  says(buffers + "launches:\n  - {kernel: k_vectoradd, grid: 1, block: 1, arguments: [a, b]}\n",
       "2 arguments; expected 4 of k_vectoradd");
  says(buffers + "launches:\n  - {kernel: k_vectoradd, grid: 1, block: 1, arguments: [a, b, d, 1]}\n",
       "argument 3 of k_vectoradd: 'd'; expected a buffer or a number");
  says(buffers + "launches:\n  - {kernel: k_vectoradd, grid: 1, block: 1, arguments: [a, b, c, a]}\n",
       "argument 4 of k_vectoradd: a buffer; expected a value of 4 bytes");
  says(
      buffers + "launches:\n  - {kernel: k_vectoradd, grid: 1, block: 1, arguments: [a, b, c, 5000000000]}\n",
      "5000000000; expected a number of 4 bytes");
  says(buffers + launches + "checks: [{buffer: d, value: 1}]\n", "there is no buffer 'd'");
  says(buffers + launches + "checks: [{buffer: c}]\n", "expected one of file, same_as, values, value");
}

TEST_CASE("A kernel that reads beyond its buffer leaves no trace") {
  REQUIRE_THAT(run(buffers +
                   "launches:\n  - {kernel: k_vectoradd, grid: 5, block: 256, arguments: [a, b, c, 1200]}\n"),
               Contains("k_vectoradd, PC 0x90, CTA (3,0,0), warp 7: lane 8: 4 bytes at 0x"));
}

TEST_CASE("A kernel that runs in clusters of CTAs is refused") {
  Device device;
  Module module;
  Kernel kernel;
  kernel.name = "k";
  kernel.cluster_ctas = 2;
  REQUIRE_THROWS_WITH(device.launch(module, kernel, {4}, {32}, 0, {}),
                      "k: clusters of 2 CTAs (__cluster_dims__), which are not emulated");
}

TEST_CASE("Code reads the word of a parameter of two bytes") {
  Module module;
  module.cubin.architecture = 75;
  Kernel kernel;
  kernel.parameter_bytes = 2;
  // MOV R0, c[0x0][0x160]; EXIT
  kernel.code = {decode(instruction_table(), 75, 0x0000580000007a02, 0x000fe40000000f00, 0),
                 decode(instruction_table(), 75, 0x000000000000794d, 0x000fea0003800000, 16)};
  CHECK_NOTHROW(Device().launch(module, kernel, {1}, {32}, 0, {0x34, 0x12}));
}

// Four CTAs that write %cluster_nctaid.x, %nclusterid.x, %clusterid.x and %cluster_nctarank.
TEST_CASE("Code that asks for its cluster is told that each CTA is one") {
  const std::pair<std::uint64_t, std::uint64_t> code[] = {
      {0x0000000000057919, 0x000e2e0000002500}, {0x00008400ff027b82, 0x000e620000000a00},
      {0x0000540000047ab9, 0x000fce0000000800}, {0x00005100ff087b82, 0x000eb00000000800},
      {0x00005700ff097b82, 0x000eb00000000800}, {0x00006200ff0b7b82, 0x000ea20000000800},
      {0x0000000500007245, 0x001fe20000201000}, {0x0000001005027825, 0x002fc800078e0002},
      {0x0000000400007c20, 0x000fe20008400000}, {0x0000820000047ab9, 0x000fc60000000a00},
      {0x00000000000a7305, 0x000ea4000020f000}, {0x0000000802007986, 0x004fe2000c101d04},
      {0x000000000000794d, 0x000fea0003800000}};
  Module module;
  module.cubin.architecture = 90;
  Kernel kernel;
  kernel.parameter_base = 0x210;
  kernel.parameter_bytes = 8;
  for (const auto& [low, high] : code)
    kernel.code.push_back(
        decode(instruction_table(), 90, low, high, static_cast<std::uint32_t>(16 * kernel.code.size())));
  Device device;
  const std::uint64_t out = device.memory.allocate(64);
  std::vector<std::uint8_t> parameters(sizeof out);
  std::memcpy(parameters.data(), &out, sizeof out);
  device.launch(module, kernel, {4}, {32}, 0, parameters);
  std::array<std::uint32_t, 16> found;
  std::memcpy(found.data(), device.memory.find(out, sizeof found), sizeof found);
  CHECK(found == std::array<std::uint32_t, 16>{1, 4, 0, 1, 1, 4, 1, 1, 1, 4, 2, 1, 1, 4, 3, 1});
}

TEST_CASE("The shipped example computes softmax") {
  const Description description(softmax);
  Device device;
  DescribedRun run(description, device, {}, instruction_table());
  run.make_buffers();
  run.launch();
  REQUIRE(run.check().empty());
  const std::vector<std::uint8_t> in = run.bytes_of("in"), out = run.bytes_of("out");
  constexpr std::size_t columns = 2048;
  for (std::size_t row = 0; row < 64; ++row) {
    const auto value = [&](const std::vector<std::uint8_t>& bytes, std::size_t column) {
      return element_value(ElementType::f32, &bytes[4 * (row * columns + column)]);
    };
    double sum = 0;
    for (std::size_t column = 0; column < columns; ++column) sum += std::exp(value(in, column));
    for (std::size_t column = 0; column < columns; ++column)
      REQUIRE(value(out, column) == Approx(std::exp(value(in, column)) / sum).epsilon(1e-5));
  }
}

TEST_CASE("Random numbers are the same on every machine") {
  RandomNumbers random(7, 0);
  REQUIRE(random.real(0, 1) == 0.07630829f);
  REQUIRE(random.real(-2, 2) == Approx(-1.09064).epsilon(1e-4));
  RandomNumbers later(7, 1);
  REQUIRE(later.real(-2, 2) == Approx(-1.09064).epsilon(1e-4));
  for (int n = 0; n < 1000; ++n) {
    const auto number = later.whole(-3, 3);
    REQUIRE((number >= -3 && number <= 3));
  }
}

TEST_CASE("Elements of every type keep their values") {
  std::array<std::uint8_t, 8> bytes{};
  for (std::size_t n = 0; n < names(ElementType{}).size(); ++n) {
    const auto type = static_cast<ElementType>(n);
    set_element(type, bytes.data(), 100);
    REQUIRE(element_value(type, bytes.data()) == 100);
    set_element(type, bytes.data(), 1e30);
    const double most = element_value(type, bytes.data());
    REQUIRE((n < 8 ? most == std::ldexp(1, 8 * static_cast<int>(element_bytes(type)) - (n % 2 == 0)) - (n < 6)
                   : most > 1e29));
  }
}

}  // namespace description_test
