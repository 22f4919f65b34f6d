// A platform file, which may extend itself, a file beside it, and shipped files.
#include "subcore/platforms/config/platform.h"

#include "subcore/platforms/config/reader.h"
#include "subcore/power/energy_table.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void platform(std::string_view input) {
  write("beside.yaml", "extends: input.yaml\nsub_core.collector.count: 3\n");
  const auto file = write("input.yaml", input);
  std::string resolved;
  if (!accepts([&] { resolved = resolved_yaml(load_platform(file)); })) return;
  // The platform that is written and read again is the same.
  const auto again = write("resolved.yaml", resolved);
  expect(resolved_yaml(load_platform(again)) == resolved, "the resolved platform is read as another one");
}

}  // namespace subcore::fuzz
