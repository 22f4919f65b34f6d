// Parts that all charts are drawn with.
#pragma once

#include <string>
#include <vector>

#include "subcore/program/report/chart.h"

namespace subcore {

// A series' looks: its colour tells colour-blind readers it from its neighbours (the palette is that of Okabe
// and Ito), and a hatch or dashes tell everybody on grey paper.
std::string colour_of(std::size_t series);
std::string dashes_of(std::size_t series);  // an attribute, or nothing

inline constexpr double letter_width = 6.3;  // on average, at 11 pixels

// The width of words in pixels, at 11 pixels.
double text_pixels(std::string_view words);

// An axis that need not begin at 0: round numbers from at most the least value to at least the most.
struct AxisRange {
  AxisRange(double least, double most, int count);
  double share(double value) const { return (value - ticks.front()) / (ticks.back() - ticks.front()); }
  std::vector<double> ticks;
};

struct Drawing {
  // Begins the SVG of a frame: title at the top. Its height is known at the end.
  Drawing(const ChartFrame& frame, double width);

  // The hatched fill of a series, as the value of an attribute; what it refers to is defined once.
  std::string fill(std::size_t series);
  void text(double x, double y, const std::string& words, const std::string& more = "");
  void line(double x1, double y1, double x2, double y2, const char* kind);
  // Entries in rows below what is there, a swatch of a bar or of a line before each. Moves `top` down.
  void legend(const std::vector<std::string>& names, bool of_lines);
  // A line of words below what is there, broken at `words` where it gets too wide.
  void key(const std::vector<std::string>& words);
  // Draws the axis of a plot from `left` to `right`, with numbers at the ticks and words along it.
  void vertical_axis(const std::string& words, double left, double right, double y_top, double y_bottom,
                     const std::vector<double>& ticks);
  // Puts the cautions under the figure, which is as high as that.
  std::string finish(double height) const;

  std::string id, title, body, definitions;
  std::vector<std::string> cautions;
  double width;
  double top;  // the top of the space that is not drawn on yet
  std::vector<bool> filled;
};

// Places of bars: groups from left to right, as wide as their bars, or as narrow as still can be read.
struct BarPlaces {
  BarPlaces(std::size_t groups, std::size_t bars_of_each);
  double x_of(std::size_t group, std::size_t bar) const;
  double middle_of(std::size_t group) const;

  double left = 58, bar = 0, group = 0, gap = 0;
  double right = 0;  // the plot's right edge
};

// The names of groups below a plot, slanted where they have no room.
struct GroupNames {
  GroupNames(const BarPlaces& places, const std::vector<std::string>& groups);
  void draw(Drawing& drawing, double y) const;

  const BarPlaces& places;
  const std::vector<std::string>& groups;
  bool is_slanted;
  double height, right;  // how far they and the plot reach
};

inline constexpr double plot_height = 220;

}  // namespace subcore
