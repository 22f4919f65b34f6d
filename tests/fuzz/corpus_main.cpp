// play_corpus TARGET FILE-OR-FOLDER...: plays kept inputs without libFuzzer. The exit code is 1 if an input
// is a finding, or if there are no inputs.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "tests/fuzz/target.h"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const auto* const target = argc > 2 ? subcore::fuzz::target_named(argv[1]) : nullptr;
  if (target == nullptr) {
    std::cerr << "usage: play_corpus TARGET FILE-OR-FOLDER...; TARGET is one of";
    for (const auto& t : subcore::fuzz::targets()) std::cerr << ' ' << t.name;
    std::cerr << '\n';
    return 2;
  }
  unsigned played = 0, findings = 0;
  for (int n = 2; n < argc; ++n) {
    for (const fs::path& file : files_of(argv[n])) {
      std::ifstream in(file, std::ios::binary);
      const std::string input{std::istreambuf_iterator<char>(in), {}};
      ++played;
      try {
        target->play(input);
      } catch (const std::exception& e) {
        std::cerr << "play_corpus: " << file.string() << ": " << e.what() << '\n';
        ++findings;
      }
    }
  }
  std::cout << target->name << ": " << played << " inputs, " << findings << " findings\n";
  return played == 0 || findings != 0 ? 1 : 0;
}
