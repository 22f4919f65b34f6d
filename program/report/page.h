// A report as one HTML file: nothing is fetched, and nothing changes from one writing to the next.
#pragma once

#include <string>
#include <vector>

#include "subcore/program/report/comparison.h"
#include "subcore/program/report/figures.h"

namespace subcore {

// `over_time`: figures of which the first is open, the others are closed until somebody wants them.
std::string report_page(const Comparison& comparison, const std::vector<Figure>& figures,
                        const std::vector<Figure>& over_time);

extern const char* const page_style;  // CSS
extern const char* const
    page_script;  // JavaScript, of what a page cannot do without: sorting, zooming, themes

}  // namespace subcore
