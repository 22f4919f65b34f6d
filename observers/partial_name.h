// Names of the files of a run that has failed: waveform, pipeline view and profile up to the failure. Their
// names differ from those of a whole run, so that nobody takes one for the other.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>

namespace subcore {

// The name of such a file: w.partial.vcd.gz for w.vcd.gz. Its end stays, because viewers go by that.
inline std::filesystem::path partial_name(const std::filesystem::path& file) {
  std::filesystem::path stem = file, ending = file.extension();
  stem.replace_extension();
  if ((ending == ".gz" || ending == ".xz") && stem.has_extension()) {
    ending = stem.extension().string() + ending.string();
    stem.replace_extension();
  }
  stem += ".partial" + ending.string();
  return stem;
}

// The place of such a file if the whole file would have been written to `aside` first.
inline std::filesystem::path partial_aside(std::filesystem::path aside) {
  return aside += ".partial";
}

}  // namespace subcore
