#include <algorithm>
#include <cmath>

#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

constexpr double half_bar = 11, row_height = 2 * half_bar + 8, widest = 720;

class Panel {
 public:
  Panel(Drawing& drawing, const TornadoChart::Panel& panel, double left, double labels)
      : drawing_(drawing),
        panel_(panel),
        range_(least(), most(), 6),
        left_(left + labels),
        right_(drawing.width - labels - 14) {}

  void draw() {
    double y = drawing_.top + 16;
    drawing_.text(8, y, panel_.axis + "; as it is: " + decimals(panel_.middle, 3), "font-weight=\"bold\"");
    y += 10;
    const double bottom = y + row_height * static_cast<double>(panel_.bars.size());
    for (const double t : range_.ticks) {
      const double x = x_of(t);
      drawing_.line(x, y, x, bottom, t == 1 ? "reference" : "grid");
      drawing_.text(x, bottom + 14, short_number(t), "text-anchor=\"middle\"");
    }
    for (const TornadoChart::Bar& bar : panel_.bars) {
      drawing_.text(name_right() - 8, y + half_bar + 8, bar.name, "text-anchor=\"end\"");
      for (std::size_t e = 0; e < bar.ends.size(); ++e)
        draw_end(bar, e, y + 4 + (bar.ends.size() == 1 ? half_bar / 2 : half_bar * static_cast<double>(e)));
      y += row_height;
    }
    drawing_.line(x_of(panel_.middle), y - row_height * static_cast<double>(panel_.bars.size()),
                  x_of(panel_.middle), bottom, "axis");
    drawing_.top = bottom + 24;
  }

 private:
  template <class Better>
  double extreme(const Better& better) const {
    double value = panel_.middle;
    for (const TornadoChart::Bar& bar : panel_.bars)
      for (const TornadoChart::End& end : bar.ends)
        if (end.value && better(*end.value, value)) value = *end.value;
    return value;
  }
  double least() const {
    return extreme([](double a, double b) { return a < b; });
  }
  double most() const {
    return extreme([](double a, double b) { return a > b; });
  }
  double x_of(double value) const { return left_ + (right_ - left_) * range_.share(value); }
  double name_right() const { return left_ - (drawing_.width - 14 - right_); }

  void draw_end(const TornadoChart::Bar& bar, std::size_t e, double y) {
    const TornadoChart::End& end = bar.ends[e];
    if (!end.value) return;
    const double from = x_of(panel_.middle), to = x_of(*end.value);
    drawing_.body += "<rect class=\"bar\" stroke=\"#1a1a1a\" stroke-width=\".5\" x=\"" +
                     px(std::min(from, to)) + "\" y=\"" + px(y) + "\" width=\"" + px(std::abs(to - from)) +
                     "\" height=\"" + px(half_bar) + "\" fill=\"" + drawing_.fill(e) + "\"><title>" +
                     escaped(bar.name + ", " + end.name + ": " + decimals(*end.value, 3)) +
                     "</title></rect>\n";
    const bool is_left = to < from;
    drawing_.text(to + (is_left ? -4 : 4), y + 9, end.name, is_left ? "text-anchor=\"end\"" : "");
  }

  Drawing& drawing_;
  const TornadoChart::Panel& panel_;
  AxisRange range_;
  double left_, right_;
};

}  // namespace

double TornadoChart::Bar::width(double middle) const {
  double least = middle, most = middle;
  for (const End& end : ends) {
    least = std::min(least, end.value.value_or(middle));
    most = std::max(most, end.value.value_or(middle));
  }
  return most - least;
}

std::string svg_of(const TornadoChart& c) {
  double names = 0, labels = 0;
  for (const TornadoChart::Panel& panel : c.panels)
    for (const TornadoChart::Bar& bar : panel.bars) {
      names = std::max(names, text_pixels(bar.name));
      for (const TornadoChart::End& end : bar.ends) labels = std::max(labels, text_pixels(end.name));
    }
  Drawing d(c.frame, widest);
  for (const TornadoChart::Panel& panel : c.panels) Panel(d, panel, names + 20, labels + 8).draw();
  return d.finish(d.top);
}

}  // namespace subcore
