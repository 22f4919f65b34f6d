// A machine's file under a shipped register system.
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/config/reader.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void machine(std::string_view input) {
  static const std::filesystem::path system = find_platform("malekeh").file;
  const auto file = write("input.yaml", input);
  std::string resolved;
  if (!accepts([&] { resolved = resolved_yaml(load_platform({system, file})); })) return;
  const auto again = write("resolved.yaml", resolved);
  expect(resolved_yaml(load_platform(again)) == resolved, "the resolved platform is read as another one");
}

}  // namespace subcore::fuzz
