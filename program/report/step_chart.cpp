#include <algorithm>
#include <cmath>

#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

constexpr double plot_left = 58, plot_width = 640, panel_height = 96, between = 22;

// The steps as a path, in pixels of the plot.
std::string path_of(const StepChart::Steps& steps, double x_most, double y_most) {
  std::string path;
  double x = 0;
  bool is_down = false;
  for (const auto& [to, value] : steps) {
    const double next = plot_width * to / x_most;
    if (std::isfinite(value)) {
      const std::string y = px(panel_height - panel_height * value / y_most);
      path += (is_down ? "V" + y : "M" + px(x) + " " + y) + "H" + px(next);
    }
    is_down = std::isfinite(value);
    x = next;
  }
  return path;
}

}  // namespace

std::string svg_of(const StepChart& c) {
  Drawing d(c.frame, plot_left + plot_width + 24);
  d.legend(c.lines, true);
  double x_most = 0;
  for (const StepChart::Plot& plot : c.plots)
    for (const StepChart::Steps& steps : plot.steps)
      if (!steps.empty()) x_most = std::max(x_most, steps.back().first);
  if (!(x_most > 0)) x_most = 1;
  double y = d.top + 8;
  for (const StepChart::Plot& plot : c.plots) {
    double y_most = 0;
    for (const StepChart::Steps& steps : plot.steps)
      for (const auto& step : steps)
        if (std::isfinite(step.second)) y_most = std::max(y_most, step.second);
    const std::vector<double> ticks = ticks_to(y_most, 3);
    d.vertical_axis(plot.axis, plot_left, plot_left + plot_width, y, y + panel_height, ticks);
    // A drawing of its own, so that a page can zoom into it by its viewBox.
    d.body += "<svg class=\"plot\" data-most=\"" + px(x_most) + "\" x=\"" + px(plot_left) + "\" y=\"" +
              px(y) + "\" width=\"" + px(plot_width) + "\" height=\"" + px(panel_height) +
              "\" viewBox=\"0 0 " + px(plot_width) + " " + px(panel_height) +
              "\" preserveAspectRatio=\"none\">\n";
    // The rectangle is met by a pointer where no line is.
    d.body += "<rect width=\"" + px(plot_width) + "\" height=\"" + px(panel_height) +
              "\" fill=\"none\" pointer-events=\"all\"/>\n";
    for (std::size_t l = 0; l < plot.steps.size(); ++l) {
      const std::string path = path_of(plot.steps[l], x_most, ticks.back());
      if (path.empty()) continue;
      d.body += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour_of(l) +
                "\" stroke-width=\"1.8\"" + dashes_of(l) + " vector-effect=\"non-scaling-stroke\"><title>" +
                escaped(c.lines[l]) + "</title></path>\n";
    }
    d.body += "</svg>\n";
    y += panel_height + between;
  }
  y -= between;
  d.body += "<g class=\"x_ticks\">\n";
  for (const double t : ticks_to(x_most, 6)) {
    if (t > x_most) break;
    const double x = plot_left + plot_width * t / x_most;
    d.line(x, y, x, y + 4, "axis");
    d.text(x, y + 16, short_number(t), "text-anchor=\"middle\"");
  }
  d.body += "</g>\n";
  d.text(plot_left + plot_width / 2, y + 32, c.frame.axis, "text-anchor=\"middle\"");
  return d.finish(y + 42);
}

}  // namespace subcore
