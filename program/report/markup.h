// Text and numbers in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

// The text in XML, as text or as the value of an attribute in either quotes. Characters that XML cannot have
// become U+FFFD.
std::string escaped(std::string_view text);

// A length in pixels, or another number of a drawing, to a hundredth: "12", "0.5", "-3.25".
std::string px(double value);

// A number for an axis or a tool tip, in about four digits: "0.25", "1500", "20k", "1.5M".
std::string short_number(double value);

// The number with so many decimals; "" for what is not a number.
std::string decimals(double value, int count);

// Characters that are shown: bytes that begin a character of UTF-8.
std::size_t characters(std::string_view text);

}  // namespace subcore
