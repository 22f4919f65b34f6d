// A diagram as one SVG without other files, in light or dark colours as the reader prefers.
#pragma once

#include <string>

#include "subcore/program/report/diagram/layout.h"

namespace subcore {

struct DiagramText {
  std::string title, subtitle;
  std::string manual;  // the manual's address, to which boxes add their pages: "concepts.html"
};

// The picture. Every text can be read on its background, on light and dark pages.
std::string svg_of(const Diagram& diagram, const DiagramText& text);

// Sizes of the words of a diagram, for layout_of().
TextSizes text_sizes(const Diagram& diagram);

}  // namespace subcore
