// A block diagram of a structure, or of the difference between two structures: boxes within boxes, arrows
// between them, and the parameters of each box. Boxes do not have places yet.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subcore/observers/structure.h"

namespace subcore {

// The purpose of a box. Each room has a colour.
enum class Room { issue, operands, execution, memory, control, driver, own };
constexpr std::array<std::string_view, 7> names(Room) {
  return {"issue", "operands", "execution", "memory", "control", "driver", "user's own"};
}

// How the structure differs from the one before. Without one before, always `same`.
enum class Mark { same, added, gone, changed };

struct Diagram {
  // A line of a box.
  // A parameter. A value is empty if one of the two structures does not have the parameter.
  struct Line {
    std::string key, value, before;
    Mark mark = Mark::same;
    // The values in words: "6 -> 8", each in `width` columns at most.
    std::string values(std::size_t width = std::string::npos) const;
  };
  // A module, or several modules that are alike.
  struct Box {
    std::string path;    // names from the top, separated by '.'
    std::string title;   // in words
    std::size_t parent;  // index in `boxes`; the top is its own parent
    Room room = Room::own;
    std::string page;   // the manual's page, behind its base address; empty: there is none
    std::string count;  // "x 4", or empty
    Mark mark = Mark::same;
    std::vector<std::string> each;  // names of the modules, if they differ
    // The contents of a collector or an operand cache, in the order in which the module has them: "cache
    // table" and "8 x 1024 bits, 3 ports". And the stages that an instruction passes.
    std::vector<std::pair<std::string, std::string>> parts;
    std::vector<std::string> stages;
    std::vector<Line> lines;  // all parameters, in the order of their declaration
    std::vector<Line> shown;  // lines that there is room for
    bool is_container = false;
    bool is_apart = false;       // no socket: the box is in its container's head
    double column = 0, row = 0;  // place in its container, by the way of an instruction
    bool is_right = false;       // at the container's right end
  };
  // A path between two boxes, with all transfers on it.
  struct Arrow {
    std::size_t from, to;              // indices in `boxes`
    std::vector<std::string> words;    // words for the transfers
    std::vector<std::string> sockets;  // "read_socket to read_socket"
    Mark mark = Mark::same;
  };
  std::vector<Box> boxes;  // the top first, and each box behind its parent
  std::vector<Arrow> arrows;
  bool is_difference = false;
};

// The diagram of a structure. Modules that are alike are one box.
Diagram diagram_of(const ModelStructure& structure);
// The diagram of `after`, with marks for boxes that are new, for boxes that have gone, and for parameters
// that differ from those in `before`.
Diagram difference_of(const ModelStructure& before, const ModelStructure& after);

}  // namespace subcore
