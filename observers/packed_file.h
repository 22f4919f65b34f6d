// A text file that a run writes as it goes on. The file is written beside its path, and gets its name when it
// is complete. The file is packed if its name ends in .gz or .xz.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <boost/iostreams/filtering_stream.hpp>

namespace subcore {

class PackedFile {
 public:
  // `aside`, if not empty, is the path at which the file is completed; the caller then moves it to `file`.
  // `what` names the file in messages: "the pipeline view". Repetitive text packs well at any `gzip_level`,
  // and the highest levels cost more than the run. Throws std::runtime_error if the file cannot be written.
  PackedFile(std::filesystem::path file, std::filesystem::path aside, std::string what, int gzip_level = 1);
  ~PackedFile();  // without close(), no file is left
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  // Returns room for the next `bytes` of text. used() says where the text that was written there ends.
  char* room(std::size_t bytes) {
    if (text_.size() - used_ < bytes) make_room(bytes);
    return text_.data() + used_;
  }
  void used(const char* end) { used_ = static_cast<std::size_t>(end - text_.data()); }
  void flush();
  void close();
  // The file's name until close() is called.
  static std::filesystem::path temporary(std::filesystem::path file) { return file += ".part"; }

 private:
  void make_room(std::size_t bytes);
  void write_out(const char* bytes, std::size_t count);
  void discard();
  [[noreturn]] void fail(const std::string& reason) const;

  std::filesystem::path file_, path_;
  std::string what_;
  std::FILE* out_ = nullptr;
  // The text goes to packed_, through packer_ if there is one.
  std::string text_, packed_;
  std::size_t used_ = 0;  // characters of text_ in use
  std::unique_ptr<boost::iostreams::filtering_ostream> packer_;
};

// Names of the files of a failed run: waveform, pipeline view and profile up to the failure. The names differ
// from those of a whole run, so that nobody mistakes one for the other.

// The name of such a file: w.partial.vcd.gz for w.vcd.gz. The ending stays, because viewers go by the ending.
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

// The place of such a file where the whole file would have been written to `aside` first.
inline std::filesystem::path partial_aside(std::filesystem::path aside) {
  return aside += ".partial";
}

}  // namespace subcore
