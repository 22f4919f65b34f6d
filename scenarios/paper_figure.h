// A figure or table of a paper that an experiment makes again: what is drawn of the results, and the numbers
// that the paper states. Read from the list `figures` of a scenario file (docs/reproduction.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/result_value.h"
#include "scenarios/yaml_entry.h"

namespace subcore {

// A number that the paper's text states of the figure.
struct StatedNumber {
  std::string says;  // of what, in our words
  double value = 0;
  std::string of;           // a series
  std::string over, minus;  // another one that it is divided by, or that is taken off; one of them at most
  std::string part;         // of a stack
  std::string at = "mean";  // mean, highest, lowest, or the name of a trace
  std::string because;      // why ours differs, in a sentence; empty: as the figure's
};

struct PaperFigure {
  enum class Kind { bars, stacks, lines, intervals };

  std::string id;     // of letters, digits and _
  std::string paper;  // and number: "Malekeh (arXiv), Fig. 12"
  std::string title;
  std::string axis;
  std::string note;  // on how it is made
  std::string because;
  Kind kind = Kind::bars;
  ResultValue value;                                       // of bars and lines
  std::vector<std::pair<std::string, ResultValue>> parts;  // of stacks, as shares of their sum
  struct Series {
    std::string name, platform;
  };
  std::vector<Series> series;  // of lines: their points from left to right
  std::string against;         // a platform that values are divided by, trace by trace; empty: none
  bool is_mean_geometric = false;
  std::vector<StatedNumber> stated;

  // The series of this name; its place, or as many as there are.
  std::size_t place_of(const std::string& series_name) const;
};

std::vector<PaperFigure> read_figures(const YamlSource& source, const YamlSource::Entry& list);

}  // namespace subcore
