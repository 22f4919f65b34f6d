#include "subcore/program/report/figures.h"

namespace subcore {
namespace {

// A front of IPC and something of which less is better, each against the first platform; with a point alone
// there is nothing to choose from.
void add_front(std::vector<Figure>& figures, const Comparison& c, ParetoChart chart,
               const Comparison::Value& less, const std::string& heading) {
  for (std::size_t p = 0; p < c.platforms().size(); ++p) {
    const auto x = c.mean_ratio(p, less);
    const auto y = c.mean_ratio(p, [](const RunResult& r) { return r.ipc; });
    const auto bytes =
        c.mean(p, [](const RunResult& r) { return static_cast<double>(r.operand_storage_bytes); });
    if (x && y && bytes)
      chart.points.push_back(ParetoChart::with_storage(c.platforms()[p], *x, *y,
                                                       static_cast<std::uint64_t>(*bytes), c.is_limit(p)));
  }
  if (chart.points.size() > 1) figures.push_back(pareto_figure(chart, heading));
}

}  // namespace

Figure pareto_figure(const ParetoChart& chart, const std::string& heading) {
  ReportTable numbers{chart.frame.id + "_numbers",
                      chart.frame.title,
                      {{"scheme, storage per SM", false},
                       {chart.horizontal_axis, true},
                       {chart.frame.axis, true},
                       {"KB per SM", true},
                       {"beaten in all three by", false}},
                      {}};
  std::string front;
  for (const ParetoChart::Point& p : chart.points) {
    std::string better;
    for (const ParetoChart::Point& other : chart.points)
      if (ParetoChart::beats(other, p)) better += (better.empty() ? "" : "; ") + other.name;
    if (p.is_limit) better = "a limit, no scheme";
    if (better.empty()) front += (front.empty() ? "" : "; ") + p.name;
    numbers.rows.push_back({ReportCell::words(p.name), ReportCell::number(p.less, 3),
                            ReportCell::number(p.more, 3), ReportCell::number(p.third, 1),
                            ReportCell::words(better.empty() ? "none" : better)});
  }
  return {chart.frame.id, heading, "Means over traces. Beaten by none in all three: " + front + ".",
          svg_of(chart), std::move(numbers)};
}

std::vector<Figure> front_figures(const Comparison& c, const std::vector<std::string>& cautions) {
  const std::string against = ", " + c.platforms().front() + " = 1";
  std::vector<Figure> figures;
  const auto front = [&](const char* id, const std::string& of, const Comparison::Value& less) {
    add_front(figures, c, {{id, "IPC and " + of, "IPC" + against, cautions}, of + against, {}}, less,
              "IPC and " + of);
  };
  front("front_energy", "energy", [](const RunResult& r) { return r.energy_total_pj; });
  front("front_area", "area of sub-cores", [](const RunResult& r) { return r.area_total_mm2; });
  return figures;
}

}  // namespace subcore
