// The pipeline view of a few instructions: a row for each, a column for each cycle, as text for a terminal or
// as a table for whoever draws it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subcore/observers/pipeline.h"

namespace subcore {

// Kinds of letters in a timeline, for a colour.
enum class TimelineKind { fetch, wait, operands, ready, execute, write_back };
// The kind of any letter; those that stand for causes of waits, and digits, are `wait`.
TimelineKind kind_of(char letter);

// Contents of text(), for whoever draws them.
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
  std::vector<Meaning> legend;  // meanings of the letters that there are
};

class Timeline final : public PipelineReader {
 public:
  // Size and colours of the view.
  struct Options {
    std::size_t rows = 40;    // instructions, the first ones in the window
    std::size_t columns = 0;  // a longer line is cut there; 0 = nowhere
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

  // Whether as many instructions as there are rows for have retired.
  bool complete() const { return rows_.size() == options_.rows && retired_ == rows_.size(); }
  // Instructions that have been told of, those without a row, too.
  std::size_t instructions() const { return instructions_; }
  // Instructions that have not retired go up to cycle `end`.
  TimelineTable table(Cycle end) const;
  std::string text(Cycle end) const;

 private:
  struct Row {
    std::string name;
    Cycle begin;
    std::string cells;  // a letter per cycle
    char now;           // from behind them on
    bool retired = false;
  };
  // The instruction's row, changed as of a cycle; null if it has none.
  Row* change(const InstructionRecord& record, Cycle at);
  std::string painted(const std::string& cells) const;

  Options options_;
  std::vector<Row> rows_;
  std::map<std::uint64_t, std::size_t> row_of_;  // by id of the instruction
  std::size_t instructions_ = 0, retired_ = 0;
};

}  // namespace subcore
