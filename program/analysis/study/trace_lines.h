// Reads the instruction lines of one kernel's trace file as they are, for the register-cache study.
// KernelReader does not fit, because it normalises operands and demands a complete header. The study's own
// traces have a kernel name only. Blocks, warps and counts are checked all the same.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "subcore/base/text.h"
#include "subcore/model/trace/instruction_table.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/program/analysis/study/instruction.h"

namespace subcore {

class StudyTraceLines {
 public:
  // Reads the header. Throws TraceError (`file:line: problem; expected ...`), as next() does.
  explicit StudyTraceLines(const std::filesystem::path& file);

  const std::string& kernel_name() const { return kernel_; }
  unsigned instruction_bytes() const { return bytes_; }  // distance of two neighbouring PCs, 16 or (Pascal) 8
  bool announces_reuse() const { return announces_reuse_; }  // the format line announces reuse flags
  // Whether next() counts address words, and how many lines had any. Without the count next() is faster.
  void count_addresses(bool yes) { addresses_ = yes; }
  // Reads the next instruction line into `line`, whose storage is reused. False at the end of a complete
  // file.
  bool next(StudyLine& line);
  // Throws TraceError for the line with that number.
  [[noreturn]] void fail(std::uint64_t line, const std::string& problem, const std::string& expected) const;
  std::uint64_t bytes_read() const { return source_.bytes_read(); }
  std::uint64_t bytes_total() const { return source_.bytes_total(); }

 private:
  void read_header();
  void begin_block();
  bool begin_warp(std::string_view line);
  bool next_line(text::Cursor& words, StudyLine& line);
  void parse(text::Cursor cursor, StudyLine& line);
  void parse_registers(text::Cursor& cursor, const char* role, unsigned most, std::vector<std::uint8_t>& out);
  unsigned words_before_pc(text::Cursor line) const;
  bool is_mark(text::Cursor line) const;
  void check_pc(const StudyLine& line);
  bool next_content(std::string_view& line);

  std::string name_;
  LineSource source_;
  std::string kernel_;
  std::uint64_t blocks_expected_ = 0;  // 0 = the header does not say
  unsigned bytes_ = 16;
  bool announces_reuse_ = false, addresses_ = false;
  LineForm form_ = LineForm::immediate;
  bool in_block_ = false, layout_known_ = false;
  unsigned skipped_words_ = 0;  // words before the PC: block, warp, source line
  std::uint64_t blocks_ = 0, left_ = 0, counted_ = 0;
  std::uint32_t warp_ = 0;
  bool calls_ = false;                                        // the kernel has called a function
  std::unordered_map<std::uint64_t, std::string> static_at_;  // by PC: the first instruction that stood there
};

}  // namespace subcore
