// What figures show, and how it is drawn: each chart is one SVG that stands alone, in light colours. Classes
// (ink, grid, paper) let a page around it give it others.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

using MaybeNumber = std::optional<double>;  // nothing: it is not known, and nothing is drawn

struct ChartFrame {
  std::string id;  // of letters, digits and _: also begins the ids within the SVG
  std::string title;
  std::string axis;  // what the vertical axis is, with its unit
};

// Groups of bars side by side.
struct BarChart {
  ChartFrame frame;
  std::vector<std::string> groups;  // from left to right
  struct Series {
    std::string name;
    std::vector<MaybeNumber> values;  // by group
  };
  std::vector<Series> series;
  MaybeNumber reference;  // a line across
};

// Groups of bars, each a stack of the same parts.
struct StackChart {
  ChartFrame frame;
  std::vector<std::string> groups, bars, parts;
  // By group and bar: the parts from below; none if there is no such bar.
  std::vector<std::vector<std::vector<double>>> values;
  MaybeNumber reference;
};

// Lines through points that stand beside each other.
struct LineChart {
  ChartFrame frame;
  std::vector<std::string> points;  // names, from left to right
  struct Line {
    std::string name;
    std::vector<MaybeNumber> values;  // by point
  };
  std::vector<Line> lines;
  MaybeNumber reference;  // a line across
};

// Steps over a common horizontal axis, one plot below the other.
struct StepChart {
  ChartFrame frame;                                      // its axis is the horizontal one
  std::vector<std::string> lines;                        // names, the same in all plots
  using Steps = std::vector<std::pair<double, double>>;  // to this x it is that; from 0, or the one before
  struct Plot {
    std::string axis;
    std::vector<Steps> steps;  // by line
  };
  std::vector<Plot> plots;
};

std::string svg_of(const BarChart& chart);
std::string svg_of(const StackChart& chart);
std::string svg_of(const LineChart& chart);
std::string svg_of(const StepChart& chart);

// Numbers of an axis from 0 to at least `most`, about `count` steps: 1, 2, 2.5 or 5 times a power of ten.
// 0 and 1 where `most` is no number above 0.
std::vector<double> ticks_to(double most, int count);

}  // namespace subcore
