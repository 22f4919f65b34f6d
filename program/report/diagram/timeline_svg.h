// The picture of a timeline, as SVG: a row for each instruction, a box for as long as it is in one stage.
#pragma once

#include <string>

#include "subcore/observers/timeline.h"

namespace subcore {

// `title` stands above, `subtitle` below it. Every text can be read on what is behind it, on light and dark
// pages.
std::string svg_of(const TimelineTable& table, const std::string& title, const std::string& subtitle);

}  // namespace subcore
