// Compiled code: the parts that are read of it, and damaged files.
#include <random>

#include <catch2/catch.hpp>

#include "checks/gpu.h"
#include "subcore/base/config_error.h"

namespace cubin_test {

using namespace subcore::tracer;
using Catch::Matchers::Contains;
using subcore::ConfigError;

const std::string cubin_path = SUBCORE_SOURCE_DIR "/scenarios/traces/kernels/vectoradd.cubin";

Cubin read(const std::string& bytes, unsigned architecture = 0) {
  return read_cubin(bytes, "FILE", architecture, instruction_table());
}

// A fat binary with an entry of `kind`, 2: a cubin.
std::string fat_binary(const std::string& code, std::uint16_t kind, std::uint32_t architecture) {
  std::string bytes(16 + 64, '\0');
  const auto put = [&](std::size_t at, auto value) { std::memcpy(&bytes[at], &value, sizeof value); };
  put(0, std::uint32_t{0xba55ed50});
  put(6, std::uint16_t{16});
  put(8, std::uint64_t{64 + code.size()});
  put(16, kind);
  put(20, std::uint32_t{64});
  put(24, std::uint64_t{code.size()});
  put(44, architecture);
  return bytes + code;
}

TEST_CASE("A cubin says its architecture, kernels, registers and parameters") {
  const Cubin cubin = read(bytes_of_file(cubin_path));
  REQUIRE(cubin.architecture == 75);
  REQUIRE(cubin.kernels.size() == 1);
  const Kernel& kernel = cubin.kernels.at("k_vectoradd");
  REQUIRE(kernel.registers == 12);
  REQUIRE(kernel.shared_bytes == 0);
  REQUIRE(kernel.parameter_base == 0x160);
  REQUIRE(kernel.parameter_bytes == 28);
  REQUIRE(kernel.parameters.size() == 4);
  REQUIRE(kernel.parameters[3].offset == 24);
  REQUIRE(kernel.parameters[3].bytes == 4);
  REQUIRE(kernel.code.size() == 16);
  REQUIRE(kernel.code[0].text == "MOV R1, c[0x0][0x28] ;");
}

// The attribute of the last parameter becomes that of __cluster_dims__(2, 3, 1).
TEST_CASE("A cubin says in clusters of how many CTAs a kernel runs") {
  std::string bytes = bytes_of_file(cubin_path);
  REQUIRE(read(bytes).kernels.at("k_vectoradd").cluster_ctas == 1);
  using namespace std::string_literals;
  const std::size_t at = bytes.find("\x04\x17\x0c\x00\x00\x00\x00\x00\x03\x00"s);
  REQUIRE(at != std::string::npos);
  bytes.replace(at, 16, "\x04\x3d\x0c\x00\x02\x00\x00\x00\x03\x00\x00\x00\x01\x00\x00\x00"s);
  REQUIRE(read(bytes).kernels.at("k_vectoradd").cluster_ctas == 6);
}

TEST_CASE("Code is taken out of a fat binary, of the architecture that is wanted") {
  const std::string code = bytes_of_file(cubin_path);
  REQUIRE(read(fat_binary(code, 2, 75)).kernels.count("k_vectoradd") == 1);
  REQUIRE_THROWS_WITH(read(fat_binary(code, 2, 75), 80), "FILE: code for sm_75; expected code for sm_80");
  REQUIRE_THROWS_WITH(
      read(fat_binary(code, 1, 75)),
      Contains("FILE: no compiled code; expected code for one of sm_75, sm_80, sm_86, sm_89 and sm_90"));
  REQUIRE_THROWS_WITH(read(code, 80), "FILE: code for sm_75; expected code for sm_80");
}

TEST_CASE("Code that is compressed in an unknown way is refused by naming --no-compress") {
  REQUIRE_THROWS_WITH(read(fat_binary("what is this?", 2, 75)), Contains("--no-compress"));
}

TEST_CASE("A file that has no compiled code is refused in one line") {
  REQUIRE_THROWS_WITH(read("no code"), Contains("expected a cubin, or a program that nvcc has made"));
  REQUIRE_THROWS_AS(read(""), ConfigError);
  REQUIRE_THROWS_WITH(read(bytes_of_file("/proc/self/exe")), Contains("FILE: no compiled code"));
}

TEST_CASE("A cubin that is cut is refused, unless nothing is lost that is read") {
  const std::string whole = bytes_of_file(cubin_path);
  const std::size_t code = read(whole).kernels.at("k_vectoradd").code.size();
  unsigned refused = 0;
  for (std::size_t length = 0; length < whole.size(); length += 13) {
    std::size_t read_code = code;
    try {
      read_code = read(whole.substr(0, length)).kernels.at("k_vectoradd").code.size();
    } catch (const ConfigError&) {
      ++refused;
    }
    REQUIRE(read_code == code);
  }
  REQUIRE(refused > whole.size() / 13 * 9 / 10);
}

TEST_CASE("A cubin with wrong bytes is read or refused, and nothing else happens") {
  const std::string whole = bytes_of_file(cubin_path);
  std::mt19937 random(3);
  unsigned refused = 0;
  for (unsigned n = 0; n < 3000; ++n) {
    std::string damaged = whole;
    for (unsigned changes = 1 + static_cast<unsigned>(random() % 4); changes > 0; --changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      read(damaged);
    } catch (const ConfigError& e) {
      ++refused;
      REQUIRE(std::string(e.what()).find('\n') == std::string::npos);
    }
  }
  REQUIRE(refused > 100);
}

}  // namespace cubin_test
