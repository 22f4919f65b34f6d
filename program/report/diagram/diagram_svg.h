// A diagram as one SVG that stands alone, in light colours and in dark ones as the reader prefers.
#pragma once

#include <string>

#include "subcore/program/report/diagram/layout.h"

namespace subcore {

struct DiagramText {
  std::string title, subtitle;
  std::string manual;  // the address that boxes' pages are behind: "concepts.html"
};

// The picture. Every text can be read on what is behind it, on light and dark pages.
std::string svg_of(const Diagram& diagram, const DiagramText& text);

// Sizes of a diagram's words, for layout_of().
TextSizes text_sizes(const Diagram& diagram);

}  // namespace subcore
