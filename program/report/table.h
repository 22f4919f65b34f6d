// Tables of a report: to be sorted by their columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace subcore {

struct ReportCell {
  std::string text;   // the text that is shown
  std::string value;  // exact, to sort by and for scripts; empty: there is none, it comes last

  static ReportCell words(const std::string& text) { return {text, text}; }
  static ReportCell count(std::optional<std::uint64_t> value);
  static ReportCell range(double low, double high, int decimals);
  // `scale` is for reading only: 100 shows a share in per cent.
  static ReportCell number(std::optional<double> value, int decimals, double scale = 1);
};

struct ReportTable {
  std::string id, caption;
  struct Column {
    std::string name;
    bool is_number;
  };
  std::vector<Column> columns;
  std::vector<std::vector<ReportCell>> rows;
};

std::string html_of(const ReportTable& table);

}  // namespace subcore
