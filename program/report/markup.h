// Text and numbers in XML.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

// The text for XML, as text or as the value of an attribute in either quotes. Characters that XML does not
// allow become U+FFFD.
std::string escaped(std::string_view text);

// A length in pixels, or another number of a drawing, rounded to a hundredth: "12", "0.5", "-3.25".
std::string px(double value);

// The number of characters that are shown: of bytes that begin a character of UTF-8.
std::size_t characters(std::string_view text);

}  // namespace subcore
