// Common parts of drawings of platforms and of time.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

inline constexpr double letter_width = 6.3;  // on average, at 11 pixels

// The width of words in pixels, at 11 pixels.
double text_pixels(std::string_view words);

// An SVG without other files, in light colours. Lengths are in pixels.
struct Drawing {
  // Begins the SVG with a title at the top. The height becomes known at the end. `name`: letters, digits and
  // _, with which the ids in the SVG begin.
  Drawing(std::string name, std::string heading, double wide);

  // Writes words from x on, on the line y. `more`: further attributes.
  void text(double x, double y, const std::string& words, const std::string& more = "");
  // Draws a thin line behind all other parts.
  void grid_line(double x1, double y1, double x2, double y2);
  // The whole SVG, with this height.
  std::string finish(double height) const;

  std::string id, title;
  std::string body, definitions;  // XML: the drawing, and the contents of <defs>
  double width;
  double top;  // top of the space that is still free
};

}  // namespace subcore
