#include "subcore/program/report/diagram/diagram.h"

#include <algorithm>
#include <limits>
#include <map>

#include "subcore/base/text_width.h"
#include "subcore/program/report/diagram/blocks.h"

namespace subcore {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
constexpr std::size_t most_lines = 5, most_changes = 9;

// The modules of two structures. Modules that match are there once. `before` may be empty.
class Merged {
 public:
  Merged(const ModelStructure& before, const ModelStructure& after, bool is_difference)
      : before_(before), after_(after) {
    diagram_.is_difference = is_difference;
    for (std::size_t m = 0; m < after.modules.size(); ++m)
      add(after, m, after.modules[m].parent, Mark::added);
    for (std::size_t m = 0; m < before.modules.size(); ++m) match(m);
    for (std::size_t m = 0; m < after.modules.size(); ++m) mark_module(m);
    add_arrows(after, Mark::added);
    add_arrows(before, Mark::gone);
    add_lines();
    for (Diagram::Box& b : diagram_.boxes) finish(b);
    for (std::size_t b = 0; b < diagram_.boxes.size(); ++b) place(b);
  }
  Diagram take() { return std::move(diagram_); }

 private:
  void add(const ModelStructure& of, std::size_t m, std::size_t parent, Mark mark) {
    const ModelStructure::Module& module = of.modules[m];
    Diagram::Box box;
    const bool is_top = diagram_.boxes.empty();
    box.path = is_top ? module.name : diagram_.boxes[parent].path + '.' + module.name;
    box.title = title_of(module.name);
    box.parent = parent;
    box.each = module.each;
    box.count = count_text(of, m);
    box.stages = module.stages;
    if (module.kind == "collector" || module.kind == "operand_cache")
      for (const HardwarePart& p : module.parts) box.parts.emplace_back(title_of(p.name), size_text(p));
    box.mark = diagram_.is_difference ? mark : Mark::same;
    if (!is_top) diagram_.boxes[parent].is_container = true;
    if (const Block* block = find_block(module.kind)) {
      box.room = block->room;
      box.page = block->page();
      box.column = block->column;
      box.row = block->row;
      box.is_right = block->is_right;
    }
    diagram_.boxes.push_back(std::move(box));
    kinds_.push_back(module.kind);
  }

  // The size of a part: "8 x 1024 bits, 3 ports".
  static std::string size_text(const HardwarePart& p) {
    return std::to_string(p.words) + " x " + std::to_string(p.bits) + (p.bits == 1 ? " bit" : " bits") +
           (p.ports == 1 ? "" : ", " + std::to_string(p.ports) + " ports");
  }

  static std::string count_text(const ModelStructure& of, std::size_t m) {
    const std::size_t count = of.count_in_parent(m);
    if (count == 1) return {};
    return count != 0 ? "x " + std::to_string(count) : std::to_string(of.modules[m].total) + " in all";
  }

  // Finds the module before that matches module `m`: the one with its name, or else the one of its kind below
  // the same parent.
  void match(std::size_t m) {
    const ModelStructure::Module& old = before_.modules[m];
    const std::size_t parent = m == 0 ? 0 : now_.at(old.parent);
    std::size_t found = m == 0 ? 0 : nowhere;
    for (std::size_t a = 1; a < after_.modules.size() && m != 0; ++a) {
      const ModelStructure::Module& young = after_.modules[a];
      if (young.parent != parent || was_.count(a) != 0 || young.kind != old.kind) continue;
      if (young.name == old.name) {
        found = a;
        break;
      }
      const bool has_successor = std::any_of(before_.modules.begin(), before_.modules.end(), [&](auto& o) {
        return o.parent == old.parent && o.kind == young.kind && o.name == young.name;
      });
      if (found == nowhere && !young.kind.empty() && !has_successor) found = a;
    }
    if (found != nowhere) {
      was_[found] = m;
    } else {
      found = diagram_.boxes.size();
      add(before_, m, parent, Mark::gone);
    }
    now_.push_back(found);
  }

