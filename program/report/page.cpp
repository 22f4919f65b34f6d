#include "subcore/program/report/page.h"

#include <algorithm>

#include "subcore/base/spelling.h"
#include "subcore/program/report/markup.h"

namespace subcore {

namespace {

// The policy makes it impossible to fetch anything, whatever names in results may hold.
const char* const page_head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
)";

const char* const theme_button =
    R"(<button type="button" id="theme"><span class="to_dark">Dark</span><span class="to_light">Light</span></button>
)";

std::string notes_html(const Comparison& c) {
  std::vector<std::string> files;
  for (const SavedRun& r : c.runs())
    if (std::find(files.begin(), files.end(), r.file) == files.end()) files.push_back(r.file);
  std::string out = "<ul id=\"notes\">\n";
  for (const std::string& n : c.notes()) out += "<li>" + escaped(n) + "</li>\n";
  out += "<li>Results of " + escaped(listed(files, " and ")) + ".</li>\n";
  std::vector<std::string> presets;
  for (const SavedRun& r : c.runs()) {
    const std::string preset = energy_preset_of(r.result);
    if (!preset.empty() && std::find(presets.begin(), presets.end(), preset) == presets.end())
      presets.push_back(preset);
  }
  if (!presets.empty()) out += "<li>Energy by " + escaped(listed(presets, " and ")) + ".</li>\n";
  return out + "</ul>\n";
}

}  // namespace

std::string report_page(const Comparison& c, const std::vector<Figure>& figures,
                        const std::vector<Figure>& over_time) {
  std::string links = link_to("summary", "Summary"), body;
  for (const Figure& f : figures) {
    links += link_to(f.id, f.heading);
    body += section_html(f.id, f.heading, figure_html(f, ""));
  }
  if (!over_time.empty()) {
    links += link_to("time", "Over time");
    std::string content;
    for (const Figure& f : over_time)
      content += std::string("<details") + (&f == &over_time.front() ? " open" : "") + "><summary>" +
                 escaped(f.heading) + "</summary>\n" + figure_html(f, zoom_tools) + "</details>\n";
    body += section_html("time", "Over time", content);
  }
  links += link_to("runs", "Runs") + link_to("notes", "Notes");
  return whole_page("subcore: " + listed(c.platforms(), " and "),
                    "<p>On " + escaped(listed(c.traces(), " and ")) + ", against " +
                        escaped(c.platforms().front()) + ".</p>\n",
                    links,
                    section_html("summary", "Summary", html_of(table_of_means(c))) + body +
                        section_html("runs", "Runs", html_of(table_of_runs(c))) +
                        section_html("notes", "Notes", notes_html(c)));
}

const char* const zoom_tools =
    "<button type=\"button\" data-zoom=\"in\">Zoom in</button>"
    "<button type=\"button\" data-zoom=\"out\">Zoom out</button>"
    "<button type=\"button\" data-zoom=\"left\" aria-label=\"Earlier\">\xE2\x86\x90</button>"
    "<button type=\"button\" data-zoom=\"right\" aria-label=\"Later\">\xE2\x86\x92</button>"
    "<button type=\"button\" data-zoom=\"all\">All</button> ";

std::string figure_html(const Figure& f, const std::string& tools) {
  return "<figure id=\"" + f.id + "\">\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" +
         escaped(f.heading) + "\">\n" + f.svg + "</div>\n<div class=\"tools\">" + tools +
         "<button type=\"button\" class=\"save\">Save SVG</button></div>\n<figcaption>" + escaped(f.caption) +
         "</figcaption>\n<details class=\"numbers\"><summary>The numbers</summary>\n" + html_of(f.numbers) +
         "</details>\n</figure>\n";
}

std::string section_html(const std::string& id, const std::string& heading, const std::string& content) {
  return "<section aria-labelledby=\"" + id + "_heading\">\n<h2 id=\"" + id + "_heading\">" +
         escaped(heading) + "</h2>\n" + content + "</section>\n";
}

std::string link_to(const std::string& section, const std::string& words) {
  return "<a href=\"#" + section + "_heading\">" + escaped(words) + "</a>\n";
}

std::string whole_page(const std::string& title, const std::string& about, const std::string& links,
                       const std::string& content) {
  return std::string(page_head) + "<title>" + escaped(title) + "</title>\n<style>" + page_style +
         "</style>\n</head>\n<body>\n<header>\n<h1>" + escaped(title) + "</h1>\n" + about + theme_button +
         "<nav aria-label=\"Sections\">\n" + links + "</nav>\n</header>\n<main>\n" + content +
         "</main>\n<script>" + page_script + "</script>\n</body>\n</html>\n";
}

}  // namespace subcore
