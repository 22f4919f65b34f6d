// Scopes of views. A scope is a module's path and all modules below it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

namespace subcore {

// sm_1 and sm_1.sub_core_0 are within sm_1, and sm_10 is not. Every path is within an empty scope.
inline bool within(const std::string& path, const std::string& scope) {
  return scope.empty() || path == scope || path.compare(0, scope.size() + 1, scope + ".") == 0;
}

}  // namespace subcore
