#include "scenarios/results_folder.h"

#include <stdexcept>

#include <unistd.h>

#include "model/statistics/whole_file.h"

namespace fs = std::filesystem;

namespace subcore {

ResultsFolder::ResultsFolder(const fs::path& folder) : folder_(folder) {
  if (folder_.empty()) return;
  staging_ = folder_;
  if (!staging_.has_filename()) staging_ = staging_.parent_path();  // a trailing slash
  staging_ += ".part-" + std::to_string(getpid());
  std::error_code error;
  if (fs::exists(folder_) && !fs::is_directory(folder_)) {
    throw std::runtime_error(folder_.string() + ": is not a folder; expected a place for results");
  }
  fs::create_directories(staging_, error);
  if (error) throw std::runtime_error(folder_.string() + ": cannot write results: " + error.message());
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

fs::path ResultsFolder::staging(const std::string& platform, const std::string& trace) const {
  return staging_.empty() ? fs::path() : staging_ / platform / trace;
}

void ResultsFolder::add(const std::string& file, const std::string& content) {
  write_whole_file(staging_ / file, content);
}

void ResultsFolder::publish() {
  for (const auto& entry : fs::recursive_directory_iterator(staging_)) {
    const fs::path target = folder_ / fs::relative(entry.path(), staging_);
    if (entry.is_directory()) {
      fs::create_directories(target);
    } else {
      fs::create_directories(target.parent_path());
      fs::rename(entry.path(), target);
    }
  }
}

}  // namespace subcore
