// Charts of figures, and how they are drawn: each chart is one SVG that stands alone, in light colours.
// Classes (ink, grid, paper) let a page around it give it others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

using MaybeNumber = std::optional<double>;  // nothing: it is not known, and nothing is drawn

struct ChartFrame {
  std::string id;  // letters, digits and _: also begins the ids within the SVG
  std::string title;
  std::string axis;                     // words of the vertical axis, with its unit
  std::vector<std::string> cautions{};  // in words, under the figure
};

// The interval of a mean. MaybeRange: nothing is drawn without one.
struct ChartRange {
  double low, high;
};
using MaybeRange = std::optional<ChartRange>;

// Groups of bars side by side.
struct BarChart {
  ChartFrame frame;
  std::vector<std::string> groups;  // from left to right
  struct Series {
    std::string name;
    std::vector<MaybeNumber> values;   // by group
    std::vector<MaybeRange> ranges{};  // by group, or none at all
  };
  std::vector<Series> series;
  MaybeNumber reference;  // a line across

  // Makes one chart of the same chart of each member: of the means, with 95 % intervals.
  static BarChart of_members(const std::vector<BarChart>& members);
};

// Groups of bars, each a stack of the same parts.
struct StackChart {
  ChartFrame frame;
  std::vector<std::string> groups, bars, parts;
  // Values by group and bar: the parts from below; none if there is no such bar.
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
  ChartFrame frame;                                      // the frame's axis is the horizontal one
  std::vector<std::string> lines;                        // names, the same in all plots
  using Steps = std::vector<std::pair<double, double>>;  // to this x it is that; from 0, or the one before
  struct Plot {
    std::string axis;
    std::vector<Steps> steps;  // by line
  };
  std::vector<Plot> plots;
};

// How far a value goes from where it is when something else changes: for each change a bar to either end, the
// widest on top.
struct TornadoChart {
  ChartFrame frame;  // without an axis: each panel has its own
  struct End {
    std::string name;
    MaybeNumber value;
  };
  struct Bar {
    std::string name;
    std::vector<End> ends;
    double width(double middle) const;  // from the least of the ends and the middle to the most
  };
  struct Panel {
    std::string axis;
    double middle;  // the value without a change
    std::vector<Bar> bars;
  };
  std::vector<Panel> panels;  // panels one below the other
};

// Points that are better with less of the first axis, more of the second and less of a third that only labels
// tell; those that none beats stand out.
struct ParetoChart {
  ChartFrame frame;  // the frame's axis is the vertical one
  std::string horizontal_axis;
  struct Point {
    std::string name;  // with the third, in words
    double less, more, third;
    bool is_limit = false;  // no scheme: beats none, and is on no front
  };
  std::vector<Point> points;

  // A point of which the third is the storage of an SM, in KB: "malekeh, 8 KB".
  static Point with_storage(const std::string& name, double less, double more, std::uint64_t bytes,
                            bool is_limit);
  // Whether `a` is at least as good in everything, and better in something; `in_two`: whatever the third is.
  static bool beats(const Point& a, const Point& b, bool in_two = false);
  bool is_beaten(const Point& point, bool in_two = false) const;
};

std::string svg_of(const BarChart& chart);
std::string svg_of(const StackChart& chart);
std::string svg_of(const LineChart& chart);
std::string svg_of(const StepChart& chart);
std::string svg_of(const TornadoChart& chart);
std::string svg_of(const ParetoChart& chart);

// Numbers of an axis from 0 to at least `most`, about `count` steps: 1, 2, 2.5 or 5 times a power of ten.
// 0 and 1 where `most` is no number above 0.
std::vector<double> ticks_to(double most, int count);

}  // namespace subcore
