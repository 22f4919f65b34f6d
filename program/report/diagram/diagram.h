// A block diagram of a structure, or of what one has and another had not: boxes within boxes, arrows between
// them, and the parameters of each box. It does not have their places yet.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "subcore/observers/structure.h"

namespace subcore {

// Purposes of boxes. Each room has a colour.
enum class Room { issue, operands, execution, memory, control, driver, own };
constexpr std::array<std::string_view, 7> names(Room) {
  return {"issue", "operands", "execution", "memory", "control", "driver", "user's own"};
}

// Comparison with the structure before; always `same` where there is none.
enum class Mark { same, added, gone, changed };

struct Diagram {
  // A line of a box.
  struct Line {  // a parameter; empty where one of the two has no such one
    std::string key, value, before;
    Mark mark = Mark::same;
    // "6 -> 8", each value in `width` columns at most.
    std::string values(std::size_t width = std::string::npos) const;
  };
  // A module, or several that are alike.
  struct Box {
    std::string path;    // names from the top, with '.' between them
    std::string title;   // in words
    std::size_t parent;  // index in `boxes`; of the top, its own
    Room room = Room::own;
    std::string page;   // the manual's page, behind its base address; empty: there is none
    std::string count;  // "x 4", or empty
    Mark mark = Mark::same;
    std::vector<std::string> each;  // names of the modules, if it stands for several of different names
    // What stands in the box of a collector or an operand cache: "cache table" and "8 x 1024 bits, 3 ports",
    // in the order in which the module has them; and the stages that an instruction passes.
    std::vector<std::pair<std::string, std::string>> parts;
    std::vector<std::string> stages;
    std::vector<Line> lines;  // all parameters, in the order of their declaration
    std::vector<Line> shown;  // lines that there is room for
    bool is_container = false;
    bool is_apart = false;       // no socket: it stands in its container's head
    double column = 0, row = 0;  // place in its container, in order of the way of an instruction
    bool is_right = false;       // at the container's right end
  };
  // A path between two boxes, with all that flows on it.
  struct Arrow {
    std::size_t from, to;              // indices in `boxes`
    std::vector<std::string> words;    // words for what flows
    std::vector<std::string> sockets;  // "read_socket to read_socket"
    Mark mark = Mark::same;
  };
  std::vector<Box> boxes;  // the top first, each behind its parent
  std::vector<Arrow> arrows;
  bool is_difference = false;
};

// Boxes for modules, those that are alike as one.
Diagram diagram_of(const ModelStructure& structure);
// The diagram of `after`, with what is new in it, what has gone, and what has other parameters than in
// `before`.
Diagram difference_of(const ModelStructure& before, const ModelStructure& after);

}  // namespace subcore
