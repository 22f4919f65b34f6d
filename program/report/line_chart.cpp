#include <algorithm>
#include <cmath>

#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {

std::string svg_of(const LineChart& c) {
  const BarPlaces places(c.points.size(), 1);
  const GroupNames names(places, c.points);
  Drawing d(c.frame, std::max(names.right, 480.0));
  std::vector<std::string> legend;
  double most = c.reference.value_or(0);
  for (const LineChart::Line& l : c.lines) {
    legend.push_back(l.name);
    for (const MaybeNumber& v : l.values)
      if (v && std::isfinite(*v)) most = std::max(most, *v);
  }
  d.legend(legend, true);
  const double y_top = d.top + 8, y_bottom = y_top + plot_height;
  const std::vector<double> ticks = ticks_to(most, 5);
  const auto height_of = [&](double value) { return plot_height * std::max(0.0, value) / ticks.back(); };
  d.vertical_axis(c.frame.axis, places.left, places.right, y_top, y_bottom, ticks);
  if (c.reference) {
    const double y = y_bottom - height_of(*c.reference);
    d.line(places.left, y, places.right, y, "reference");
  }
  for (std::size_t l = 0; l < c.lines.size(); ++l) {
    std::string path, dots;
    bool is_down = false;
    for (std::size_t p = 0; p < c.points.size(); ++p) {
      const MaybeNumber& v = c.lines[l].values[p];
      const bool is_there = v && std::isfinite(*v);
      if (is_there) {
        const std::string x = px(places.middle_of(p)), y = px(y_bottom - height_of(*v));
        path += (is_down ? "L" : "M") + x + " " + y;
        dots += "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"3\" fill=\"" + colour_of(l) + "\"><title>" +
                escaped(c.lines[l].name + ", " + c.points[p] + ": " + short_number(*v)) +
                "</title></circle>\n";
      }
      is_down = is_there;
    }
    if (path.empty()) continue;
    d.body += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour_of(l) + "\" stroke-width=\"1.8\"" +
              dashes_of(l) + "/>\n" + dots;
  }
  names.draw(d, y_bottom + 2);
  return d.finish(y_bottom + names.height + 10);
}

}  // namespace subcore
