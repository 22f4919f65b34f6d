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

// The drawing, its caption and its numbers. `tools` are buttons of its own.
std::string figure_html(const Figure& figure, const std::string& tools);
std::string section_html(const std::string& id, const std::string& heading, const std::string& content);
// `about` and `links` are HTML and go to the top of the page, `content` is its sections.
std::string whole_page(const std::string& title, const std::string& about, const std::string& links,
                       const std::string& content);
// Buttons of a figure over time.
extern const char* const zoom_tools;
// Makes a PDF of the SVG, the same file each time. librsvg draws it, as a program: SVG is what it is made
// for, it comes with most desktops, and whoever only wants SVG or HTML need not have it. False if there is no
// rsvg-convert on this machine. Throws std::runtime_error when it fails.
bool make_pdf(const std::filesystem::path& svg, const std::filesystem::path& pdf);

std::string link_to(const std::string& section, const std::string& words);

}  // namespace subcore
