#include "subcore/program/report/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

// Okabe and Ito's eight, those first that are dark enough for a line on white paper; grey for their black, so
// that it can be seen on a dark page.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                             "#e69f00", "#56b4e9", "#8c8c8c", "#f0e442"};
// Hatches, whose number has no factor in common with that of the colours.
constexpr std::array hatches{"", "M0 6L6 0M-1 1L1 -1M5 7L7 5", "M3 0V6", "M0 0L6 6M-1 5L1 7M5 -1L7 1",
                             "M0 3H6"};
constexpr std::array dashes{"", "7 3", "2 2", "9 3 2 3", "4 4"};

}  // namespace

std::string colour_of(std::size_t series) {
  return colours[series % colours.size()];
}

std::string dashes_of(std::size_t series) {
  const std::string dash = dashes[series % dashes.size()];
  return dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"";
}

double text_pixels(std::string_view words) {
  return letter_width * static_cast<double>(characters(words));
}

std::vector<double> ticks_to(double most, int count) {
  if (!(most > 0) || !std::isfinite(most)) return {0, 1};
  const double raw = most / count, power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double times : {5.0, 2.5, 2.0, 1.0})
    if (times * power >= raw * (1 - 1e-9)) step = times * power;
  std::vector<double> ticks;
  for (int i = 0; ticks.empty() || ticks.back() < most * (1 - 1e-9); ++i) ticks.push_back(i * step);
  return ticks;
}

AxisRange::AxisRange(double least, double most, int count) {
  if (!(most - least > 1e-9 * std::abs(most))) least -= 0.01, most += 0.01;
  const double step = ticks_to(most - least, count)[1];
  const double first = std::floor(least / step + 1e-9), last = std::ceil(most / step - 1e-9);
  for (double n = first; n <= last; ++n) ticks.push_back(n * step);
}

Drawing::Drawing(const ChartFrame& frame, double w)
    : id(frame.id), title(frame.title), cautions(frame.cautions), width(w), top(24) {
  text(8, 17, title, "font-size=\"13\" font-weight=\"bold\"");
}

std::string Drawing::fill(std::size_t series) {
  const std::string hatch = hatches[series % hatches.size()];
  if (hatch.empty()) return colour_of(series);
  const std::string name = id + "_hatch_" + std::to_string(series);
  if (filled.size() <= series) filled.resize(series + 1);
  if (!filled[series]) {
    definitions += "<pattern id=\"" + name + "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">" +
                   "<rect width=\"6\" height=\"6\" fill=\"" + colour_of(series) + "\"/><path d=\"" + hatch +
                   "\" stroke=\"#fff\" stroke-opacity=\".75\" stroke-width=\"1.2\"/></pattern>";
    filled[series] = true;
  }
  return "url(#" + name + ")";
}

void Drawing::text(double x, double y, const std::string& words, const std::string& more) {
  body += "<text class=\"ink\" fill=\"#1a1a1a\" x=\"" + px(x) + "\" y=\"" + px(y) + "\"" +
          (more.empty() ? "" : " " + more) + ">" + escaped(words) + "</text>\n";
}

void Drawing::line(double x1, double y1, double x2, double y2, const char* kind) {
  const std::string k = kind;
  body += "<line class=\"" + k + "\" stroke=\"" + (k == "grid" ? "#d9d9d9" : "#4d4d4d") + "\"" +
          (k == "reference" ? " stroke-dasharray=\"3 3\"" : "") + " x1=\"" + px(x1) + "\" y1=\"" + px(y1) +
          "\" x2=\"" + px(x2) + "\" y2=\"" + px(y2) + "\"/>\n";
}

