// Bytes from outside the program, as a text that can be shown.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <string_view>

namespace subcore {

// The text with '?' in place of each control character, and U+FFFD in place of each byte that is not UTF-8.
// The result fits in one line, and JSON can hold it unchanged.
std::string plain_text(std::string_view text);

}  // namespace subcore
