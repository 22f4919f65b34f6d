#include "subcore/program/report/page.h"

#include <algorithm>

#include "subcore/program/report/markup.h"
#include "subcore/program/report/page_parts.h"

namespace subcore {
namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words)
    text += (&w == &words.front() ? "" : &w == &words.back() ? " and " : ", ") + w;
  return text;
}

std::string notes_html(const Comparison& c) {
  std::vector<std::string> files;
  for (const SavedRun& r : c.runs())
    if (std::find(files.begin(), files.end(), r.file) == files.end()) files.push_back(r.file);
  std::string out = "<ul id=\"notes\">\n";
  for (const std::string& n : c.notes()) out += "<li>" + escaped(n) + "</li>\n";
  out += "<li>Results of " + escaped(listed(files)) + ".</li>\n";
  std::vector<std::string> presets;
  for (const SavedRun& r : c.runs()) {
    const std::string preset = energy_preset_of(r.result);
    if (!preset.empty() && std::find(presets.begin(), presets.end(), preset) == presets.end())
      presets.push_back(preset);
  }
  if (!presets.empty()) out += "<li>Energy by " + escaped(listed(presets)) + ".</li>\n";
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
  return whole_page(
      "subcore: " + listed(c.platforms()),
      "<p>On " + escaped(listed(c.traces())) + ", against " + escaped(c.platforms().front()) + ".</p>\n",
      links,
      section_html("summary", "Summary", html_of(table_of_means(c))) + body +
          section_html("runs", "Runs", html_of(table_of_runs(c))) +
          section_html("notes", "Notes", notes_html(c)));
}

}  // namespace subcore
