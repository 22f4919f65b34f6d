// The instruction lines of one kernel's trace file as they stand there, for the register-cache study. Beside
// the KernelReader, because that one normalises operands and asks for a complete header, while the study's
// own traces have a kernel name only. Blocks, warps and counts are checked all the same.
#pragma once

#include <filesystem>
#include <memory>

#include "subcore/program/analysis/study/instruction.h"

namespace subcore {

class LineSource;

class StudyTraceLines {
 public:
  // Reads the header. Throws TraceError (`file:line: problem; expected ...`), as next() does.
  explicit StudyTraceLines(const std::filesystem::path& file);
  ~StudyTraceLines();
  StudyTraceLines(const StudyTraceLines&) = delete;
  StudyTraceLines& operator=(const StudyTraceLines&) = delete;

  const std::string& kernel_name() const;
  unsigned instruction_bytes() const;  // distance of two neighbouring PCs, 16 or (Pascal) 8
  bool announces_reuse() const;        // the format line mentions reuse flags
  // Whether next() counts address words and how many lines there were; saves time when nobody asks.
  void count_addresses(bool yes);
  // The next instruction line, its storage reused; false at the end of a complete file.
  bool next(StudyLine& line);
  // Throws TraceError for the line of that number.
  [[noreturn]] void fail(std::uint64_t line, const std::string& problem, const std::string& expected) const;
  std::uint64_t bytes_read() const;
  std::uint64_t bytes_total() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace subcore
