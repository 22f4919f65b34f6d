// Calls the Python package, which draws figures and makes pages of them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace subcore {

// Files that are not in their places yet: names, and what is in them, in the order of names.
using MadeFiles = std::vector<std::pair<std::string, std::string>>;

// Calls `subcore.MODULE.make(out, **request)` of the Python package beside the program, `request` being the
// text of a JSON object, and returns the files that it makes in the folder `out`, which goes. The Python is
// that of the variable PYTHON, else the first of python3 in PATH and /usr/bin/python3 that has the packages
// it takes. Remembers interrupts (remember_interrupts()). Throws std::runtime_error, one line: the package's
// own, or which Debian packages are missing; Interrupted.
MadeFiles made_by_python(const std::string& module, const std::string& request);

}  // namespace subcore
