// The picture of a timeline as SVG: a row for each instruction, with a box for each stage, as long as the
// instruction is in it.
#pragma once

#include <string>

#include "subcore/observers/timeline.h"

namespace subcore {

// The picture, with `title` at the top and `subtitle` below it. Every text can be read on its background, on
// light and dark pages.
std::string svg_of(const TimelineTable& table, const std::string& title, const std::string& subtitle);

}  // namespace subcore
