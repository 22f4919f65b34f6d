// Parts that pages are put together from.
#pragma once

#include <string>
#include <vector>

#include "subcore/program/report/figures.h"

namespace subcore {

// The drawing, its caption and its numbers. `tools` are buttons of its own.
std::string figure_html(const Figure& figure, const std::string& tools);
std::string section_html(const std::string& id, const std::string& heading, const std::string& content);
// `about` and `links` are HTML and go to the top of the page, `content` is its sections.
std::string whole_page(const std::string& title, const std::string& about, const std::string& links,
                       const std::string& content);
// Buttons of a figure over time.
extern const char* const zoom_tools;
std::string link_to(const std::string& section, const std::string& words);

}  // namespace subcore
