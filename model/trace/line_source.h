// Lines of a trace file, plain or compressed, read in big blocks. Errors name file and line.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/trace/trace.h"
#include "subcore/model/trace/trace_position.h"

namespace subcore {

class LineSource final : public TracePosition {
 public:
  // Decompresses by the name's ending: .xz, .gz, or none. The lines of a .packed trace are the lines from
  // which it was made. The lines of a .tracez file are those that Accel-Sim's traceDsm prints. A pipe is read
  // at once, and has plain lines. Throws TraceError if the file cannot be opened.
  explicit LineSource(const std::filesystem::path& file);
  // Lines in memory. `name` stands in errors.
  LineSource(const std::string& name, std::string_view text);
  ~LineSource() override;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  LineSource& operator=(LineSource&&) noexcept;  // assign a new one to begin again

  // Gives the next line without its line end (LF or CRLF), valid until the next call. False at the end of the
  // file.
  bool next(const char*& begin, const char*& end) {
    const char* newline = find_newline();
    if (newline == nullptr) return next_over_block(begin, end);
    take(newline, begin, end);
    return true;
  }
  bool next(std::string_view& line) {
    const char *begin, *end;
    if (!next(begin, end)) return false;
    line = {begin, static_cast<std::size_t>(end - begin)};
    return true;
  }

  // Throws `file:line: problem; expected X` for the line that next() gave last. If the end of the file cut
  // the line off, the message names that as the cause.
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const override;
  std::uint64_t line_number() const { return line_; }

  // Bytes read of the stored file, which may be compressed.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_total() const;
  // Blocks read by all sources of this process: a sign of life for another thread, because reading may take
  // long.
  static std::uint64_t blocks_read();
  static void count_block();  // for readers without a LineSource

 private:
  struct Input;
  void skip_mark();
  void take_pipe(const std::filesystem::path& file);
  const char* find_newline() const;
  bool next_over_block(const char*& begin, const char*& end);
  void take(const char* newline, const char*& begin, const char*& end) {
    begin = at_;
    end = newline;
    at_ = newline + 1;
    if (end != begin && end[-1] == '\r') --end;
    ++line_;
  }

  std::string name_;
  std::unique_ptr<Input> input_;
  std::vector<char> block_;
  const char* at_ = nullptr;    // first byte not handed out yet
  const char* stop_ = nullptr;  // end of the bytes that were read
  std::uint64_t line_ = 0;
  bool unterminated_ = false;  // the line that next() gave last has no line end
};

}  // namespace subcore
