// A counter is declared once, as a member, with its name, its unit and its meaning:
//   struct Counters {
//     CounterList& list;
//     Counter hits{list, "hits", "requests", "reads that found all their sectors"};
//   };
// While the model runs, a counter is a plain integer. A list keeps the order of declaration.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

// The counters of a module, in the order of declaration. The list points to them, so neither may be copied.
class CounterList {
 public:
  // A counter's name, unit and meaning, and the address of its value.
  struct Declaration {
    std::string name;
    const char *unit, *description;
    const std::uint64_t* value;
  };
  CounterList() = default;
  CounterList(const CounterList&) = delete;
  CounterList& operator=(const CounterList&) = delete;
  const std::vector<Declaration>& declarations() const { return declarations_; }

 private:
  friend class Counter;
  std::vector<Declaration> declarations_;
};

class Counter {
 public:
  // `unit` and `description` are literals.
  Counter(CounterList& list, std::string name, const char* unit, const char* description) {
    list.declarations_.push_back({std::move(name), unit, description, &value_});
  }
  // A counter that is not `listed` counts, but is no statistic.
  Counter(CounterList& list, bool listed, std::string name, const char* unit, const char* description) {
    if (listed) list.declarations_.push_back({std::move(name), unit, description, &value_});
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  operator std::uint64_t() const { return value_; }
  Counter& operator++() {
    ++value_;
    return *this;
  }
  Counter& operator+=(std::uint64_t n) {
    value_ += n;
    return *this;
  }

 private:
  std::uint64_t value_ = 0;
};
static_assert(sizeof(Counter) == sizeof(std::uint64_t));

}  // namespace subcore