void Drawing::legend(const std::vector<std::string>& names, bool of_lines) {
  double x = 8;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double swatch = of_lines ? 26 : 13;
    const double wide = swatch + 5 + text_pixels(names[i]) + 12;
    if (x > 8 && x + wide > width) x = 8, top += 16;
    if (of_lines)
      body += "<line stroke=\"" + colour_of(i) + "\" stroke-width=\"2\"" + dashes_of(i) + " x1=\"" + px(x) +
              "\" y1=\"" + px(top + 8) + "\" x2=\"" + px(x + swatch) + "\" y2=\"" + px(top + 8) + "\"/>\n";
    else
      body += "<rect class=\"bar\" stroke=\"#1a1a1a\" stroke-width=\".5\" x=\"" + px(x) + "\" y=\"" +
              px(top + 2) + "\" width=\"13\" height=\"11\" fill=\"" + fill(i) + "\"/>\n";
    text(x + swatch + 5, top + 12, names[i]);
    x += wide;
  }
  top += 18;
}

void Drawing::key(const std::vector<std::string>& words) {
  double x = 8;
  for (const std::string& w : words) {
    const double wide = text_pixels(w) + 14;
    if (x > 8 && x + wide > width) x = 8, top += 16;
    text(x, top + 12, w);
    x += wide;
  }
  top += 18;
}

void Drawing::vertical_axis(const std::string& words, double left, double right, double y_top,
                            double y_bottom, const std::vector<double>& ticks) {
  for (const double t : ticks) {
    const double y = y_bottom - (y_bottom - y_top) * t / ticks.back();
    line(left, y, right, y, t == 0 ? "axis" : "grid");
    text(left - 5, y + 4, short_number(t), "text-anchor=\"end\"");
  }
  line(left, y_top, left, y_bottom, "axis");
  const std::string middle = px((y_top + y_bottom) / 2);
  text(13, (y_top + y_bottom) / 2, words,
       "text-anchor=\"middle\" transform=\"rotate(-90 13 " + middle + ")\"");
}

std::string Drawing::finish(double height) const {
  if (!cautions.empty()) {
    Drawing whole = *this;
    whole.cautions.clear();
    whole.top = height;
    whole.key(cautions);
    return whole.finish(whole.top + 4);
  }
  const std::string w = px(width), h = px(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"" + w + "\" height=\"" + h +
         "\" viewBox=\"0 0 " + w + " " + h +
         "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" " +
         "role=\"img\" aria-labelledby=\"" + id + "_title\">\n<title id=\"" + id + "_title\">" +
         escaped(title) + "</title>\n" + (definitions.empty() ? "" : "<defs>" + definitions + "</defs>\n") +
         "<rect class=\"paper\" width=\"" + w + "\" height=\"" + h + "\" fill=\"#fff\"/>\n" + body +
         "</svg>\n";
}

BarPlaces::BarPlaces(std::size_t groups, std::size_t bars) {
  const auto all = static_cast<double>(std::max<std::size_t>(groups, 1));
  const auto each = static_cast<double>(std::max<std::size_t>(bars, 1));
  gap = each > 1 ? 16 : 8;
  bar = std::clamp((640 - all * gap) / (all * each), 12.0, 48.0);
  group = bar * each + gap;
  right = left + group * all;
}

double BarPlaces::x_of(std::size_t g, std::size_t b) const {
  return left + group * static_cast<double>(g) + gap / 2 + bar * static_cast<double>(b);
}

double BarPlaces::middle_of(std::size_t g) const {
  return left + group * (static_cast<double>(g) + 0.5);
}

GroupNames::GroupNames(const BarPlaces& p, const std::vector<std::string>& g) : places(p), groups(g) {
  double longest = 0;
  for (const std::string& name : groups) longest = std::max(longest, text_pixels(name));
  is_slanted = longest > places.group - 4;
  right = places.right + 14;
  if (is_slanted && !groups.empty())
    right = std::max(right, places.middle_of(groups.size() - 1) + longest * 0.82 + 8);
  height = is_slanted ? 16 + longest * 0.58 : 18;
}

void GroupNames::draw(Drawing& drawing, double y) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double x = places.middle_of(g);
    if (is_slanted)
      drawing.text(x - 4, y + 11, groups[g], "transform=\"rotate(35 " + px(x - 4) + " " + px(y + 11) + ")\"");
    else
      drawing.text(x, y + 13, groups[g], "text-anchor=\"middle\"");
  }
}

}  // namespace subcore
