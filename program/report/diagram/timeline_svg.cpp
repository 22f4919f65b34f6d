#include "subcore/program/report/diagram/timeline_svg.h"

#include <algorithm>
#include <array>

#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

constexpr double cell = 15, row_height = 20, box_height = 16;

struct Look {
  // The fill is also an attribute, for programs that do not read the style.
  const char *name, *fill;
};
constexpr std::array<Look, 6> looks{{{"fetch", "#e6e6e6"},
                                     {"wait", "#fff"},
                                     {"operands", "#d5ecd4"},
                                     {"ready", "#f3eebd"},
                                     {"execute", "#fbe2c4"},
                                     {"write_back", "#e6dcf3"}}};

const char* const style_sheet = R"css(<style>
.paper { fill: #fff; } .ink { fill: #1a1a1a; } .axis { stroke: #8c8c8c; } .grid { stroke: #e0e0e0; }
.stage { stroke: #4d4d4d; stroke-width: .8; } .stage.wait { stroke: #8c8c8c; stroke-dasharray: 2 2; fill: #fff; }
.stage.fetch { fill: #e6e6e6; } .stage.operands { fill: #d5ecd4; } .stage.ready { fill: #f3eebd; }
.stage.execute { fill: #fbe2c4; } .stage.write_back { fill: #e6dcf3; }
@media (prefers-color-scheme: dark) {
.paper { fill: #16181b; } .ink { fill: #f0f0f0; } .axis { stroke: #6d747d; } .grid { stroke: #33373d; }
.stage { stroke: #9aa0a8; } .stage.wait { stroke: #6d747d; fill: #16181b; }
.stage.fetch { fill: #383c42; } .stage.operands { fill: #1f4227; } .stage.ready { fill: #45400f; }
.stage.execute { fill: #553312; } .stage.write_back { fill: #3d2c57; }
}
</style>)css";

class TimelinePicture {
 public:
  TimelinePicture(const TimelineTable& table, const std::string& title, const std::string& subtitle)
      : table_(table), drawing_("timeline", title, 0) {
    drawing_.definitions = style_sheet;
    for (const TimelineTable::Row& r : table.rows) left_ = std::max(left_, 8 + text_pixels(r.name) + 12);
    right_ = x_of(table.end);
    drawing_.width = std::max({right_, text_pixels(title) * 1.2, text_pixels(subtitle)}) + 16;
    drawing_.text(8, 34, subtitle);
    drawing_.top = 46;
    legend();
    ruler();
    double y = drawing_.top;
    for (const TimelineTable::Row& r : table.rows) {
      row(r, y);
      y += row_height;
    }
    height_ = y + 8;
  }
  std::string text() const { return drawing_.finish(height_); }

 private:
  double x_of(Cycle cycle) const { return left_ + cell * static_cast<double>(cycle - table_.begin); }

  void box(TimelineKind kind, double x, double y, double width) {
    const Look& look = looks[static_cast<std::size_t>(kind)];
    drawing_.body += std::string("<rect class=\"stage ") + look.name + "\" fill=\"" + look.fill +
                     "\" stroke=\"#4d4d4d\" x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(width) +
                     "\" height=\"" + px(box_height) + "\"/>\n";
  }

  void legend() {
    double x = 8;
    for (const TimelineTable::Meaning& m : table_.legend) {
      const double wide = cell + 6 + text_pixels(m.text) + 12;
      if (x > 8 && x + wide > drawing_.width) x = 8, drawing_.top += row_height;
      box(m.kind, x, drawing_.top, cell);
      drawing_.text(x + cell + 6, drawing_.top + 12, m.text);
      x += wide;
    }
    drawing_.top += row_height + 8;
  }

  // Draws a number over every fifth cycle, with a line down from it.
  void ruler() {
    const double bottom = drawing_.top + 18 + row_height * static_cast<double>(table_.rows.size());
    drawing_.text(left_ - 12, drawing_.top + 11, "cycle", "text-anchor=\"end\"");
    for (Cycle c = table_.begin; c < table_.end; ++c) {
      if (c % 5 != 0) continue;
      drawing_.text(x_of(c), drawing_.top + 11, std::to_string(c));
      drawing_.grid_line(x_of(c), drawing_.top + 15, x_of(c), bottom);
    }
    drawing_.top += 18;
  }

  // Draws a box for each run of one letter.
  void row(const TimelineTable::Row& r, double y) {
    drawing_.text(8, y + 12, r.name);
    for (std::size_t n = 0; n < r.cells.size();) {
      const std::size_t end = std::min(r.cells.find_first_not_of(r.cells[n], n), r.cells.size());
      const double x = x_of(r.begin + n), width = cell * static_cast<double>(end - n);
      box(kind_of(r.cells[n]), x, y, width);
      drawing_.text(x + width / 2, y + 12, std::string(1, r.cells[n]), "text-anchor=\"middle\"");
      n = end;
    }
  }

  const TimelineTable& table_;
  Drawing drawing_;
  double left_ = 0, right_ = 0, height_ = 0;
};

}  // namespace

std::string svg_of(const TimelineTable& table, const std::string& title, const std::string& subtitle) {
  return TimelinePicture(table, title, subtitle).text();
}

}  // namespace subcore
