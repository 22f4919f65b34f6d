// Layout: the places of a diagram's boxes, arrows and labels, in pixels. Boxes stand within boxes, in rows
// and columns. Arrows run along a grid of 10 pixels, around boxes, and never along each other.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/program/report/diagram/diagram.h"

namespace subcore {

// A point in pixels, from the top left.
struct Point {
  int x = 0, y = 0;
  bool operator==(const Point& o) const { return x == o.x && y == o.y; }
};

// A rectangle, in pixels.
struct Area {
  int x = 0, y = 0, width = 0, height = 0;
  int right() const { return x + width; }
  int bottom() const { return y + height; }
  bool meets(const Area& o) const {
    return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
  }
};

// Sizes of words in pixels: of each box, or of a container's head, and of each arrow's label.
struct TextSizes {
  std::vector<Point> boxes, labels;
};

// The way of an arrow.
struct Route {
  std::vector<Point> points;  // from border to border of the two boxes, with a point at each turn
  Area label;                 // empty if there is no room for it
};

struct Layout {
  std::vector<Area> boxes;
  std::vector<Route> routes;  // a route for each arrow
};

// The distance of grid lines in pixels.
inline constexpr int grid = 10;
// The height of a container's head in pixels.
inline constexpr int head_height = 40;

// Places the boxes alone. `top`: pixels that are left free above.
std::vector<Area> place_boxes(const Diagram& diagram, const TextSizes& sizes, int top);
// Places boxes and arrows.
Layout layout_of(const Diagram& diagram, const TextSizes& sizes, int top);

}  // namespace subcore
