// The register systems and machines that come with the program.
#pragma once

#include <string>
#include <vector>

namespace subcore {

struct ShippedFile {
  std::string name, description;  // the word that --platform or --gpu takes; the file's `description`
  std::string file;
};

// Files that are whole: a file that is there only to extend another with has neither a key name nor a key
// machine.
std::vector<ShippedFile> shipped_systems();
std::vector<ShippedFile> shipped_machines();

}  // namespace subcore
