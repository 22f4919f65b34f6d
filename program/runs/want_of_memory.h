// Tells a handler of std::terminate whether memory ran out.
#pragma once

#include <cerrno>
#include <exception>
#include <new>

namespace subcore {

// Whether the program ends because memory ran out where nothing can be thrown: in a destructor of a library,
// or in a function that promises not to throw.
inline bool is_for_want_of_memory() {
  const std::exception_ptr thrown = std::current_exception();
  if (thrown == nullptr) return errno == ENOMEM;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace subcore
