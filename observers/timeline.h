// The pipeline view of a few instructions, with a row for each instruction and a column for each cycle. The
// view is a text for a terminal, or a table for code that draws it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subcore/observers/pipeline.h"

namespace subcore {

// Kinds of letters in a timeline. Each kind has a colour.
enum class TimelineKind { fetch, wait, operands, ready, execute, write_back };
// The kind of any letter. Digits, and letters for causes of waits, are of the kind `wait`.
TimelineKind kind_of(char letter);

// The contents of text(), for code that draws them.
struct TimelineTable {
  // An instruction.
  struct Row {
    std::string name;   // the text of name_of()
    Cycle begin;        // the first letter's cycle
    std::string cells;  // a letter per cycle
  };
  // Meaning of a letter.
  struct Meaning {
    std::string text;  // "r bank read", "0 to 9 wait for that bank"
    TimelineKind kind;
  };
  std::vector<Row> rows;        // in the order in which the instructions began
  Cycle begin = 0, end = 0;     // cycles of all rows: [begin, end)
  std::vector<Meaning> legend;  // only of letters that occur
};

class Timeline final : public PipelineReader {
 public:
  // Size and colours of the view.
  struct Options {
    std::size_t rows = 40;    // most instructions shown, the first ones in the window
    std::size_t columns = 0;  // longer lines are cut there; 0: no line is cut
    bool colours = false;
    std::optional<std::uint32_t> warp;  // only instructions of the warp with this number in its kernel
  };
  explicit Timeline(const Options& options) : options_(options) {}

  void begins(const InstructionRecord& record, Cycle at) override;
  void enters(const InstructionRecord& record, Cycle at) override { change(record, at); }
  void moves(const InstructionRecord& record, unsigned, Whereabouts, Cycle at) override {
    change(record, at);
  }
  void retires(const InstructionRecord& record, Cycle at) override;

  // Whether the view is full, and all its instructions have retired.
  bool complete() const { return rows_.size() == options_.rows && retired_ == rows_.size(); }
  // All instructions that have been told, including those without a row.
  std::size_t instructions() const { return instructions_; }
  // Rows of instructions that have not retired end at cycle `end`.
  TimelineTable table(Cycle end) const;
  std::string text(Cycle end) const;

 private:
  struct Row {
    std::string name;
    Cycle begin;
    std::string cells;  // a letter per cycle
    char now;           // the letter of the cycles behind them
    bool retired = false;
  };
  // The instruction's row, prepared for a change at a cycle; null if the instruction has no row.
  Row* change(const InstructionRecord& record, Cycle at);
  std::string painted(const std::string& cells) const;

  Options options_;
  std::vector<Row> rows_;
  std::map<std::uint64_t, std::size_t> row_of_;  // by id of the instruction
  std::size_t instructions_ = 0, retired_ = 0;
};

}  // namespace subcore
