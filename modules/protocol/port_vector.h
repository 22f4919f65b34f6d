// Ports of one kind, by number. Named as an sc_vector would name them, socket_0, socket_1 and so on; but
// sc_vector asks SystemC for each name, which costs a twelfth of putting a GPU together.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace subcore {

template <class Port>
class PortVector {
 public:
  // `arguments`: of the port's constructor, after its name.
  template <class... Arguments>
  PortVector(const char* name, std::size_t count, const Arguments&... arguments) : name_(name) {
    while (ports_.size() < count) add(arguments...);
  }
  // One more.
  template <class... Arguments>
  void add(const Arguments&... arguments) {
    ports_.emplace_back((name_ + '_' + std::to_string(ports_.size())).c_str(), arguments...);
  }

  std::size_t size() const { return ports_.size(); }
  Port& operator[](std::size_t n) { return ports_[n]; }
  const Port& operator[](std::size_t n) const { return ports_[n]; }
  auto begin() { return ports_.begin(); }
  auto end() { return ports_.end(); }
  auto begin() const { return ports_.begin(); }
  auto end() const { return ports_.end(); }

 private:
  std::string name_;
  std::deque<Port> ports_;  // which never moves them
};

}  // namespace subcore
