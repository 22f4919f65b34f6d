// A stream that reads a text.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <sstream>
#include <string>

namespace subcore {

// Throws where memory runs out. Other streams take that for the end of the text, without a word.
inline std::istringstream text_stream(const std::string& text) {
  std::istringstream stream(text);
  stream.exceptions(std::ios::badbit);
  return stream;
}

}  // namespace subcore
