#include "checks.h"
#include "gpu.h"
#include "subcore/base/names.h"

namespace subcore::tracer {

Problems check_copies(const std::string& cubin, const InstructionTable& table) {
  std::vector<Word> values(128), expected(128);
  for (unsigned n = 0; n < values.size(); ++n) values[n] = n + 1;
  for (unsigned n = 0; n < values.size(); ++n) expected[n] = values[n ^ 4];
  Problems problems;
  for (const CopyTime time : {CopyTime::wait, CopyTime::issue})
    for (const char* const kernel : {"waits_for_copies", "forgets_to_wait"}) {
      Gpu gpu(cubin, table);
      gpu.device.copy_time = time;
      const std::uint64_t in = gpu.upload(values),
                          out = gpu.device.memory.allocate(values.size() * sizeof(Word));
      gpu.launch(kernel, {1}, {32}, in, out);
      const bool is_right = gpu.download<Word>(out, values.size()) == expected;
      const bool must_be_right = time == CopyTime::issue || kernel == std::string("waits_for_copies");
      if (is_right != must_be_right)
        problems.push_back(std::string(kernel) + " with copies at " + std::string(name_of(time)) +
                           (is_right ? " is right" : " is wrong"));
    }
  return problems;
}

}  // namespace subcore::tracer
