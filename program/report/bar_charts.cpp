#include <algorithm>
#include <cmath>

#include "subcore/model/statistics/spread.h"
#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

constexpr double least_width = 480;  // so that a legend need not break often

std::string rectangle(double x, double y, double width, double height, const std::string& fill,
                      const std::string& tip) {
  return "<rect class=\"bar\" stroke=\"#1a1a1a\" stroke-width=\".5\" x=\"" + px(x) + "\" y=\"" + px(y) +
         "\" width=\"" + px(width) + "\" height=\"" + px(height) + "\" fill=\"" + fill + "\"><title>" +
         escaped(tip) + "</title></rect>\n";
}

// A bar that is not there.
void hole(Drawing& d, const BarPlaces& places, std::size_t group, std::size_t bar, double y) {
  d.text(places.x_of(group, bar) + places.bar / 2, y - 3, "\xE2\x80\x93", "text-anchor=\"middle\"");
}

std::string range_words(const BarChart& c, std::size_t series, std::size_t group) {
  const std::vector<MaybeRange>& ranges = c.series[series].ranges;
  if (group >= ranges.size() || !ranges[group]) return "";
  return " (95 %: " + short_number(ranges[group]->low) + " to " + short_number(ranges[group]->high) + ")";
}

// An interval over its bar: a line with two ends.
void whisker(Drawing& d, double x, double width, const ChartRange& range, double y_bottom, double most) {
  const auto y_of = [&](double value) { return y_bottom - plot_height * std::max(0.0, value) / most; };
  const double low = y_of(range.low), high = y_of(range.high), middle = x + width / 2,
               half = std::min(width / 3, 3.0);
  d.line(middle, low, middle, high, "whisker");
  d.line(middle - half, low, middle + half, low, "whisker");
  d.line(middle - half, high, middle + half, high, "whisker");
}

}  // namespace

BarChart BarChart::of_members(const std::vector<BarChart>& members) {
  BarChart chart = members.front();
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    Series& series = chart.series[s];
    series.ranges.resize(series.values.size());
    for (std::size_t g = 0; g < series.values.size(); ++g) {
      std::vector<double> values;
      for (const BarChart& m : members)
        if (const MaybeNumber v = m.series[s].values[g]) values.push_back(*v);
      if (values.size() != members.size()) continue;
      const std::optional<Spread> spread = spread_over(values, WorstEnd::lowest);
      if (!spread) continue;
      series.values[g] = spread->mean;
      series.ranges[g] = ChartRange{spread->low(), spread->high()};
    }
  }
  return chart;
}

std::string svg_of(const BarChart& c) {
  const BarPlaces places(c.groups.size(), c.series.size());
  const GroupNames names(places, c.groups);
  Drawing d(c.frame, std::max(names.right, least_width));
  std::vector<std::string> series;
  double most = c.reference.value_or(0);
  for (const BarChart::Series& s : c.series) {
    series.push_back(s.name);
    for (const MaybeNumber& v : s.values)
      if (v && std::isfinite(*v)) most = std::max(most, *v);
    for (const MaybeRange& r : s.ranges)
      if (r && std::isfinite(r->high)) most = std::max(most, r->high);
  }
  d.legend(series, false);
  const double y_top = d.top + 8, y_bottom = y_top + plot_height;
  const std::vector<double> ticks = ticks_to(most, 5);
  d.vertical_axis(c.frame.axis, places.left, places.right, y_top, y_bottom, ticks);
  for (std::size_t s = 0; s < c.series.size(); ++s)
    for (std::size_t g = 0; g < c.groups.size(); ++g) {
      const MaybeNumber v = c.series[s].values[g];
      if (!v || !std::isfinite(*v)) {
        hole(d, places, g, s, y_bottom);
        continue;
      }
      const double height = std::max(0.0, plot_height * *v / ticks.back());
      d.body +=
          rectangle(places.x_of(g, s), y_bottom - height, places.bar, height, d.fill(s),
                    c.series[s].name + ", " + c.groups[g] + ": " + short_number(*v) + range_words(c, s, g));
      if (g < c.series[s].ranges.size() && c.series[s].ranges[g])
        whisker(d, places.x_of(g, s), places.bar, *c.series[s].ranges[g], y_bottom, ticks.back());
    }
  if (c.reference) {
    const double y = y_bottom - plot_height * *c.reference / ticks.back();
    d.line(places.left, y, places.right, y, "reference");
  }
  names.draw(d, y_bottom + 2);
  return d.finish(y_bottom + names.height + 10);
}

std::string svg_of(const StackChart& c) {
  const BarPlaces places(c.groups.size(), c.bars.size());
  const GroupNames names(places, c.groups);
  Drawing d(c.frame, std::max(names.right, least_width));
  d.legend(c.parts, false);
  std::vector<std::string> numbered;
  for (std::size_t b = 0; b < c.bars.size(); ++b) numbered.push_back(std::to_string(b + 1) + " " + c.bars[b]);
  d.key(numbered);
  double most = c.reference.value_or(0);
  for (const auto& group : c.values)
    for (const std::vector<double>& bar : group) {
      double sum = 0;
      for (const double part : bar) sum += std::isfinite(part) ? part : 0;
      most = std::max(most, sum);
    }
  const double y_top = d.top + 8, y_bottom = y_top + plot_height;
  const std::vector<double> ticks = ticks_to(most, 5);
  d.vertical_axis(c.frame.axis, places.left, places.right, y_top, y_bottom, ticks);
  for (std::size_t g = 0; g < c.groups.size(); ++g)
    for (std::size_t b = 0; b < c.bars.size(); ++b) {
      const std::vector<double>& parts = c.values[g][b];
      if (parts.empty()) hole(d, places, g, b, y_bottom);
      double y = y_bottom;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const double height = std::isfinite(parts[p]) ? plot_height * parts[p] / ticks.back() : 0;
        if (height < 0.05) continue;
        y -= height;
        d.body +=
            rectangle(places.x_of(g, b), y, places.bar, height, d.fill(p),
                      c.bars[b] + ", " + c.groups[g] + ", " + c.parts[p] + ": " + short_number(parts[p]));
      }
      d.text(places.x_of(g, b) + places.bar / 2, y_bottom + 12, std::to_string(b + 1),
             "text-anchor=\"middle\" font-size=\"9\"");
    }
  if (c.reference) {
    const double y = y_bottom - plot_height * *c.reference / ticks.back();
    d.line(places.left, y, places.right, y, "reference");
  }
  names.draw(d, y_bottom + 14);
  return d.finish(y_bottom + names.height + 22);
}

}  // namespace subcore
