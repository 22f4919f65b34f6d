#include "subcore/program/report/diagram/layout.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <queue>
#include <tuple>

namespace subcore {
namespace {

// Costs of an arrow. On its way an arrow pays for a cell of the grid, a turn, and a crossing with another
// arrow. An arrow also pays for a cell beside an arrow or a box, and for a way along a container's border or
// through it. On a box's border it pays for a place off the middle, for a place that another arrow has, and
// for a place beside such a place. A forbidden way is still better than no arrow.
constexpr int step = 10, turn = 60, crossing = 60, beside_line = 12, beside_box = 12, along_border = 60,
              through_border = 100, off_middle = 3, taken_port = 400, near_port = 50, forbidden = 3000;

constexpr std::array<Point, 4> ways{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

bool is_level(int way) {
  return way % 2 == 0;
}

// Routes arrows, one after the other, each by the cheapest way that is left.
class Router {
 public:
  Router(const Diagram& diagram, const TextSizes& sizes, std::vector<Area> boxes)
      : diagram_(diagram), sizes_(sizes), boxes_(std::move(boxes)) {
    columns_ = boxes_[0].right() / grid + 3;
    rows_ = boxes_[0].bottom() / grid + 3;
    cells_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
    for (std::size_t b = 0; b < boxes_.size(); ++b) note_box(b);
    routes_.resize(diagram.arrows.size());
    std::vector<std::size_t> order(routes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    for (const std::size_t a : order) {
      find(a);
      put_label(a);
    }
  }
  Layout take() { return {std::move(boxes_), std::move(routes_)}; }

 private:
  struct Cell {
    bool is_box = false, is_text = false, is_edge_level = false,
         is_edge_upright = false;               // box, text, and edges of containers
    bool is_level = false, is_upright = false;  // an arrow runs here
    bool is_port = false;
  };

  Cell& at(Point p) { return cells_[index(p)]; }
  std::size_t index(Point p) const {
    return static_cast<std::size_t>(p.y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(p.x);
  }
  bool is_within(Point p) const { return p.x > 0 && p.y > 0 && p.x < columns_ && p.y < rows_; }

  template <class Function>
  void for_cells(const Area& a, Function f) {
    for (int y = (a.y + grid - 1) / grid; y * grid <= a.bottom(); ++y)
      for (int x = (a.x + grid - 1) / grid; x * grid <= a.right(); ++x)
        if (is_within({x, y})) f(at({x, y}));
  }

  void note_box(std::size_t b) {
    const Area& a = boxes_[b];
    if (!diagram_.boxes[b].is_container) return for_cells(a, [](Cell& c) { c.is_box = true; });
    for (const int y : {a.y, a.bottom()})
      for_cells({a.x, y, a.width, 0}, [](Cell& c) { c.is_edge_level = true; });
    for (const int x : {a.x, a.right()})
      for_cells({x, a.y, 0, a.height}, [](Cell& c) { c.is_edge_upright = true; });
    heads_.push_back({a.x, a.y, sizes_.boxes[b].x + grid, head_height - grid});
    for_cells(heads_.back(), [](Cell& c) { c.is_text = true; });
  }

  int distance(std::size_t arrow) const {
    const Area &a = boxes_[diagram_.arrows[arrow].from], &b = boxes_[diagram_.arrows[arrow].to];
    return std::max({0, a.x - b.right(), b.x - a.right()}) +
           std::max({0, a.y - b.bottom(), b.y - a.bottom()});
  }

  // The cost of leaving the box, or of coming to it, in this direction. The middle of a side is best.
  int port_cost(const Area& box, Point p, int way) {
    const int middle = is_level(way) ? box.y + box.height / 2 : box.x + box.width / 2;
    int cost = std::abs((is_level(way) ? p.y : p.x) * grid - middle) / grid * off_middle;
    if (at(p).is_port) cost += taken_port;
    const Point side = is_level(way) ? Point{0, 1} : Point{1, 0};
    if (at({p.x + side.x, p.y + side.y}).is_port || at({p.x - side.x, p.y - side.y}).is_port)
      cost += near_port;
    return cost;
  }

  // Calls `f` for every place on the box's border where an arrow in this direction may begin or end.
  template <class Function>
  void for_ports(const Area& box, int way, Function f) {
    const int left = box.x / grid, top = box.y / grid, right = box.right() / grid,
              bottom = box.bottom() / grid;
    if (is_level(way))
      for (int y = top + 1; y < bottom; ++y) f(Point{way == 0 ? right : left, y});
    else
      for (int x = left + 1; x < right; ++x) f(Point{x, way == 1 ? bottom : top});
  }

  // The cost of a step to `p` in direction `way`, after a step in direction `before`.
  int cost_of(Point p, int way, int before) {
    Cell& c = at(p);
    int cost = step;
    if (c.is_text) cost += forbidden;
    if (is_level(way) ? c.is_level : c.is_upright) cost += forbidden;
    if (is_level(way) ? c.is_upright : c.is_level) cost += crossing;
    if (is_level(way) ? c.is_edge_level : c.is_edge_upright) cost += along_border;
    if (is_level(way) ? c.is_edge_upright : c.is_edge_level) cost += through_border;
    const Point side = is_level(way) ? Point{0, 1} : Point{1, 0};
    for (const int sign : {1, -1}) {
      const Point beside{p.x + sign * side.x, p.y + sign * side.y};
      if (!is_within(beside)) continue;
      const Cell& other = at(beside);
      if (other.is_box) cost += beside_box;
      if (is_level(way) ? other.is_level : other.is_upright) cost += beside_line;
    }
    if (way == before) return cost;
    const Cell& corner =
        at({p.x - ways[static_cast<std::size_t>(way)].x, p.y - ways[static_cast<std::size_t>(way)].y});
    return cost + turn + (corner.is_level || corner.is_upright ? forbidden : 0);
  }

  // Finds an arrow's way by Dijkstra's search, over cells and the direction in which each is entered. The way
  // leads from any place on the border of one box to any place on that of the other.
  void find(std::size_t arrow) {
    const Area &from = boxes_[diagram_.arrows[arrow].from], &to = boxes_[diagram_.arrows[arrow].to];
    constexpr int unknown = 1 << 30;
    std::vector<int> cost(cells_.size() * 4, unknown), back(cells_.size() * 4, -1),
        last(cells_.size() * 4, 0);
    for (int way = 0; way < 4; ++way)  // directions of leaving, each the opposite of how a way arrives
      for_ports(to, (way + 2) % 4, [&](Point p) {
        last[index(p) * 4 + static_cast<std::size_t>(way)] = 1 + port_cost(to, p, way);
      });
    using Entry = std::tuple<int, std::size_t>;  // cost, cell and direction
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (int way = 0; way < 4; ++way)
      for_ports(from, way, [&](Point p) {
        const std::size_t s = index(p) * 4 + static_cast<std::size_t>(way);
        cost[s] = port_cost(from, p, way);
        queue.emplace(cost[s], s);
      });
    constexpr std::size_t none = ~std::size_t{0};
    std::size_t end = none;
    int best = unknown;
    while (!queue.empty() && std::get<0>(queue.top()) < best) {
      const auto [known, s] = queue.top();
      queue.pop();
      if (known > cost[s]) continue;
      const Point p = point(s / 4);
      for (int way = 0; way < 4; ++way) {
        const int before = static_cast<int>(s % 4);
        if (way == (before + 2) % 4 || (back[s] < 0 && way != before)) continue;
        const Point next{p.x + ways[static_cast<std::size_t>(way)].x,
                         p.y + ways[static_cast<std::size_t>(way)].y};
        if (!is_within(next)) continue;
        const std::size_t n = index(next) * 4 + static_cast<std::size_t>(way);
        if (at(next).is_box && last[n] == 0) continue;
        const int now = known + cost_of(next, way, before) + (at(next).is_box ? last[n] : 0);
        if (now >= cost[n]) continue;
        cost[n] = now;
        back[n] = static_cast<int>(s);
        if (!at(next).is_box) {
          queue.emplace(now, n);
        } else if (now < best) {
          best = now, end = n;
        }
      }
    }
    if (end != none) draw(arrow, back, end);
  }

  Point point(std::size_t cell) const {
    return {static_cast<int>(cell % static_cast<std::size_t>(columns_)),
            static_cast<int>(cell / static_cast<std::size_t>(columns_))};
  }

  // Draws an arrow from its end to its beginning.
  void draw(std::size_t arrow, const std::vector<int>& back, std::size_t end) {
    std::vector<Point>& points = routes_[arrow].points;
    at(point(end / 4)).is_port = true;
    int way = -1;
    for (int s = static_cast<int>(end); s >= 0; s = back[static_cast<std::size_t>(s)]) {
      const Point p = point(static_cast<std::size_t>(s) / 4);
      const int own = s % 4;
      const bool is_begin = back[static_cast<std::size_t>(s)] < 0;
      if (way < 0 || own != way || is_begin) points.push_back({p.x * grid, p.y * grid});
      Cell& c = at(p);
      if (is_level(own) || (way >= 0 && is_level(way))) c.is_level = true;
      if (!is_level(own) || (way >= 0 && !is_level(way))) c.is_upright = true;
      way = own;
      if (is_begin) c.is_port = true;
    }
    std::reverse(points.begin(), points.end());
  }

  // Puts a label where nothing else is: above or below a level part of its arrow, or beside an upright part.
  void put_label(std::size_t arrow) {
    const Point size = sizes_.labels[arrow];
    Route& route = routes_[arrow];
    if (size.x == 0) return;
    // The label is well away from other arrows, so that its arrow is clear; if there is no room, at least
    // beside them.
    for (const int clear : {12, 4}) {
      if (route.label.width == 0) route.label = best_label(arrow, size, clear);
    }
    for_cells(route.label, [](Cell& c) { c.is_text = true; });
  }

  Area best_label(std::size_t arrow, Point size, int clear) const {
    const Route& route = routes_[arrow];
    Area found;
    int best = 1 << 30;
    for (std::size_t i = 0; i + 1 < route.points.size(); ++i) {
      const Point a = route.points[i], b = route.points[i + 1];
      const bool level = a.y == b.y;
      const int length = std::abs(b.x - a.x) + std::abs(b.y - a.y), needed = level ? size.x : size.y;
      if (length < needed) continue;
      for (int off = 0; off <= (length - needed) / 2; off += grid / 2)
        for (const int sign : {1, -1})
          for (const int side : {0, 1}) {
            const int x = (a.x + b.x) / 2 + (level ? sign * off : 0),
                      y = (a.y + b.y) / 2 + (level ? 0 : sign * off);
            const Area label = level
                                   ? Area{x - size.x / 2, side == 0 ? y - size.y - 2 : y + 3, size.x, size.y}
                                   : Area{side == 0 ? x + 6 : x - 6 - size.x, y - size.y / 2, size.x, size.y};
            const int cost = off + (level ? 0 : 40) + side * 15;
            if (cost >= best || !is_free(label, arrow, clear)) continue;
            best = cost;
            found = label;
          }
    }
    return found;
  }

  bool is_free(const Area& label, std::size_t arrow, int clear_of_others) const {
    const auto meets = [&](const Area& a) { return label.meets(a); };
    if (std::any_of(heads_.begin(), heads_.end(), meets)) return false;
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      const Area& a = boxes_[b];
      if (!diagram_.boxes[b].is_container && label.meets({a.x - 2, a.y - 2, a.width + 4, a.height + 4}))
        return false;
      const Area sides[] = {{a.x, a.y - 1, a.width, 2},
                            {a.x, a.bottom() - 1, a.width, 2},
                            {a.x - 1, a.y, 2, a.height},
                            {a.right() - 1, a.y, 2, a.height}};
      if (std::any_of(std::begin(sides), std::end(sides), meets)) return false;
    }
    for (std::size_t r = 0; r < routes_.size(); ++r) {
      const Route& other = routes_[r];
      if (r != arrow && label.meets(other.label)) return false;
      for (std::size_t i = 0; i + 1 < other.points.size(); ++i) {
        const Point a = other.points[i], b = other.points[i + 1];
        const int clear = r == arrow ? 1 : clear_of_others;
        const Area line{std::min(a.x, b.x) - clear, std::min(a.y, b.y) - clear,
                        std::abs(a.x - b.x) + 2 * clear, std::abs(a.y - b.y) + 2 * clear};
        if (label.meets(line)) return false;
      }
    }
    return true;
  }

  const Diagram& diagram_;
  const TextSizes& sizes_;
  std::vector<Area> boxes_, heads_;
  int columns_ = 0, rows_ = 0;
  std::vector<Cell> cells_;
  std::vector<Route> routes_;
};

}  // namespace

Layout layout_of(const Diagram& diagram, const TextSizes& sizes, int top) {
  return Router(diagram, sizes, place_boxes(diagram, sizes, top)).take();
}

}  // namespace subcore
