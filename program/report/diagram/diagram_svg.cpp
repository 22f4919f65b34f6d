#include "subcore/program/report/diagram/diagram_svg.h"

#include <algorithm>
#include <set>

#include "subcore/base/text_width.h"
#include "subcore/program/report/drawing.h"
#include "subcore/program/report/markup.h"

namespace subcore {
namespace {

constexpr int line_height = 14, inset = 8, first_line = 32, head_room = 50;
constexpr int part_height = 16, part_step = 18;  // height of a part or a row of stages in a box
constexpr std::size_t widest_value = 22, widest_list = 28;

// In both colour schemes, every text has a contrast of 4.5 or more with its background.
const char* const style = R"css(<style>
.paper { fill: #fff; }
.diagram .ink, .ink { fill: #1a1a1a; } .diagram .soft { fill: #474747; }
.diagram .box { stroke: #4d4d4d; } .diagram .container { fill: none; stroke: #8c8c8c; }
.diagram .flow { fill: none; stroke: #4d4d4d; } .diagram .head { fill: #4d4d4d; }
.diagram .issue { fill: #d3e5f7; } .diagram .operands { fill: #d5ecd4; } .diagram .execution { fill: #fbe2c4; }
.diagram .memory { fill: #e6dcf3; } .diagram .control { fill: #f3eebd; } .diagram .driver { fill: #e6e6e6; }
.diagram .own { fill: #f9d7e3; } .diagram .part { fill: #fff; stroke: #8c8c8c; }
.diagram .added { stroke: #0a6b2d; } .diagram .added_ink { fill: #0a6b2d; }
.diagram .changed { stroke: #8f3600; } .diagram .changed_ink { fill: #8f3600; }
.diagram .gone { stroke: #6b6b6b; fill: #fff; } .diagram .gone_ink { fill: #595959; }
.diagram .flow.gone, .diagram .container.gone, .diagram .container.added, .diagram .container.changed { fill: none; }
.diagram a:hover rect, .diagram a:focus rect { stroke-width: 2.5; }
@media (prefers-color-scheme: dark) {
.paper { fill: #16181b; }
.diagram .ink, .ink { fill: #f0f0f0; } .diagram .soft { fill: #c8ccd2; }
.diagram .box { stroke: #9aa0a8; } .diagram .container { fill: none; stroke: #6d747d; }
.diagram .flow { stroke: #aab0b8; } .diagram .head { fill: #aab0b8; }
.diagram .issue { fill: #1d3a57; } .diagram .operands { fill: #1f4227; } .diagram .execution { fill: #553312; }
.diagram .memory { fill: #3d2c57; } .diagram .control { fill: #45400f; } .diagram .driver { fill: #383c42; }
.diagram .own { fill: #561f37; } .diagram .part { fill: #16181b; stroke: #6d747d; }
.diagram .added { stroke: #7fe0a0; } .diagram .added_ink { fill: #8fe8ae; }
.diagram .changed { stroke: #ffb37a; } .diagram .changed_ink { fill: #ffc08f; }
.diagram .gone { stroke: #9aa0a8; fill: #16181b; } .diagram .gone_ink { fill: #a9afb7; }
}
</style>)css";

constexpr std::string_view classes[] = {"issue",   "operands", "execution", "memory",
                                        "control", "driver",   "own"};
// Fills are attributes, too, for programs that do not read the style.
constexpr std::string_view fills[] = {"#d3e5f7", "#d5ecd4", "#fbe2c4", "#e6dcf3",
                                      "#f3eebd", "#e6e6e6", "#f9d7e3"};
constexpr std::string_view marks[] = {"same", "added", "gone", "changed"};

std::string_view class_of(Room room) {
  return classes[static_cast<std::size_t>(room)];
}
std::string_view class_of(Mark mark) {
  return marks[static_cast<std::size_t>(mark)];
}

int width_of(std::string_view words, double of_letter = letter_width) {
  return static_cast<int>(of_letter * static_cast<double>(characters(words)) + 0.999);
}

std::string head_of(const Diagram::Box& b) {
  return b.title + (b.count.empty() ? "" : ' ' + b.count);
}

std::string tag_of(const Diagram::Box& b) {
  return b.mark == Mark::added ? "new" : b.mark == Mark::gone ? "gone" : "";
}

std::string rest_of(const Diagram::Box& b, bool of_changes) {
  std::size_t all = b.lines.size();
  if (of_changes)
    all = static_cast<std::size_t>(
        std::count_if(b.lines.begin(), b.lines.end(), [](auto& l) { return l.mark != Mark::same; }));
  if (all <= b.shown.size()) return {};
  return "+ " + std::to_string(all - b.shown.size()) + " more";
}

bool shows_changes(const Diagram& d, const Diagram::Box& b) {
  return d.is_difference && b.mark != Mark::added && b.mark != Mark::gone;
}

// The names of modules that one box stands for, in lines.
std::vector<std::string> each_of(const Diagram::Box& b) {
  std::vector<std::string> lines;
  if (b.each.empty()) return lines;
  std::string text = folded(b.each, ", ", 0, widest_list);
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

// A container's parameters in its head, one behind the other.
std::string in_head(const Diagram::Box& b, bool of_changes) {
  std::string text;
  for (const Diagram::Line& l : b.shown)
    text += (text.empty() ? "" : "    ") + l.key + ' ' + l.values(widest_value);
  const std::string rest = rest_of(b, of_changes);
  return text + (rest.empty() || text.empty() ? "" : "    " + rest);
}

int stages_width(const Diagram::Box& b) {
  int width = 0;
  for (const std::string& stage : b.stages) width += width_of(stage) + 10;
  return width;
}

// The height of parts and stages in a box, between its name and its parameters.
int contents_height(const Diagram::Box& b) {
  return part_step * static_cast<int>(b.parts.size() + (b.stages.empty() ? 0 : 1));
}

Point size_of(const Diagram::Box& b, bool of_changes) {
  const int head = width_of(head_of(b), 7.2) + (tag_of(b).empty() ? 0 : 12 + width_of(tag_of(b)));
  if (b.is_container) return {head + 2 * inset + 20 + width_of(in_head(b, of_changes)), head_height};
  if (b.is_apart) return {width_of(head_of(b)) + 2 * inset, 20};
  int width = std::max(head, 70), rows = 0;
  for (const Diagram::Line& l : b.shown) {
    width = std::max(width, width_of(l.key) + 12 + width_of(l.values(widest_value)));
    ++rows;
  }
  for (const std::string& line : each_of(b)) width = std::max(width, width_of(line)), ++rows;
  for (const auto& [name, size] : b.parts) width = std::max(width, width_of(name) + 24 + width_of(size));
  width = std::max(width, stages_width(b));
  if (!rest_of(b, of_changes).empty()) ++rows;
  return {width + 2 * inset, std::max(40, 28 + rows * line_height + contents_height(b))};
}

// The words of an arrow, in short lines.
std::vector<std::string> label_of(const Diagram::Arrow& a) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < a.words.size(); ++i) {
    const std::string word = a.words[i] + (i + 1 < a.words.size() ? "," : "");
    if (!lines.empty() && lines.back().size() + word.size() < 16)
      lines.back() += ' ' + word;
    else
      lines.push_back(word);
  }
  return lines;
}

class Picture {
 public:
  Picture(const Diagram& diagram, const DiagramText& text)
      : diagram_(diagram),
        text_(text),
        layout_(layout_of(diagram, text_sizes(diagram), head_room)),
        drawing_("diagram", text.title, layout_.boxes[0].right() + grid) {
    drawing_.definitions = style;
    drawing_.body += "<g class=\"diagram\">\n";
    words(8, 35, text.subtitle, "soft");
    legend();
    for (std::size_t b = 0; b < diagram.boxes.size(); ++b) box(b);
    for (std::size_t a = 0; a < diagram.arrows.size(); ++a) arrow(a);
    drawing_.body += "</g>\n";
  }
  std::string text() const { return drawing_.finish(layout_.boxes[0].bottom() + grid); }

 private:
  void words(double x, double y, const std::string& w, const std::string& kind,
             const std::string& more = "") {
    if (w.empty()) return;
    const char* const colour = kind == "ink" ? "#1a1a1a" : "#474747";
    drawing_.body += "<text class=\"" + kind + "\" fill=\"" + colour + "\" x=\"" + px(x) + "\" y=\"" + px(y) +
                     '"' + (more.empty() ? "" : ' ' + more) + '>' + escaped(w) + "</text>\n";
  }

  // Names the rooms of the diagram, from the right. In a difference, names the marks.
  void legend() {
    std::set<Room> rooms;
    for (const Diagram::Box& b : diagram_.boxes)
      if (!b.is_container) rooms.insert(b.room);
    double x = layout_.boxes[0].right();
    for (auto r = rooms.rbegin(); r != rooms.rend(); ++r) {
      const std::string name(names(Room{})[static_cast<std::size_t>(*r)]);
      x -= width_of(name) + 8;
      words(x, 18, name, "ink");
      x -= 17;
      drawing_.body += "<rect class=\"box " + std::string(class_of(*r)) + "\" fill=\"" + colour(*r) +
                       "\" stroke=\"#4d4d4d\" x=\"" + px(x) + "\" y=\"8\" width=\"12\" height=\"12\"/>\n";
      x -= 12;
    }
    if (!diagram_.is_difference) return;
    x = layout_.boxes[0].right();
    const std::pair<const char*, const char*> all[] = {
        {"other parameters or sockets: before \u2192 now", "changed"}, {"gone", "gone"}, {"new", "added"}};
    for (const auto& [name, kind] : all) {
      x -= width_of(name) + 8;
      words(x, 36, name, std::string(kind) + "_ink");
      x -= 27;
      drawing_.body += line_of({{static_cast<int>(x), 32}, {static_cast<int>(x) + 22, 32}}, kind);
      x -= 12;
    }
  }

  static std::string colour(Room room) { return std::string(fills[static_cast<std::size_t>(room)]); }

  static std::string stroke_of(std::string_view mark) {
    const bool is_marked = mark == "added" || mark == "changed";
    return std::string(" stroke-width=\"") + (is_marked ? "2.2" : "1.1") + '"' +
           (mark == "gone" ? " stroke-dasharray=\"5 3\"" : "");
  }

  static std::string line_of(const std::vector<Point>& points, const std::string& mark) {
    std::string path;
    for (const Point& p : points) path += (path.empty() ? "M" : "L") + px(p.x) + ' ' + px(p.y);
    return "<path class=\"flow " + mark + "\" fill=\"none\" stroke=\"#4d4d4d\"" + stroke_of(mark) + " d=\"" +
           path + "\"/>\n";
  }

  void box(std::size_t n) {
    const Diagram::Box& b = diagram_.boxes[n];
    const Area& a = layout_.boxes[n];
    const bool has_page = !b.page.empty() && !text_.manual.empty();
    if (has_page) drawing_.body += "<a href=\"" + escaped(text_.manual + b.page) + "\">";
    drawing_.body += "<g class=\"module\" data-module=\"" + escaped(b.path) + "\" data-mark=\"" +
                     std::string(class_of(b.mark)) + "\"><title>" + escaped(tooltip(b)) + "</title>\n";
    const bool is_gone = b.mark == Mark::gone;
    const std::string mark = b.mark == Mark::same ? "" : ' ' + std::string(class_of(b.mark));
    const std::string kind =
        b.is_container ? "container" : "box" + (is_gone ? "" : ' ' + std::string(class_of(b.room)));
    drawing_.body += "<rect class=\"" + kind + mark + "\" fill=\"" +
                     (b.is_container || is_gone ? "none" : colour(b.room)) + "\" stroke=\"#4d4d4d\"" +
                     stroke_of(class_of(b.mark)) + " rx=\"4\" x=\"" + px(a.x) + "\" y=\"" + px(a.y) +
                     "\" width=\"" + px(a.width) + "\" height=\"" + px(a.height) + "\"/>\n";
    const std::string ink = is_gone ? "gone_ink" : "ink";
    const double y = b.is_apart ? a.y + 14 : a.y + 18;
    words(a.x + inset, y, head_of(b), ink, b.is_apart ? "" : "font-size=\"12\" font-weight=\"bold\"");
    if (b.is_container) {
      const int x = a.x + inset + width_of(head_of(b), 7.2) + 14;
      words(x, y, tag_of(b), std::string(class_of(b.mark)) + "_ink");
      words(tag_of(b).empty() ? x : x + width_of(tag_of(b)) + 12, y, in_head(b, shows_changes(diagram_, b)),
            b.mark == Mark::changed ? "changed_ink" : "soft", "xml:space=\"preserve\"");
    } else {
      words(a.right() - inset, y, tag_of(b), std::string(class_of(b.mark)) + "_ink", "text-anchor=\"end\"");
      lines(b, a, is_gone);
    }
    drawing_.body += has_page ? "</g></a>\n" : "</g>\n";
  }

  void part(int x, int y, int width) {
    drawing_.body += "<rect class=\"part\" fill=\"#fff\" stroke=\"#8c8c8c\" x=\"" + px(x) + "\" y=\"" +
                     px(y) + "\" width=\"" + px(width) + "\" height=\"" + px(part_height) + "\"/>\n";
  }

  // Draws the stages in a row, and each part below them.
  void contents(const Diagram::Box& b, const Area& a) {
    int x = a.x + inset, y = a.y + first_line - 8;
    const int room = a.width - 2 * inset - stages_width(b), stages = static_cast<int>(b.stages.size());
    for (const std::string& stage : b.stages) {
      const int width = width_of(stage) + 10 + room / stages;
      part(x, y, width);
      words(x + width / 2.0, y + 12, stage, "ink", "text-anchor=\"middle\"");
      x += width;
    }
    if (stages != 0) y += part_step;
    for (const auto& [name, size] : b.parts) {
      part(a.x + inset, y, a.width - 2 * inset);
      words(a.x + inset + 5, y + 12, name, "ink");
      words(a.right() - inset - 5, y + 12, size, "soft", "text-anchor=\"end\"");
      y += part_step;
    }
  }

  void lines(const Diagram::Box& b, const Area& a, bool is_gone) {
    contents(b, a);
    double y = a.y + first_line + 3 + contents_height(b);
    const std::string soft = is_gone ? "gone_ink" : "soft";
    for (const std::string& line : each_of(b)) {
      words(a.x + inset, y, line, soft);
      y += line_height;
    }
    for (const Diagram::Line& l : b.shown) {
      words(a.x + inset, y, l.key, soft);
      const std::string ink = l.mark == Mark::same ? (is_gone ? "gone_ink" : "ink") : "changed_ink";
      words(a.right() - inset, y, l.values(widest_value), ink, "text-anchor=\"end\"");
      y += line_height;
    }
    words(a.x + inset, y, rest_of(b, shows_changes(diagram_, b)), soft);
  }

  std::string tooltip(const Diagram::Box& b) const {
    std::string text = b.path + (b.count.empty() ? "" : ' ' + b.count);
    for (const Diagram::Line& l : b.lines) text += '\n' + l.key + ": " + l.values();
    return text;
  }

  void arrow(std::size_t n) {
    const Diagram::Arrow& a = diagram_.arrows[n];
    const Route& route = layout_.routes[n];
    if (route.points.size() < 2) return;
    const std::string mark(class_of(a.mark));
    std::string title = diagram_.boxes[a.from].path + " to " + diagram_.boxes[a.to].path;
    for (const std::string& s : a.sockets) title += '\n' + s;
    drawing_.body += "<g class=\"arrow\" data-from=\"" + escaped(diagram_.boxes[a.from].path) +
                     "\" data-to=\"" + escaped(diagram_.boxes[a.to].path) + "\" data-mark=\"" + mark +
                     "\"><title>" + escaped(title) + "</title>\n" + line_of(route.points, mark) +
                     point_of(route, mark);
    double y = route.label.y + 10;
    const std::string ink = a.mark == Mark::same ? "soft" : mark + "_ink";
    for (const std::string& line : label_of(a)) {
      if (route.label.width != 0)
        words(route.label.x + route.label.width / 2.0, y, line, ink, "text-anchor=\"middle\"");
      y += line_height - 1;
    }
    drawing_.body += "</g>\n";
  }

  static std::string point_of(const Route& route, const std::string& mark) {
    const Point end = route.points.back(), before = route.points[route.points.size() - 2];
    const int dx = (end.x > before.x) - (end.x < before.x), dy = (end.y > before.y) - (end.y < before.y);
    const auto at = [&](int along, int across) {
      return px(end.x - along * dx + across * dy) + ' ' + px(end.y - along * dy + across * dx);
    };
    const std::string ink = mark == "same" ? "head" : mark + "_ink";
    return "<path class=\"" + ink + "\" fill=\"#4d4d4d\" d=\"M" + at(0, 0) + 'L' + at(8, 4) + 'L' +
           at(8, -4) + "Z\"/>\n";
  }

  const Diagram& diagram_;
  const DiagramText& text_;
  Layout layout_;
  Drawing drawing_;
};

}  // namespace

TextSizes text_sizes(const Diagram& diagram) {
  TextSizes sizes;
  for (const Diagram::Box& b : diagram.boxes) sizes.boxes.push_back(size_of(b, shows_changes(diagram, b)));
  for (const Diagram::Arrow& a : diagram.arrows) {
    Point size;
    for (const std::string& line : label_of(a)) {
      size.x = std::max(size.x, width_of(line) + 2);
      size.y += line_height - 1;
    }
    sizes.labels.push_back(size);
  }
  return sizes;
}

std::string svg_of(const Diagram& diagram, const DiagramText& text) {
  return Picture(diagram, text).text();
}

}  // namespace subcore
