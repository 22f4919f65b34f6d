// Bytes that somebody else has chosen, as a text that can be shown.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <string_view>

namespace subcore {

// The text with '?' for each control character, and U+FFFD for each byte that is no UTF-8: it fits in a line,
// and JSON has it as it is.
std::string plain_text(std::string_view text);

}  // namespace subcore
