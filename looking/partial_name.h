// What a run leaves to look at when it fails has another name, so that nobody takes it for that of a whole
// run.
#pragma once

#include <filesystem>

namespace subcore {

// w.partial.vcd.gz for w.vcd.gz: viewers go by the end of a name.
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

// Where such a file is left by whoever writes aside of its place.
inline std::filesystem::path partial_aside(std::filesystem::path aside) {
  return aside += ".partial";
}

}  // namespace subcore
