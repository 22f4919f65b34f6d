#include "subcore/tracer/launch/choice.h"

#include "subcore/base/text.h"

namespace subcore::tracer {

Device::Range range_named(const char* what, const std::string& text) {
  Device::Range range;
  if (text.empty()) return range;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || !text::parse_unsigned(text.substr(0, colon), range.first) ||
      !text::parse_unsigned(text.substr(colon + 1), range.end) || range.first >= range.end)
    throw ConfigError(std::string(what) + " " + text +
                      ": expected FROM:TO, two numbers of which the first is smaller");
  return range;
}

}  // namespace subcore::tracer
