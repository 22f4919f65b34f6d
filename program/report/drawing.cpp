#include "subcore/program/report/drawing.h"

#include "subcore/program/report/markup.h"

namespace subcore {

double text_pixels(std::string_view words) {
  return letter_width * static_cast<double>(characters(words));
}

Drawing::Drawing(std::string name, std::string heading, double wide)
    : id(std::move(name)), title(std::move(heading)), width(wide), top(24) {
  text(8, 17, title, "font-size=\"13\" font-weight=\"bold\"");
}

void Drawing::text(double x, double y, const std::string& words, const std::string& more) {
  body += "<text class=\"ink\" fill=\"#1a1a1a\" x=\"" + px(x) + "\" y=\"" + px(y) + "\"" +
          (more.empty() ? "" : " " + more) + ">" + escaped(words) + "</text>\n";
}

void Drawing::grid_line(double x1, double y1, double x2, double y2) {
  body += "<line class=\"grid\" stroke=\"#d9d9d9\" x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" +
          px(x2) + "\" y2=\"" + px(y2) + "\"/>\n";
}

std::string Drawing::finish(double height) const {
  const std::string w = px(width), h = px(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"" + w + "\" height=\"" + h +
         "\" viewBox=\"0 0 " + w + " " + h +
         "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" " +
         "role=\"img\" aria-labelledby=\"" + id + "_title\">\n<title id=\"" + id + "_title\">" +
         escaped(title) + "</title>\n" + (definitions.empty() ? "" : "<defs>" + definitions + "</defs>\n") +
         "<rect class=\"paper\" width=\"" + w + "\" height=\"" + h + "\" fill=\"#fff\"/>\n" + body +
         "</svg>\n";
}

}  // namespace subcore
