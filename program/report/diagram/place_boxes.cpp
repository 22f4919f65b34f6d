#include <algorithm>
#include <map>

#include "subcore/program/report/diagram/layout.h"

namespace subcore {
namespace {

constexpr int gap_across = 90, gap_down = 60, padding = 20, padding_below = 30, margin = 10;

int on_grid(int length) {
  return (length + grid - 1) / grid * grid;
}

class Placement {
 public:
  Placement(const Diagram& diagram, const TextSizes& sizes) : boxes_(diagram.boxes), sizes_(sizes) {
    areas_.resize(boxes_.size());
    for (std::size_t b = boxes_.size(); b-- > 0;)
      measure(b);  // boxes stand behind the boxes that contain
                   // them
  }
  std::vector<Area> at(int x, int y) {
    areas_[0].x = x, areas_[0].y = y;
    for (std::size_t b = 1; b < boxes_.size(); ++b) {
      areas_[b].x += areas_[boxes_[b].parent].x;
      areas_[b].y += areas_[boxes_[b].parent].y;
    }
    return areas_;
  }

 private:
  using Row = std::vector<std::size_t>;  // by column

  // Finds the size of a box, and the places of its contents.
  void measure(std::size_t b) {
    areas_[b].width = on_grid(sizes_.boxes[b].x);
    areas_[b].height = on_grid(sizes_.boxes[b].y);
    if (!boxes_[b].is_container) return;
    std::map<double, Row> rows;
    Row apart;
    for (std::size_t c = b + 1; c < boxes_.size(); ++c) {
      if (boxes_[c].parent != b) continue;
      if (boxes_[c].is_apart)
        apart.push_back(c);
      else
        rows[boxes_[c].row].push_back(c);
    }
    int width = areas_[b].width;
    for (const std::size_t c : apart) width += areas_[c].width + grid;
    width = std::max(width, fill(rows));
    const int bottom = stack(rows, width - grid_width_);
    areas_[b] = {0, 0, width + 2 * padding, bottom + padding_below};
    int right = areas_[b].width - grid;
    for (const std::size_t c : apart) {
      right -= areas_[c].width;
      areas_[c].x = right;
      areas_[c].y = grid;
      right -= grid;
    }
  }

  bool is_alone(const Row& row) const { return row.size() == 1 && boxes_[row.front()].is_container; }

  // Stacks rows. A row begins below the contents of its columns, or below all rows. Returns where the last
  // row ends.
  int stack(const std::map<double, Row>& rows, int shift_of_right) {
    std::map<double, int> bottoms;
    int bottom = head_height;
    for (const auto& [row, cells] : rows) {
      int y = head_height;
      for (const auto& [column, end] : bottoms) {
        const auto is_in = [&, column = column](std::size_t c) { return boxes_[c].column == column; };
        if (is_alone(cells) || std::any_of(cells.begin(), cells.end(), is_in))
          y = std::max(y, end + gap_down);
      }
      for (const std::size_t c : cells) {
        areas_[c].x += padding + (boxes_[c].is_right ? shift_of_right : 0);
        areas_[c].y = y;
        bottoms[boxes_[c].column] = y + areas_[c].height;
        bottom = std::max(bottom, y + areas_[c].height);
      }
    }
    return bottom;
  }

  // Fills rows. A column is as wide as its contents. A container that is alone in its row does not count for
  // the width.
  int fill(const std::map<double, Row>& rows) {
    std::map<double, int> columns;
    int alone = 0;
    for (const auto& [row, cells] : rows) {
      if (is_alone(cells)) {
        alone = std::max(alone, areas_[cells.front()].width);
        continue;
      }
      for (const std::size_t c : cells) {
        int& width = columns[boxes_[c].column];
        width = std::max(width, areas_[c].width);
      }
    }
    int x = 0;
    for (auto& [column, width] : columns) {
      for (const auto& [row, cells] : rows)
        for (const std::size_t c : cells)
          if (!is_alone(cells) && boxes_[c].column == column) areas_[c].x = x;
      x += width + gap_across;
    }
    grid_width_ = std::max(0, x - gap_across);
    return std::max(grid_width_, alone);
  }

  const std::vector<Diagram::Box>& boxes_;
  const TextSizes& sizes_;
  std::vector<Area> areas_;
  int grid_width_ = 0;
};

}  // namespace

std::vector<Area> place_boxes(const Diagram& diagram, const TextSizes& sizes, int top) {
  return Placement(diagram, sizes).at(margin, top);
}

}  // namespace subcore
