// The results folder appears whole or not at all: everything is written beside it and moved into place when
// all runs have succeeded.
#pragma once

#include <filesystem>
#include <string>

namespace subcore {

class ResultsFolder {
 public:
  // Empty: no results are written. Throws std::runtime_error if the folder cannot be made.
  explicit ResultsFolder(const std::filesystem::path& folder);
  ~ResultsFolder();  // without publish(): nothing stays
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  // Where the files of one run are written; empty if there are no results.
  std::filesystem::path staging(const std::string& platform, const std::string& trace) const;
  void add(const std::string& file, const std::string& content);
  // Replaces files of the same name in an existing folder, leaves others alone.
  void publish();

 private:
  void remove_staging();
  std::filesystem::path folder_, staging_, topmost_new_;
};

}  // namespace subcore
