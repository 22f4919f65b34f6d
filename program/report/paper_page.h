// The page of papers' figures: each drawn of our runs, what the paper states of it beside what we have, why
// that differs, and on what ours rests.
#pragma once

#include <string>
#include <vector>

#include "subcore/program/report/paper_numbers.h"

namespace subcore {

struct MadeFigure {
  PaperFigure figure;
  std::string section;  // HTML
  std::string svg;
  PaperNumbers numbers;
};

// Throws std::runtime_error as paper_numbers() does.
MadeFigure made_figure(const PaperFigure& figure, const Comparison& comparison,
                       const std::string& results_name);

std::string paper_page(const std::vector<MadeFigure>& figures);

// The stated numbers of all figures, for scripts.
std::string stated_json(const std::vector<MadeFigure>& figures);

}  // namespace subcore
