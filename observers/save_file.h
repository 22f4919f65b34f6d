// SaveFile: tells GTKWave how to show a waveform: rows in groups, with their radixes, at a scale at which
// words can be read.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/modules/protocol/signal.h"

namespace subcore {

class SaveFile {
 public:
  // Adds a row to a group. A group without a name is the module's own. Groups with the same name are
  // different groups if their modules have different parents. Rows of several groups may come in any order.
  void row(const std::string& path, const std::string& group, const std::string& name, unsigned bits,
           Signal::Form form);
  // `waveform` is the name of the file beside the save file. `causes` is the path of the file with
  // causes_text(), seen from the folder in which GTKWave will be started. Times are in picoseconds.
  std::string text(const std::string& waveform, const std::string& causes, std::uint64_t period,
                   std::uint64_t start) const;
  // GTKWave's filter file for rows of causes: the name of each number, on the colour of its group.
  static std::string causes_text();

 private:
  struct Row {
    std::string radix, path;
    bool is_cause;
  };
  struct Group {
    std::string parent, name;
    std::vector<Row> rows;
  };
  std::vector<Group> groups_;
};

}  // namespace subcore
