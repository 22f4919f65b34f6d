// Scopes of views: a module's path and all below it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>

namespace subcore {

// sm_1 is within sm_1 and sm_1.sub_core_0 within sm_1; sm_10 is not. Without a scope everything is.
inline bool within(const std::string& path, const std::string& scope) {
  return scope.empty() || path == scope || path.compare(0, scope.size() + 1, scope + ".") == 0;
}

}  // namespace subcore
