// Calls the Python package, which draws figures and makes pages.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

// Files that are not in their places yet, as names and contents, in the order of names.
using MadeFiles = std::vector<std::pair<std::string, std::string>>;

// Calls `subcore.MODULE.make(out, **request)` of the Python package beside the program. `request` is the text
// of a JSON object. Returns the files that the package makes in the folder `out`, which is removed.
//
// The Python is that of the variable PYTHON. Otherwise it is the first of python3 in PATH and
// /usr/bin/python3 that has the needed packages. Remembers interrupts (remember_interrupts()). Throws
// std::runtime_error, one line: the package's own, or which Debian packages are missing. Throws Interrupted.
MadeFiles made_by_python(const std::string& module, const std::string& request);

}  // namespace subcore
