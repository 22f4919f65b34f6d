// Lines of a trace file, plain or compressed, in big blocks, with the errors that name file and line.
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
  // Decompresses by the name's ending: .xz, .gz, or none; of a .packed trace, these are the lines that it was
  // made of, and of a .tracez file those that Accel-Sim's traceDsm prints. A pipe is read at once, and has
  // plain lines. Throws TraceError when the file cannot be opened.
  explicit LineSource(const std::filesystem::path& file);
  // Lines in memory, which errors call `name`.
  LineSource(const std::string& name, std::string_view text);
  ~LineSource() override;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  LineSource& operator=(LineSource&&) noexcept;  // to begin again

  // The next line without its line end (LF or CRLF), valid until the next call; false at the end of the file.
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

  // Throws `file:line: problem; expected X` for the line last returned. On a line that the end of the file
  // cut off, that is named as the cause.
  [[noreturn]] void fail(const std::string& problem, const std::string& expected) const override;
  std::uint64_t line_number() const { return line_; }

  // Bytes of the file itself, compressed as it may be.
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_total() const;
  // Blocks read by all sources of this process: a sign of life for another thread, as reading may take long.
  static std::uint64_t blocks_read();
  static void count_block();  // by whoever reads a file in another way

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
  const char* stop_ = nullptr;  // end of what was read
  std::uint64_t line_ = 0;
  bool unterminated_ = false;  // the line last returned has no line end
};

}  // namespace subcore
