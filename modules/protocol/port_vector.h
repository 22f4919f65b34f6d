// Ports of one kind, by number. Named as an sc_vector would name them, socket_0, socket_1 and so on; but
// sc_vector asks SystemC for each name, which costs a twelfth of putting a GPU together.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <memory>
#include <string>

#include <boost/container/small_vector.hpp>
#include <boost/iterator/indirect_iterator.hpp>

namespace subcore {

template <class Port>
class PortVector {
 public:
  // `arguments`: of the port's constructor, after its name.
  template <class... Arguments>
  PortVector(const char* name, std::size_t count, const Arguments&... arguments) : name_(name) {
    while (ports_.size() < count) add(arguments...);
  }
  // Adds one port.
  template <class... Arguments>
  void add(const Arguments&... arguments) {
    const std::string name = name_ + '_' + std::to_string(ports_.size());
    ports_.push_back(std::make_unique<Port>(name.c_str(), arguments...));
  }

  std::size_t size() const { return ports_.size(); }
  Port& operator[](std::size_t n) { return *ports_[n]; }
  const Port& operator[](std::size_t n) const { return *ports_[n]; }
  auto begin() { return boost::make_indirect_iterator(ports_.begin()); }
  auto end() { return boost::make_indirect_iterator(ports_.end()); }
  auto begin() const { return boost::make_indirect_iterator(ports_.begin()); }
  auto end() const { return boost::make_indirect_iterator(ports_.end()); }

 private:
  // Eight ports, as many as most have, are found without another line of a cache.
  boost::container::small_vector<std::unique_ptr<Port>, 8> ports_;
  std::string name_;
};

}  // namespace subcore
