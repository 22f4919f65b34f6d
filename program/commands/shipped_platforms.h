// The platforms that come with the program.
#pragma once

#include <string>
#include <vector>

namespace subcore {

struct ShippedPlatform {
  std::string name, description;  // what --platform takes, and the file's own key
  std::string file;
};

// Platforms that are whole: a file that is there only to extend a platform with has no name of its own.
std::vector<ShippedPlatform> shipped_platforms();

}  // namespace subcore
