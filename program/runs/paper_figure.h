// PaperFigure: a figure or table of a paper that an experiment makes again, or one that no paper has: what is
// drawn of the results, and the numbers that the paper states. Read from the list `figures` of a scenario
// file (docs/reproduction.md); the Python package draws it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "subcore/base/yaml_entry.h"

namespace subcore {

// A number that the paper's text states of the figure.
struct StatedNumber {
  std::string says;  // the quantity, in our words
  double value = 0;
  std::string of;           // a series
  std::string over, minus;  // another one that it is divided by, or that is taken off; one of them at most
  std::vector<std::string> parts;  // a stack's parts, added up
  std::string at = "mean";         // mean, highest, lowest, or the name of a trace
  std::string because;             // why ours differs, in a sentence; empty: as the figure's
};

struct PaperFigure {
  enum class Kind { bars, stacks, lines, intervals, means, pareto, tornado };

  std::string id;     // letters, digits and _
  std::string paper;  // paper and number: "Malekeh (arXiv), Fig. 12"; empty: no paper has it
  std::string title;
  std::string axis;
  std::string note;  // a note on how it is made
  std::string because;
  Kind kind = Kind::bars;
  std::string value;  // the value of bars, lines and means, as checked_result_value() gives it
  // The parts of stacks, as shares of their sum, or axes: names, each with such a value.
  std::vector<std::pair<std::string, std::string>> parts;
  struct Series {
    std::string name, platform;
    std::string against;  // a platform of its own instead of the figure's; empty: none
  };
  std::vector<Series> series;  // series; of lines, their points from left to right
  // The traces that it shows: by name, with * and ?, one of these if there are any; and those of which a
  // value, of the first series, is above or below a number.
  std::vector<std::string> traces;
  struct Where {
    std::string value;  // empty: of all traces
    bool above = true;
    double than = 0;
  };
  Where where;
  std::string against;  // a platform that values are divided by, trace by trace; empty: none
  bool is_mean_geometric = false;
  // The split of means: traces where the value is above 0 apart from the others.
  struct Split {
    std::string value;          // empty: none
    std::string with, without;  // names of both
  };
  Split split;
  std::string group = "all traces";  // what means call all its traces together
  // Further groups of means, of the same systems on other machines: traces that ran on these, each against
  // the base on its machine.
  struct Beside {
    std::string name;
    std::vector<std::string> machines;
  };
  std::vector<Beside> beside;
  // Changes of a tornado, whose series are the platform as it is and, two for each change, the platform at
  // its ends.
  struct Change {
    std::string name;
    std::vector<std::string> ends;  // the names behind the platform's name; one alone: the other is as it is
  };
  std::vector<Change> changes;
  std::vector<StatedNumber> stated;

  // Whether the figure is by traces: bars and the like, with each trace's value.
  bool has_value() const { return kind == Kind::bars || kind == Kind::lines || kind == Kind::means; }
  std::string heading() const { return paper.empty() ? title : paper + ": " + title; }

  // The index of the series of this name, or as many as there are.
  std::size_t index_of(const std::string& series_name) const;
};

// The words of kinds in scenario files.
constexpr std::array<std::string_view, 7> names(PaperFigure::Kind) {
  return {"bars", "stacks", "lines", "intervals", "means", "pareto", "tornado"};
}

// Throws ConfigError, with file and line, for what is wrong in the list.
std::vector<PaperFigure> read_figures(const YamlSource& source, const YamlSource::Entry& list);

// The figure as the Python package reads it: an object with the keys of a scenario file, of which each is
// there.
nlohmann::ordered_json json_of(const PaperFigure& figure);

}  // namespace subcore
