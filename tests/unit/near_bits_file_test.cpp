// Near bits of a file.
#include "subcore/model/passes/near_bits_file.h"

#include <catch2/catch.hpp>

#include "subcore/base/config_error.h"
#include "tests/temporary_folder.h"

namespace near_bits_file_test {

using namespace subcore;
using Catch::Matchers::Contains;

namespace {

std::string operand(unsigned r, bool near) {
  return R"({"register":)" + std::to_string(r) + R"(,"near":)" + (near ? "true" : "false") + "}";
}
// A kernel with one instruction, which writes R1 and reads R2 and R3.
std::string kernel(const std::string& name, bool near_1, bool near_2, bool near_3) {
  return R"({"name":")" + name + R"(","instructions":[{"pc":16,"opcode":"FADD","destinations":[)" +
         operand(1, near_1) + R"(],"sources":[)" + operand(2, near_2) + "," + operand(3, near_3) + "]}]}";
}

StaticInstruction instruction(std::uint64_t pc, std::vector<Register> sources) {
  StaticInstruction s;
  s.pc = pc;
  s.destination_count = 1;
  s.destinations[0] = 1;
  s.source_count = static_cast<std::uint8_t>(sources.size());
  std::copy(sources.begin(), sources.end(), s.sources.begin());
  s.source_near = 0xff;  // of before
  return s;
}

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "(no error)";
}

}  // namespace

TEST_CASE("a file's near bits go to the operands of the same PC, opcode and register", "[passes]") {
  test::TemporaryFolder folder;
  const NearBitsFile file(
      folder.write("bits.json", R"({"kernels":[)" + kernel("k", true, false, true) + "]}"));
  file.require_kernel("k");
  StaticInstruction s = instruction(16, {3, 4, 2});
  file.apply("k", "FADD", s);
  CHECK(s.destination_near == 1);
  CHECK(s.source_near == 1);
  for (const auto& [pc, opcode] : {std::pair{32, "FADD"}, std::pair{16, "FMUL"}}) {
    StaticInstruction other = instruction(static_cast<std::uint64_t>(pc), {3});
    file.apply("k", opcode, other);
    CHECK(other.source_near == 0);
    CHECK(other.destination_near == 0);
  }
}

TEST_CASE("a file's near bits go to each result of an instruction", "[passes]") {
  test::TemporaryFolder folder;
  const NearBitsFile file(folder.write(
      "bits.json",
      R"({"kernels":[{"name":"k","instructions":[{"pc":16,"opcode":"LDG.E.64","destinations":[)" +
          operand(4, false) + "," + operand(5, true) + R"(],"sources":[]}]}]})"));
  StaticInstruction s = instruction(16, {});
  s.destination_count = 2;
  s.destinations[0] = 4;
  s.destinations[1] = 5;
  file.apply("k", "LDG.E.64", s);
  CHECK(s.destination_near == 2);
}

TEST_CASE("most kernels of a name decide on a near bit, and half of them do not", "[passes]") {
  test::TemporaryFolder folder;
  const NearBitsFile file(folder.write("bits.json", R"({"kernels":[)" + kernel("k", true, true, false) + "," +
                                                        kernel("k", true, false, false) + "," +
                                                        kernel("other", false, true, true) + "]}"));
  StaticInstruction s = instruction(16, {2, 3});
  file.apply("k", "FADD", s);
  CHECK(s.destination_near == 1);
  CHECK(s.source_near == 0);
}

TEST_CASE("a file without near bits ends in one line", "[passes]") {
  test::TemporaryFolder folder;
  const std::string expected = "expected a file that subcore annotate --json has written";
  for (const char* text : {"", "{", "[]", "{}", R"({"kernels":[{"name":1}]})",
                           R"({"kernels":[{"name":"k","instructions":[{"opcode":"MOV"}]}]})"}) {
    const auto path = folder.write("bits.json", text);
    const std::string error = error_of([&] { NearBitsFile file(path); });
    CAPTURE(text, error);
    CHECK_THAT(error, Contains(path.string()) && Contains(expected));
    CHECK(error.find('\n') == std::string::npos);
  }
  for (const char* number : {"256", "-1", "2.5", "1e+300", "true"}) {
    const auto path = folder.write(
        "bits.json", std::string(R"({"kernels":[{"name":"k","instructions":[{"pc":16,"opcode":"MOV",)") +
                         R"("sources":[{"near":true,"register":)" + number + "}]}]}]}");
    CHECK(error_of([&] { NearBitsFile file(path); }) ==
          path.string() + ": register: '" + number + "'; expected a whole number from 0 to 255");
  }
  CHECK_THAT(error_of([&] {
               NearBitsFile file(folder.write(
                   "bits.json", R"({"kernels":[{"name":"k","instructions":[{"pc":-16,"opcode":"MOV"}]}]})"));
             }),
             Contains("pc: '-16'; expected a whole number from 0 to 18446744073709551615"));
  CHECK_THAT(error_of([&] { NearBitsFile file(folder.path() / "none.json"); }),
             Contains("none.json': no such file; expected a file that"));
  const NearBitsFile file(
      folder.write("bits.json", R"({"kernels":[)" + kernel("k", true, true, true) + "]}"));
  CHECK_THAT(error_of([&] { file.require_kernel("j"); }),
             Contains("no near bits of kernel 'j'; expected one of the file's kernels: k"));
}

}  // namespace near_bits_file_test
