// Trigger: events around which a waveform is kept. An expression is one of these, or several with commas
// between them, any of which will do:
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

  // Something that the expression names has happened.
  struct Event {
    Cycle cycle;
    std::string text;  // the event in words, and its place
  };

  // Throws std::invalid_argument: one line, what is wrong and what was expected.
  explicit Trigger(const std::string& expression);

  bool wants_stale() const { return stale_; }
  // Values to look at; `where` is said of their events. Values that the expression does not name are ignored.
  void watch_stale(std::string where, std::function<std::uint64_t()> count);
  void watch_flush(std::string where, std::function<std::uint64_t()> count);
  void watch_sthld(std::string where, std::function<std::uint64_t()> value);
  // `cause` at the end of a cycle; Signal::x: there is none.
  void watch_stall(std::string where, std::function<std::uint64_t(Cycle)> cause);

  // The next event of those that come with time alone before cycle `now`, the earliest first.
  std::optional<Event> overdue(Cycle now);
  // One event of cycle `now`, looked for at its end. `first`: values before it are not known.
  std::optional<Event> look(Cycle now, bool first);
  const std::string& expression() const { return expression_; }

 private:
  struct Value {  // an event whenever it changes
    std::string where;
    std::function<std::uint64_t()> value;
    std::uint64_t last = 0;
  };
  struct Stall {
    std::string where;
    std::function<std::uint64_t(Cycle)> cause;
    std::uint64_t last = Signal::x;
    Cycle due = never;  // when it has lasted too long, unless it has been said
  };
  void parse(const std::string& event);

  std::string expression_;
  bool stale_ = false, flush_ = false, sthld_ = false;
  Cycle longest_stall_ = never;
  std::vector<Value> values_;
  std::vector<Stall> stalls_;
};

}  // namespace subcore
