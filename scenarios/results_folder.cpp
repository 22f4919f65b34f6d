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
  if (fs::is_directory(folder_)) require_writable(folder_ / "results.json");
  // The folders above are new, too, when they are missing: remember the topmost.
  for (fs::path above = fs::absolute(staging_).lexically_normal().parent_path();
       !above.empty() && !fs::exists(above, error); above = above.parent_path()) {
    topmost_new_ = above;
  }
  fs::create_directories(staging_, error);
  if (error) {
    remove_staging();
    throw std::runtime_error(folder_.string() + ": cannot write results: " + error.message());
  }
}

ResultsFolder::~ResultsFolder() {
  remove_staging();
}

void ResultsFolder::remove_staging() {
  std::error_code ignored;
  if (staging_.empty()) return;
  fs::remove_all(staging_, ignored);
  // Empty ones only: results, or what others put there meanwhile, stay.
  if (topmost_new_.empty()) return;
  fs::path above = fs::absolute(staging_).lexically_normal().parent_path();
  while (fs::remove(above, ignored) && above != topmost_new_) above = above.parent_path();
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
