#include <sstream>

#include "checks.h"
#include "gpu.h"
#include "subcore/tracer/files/trace_writer.h"

namespace subcore::tracer {

Problems check_sidecar(const std::string& cubin, const std::string& sidecar, const InstructionTable& table) {
  std::istringstream stream(text_of_xz(sidecar));
  std::string line;
  std::getline(stream, line);
  // "# NAME nregs=..."
  const std::string name = line.substr(2, line.find(' ', 2) - 2);
  std::getline(stream, line);
  const Cubin code = read_cubin(bytes_of_file(cubin), cubin, 0, table);
  for (const Instruction& i : kernel_named(code, name, cubin).code) {
    const std::string made = sidecar_line(i);
    if (!std::getline(stream, line) || line != made)
      return {sidecar + ": '" + line + "', made '" + made + "'"};
  }
  return {};
}

}  // namespace subcore::tracer
