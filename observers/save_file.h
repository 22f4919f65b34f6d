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
  // `waveform`: the file's name, beside the save file. Times in picoseconds.
  std::string text(const std::string& waveform, std::uint64_t period, std::uint64_t start) const;

 private:
  struct Group {
    std::string parent, name;
    std::vector<std::string> lines;
  };
  std::vector<Group> groups_;
};

}  // namespace subcore
