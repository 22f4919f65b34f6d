// Events and their cycles, as rows "cycle: event", so that a test reads like the table from which it was
// derived. Within a cycle the rows are sorted by text, because the order of ticks must not show.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "subcore/modules/protocol/port.h"

namespace subcore::test {

class Log {
 public:
  void add(Cycle cycle, std::string event) { rows_.emplace_back(cycle, std::move(event)); }

  // All rows whose event starts with one of `prefixes` (none given: all).
  std::vector<std::string> rows(const std::vector<std::string>& prefixes = {}) const {
    auto sorted = rows_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::string> text;
    for (const auto& [cycle, event] : sorted) {
      const auto starts = [&e = event](const std::string& p) { return e.compare(0, p.size(), p) == 0; };
      if (prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), starts))
        text.push_back(std::to_string(cycle) + ": " + event);
    }
    return text;
  }
  // Logs every transfer of `port`; `row` turns one into cycle and event.
  template <class Payload, class Row>
  void watch(OutPort<Payload>& port, Row row) {
    auto w = std::make_shared<Watch<Payload>>();
    w->log = this;
    w->row = std::move(row);
    port.observe(*w);
    watches_.push_back(std::move(w));
  }

 private:
  template <class Payload>
  struct Watch : TransferObserver<Payload> {
    Log* log = nullptr;
    std::function<std::pair<Cycle, std::string>(const Payload&)> row;
    void transferred(const Payload& p) override {
      auto [cycle, event] = row(p);
      log->add(cycle, std::move(event));
    }
  };
  std::vector<std::pair<Cycle, std::string>> rows_;
  std::vector<std::shared_ptr<void>> watches_;
};

using Rows = std::vector<std::string>;

}  // namespace subcore::test
