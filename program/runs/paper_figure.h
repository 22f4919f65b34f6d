// PaperFigure: a figure or table of a paper that an experiment makes again, or a figure that no paper has. A
// PaperFigure says what is drawn of the results, and which numbers the paper states. Figures are read from
// the list `figures` of a scenario file (docs/reproduction.md), and the Python package draws them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "subcore/base/yaml_entry.h"

namespace subcore {

// A number that the paper's text states about the figure.
struct StatedNumber {
  std::string says;  // the quantity, in our words
  double value = 0;
  std::string of;                  // name of a series
  std::string over, minus;         // another series to divide by, or to subtract; at most one of them
  std::vector<std::string> parts;  // parts of a stack, which are added up
  std::string at = "mean";         // mean, highest, lowest, or the name of a trace
  std::string because;             // why our number differs, in a sentence; empty: the figure's
};

struct PaperFigure {
  enum class Kind { bars, stacks, lines, intervals, means, pareto, tornado };

  std::string id;     // letters, digits and _
  std::string paper;  // paper and number: "Malekeh (arXiv), Fig. 12"; empty: no paper has it
  std::string title;
  std::string axis;
  std::string note;  // a note on how the figure is made
  std::string because;
  Kind kind = Kind::bars;
  std::string value;  // value of bars, lines and means, as from checked_result_value()
  // Parts of stacks, which are shares of their sum, or axes. A part has a name and a value as from
  // checked_result_value().
  std::vector<std::pair<std::string, std::string>> parts;
  struct Series {
    std::string name, platform;
    std::string against;  // a base instead of the figure's; empty: the figure's
  };
  std::vector<Series> series;  // of lines: their points from left to right
  // The traces that the figure shows. A trace must have one of these names (with * and ?), if there are any.
  // Conditions on a value of the first series, above or below a number, may choose further.
  std::vector<std::string> traces;
  struct Where {
    std::string value;  // empty: all traces
    bool above = true;
    double than = 0;
  };
  Where where;
  std::string against;  // the platform by which values are divided, trace by trace; empty: none
  bool is_mean_geometric = false;
  // The split of means: traces whose value is above 0 are apart from the others.
  struct Split {
    std::string value;          // empty: no split
    std::string with, without;  // names of the two groups
  };
  Split split;
  std::string group = "all traces";  // name of the group of all traces in means
  // Further groups of means, of the same systems on other machines. A group has the traces that ran on its
  // machines, each relative to the base on its machine.
  struct Beside {
    std::string name;
    std::vector<std::string> machines;
  };
  std::vector<Beside> beside;
  // A change of a tornado. A tornado's series are the platform as it is and, two for each change, the
  // platform at the change's ends.
  struct Change {
    std::string name;
    // Ends of the platform's name at the change's ends. With one, the other end is the platform as it is.
    std::vector<std::string> ends;
  };
  std::vector<Change> changes;
  std::vector<StatedNumber> stated;

  // Whether the figure shows values of traces, as bars and lines do.
  bool has_value() const { return kind == Kind::bars || kind == Kind::lines || kind == Kind::means; }
  std::string heading() const { return paper.empty() ? title : paper + ": " + title; }

  // The index of the series of this name. If there is none, the number of series.
  std::size_t index_of(const std::string& series_name) const;
};

// The words for kinds in scenario files.
constexpr std::array<std::string_view, 7> names(PaperFigure::Kind) {
  return {"bars", "stacks", "lines", "intervals", "means", "pareto", "tornado"};
}

// Reads the list of figures. Throws ConfigError, with file and line.
std::vector<PaperFigure> read_figures(const YamlSource& source, const YamlSource::Entry& list);

// The figure in the form that the Python package reads: an object with all keys of a scenario file.
nlohmann::ordered_json json_of(const PaperFigure& figure);

}  // namespace subcore
