#include "subcore/observers/trigger.h"

#include <algorithm>
#include <stdexcept>

#include "subcore/base/spelling.h"

namespace subcore {

Trigger::Trigger(const std::string& expression) : expression_(expression) {
  for (const std::string& event : split(expression, ',')) parse(event);
}

void Trigger::parse(const std::string& event) {
  const std::string stall = "stall>";
  if (event == "stale") {
    stale_ = true;
  } else if (event == "flush") {
    flush_ = true;
  } else if (event == "sthld") {
    sthld_ = true;
  } else if (event.compare(0, stall.size(), stall) == 0) {
    const std::string cycles = event.substr(stall.size());
    if (cycles.empty() || cycles.size() > 18 || cycles.find_first_not_of("0123456789") != std::string::npos)
      throw std::invalid_argument("'" + event +
                                  "': no number of cycles after 'stall>'; expected e.g. stall>200");
    longest_stall_ = std::min<Cycle>(longest_stall_, std::stoull(cycles));
  } else {
    throw std::invalid_argument("'" + event + "': no such event;" +
                                did_you_mean(event, {"stale", "flush", "sthld"}) + " expected " + grammar);
  }
}

void Trigger::watch_stale(std::string where, std::function<std::uint64_t()> count) {
  if (stale_) values_.push_back({"stale:" + std::move(where), std::move(count)});
}
void Trigger::watch_flush(std::string where, std::function<std::uint64_t()> count) {
  if (flush_) values_.push_back({"flush:" + std::move(where), std::move(count)});
}
void Trigger::watch_sthld(std::string where, std::function<std::uint64_t()> value) {
  if (sthld_) values_.push_back({"sthld:" + std::move(where), std::move(value)});
}
void Trigger::watch_stall(std::string where, std::function<std::uint64_t(Cycle)> cause) {
  if (longest_stall_ != never) stalls_.push_back({"stall:" + std::move(where), std::move(cause)});
}

std::optional<Trigger::Event> Trigger::overdue(Cycle now) {
  Stall* first = nullptr;
  for (Stall& s : stalls_) {
    if (s.due < now && (first == nullptr || s.due < first->due)) first = &s;
  }
  if (first == nullptr) return std::nullopt;
  const Event e{first->due, first->where};
  first->due = never;
  return e;
}

std::optional<Trigger::Event> Trigger::look(Cycle now, bool first) {
  std::optional<Event> found;
  for (Value& v : values_) {
    const std::uint64_t value = v.value();
    if (value == v.last) continue;
    v.last = value;
    if (!first) found = Event{now, v.where};
  }
  for (Stall& s : stalls_) {
    const std::uint64_t cause = s.cause(now);
    if (cause != s.last) {
      s.last = cause;
      s.due = cause == Signal::x ? never : now + longest_stall_;
    }
    if (s.due <= now) {
      found = Event{now, s.where};
      s.due = never;
    }
  }
  return found;
}

}  // namespace subcore
