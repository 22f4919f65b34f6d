// Parts that drawings of platforms and of time are made of.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

inline constexpr double letter_width = 6.3;  // on average, at 11 pixels

// The width of words in pixels, at 11 pixels.
double text_pixels(std::string_view words);

// An SVG that stands alone, in light colours. Lengths are in pixels.
struct Drawing {
  // Begins the SVG: a title at the top. Its height is known at the end. `name`: letters, digits and _, which
  // the ids within begin with.
  Drawing(std::string name, std::string heading, double wide);

  // Words that begin at x on the line y; `more`: further attributes.
  void text(double x, double y, const std::string& words, const std::string& more = "");
  // A thin line behind what is drawn.
  void grid_line(double x1, double y1, double x2, double y2);
  // The whole SVG, as high as that.
  std::string finish(double height) const;

  std::string id, title;
  std::string body, definitions;  // XML: of what is drawn, and of what goes into <defs>
  double width;
  double top;  // the top of the space that is not drawn on yet
};

}  // namespace subcore