  void mark_module(std::size_t m) {
    const auto was = was_.find(m);
    if (was == was_.end()) return;
    Diagram::Box& box = diagram_.boxes[m];
    const ModelStructure::Module& old = before_.modules[was->second];
    const std::string old_count = count_text(before_, was->second);
    const bool is_same =
        (old.name == after_.modules[m].name || m == 0) && old_count == box.count && old.each == box.each;
    box.mark = is_same ? Mark::same : Mark::changed;
    if (old_count != box.count)
      box.count =
          (old_count.empty() ? "x 1" : old_count) + " \u2192 " + (box.count.empty() ? "x 1" : box.count);
  }

  void add_arrows(const ModelStructure& of, Mark mark) {
    const bool is_before = &of == &before_;
    for (const ModelStructure::Path& p : of.paths) {
      const std::size_t from = is_before ? now_[p.from] : p.from, to = is_before ? now_[p.to] : p.to;
      const auto [found, is_new] = arrows_.emplace(std::pair(from, to), diagram_.arrows.size());
      if (is_new) diagram_.arrows.push_back({from, to, {}, {}, diagram_.is_difference ? mark : Mark::same});
      Diagram::Arrow& arrow = diagram_.arrows[found->second];
      const std::string words = words_of(of.modules[p.from].kind, p.socket);
      const std::string sockets = p.socket + " \u2192 " + p.target;
      const auto add_once = [](std::vector<std::string>& all, const std::string& text) {
        if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
      };
      if (!is_before || arrow.mark == Mark::gone) {
        add_once(arrow.words, words);
        add_once(arrow.sockets, sockets);
      } else {
        seen_.push_back({found->second, sockets});
      }
    }
    if (!is_before) return;
    for (std::size_t a = 0; a < diagram_.arrows.size(); ++a) mark_arrow(a);
  }

  // Marks an arrow that exists now, as one that existed before or did not.
  void mark_arrow(std::size_t a) {
    Diagram::Arrow& arrow = diagram_.arrows[a];
    std::vector<std::string> before;
    for (const auto& [of, sockets] : seen_)
      if (of == a) before.push_back(sockets);
    if (arrow.mark != Mark::added || before.empty()) return;
    const auto is_there = [&](const std::string& s) {
      return std::find(before.begin(), before.end(), s) != before.end();
    };
    const bool is_same = before.size() == arrow.sockets.size() &&
                         std::all_of(arrow.sockets.begin(), arrow.sockets.end(), is_there);
    arrow.mark = is_same ? Mark::same : Mark::changed;
  }

  // The box that a key belongs to: the one with the longest beginning of the key.
  std::pair<std::size_t, std::size_t> owner_of(const std::string& key) const {
    std::size_t owner = 0, length = 0;
    for (std::size_t b = 0; b < kinds_.size(); ++b) {
      const Block* const block = find_block(kinds_[b]);
      if (block == nullptr) continue;
      for (const std::string_view beginning : block->parameters)
        if (beginning.size() > length && key.compare(0, beginning.size(), beginning) == 0)
          owner = b, length = beginning.size();
    }
    return {owner, length};
  }

  void add_lines() {
    std::vector<ModelStructure::Setting> all = after_.settings;
    for (const ModelStructure::Setting& s : before_.settings)
      if (value_in(after_, s.key) == nullptr) all.push_back(s);
    for (const ModelStructure::Setting& s : all) {
      if (s.key == "name" || s.key == "description") continue;
      const auto [owner, length] = owner_of(s.key);
      const ModelStructure::Setting* const now = value_in(after_, s.key);
      const ModelStructure::Setting* const was = value_in(before_, s.key);
      // The name of a whole group goes, and a part of a name stays.
      const std::size_t dot = s.key.rfind('.', length == 0 ? 0 : length - 1);
      Diagram::Line line{s.key.substr(dot == std::string::npos ? 0 : dot + 1), now ? now->value : "",
                         was ? was->value : "", Mark::same};
      if (diagram_.is_difference)
        line.mark = !was                       ? Mark::added
                    : !now                     ? Mark::gone
                    : now->value != was->value ? Mark::changed
                                               : Mark::same;
      diagram_.boxes[owner].lines.push_back(line);
      ranks_[owner].push_back(rank_of(s, length));
    }
  }

  // The rank of a line. Lines that differ from the default come first, then those that switch something on.
  static int rank_of(const ModelStructure::Setting& s, std::size_t length_of_beginning) {
    if (length_of_beginning == 0) return 3;  // the top box has keys that no other box has
    if (!s.is_default) return 0;
    return s.value == "false" || s.value == "off" || s.value == "none" || s.value == "0" ? 2 : 1;
  }

