// The YAML word of an enumerator. Beside each enumeration E, names(E) has its words in the order of the
// enumerators.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <string_view>

namespace subcore {

// The word of an enumerator.
template <class E>
constexpr std::string_view name_of(E e) {
  return names(E{})[static_cast<std::size_t>(e)];
}

}  // namespace subcore
