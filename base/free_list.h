// FreeList: gives out objects that are made once and used again and again. The object given back last is
// taken first. The list owns the objects, and makes as many as are in use at once.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <vector>

namespace subcore {

template <class T>
class FreeList {
 public:
  // `arguments` are the constructor's, for an object that has to be made now.
  template <class... Arguments>
  T& take(Arguments... arguments) {
    if (free_.empty()) {
      all_.push_back(std::make_unique<T>(arguments...));
      free_.push_back(all_.back().get());
    }
    T& t = *free_.back();
    free_.pop_back();
    return t;
  }
  void give_back(T& t) { free_.push_back(&t); }
  std::size_t in_use() const { return all_.size() - free_.size(); }
  // All objects, in use or not.
  const std::vector<std::unique_ptr<T>>& all() const { return all_; }

 private:
  std::vector<std::unique_ptr<T>> all_;
  std::vector<T*> free_;
};

}  // namespace subcore
