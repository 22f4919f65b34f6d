#include <cmath>

#include "checks.h"
#include "gpu.h"
#include "subcore/base/names.h"
#include "subcore/tracer/launch/description.h"

namespace subcore::tracer {
namespace {

Numbers numbers_of(const DescribedRun& run, const BufferDescription& buffer) {
  const std::vector<std::uint8_t> bytes = run.bytes_of(buffer.name);
  const unsigned width = element_bytes(buffer.type);
  Numbers numbers;
  for (std::size_t at = 0; at < bytes.size(); at += width)
    numbers.push_back(element_value(buffer.type, &bytes[at]));
  return numbers;
}

}  // namespace

Problems check_kernel(const std::string& name, const std::string& cubin, const InstructionTable& table) {
  Problems problems;
  const Description description(SUBCORE_SOURCE_DIR "/scenarios/traces/kernels/" + name + ".yaml");
  std::vector<Reference> references;
  for (const CopyTime copy_time : {CopyTime::wait, CopyTime::issue}) {
    Device device;
    device.copy_time = copy_time;
    device.most_warp_instructions = most_of_checks;
    DescribedRun run(description, device, cubin, table);
    run.make_buffers();
    if (references.empty()) {
      std::map<std::string, Numbers> before;
      for (const BufferDescription& buffer : description.buffers)
        before[buffer.name] = numbers_of(run, buffer);
      references = references_of(name, before);
    }
    run.launch();
    for (const Reference& reference : references) {
      Numbers got;
      for (const BufferDescription& buffer : description.buffers)
        if (buffer.name == reference.buffer) got = numbers_of(run, buffer);
      std::size_t wrong = got.size() != reference.expected.size(), first = 0;
      for (std::size_t n = 0; wrong == 0 && n < got.size(); ++n) {
        const double error = std::fabs(got[n] - reference.expected[n]);
        if (error <= reference.tolerance * std::fmax(1, std::fabs(reference.expected[n]))) continue;
        ++wrong;
        first = n;
      }
      if (wrong > 0)
        problems.push_back(name + ", copies at " + std::string(name_of(copy_time)) + ": '" +
                           reference.buffer + "' is wrong from element " + std::to_string(first) + " on");
    }
  }
  return problems;
}

}  // namespace subcore::tracer
