#include "subcore/program/report/table.h"

#include <cmath>

#include "subcore/base/formatted.h"
#include "subcore/program/report/markup.h"

namespace subcore {

ReportCell ReportCell::count(std::optional<std::uint64_t> value) {
  return value ? words(std::to_string(*value)) : number({}, 0);
}

ReportCell ReportCell::range(double low, double high, int count) {
  return words(number(low, count).text + " to " + number(high, count).text);
}

ReportCell ReportCell::number(std::optional<double> value, int count, double scale) {
  if (!value || !std::isfinite(*value)) return {"\xE2\x80\x93", ""};
  return {decimals(*value * scale, count), number_text(*value)};
}

std::string html_of(const ReportTable& table) {
  std::string out = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" +
                    escaped(table.caption) + "\">\n<table id=\"" + escaped(table.id) + "\"><caption>" +
                    escaped(table.caption) + "</caption>\n<thead><tr>";
  for (const ReportTable::Column& c : table.columns)
    out += std::string("<th scope=\"col\"") + (c.is_number ? " class=\"number\"" : "") +
           "><button type=\"button\">" + escaped(c.name) + "</button></th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const ReportCell& c = row[i];
      const bool is_number = table.columns[i].is_number;
      out += is_number ? "<td class=\"number\"" : "<td";
      if (is_number && c.value != c.text) out += " data-value=\"" + escaped(c.value) + "\"";
      out += ">" + escaped(c.text) + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n</div>\n";
}

}  // namespace subcore
