// SaveFile: what GTKWave is to show of a waveform: rows in groups, with their radixes, at a scale at which
// words can be read.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/modules/protocol/signal.h"

namespace subcore {

class SaveFile {
 public:
  // Adds a row to a group, which is the module's if it has no name. Groups of one name are different ones for
  // each parent of modules. Rows of one group may come in any order with others.
  void row(const std::string& path, const std::string& group, const std::string& name, unsigned bits,
           Signal::Form form);
  // `waveform`: the file's name, beside the save file. `causes`: the path of the file with causes_text(),
  // from the folder in which GTKWave will be started. Times in picoseconds.
  std::string text(const std::string& waveform, const std::string& causes, std::uint64_t period,
                   std::uint64_t start) const;
  // GTKWave's filter file for rows of causes: each number's name, on its group's colour.
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
