#include <algorithm>
#include <array>
#include <cmath>

#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

constexpr double width = 760, height = 420, radius = 4.5, text_height = 12;

struct Box {
  double left, top, right, bottom;
  bool meets(const Box& b) const {
    return left < b.right && b.left < right && top < b.bottom && b.top < bottom;
  }
};

// Labels beside their points, each at the nearest place where it covers no point and no other label.
class Labels {
 public:
  explicit Labels(const Box& plot) : plot_(plot) {}

  void avoid(double x, double y) {
    taken_.push_back({x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1});
  }

  // Keeps labels off a line, by small boxes along it.
  void avoid_line(double x1, double y1, double x2, double y2) {
    const double steps = std::ceil(std::hypot(x2 - x1, y2 - y1) / 3);
    for (double n = 0; n <= steps; ++n) {
      const double x = x1 + (x2 - x1) * n / steps, y = y1 + (y2 - y1) * n / steps;
      taken_.push_back({x - 1, y - 1, x + 1, y + 1});
    }
  }

  void draw(Drawing& drawing, double x, double y, const std::string& words) {
    const double wide = text_pixels(words) + 2;
    constexpr std::array directions{0.0,  180.0, 30.0,  -30.0,  150.0, -150.0,
                                    60.0, -60.0, 120.0, -120.0, 90.0,  -90.0};
    for (double distance = radius + 4; distance < width; distance += 6)
      for (const double degrees : directions) {
        const double angle = degrees * 3.14159265358979 / 180;
        const double from_x = x + distance * std::cos(angle), middle = y + distance * std::sin(angle);
        const double left = std::cos(angle) < -0.01  ? from_x - wide
                            : std::cos(angle) > 0.01 ? from_x
                                                     : x - wide / 2;
        const Box box{left, middle - text_height / 2, left + wide, middle + text_height / 2};
        if (!is_free(box)) continue;
        taken_.push_back(box);
        if (distance > radius + 4)
          drawing.line(x + radius * std::cos(angle), y + radius * std::sin(angle), from_x, middle, "axis");
        drawing.text(left + 1, middle + 4, words);
        return;
      }
  }

 private:
  bool is_free(const Box& box) const {
    return box.left >= plot_.left && box.right <= plot_.right && box.top >= plot_.top &&
           box.bottom <= plot_.bottom &&
           std::none_of(taken_.begin(), taken_.end(), [&](const Box& b) { return b.meets(box); });
  }

  Box plot_;
  std::vector<Box> taken_;
};

AxisRange range_of(const std::vector<ParetoChart::Point>& points, double ParetoChart::Point::*member) {
  double least = points.front().*member, most = least;
  for (const ParetoChart::Point& p : points)
    least = std::min(least, p.*member), most = std::max(most, p.*member);
  return {least, most, 6};
}

}  // namespace

ParetoChart::Point ParetoChart::with_storage(const std::string& name, double less, double more,
                                             std::uint64_t bytes, bool is_limit) {
  const double kilobytes = static_cast<double>(bytes) / 1024;
  return {name + (is_limit ? " (limit), " : ", ") + decimals(kilobytes, bytes % 1024 == 0 ? 0 : 1) + " KB",
          less, more, kilobytes, is_limit};
}

bool ParetoChart::beats(const Point& a, const Point& b, bool in_two) {
  if (a.is_limit || a.less > b.less || a.more < b.more || (!in_two && a.third > b.third)) return false;
  return a.less < b.less || a.more > b.more || (!in_two && a.third < b.third);
}

bool ParetoChart::is_beaten(const Point& point, bool in_two) const {
  return point.is_limit ||
         std::any_of(points.begin(), points.end(), [&](const Point& p) { return beats(p, point, in_two); });
}

std::string svg_of(const ParetoChart& c) {
  Drawing d(c.frame, width);
  d.key({"joined: beaten by none in the two axes;", "filled: by none with storage counted, too"});
  if (c.points.empty()) return d.finish(d.top);
  const Box plot{58, d.top + 8, width - 14, d.top + 8 + height};
  const AxisRange across = range_of(c.points, &ParetoChart::Point::less);
  const AxisRange up = range_of(c.points, &ParetoChart::Point::more);
  const auto x_of = [&](double v) {
    return plot.left + 30 + (plot.right - plot.left - 60) * across.share(v);
  };
  const auto y_of = [&](double v) { return plot.bottom - 14 - (plot.bottom - plot.top - 28) * up.share(v); };
  Labels labels(plot);
  for (const double t : across.ticks) {
    d.line(x_of(t), plot.top, x_of(t), plot.bottom, t == 1 ? "reference" : "grid");
    if (t == 1) labels.avoid_line(x_of(t), plot.top, x_of(t), plot.bottom);
    d.text(x_of(t), plot.bottom + 14, short_number(t), "text-anchor=\"middle\"");
  }
  for (const double t : up.ticks) {
    d.line(plot.left, y_of(t), plot.right, y_of(t), t == 1 ? "reference" : "grid");
    if (t == 1) labels.avoid_line(plot.left, y_of(t), plot.right, y_of(t));
    d.text(plot.left - 5, y_of(t) + 4, short_number(t), "text-anchor=\"end\"");
  }
  d.line(plot.left, plot.top, plot.left, plot.bottom, "axis");
  d.line(plot.left, plot.bottom, plot.right, plot.bottom, "axis");
  const std::string middle = px((plot.top + plot.bottom) / 2);
  d.text(13, (plot.top + plot.bottom) / 2, c.frame.axis,
         "text-anchor=\"middle\" transform=\"rotate(-90 13 " + middle + ")\"");
  d.text((plot.left + plot.right) / 2, plot.bottom + 32, c.horizontal_axis, "text-anchor=\"middle\"");

  std::vector<ParetoChart::Point> sorted = c.points;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.less < b.less; });
  std::string path;
  const ParetoChart::Point* last = nullptr;
  for (const ParetoChart::Point& p : sorted) {
    if (c.is_beaten(p, true)) continue;
    path += (path.empty() ? "M" : "L") + px(x_of(p.less)) + " " + px(y_of(p.more));
    if (last != nullptr) labels.avoid_line(x_of(last->less), y_of(last->more), x_of(p.less), y_of(p.more));
    last = &p;
  }
  d.body += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour_of(0) + "\" stroke-width=\"1.8\"/>\n";
  for (const ParetoChart::Point& p : sorted) {
    const double x = x_of(p.less), y = y_of(p.more);
    labels.avoid(x, y);
    d.body += "<circle class=\"point\" cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"" + px(radius) +
              "\" stroke=\"" + colour_of(0) + "\" stroke-width=\"1.8\" fill=\"" +
              (c.is_beaten(p) ? "none" : colour_of(0)) + "\"><title>" +
              escaped(p.name + ": " + decimals(p.less, 3) + ", " + decimals(p.more, 3)) +
              "</title></circle>\n";
  }
  for (const ParetoChart::Point& p : sorted) labels.draw(d, x_of(p.less), y_of(p.more), p.name);
  return d.finish(plot.bottom + 44);
}

}  // namespace subcore
