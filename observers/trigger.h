// Trigger: events around which a waveform is kept. An expression is one of the following words, or several
// with commas between them. Any of them triggers.
//   stale      a stale operand has reached a unit (which ends the run)
//   stall>N    a warp slot has been held up by one cause for more than N cycles
//   flush      a collector has dropped what it held, for another warp or at the end of a window
//   sthld      STHLD has changed
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "subcore/modules/protocol/signal.h"

namespace subcore {

class Trigger {
 public:
  static constexpr const char* grammar = "stale, stall>N, flush or sthld, or several of them with commas";

  // An event that the expression names.
  struct Event {
    Cycle cycle;
    std::string text;  // the event in words, and its place
  };

  // Throws std::invalid_argument (one line: the mistake, and what was expected).
  explicit Trigger(const std::string& expression);

  bool wants_stale() const { return stale_; }
  // Adds values to be watched. `where` is the place in their events. Values that the expression does not name
  // are ignored.
  void watch_stale(std::string where, std::function<std::uint64_t()> count);
  void watch_flush(std::string where, std::function<std::uint64_t()> count);
  void watch_sthld(std::string where, std::function<std::uint64_t()> value);
  // `cause` gives the cause at the end of a cycle, or Signal::x if there is none.
  void watch_stall(std::string where, std::function<std::uint64_t(Cycle)> cause);

  // The earliest event before cycle `now` that comes by the passing of time alone.
  std::optional<Event> overdue(Cycle now);
  // One event of cycle `now`, looked for at the cycle's end. `first`: earlier values are not known.
  std::optional<Event> look(Cycle now, bool first);
  const std::string& expression() const { return expression_; }

 private:
  struct Value {  // each change is an event
    std::string where;
    std::function<std::uint64_t()> value;
    std::uint64_t last = 0;
  };
  struct Stall {
    std::string where;
    std::function<std::uint64_t(Cycle)> cause;
    std::uint64_t last = Signal::x;
    Cycle due = never;  // the cycle in which the stall has lasted too long, unless already reported
  };
  void parse(const std::string& event);

  std::string expression_;
  bool stale_ = false, flush_ = false, sthld_ = false;
  Cycle longest_stall_ = never;
  std::vector<Value> values_;
  std::vector<Stall> stalls_;
};

}  // namespace subcore
