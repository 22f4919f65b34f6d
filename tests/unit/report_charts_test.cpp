// The drawings of a report: numbers to pixels, and names that are markup.
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "subcore/program/report/chart.h"
#include "subcore/program/report/markup.h"
#include "subcore/program/report/table.h"

namespace report_charts_test {

using namespace subcore;
using Catch::Contains;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
const std::string nasty = "<a&b>\"c'\xC3\xA9";
const std::string nasty_escaped = "&lt;a&amp;b&gt;&quot;c&#39;\xC3\xA9";

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

BarChart bars(std::vector<MaybeNumber> values) {
  BarChart chart{{"c", "title", "axis"}, {}, {{"a", std::move(values)}}, {}};
  for (std::size_t i = 0; i < chart.series.front().values.size(); ++i) chart.groups.push_back("g");
  return chart;
}

}  // namespace

TEST_CASE("report: text is escaped, whatever is in it") {
  CHECK(escaped(nasty) == nasty_escaped);
  CHECK(escaped(std::string("a\0b\x1B", 4)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
  CHECK(escaped("</script>") == "&lt;/script&gt;");
  CHECK(escaped("") == "");
  CHECK(characters("h\xC3\xA9\xE2\x82\xAC") == 3);
}

TEST_CASE("report: numbers are short, and the same everywhere") {
  CHECK(px(12) == "12");
  CHECK(px(0.5) == "0.5");
  CHECK(px(-3.257) == "-3.26");
  CHECK(px(-0.001) == "0");
  CHECK(px(100) == "100");
  CHECK(short_number(0.25) == "0.25");
  CHECK(short_number(1500) == "1500");
  CHECK(short_number(20000) == "20k");
  CHECK(short_number(1.5e6) == "1.5M");
  CHECK(short_number(2e9) == "2G");
  CHECK(short_number(no_number) == "-");
  CHECK(decimals(1.23456, 3) == "1.235");
  CHECK(decimals(no_number, 3) == "");
}

TEST_CASE("report: an axis has round numbers up to what is shown") {
  CHECK(ticks_to(2, 5) == std::vector<double>{0, 0.5, 1, 1.5, 2});
  CHECK(ticks_to(7, 5) == std::vector<double>{0, 2, 4, 6, 8});
  CHECK(ticks_to(100, 5) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(ticks_to(0, 5) == std::vector<double>{0, 1});
  CHECK(ticks_to(-1, 5) == std::vector<double>{0, 1});
  CHECK(ticks_to(no_number, 5) == std::vector<double>{0, 1});
}

TEST_CASE("report: bars are as high as their values") {
  // Room for numbers 58, half the gap between groups 4, a bar 48; title 24 and legend 18 above, then 8, then
  // the plot of 220 that ends with 2, the highest number.
  const std::string svg = svg_of(bars({2.0, 1.0}));
  CHECK_THAT(svg, Contains("x=\"62\" y=\"50\" width=\"48\" height=\"220\""));
  CHECK_THAT(svg, Contains("x=\"118\" y=\"160\" width=\"48\" height=\"110\""));
  CHECK_THAT(svg, Contains("<title>a, g: 2</title>"));
  CHECK_THAT(svg, Contains("class=\"axis\" stroke=\"#4d4d4d\" x1=\"58\" y1=\"270\""));
  CHECK_THAT(svg, Contains("text-anchor=\"end\">0.5</text>"));
  for (const char* word :
       {">title</text>", ">axis</text>", ">a</text>", "xmlns=\"http://www.w3.org/2000/svg\""})
    CHECK_THAT(svg, Contains(word));
  CHECK(svg_of(bars({2.0, 1.0})) == svg);
}

TEST_CASE("report: a bar of no number is a dash, none at all an empty plot") {
  const std::string svg = svg_of(bars({MaybeNumber(), no_number, 4.0}));
  CHECK(count_of(svg, "\xE2\x80\x93</text>") == 2);
  CHECK(count_of(svg, "height=\"220\"") == 1);
  CHECK_THAT(svg, !Contains("nan"));
  CHECK_THAT(svg_of(bars({})), Contains(">1</text>") && Contains("</svg>"));
  CHECK_THAT(svg_of(bars({0.0})), Contains("height=\"0\""));
  CHECK_THAT(svg_of(BarChart{{"c", "t", "a"}, {}, {}, {}}), Contains("</svg>"));
}

TEST_CASE("report: stacks stand on each other") {
  StackChart chart{{"s", "title", "axis"}, {"g", "h"}, {"a"}, {"p", "q"}, {}, 1};
  chart.values = {{{1, 3}}, {{}}};
  const std::string svg = svg_of(chart);
  // 4 in all; title, legend and the key of the bars end at 60.
  CHECK_THAT(svg, Contains("y=\"233\" width=\"48\" height=\"55\"") && Contains("<title>a, g, p: 1</title>"));
  CHECK_THAT(svg, Contains("y=\"68\" width=\"48\" height=\"165\"") && Contains("<title>a, g, q: 3</title>"));
  CHECK_THAT(
      svg, Contains("class=\"reference\" stroke=\"#4d4d4d\" stroke-dasharray=\"3 3\" x1=\"58\" y1=\"233\""));
  CHECK_THAT(svg, Contains(">1 a</text>"));
  CHECK(count_of(svg, "\xE2\x80\x93</text>") == 1);
}

TEST_CASE("report: what lies side by side has neither the same colour nor the same hatch") {
  StackChart chart{{"s", "t", "a"}, {"g"}, {"a"}, {}, {{{}}}, {}};
  for (int i = 0; i < 12; ++i) {
    chart.parts.push_back("p");
    chart.values[0][0].push_back(1);
  }
  const std::string svg = svg_of(chart);
  // Nine of twelve parts are hatched, those that are no multiple of five, and each hatch is told once.
  CHECK(count_of(svg, "<pattern id=\"s_hatch_") == 9);
  CHECK(count_of(svg, "fill=\"url(#s_hatch_7)\"") == 2);
  CHECK(count_of(svg, "class=\"bar\"") == 24);
}

TEST_CASE("report: steps go from left to right, and pause where there is no number") {
  StepChart chart{{"l", "title", "cycle"}, {"a", "b"}, {}};
  chart.plots.push_back({"IPC", {{{50, 1}, {100, 2}}, {{25, 2}, {50, no_number}, {75, 2}}}});
  const std::string svg = svg_of(chart);
  CHECK_THAT(svg, Contains("<path d=\"M0 48H320V0H640\""));
  CHECK_THAT(svg, Contains("<path d=\"M0 0H160M320 0H480\""));
  CHECK_THAT(svg, Contains("data-most=\"100\""));
  CHECK_THAT(svg, Contains("stroke-dasharray=\"7 3\""));
  CHECK_THAT(svg, Contains(">100</text>") && Contains(">cycle</text>"));
  chart.plots[0].steps = {{}, {}};
  CHECK_THAT(svg_of(chart), !Contains("<path") && Contains("</svg>"));
}

TEST_CASE("report: names in drawings and tables are text, not markup") {
  BarChart b = bars({1.0});
  b.frame.title = b.frame.axis = b.groups[0] = b.series[0].name = nasty;
  StackChart s{{"s", nasty, nasty}, {nasty}, {nasty}, {nasty}, {{{1}}}, {}};
  StepChart l{{"l", nasty, nasty}, {nasty}, {{nasty, {{{1, 1}}}}}};
  const ReportTable t{
      "t", nasty, {{nasty, false}, {nasty, true}}, {{ReportCell::words(nasty), ReportCell::number(1.0, 2)}}};
  for (const std::string& text : {svg_of(b), svg_of(s), svg_of(l), html_of(t)}) {
    CHECK_THAT(text, Contains(nasty_escaped) && !Contains("<a") && !Contains("b>\""));
  }
}

TEST_CASE("report: cells show what can be read, and keep what is exact") {
  const ReportTable t{
      "t",
      "caption",
      {{"n", true}},
      {{ReportCell::number(1.0 / 3, 1, 100)}, {ReportCell::count(12)}, {ReportCell::number({}, 3)}}};
  const std::string html = html_of(t);
  CHECK_THAT(html, Contains("<td class=\"number\" data-value=\"0.3333333333333333\">33.3</td>"));
  CHECK_THAT(html, Contains("<td class=\"number\">12</td>"));
  CHECK_THAT(html, Contains("<td class=\"number\" data-value=\"\">\xE2\x80\x93</td>"));
}

}  // namespace report_charts_test