  static const ModelStructure::Setting* value_in(const ModelStructure& s, const std::string& key) {
    const auto found =
        std::find_if(s.settings.begin(), s.settings.end(), [&](auto& setting) { return setting.key == key; });
    return found == s.settings.end() ? nullptr : &*found;
  }

  // Chooses the lines of a box: changes, or lines that differ from the default, then the first ones.
  void finish(Diagram::Box& box) {
    const auto b = static_cast<std::size_t>(&box - diagram_.boxes.data());
    const bool of_changes = box.mark != Mark::added && box.mark != Mark::gone && diagram_.is_difference;
    const auto is_changed = [](const Diagram::Line& l) { return l.mark != Mark::same; };
    if (of_changes && box.mark == Mark::same && std::any_of(box.lines.begin(), box.lines.end(), is_changed))
      box.mark = Mark::changed;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < box.lines.size(); ++i)
      if (!of_changes || is_changed(box.lines[i])) order.push_back(i);
    if (!of_changes)
      std::stable_sort(order.begin(), order.end(),
                       [&](auto x, auto y) { return ranks_[b][x] < ranks_[b][y]; });
    order.resize(std::min(order.size(), of_changes ? most_changes : most_lines));
    std::sort(order.begin(), order.end());
    for (const std::size_t i : order) {
      box.shown.push_back(box.lines[i]);
      Diagram::Line& line = box.shown.back();
      if (of_changes) continue;
      if (line.mark == Mark::gone) line.value = line.before;  // the line is drawn as before, like its box
      line.mark = Mark::same;
    }
    const auto touches = [&](const Diagram::Arrow& a) { return a.from == b || a.to == b; };
    box.is_apart =
        !box.is_container && b != 0 && std::none_of(diagram_.arrows.begin(), diagram_.arrows.end(), touches);
  }

  // Places a box. A module without a block stands between its neighbours, and no two boxes have one place.
  void place(std::size_t b) {
    Diagram::Box& box = diagram_.boxes[b];
    if (b == 0) return;
    if (find_block(kinds_[b]) == nullptr) {
      double columns = 0, rows = 0, count = 0;
      for (const Diagram::Arrow& a : diagram_.arrows) {
        if (a.from != b && a.to != b) continue;
        const std::size_t other = a.from == b ? a.to : a.from;
        if (diagram_.boxes[other].parent != box.parent || find_block(kinds_[other]) == nullptr) continue;
        columns += diagram_.boxes[other].column, rows += diagram_.boxes[other].row, ++count;
      }
      box.column = count > 0 ? columns / count : 8;
      box.row = count > 0 ? rows / count : 0;
    }
    const auto is_taken = [&] {
      for (std::size_t o = 1; o < b; ++o) {
        const Diagram::Box& other = diagram_.boxes[o];
        if (!other.is_apart && other.parent == box.parent && other.column == box.column &&
            other.row == box.row)
          return true;
      }
      return false;
    };
    while (!box.is_apart && is_taken()) box.row += 0.125;
  }

  const ModelStructure& before_;
  const ModelStructure& after_;
  Diagram diagram_;
  std::vector<std::string_view> kinds_;     // kinds of the boxes
  std::vector<std::size_t> now_;            // by module before: its box now
  std::map<std::size_t, std::size_t> was_;  // by module now: the module before
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> arrows_;
  std::vector<std::pair<std::size_t, std::string>> seen_;  // arrows that are still there, and their sockets
                                                           // before
  std::map<std::size_t, std::vector<int>> ranks_;          // ranks of the lines of each box
};

}  // namespace

std::string Diagram::Line::values(std::size_t width) const {
  const std::string now = shortened(value, width), was = shortened(before, width), arrow = " \u2192 ";
  if (mark == Mark::changed) return was + arrow + now;
  if (mark == Mark::gone) return was + arrow + "\u2013";
  if (mark == Mark::added) return "\u2013" + arrow + now;
  return now;
}

Diagram diagram_of(const ModelStructure& structure) {
  return Merged({}, structure, false).take();
}

Diagram difference_of(const ModelStructure& before, const ModelStructure& after) {
  return Merged(before, after, true).take();
}

}  // namespace subcore
